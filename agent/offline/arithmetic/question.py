"""Arithmetic questions read by rules: which operation, over which years. What is read in two ways is not read."""

import re
from dataclasses import dataclass
from typing import Literal

from tools.text import content_tokens

__all__ = ["ArithmeticQuestion", "Operation", "read_arithmetic", "years_of"]

Operation = Literal["percent_change", "difference", "average", "sum", "share", "ratio"]

CHANGE = r"(?:change|increase|decrease|growth|decline|movement|reduction|fluctuation|variation)"
PERCENT = r"(?:percentage|percent|per\s?cent|%)"
RULES: tuple[tuple[Operation, str], ...] = (
    ("percent_change", rf"(?<!\w){PERCENT}\W+(?:\w+\W+)?{CHANGE}\b"),
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
    ("sum", r"\bin total\b|\bwhat (?:is|was|are|were) the total\b"),
)
"""The first that fits is the operation; see also TWICE."""
TWICE = re.compile(
    rf"\b{CHANGE} (?:in|of) (?:the )?(?:average|ratio|{PERCENT} {CHANGE})\b"
    rf"|\bdifference (?:in|between) (?:the )?(?:average|{PERCENT}|{CHANGE})\b"
    rf"|\baverage (?:{PERCENT}|annual|yearly)? ?{CHANGE}\b|\bper (?:day|month|week|quarter|employee)\b"
    r"|\bwhich\b|\bhow many (?:years|quarters)\b|\bif\b"
    r"|\bassum|\bexclud|\bwithout\b|\bproduct of\b|\bmultipl|\bcumulative\b|\bannualized\b",
    re.IGNORECASE,
)
"""Signs of an operation on the result of another one, or of a condition: too much for rules."""
ABSOLUTE = re.compile(r"\bdifference\b|\bdecreased? by\b|\bhow much did\b.*\bdecrease\b", re.IGNORECASE)
FOUR = r"(?:19|20)\d\d"
FISCAL = r"(?:FY|F|CY)"
YEAR = re.compile(
    rf"(?<![\d.,$]){FISCAL}?\s?'?({FOUR})(?!\d|[.,]\d)|\b{FISCAL}\s?'?(\d\d)\b",
    re.IGNORECASE,
)
RANGE = re.compile(
    rf"(?:from|between)\s+(?:\w+\s+){{0,3}}?{FISCAL}?({FOUR})\s*(?:to|-|–|and|through)\s*(?:\w+\s+){{0,3}}?({FOUR})",
    re.IGNORECASE,
)
ASKING = frozenset(
    "percentage percent change increase decrease growth decline movement reduction difference average mean sum total "
    "altogether combined ratio proportion share net amount value number respective respectively year ended end fiscal "
    "financial between from compared company group figure much more many high low as over out dollar million thousand "
    "billion december june september march january february april may july august october november reported calculate "
    "fluctuation variation period annual annually".split()
)


@dataclass(frozen=True, slots=True)
class ArithmeticQuestion:
    """An operation with the years it is over and the words that name rows."""

    text: str
    operation: Operation
    years: tuple[str, ...]
    """In order of mention, each once; a range of years for sums and averages is filled up."""
    words: frozenset[str]
    """Without years and the words of asking."""
    absolute: bool
    """Whether the size of a difference is asked for, whatever came first."""


def years_of(text: str) -> tuple[str, ...]:
    """Return the years that a text names, with four digits, each once."""
    return tuple(dict.fromkeys(m[1] or f"20{m[2]}" for m in YEAR.finditer(text)))


def read_arithmetic(question: str) -> ArithmeticQuestion | None:
    """Read an arithmetic question; None when it is none, or asks for more than one operation."""
    if TWICE.search(question):
        return None
    operation = next((o for o, rule in RULES if re.search(rule, question, re.IGNORECASE)), None)
    if operation is None:
        return None
    years = years_of(question)
    span = RANGE.search(question)
    if operation in ("sum", "average") and span and len(years) == 2:
        low, high = sorted((int(span[1]), int(span[2])))
        years = tuple(str(y) for y in range(low, high + 1)) if high - low < 20 else years
    words = frozenset(w for w in content_tokens(question) if w not in ASKING and not w.isdigit())
    absolute = bool(ABSOLUTE.search(question)) and not re.search(rf"\b{CHANGE} in\b", question, re.IGNORECASE)
    return ArithmeticQuestion(question, operation, years, words, absolute)
