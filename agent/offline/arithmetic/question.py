"""Arithmetic questions read by rules: the operation and its periods. Ambiguous questions are not read."""

import re
from dataclasses import dataclass
from typing import Literal

from tablerag.agent.offline.arithmetic.moments import is_backwards, moments_of, range_of, without_parts
from tablerag.agent.offline.word_lists import pattern, words
from tablerag.tools.text import content_tokens, tokens

__all__ = ["ArithmeticQuestion", "Direction", "Operation", "Unread", "read_arithmetic"]

Operation = Literal["percent_change", "difference", "average", "sum", "share", "ratio"]
Direction = Literal["up", "down", ""]

UP, DOWN, CHANGE, PERCENT = (pattern("arithmetic", name) for name in ("up", "down", "change", "percent"))
RULES: tuple[tuple[Operation, str], ...] = (
    ("percent_change", rf"(?<!\w){PERCENT}\W+(?:\w+\W+)?{CHANGE}\b"),
    ("percent_change", rf"\b(?:how many|what) {PERCENT}\b(?! of\b).*\b(?:{CHANGE}|{UP}|{DOWN})\b"),
    ("percent_change", rf"\b{CHANGE}\b.*\b(?:in|as a) {PERCENT}|\bgrowth rate\b|\brate of (?:change|growth)\b"),
    (
        "share",
        rf"\bwhat (?:was|is|were|are)?\s*(?:the )?{PERCENT} of\b|\bas (?:a|the) {PERCENT} of\b|\bproportion of\b",
    ),
    ("share", rf"\bratio \(?in {PERCENT}\)? of\b|\bhow much {PERCENT}\b|\bwhat {PERCENT}\b|\bproportion of\b"),
    ("ratio", r"\bratio\b"),
    ("average", r"(?<!weighted )(?<!weighted-)\b(?:average|mean)\b"),
    ("sum", r"\bsum of\b|\bcombined\b|\baltogether\b"),
    (
        "difference",
        rf"\bdifference\b|\b{CHANGE}\b|\bhow much (?:more|less|higher|lower|larger|smaller)\b|\bdecreased? by\b",
    ),
    ("share", r"\b(?:the|what|[’']s) share of\b(?! (?:profits?|loss(?:es)?|results?)\b)"),
    ("sum", r"\bin total\b|\bwhat (?:is|was|are|were) the total\b"),
)
"""The first that matches is the operation; see also TWICE."""
TWICE = re.compile(
    rf"\b{CHANGE} (?:in|of) (?:the )?(?:average|ratio|{PERCENT} {CHANGE})\b"
    rf"|\bdifference (?:in|between) (?:the )?(?:average|{PERCENT}|{CHANGE})\b"
    rf"|\baverage (?:{PERCENT}|annual|yearly)? ?(?:{CHANGE}|difference)\b|\bper (?:day|month|week|quarter|employee)\b"
    rf"|\bcompound(?:ed)?\b|\bcagr\b|\b{CHANGE} in (?:the )?(?:{PERCENT}|share|proportion) of\b"
    r"|\bwhich\b|\bhow many (?:years|quarters)\b|\bif\b"
    r"|\bassum|\bexclud|\bnot includ|\bother than\b|\bwithout\b"
    r"|\bproduct of\b|\bmultipl|\bdivid(?:ed|ing) by\b|\bcumulative\b|\bannualized\b",
    re.IGNORECASE,
)
"""Signs of an operation on another one's result, or of a condition: the rules do not read these."""
NO_NUMBER = re.compile(
    r"\s*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|why|who|when|where)\b"
    r"|\s*how (?!much\b|many\b|has\b|did\b)|.*\b(?:driven|caused) by\b",
    re.IGNORECASE,
)
"""Questions for a yes or no, a reason or a method."""
ABSOLUTE = re.compile(r"\bdifference\b|\bdecreased? by\b|\bhow much did\b.*\bdecrease\b", re.IGNORECASE)
ALL_YEARS = re.compile(
    r"\bsum of\b|\b(?:all|both|each|every|the (?:two|three|four|five|\d)) (?:\w+ )?(?:fys?|years?|periods?)\b",
    re.IGNORECASE,
)
SUMMED = re.compile(
    rf"\bsum\b|\bcombined\b|\baltogether\b|\bin total\b|\bbetween\b|\bfrom\b|{ALL_YEARS.pattern}", re.IGNORECASE
)
COMPARED = re.compile(
    r"\bhow much (?:(?P<up>more|higher|larger|greater)|less|lower|smaller)\b.*\bthan\b", re.IGNORECASE
)
NAME = re.compile(r"(?<=[\w,] )[A-Z][\w&]+")
PER = re.compile(r"\bper (\w+)", re.IGNORECASE)
CHANGED = re.compile(rf"\b(?:{CHANGE}|difference)s?\b", re.IGNORECASE)
QUALIFYING = re.compile(
    r"\b(?:targets?|targeted|goals?|forecasts?|budget(?:ed)?|planned|projected|guidance|estimated|underlying|adjusted|organic)\b",
    re.IGNORECASE,
)
ASKING = words("asking")


@dataclass(frozen=True, slots=True)
class Unread:
    """Why a question is not read as arithmetic: a clause without a full stop."""

    why: str


@dataclass(frozen=True, slots=True)
class ArithmeticQuestion:
    """An operation with its periods and the words that name rows."""

    text: str
    operation: Operation
    moments: tuple[str, ...]
    """Years, or quarters and halves of years, each once in order of mention; all years of a range for averages."""
    words: frozenset[str]
    """Content words without years."""
    names: frozenset[str]
    """Those with a capital, except the question's first word."""
    absolute: bool
    """Whether it asks for a difference regardless of its sign."""
    direction: Direction
    """The direction that the question names, if any."""
    backwards: bool
    """Whether it goes from a later year to an earlier one."""
    qualified: frozenset[str]
    """Words that change which figure is meant: its row or header must contain them too."""
    in_turn: bool
    """Whether it may ask for a total of each year rather than for their sum."""
    all_years: bool
    """Whether all years are meant if none is named."""
    compared: Direction
    """Of "how much more ... than": "up"; of "how much less ... than": "down"."""


def read_arithmetic(question: str) -> ArithmeticQuestion | Unread:
    """Read an arithmetic question; Unread if it is not one, or asks for more than one operation."""
    operation: Operation | None = next((o for o, rule in RULES if re.search(rule, question, re.IGNORECASE)), None)
    if operation is None:
        return Unread("the question does not ask for a difference, change, average, sum, share or ratio")
    if NO_NUMBER.match(question):
        return Unread("the question does not ask for a number")
    if TWICE.search(question):
        return Unread("the question asks for more than one operation, or has a condition")
    moments = moments_of(question)
    if moments is None:
        return Unread("it is unclear which quarter belongs to which year")
    if operation in ("sum", "average"):
        moments = range_of(question, moments)
    named = frozenset(w for w in content_tokens(without_parts(question)) if w not in ASKING and not w.isdigit())
    absolute = bool(ABSOLUTE.search(question)) and not re.search(rf"\b{CHANGE} in\b", question, re.IGNORECASE)
    than = COMPARED.search(question)
    return ArithmeticQuestion(
        text=question,
        operation=operation,
        moments=moments,
        words=named,
        names=named & set(tokens(" ".join(NAME.findall(question)))),
        absolute=absolute,
        direction=_direction(question),
        backwards=is_backwards(question),
        qualified=_qualified(question, operation),
        in_turn=operation == "sum" and not SUMMED.search(question),
        all_years=operation == "average" or bool(ALL_YEARS.search(question)),
        compared="" if than is None else "up" if than["up"] else "down",
    )


def _qualified(question: str, operation: Operation) -> frozenset[str]:
    """Return words such as "store" in turnover per store, "target" in target turnover, "change" in average change."""
    found = [m[1] for m in PER.finditer(question)] + [m[0] for m in QUALIFYING.finditer(question)]
    if operation == "average":
        found += [m[0] for m in CHANGED.finditer(question)]
    return frozenset(tokens(" ".join(found)))


def _direction(question: str) -> Direction:
    up, down = (bool(re.search(rf"\b{words}\b", question, re.IGNORECASE)) for words in (UP, DOWN))
    return "" if up == down else "up" if up else "down"
