"""What a question asks for: the words that name it, and the kind of thing it is."""

import re
from dataclasses import dataclass
from typing import Literal

from tablerag.tools.text import content_tokens, tokens

__all__ = ["Asked", "Kind", "read_asked", "stem"]

Kind = Literal["person", "place", "date", "year", "month", "number", "nationality", "name"]
"""What the answer is; "name" where the question says no more than "what" or "which"."""

STEM = 5
QUESTION_WORD = re.compile(r"\b(who|whom|whose|when|where|which|what|how)\b", re.IGNORECASE)
NAMED = re.compile(
    r"\b(?:what|which)(?: (?:is|was|are|were|be))?(?: the)?(?: (?:name|names) of(?: the)?)?\s+"
    r"(?P<words>(?:[\w'()-]+\s*){1,6})",
    re.IGNORECASE,
)
ENDS = frozenset(
    "of is are was were did do does has have had that who which whose in on for from to at by with the a an and or "
    "during when where per can could would will".split()
)
KINDS: tuple[tuple[Kind, str], ...] = (
    ("year", r"\b(?:what|which) year\b|\byear (?:was|is|did)\b|\bestablishment year\b|\bin what year\b|\byear of\b"),
    ("month", r"\b(?:what|which) month\b"),
    ("date", r"\bwhen\b|\b(?:what|which) (?:date|day)\b|\b(?:birth ?date|date of birth)\b|\bwhat is the date\b"),
    (
        "number",
        r"\bhow (?:many|much|long|old|far|tall|high|large|big|often|deep|wide)\b"
        r"|\b(?:population|height|length|area|elevation|capacity|rank|age|number|percentage|amount|score|weight)\b"
        r"(?= (?:\([^)]*\) ?)?(?:of|in|for|the|did|does|was|is)\b)",
    ),
    ("nationality", r"\bnationality\b"),
    ("person", r"\bwho\b|\bwhom\b|\b(?:what|which) (?:player|driver|person|actor|actress|man|woman|athlete)\b"),
    (
        "place",
        r"\bwhere\b|\b(?:what|which)(?: is the| was the)? "
        r"(?:city|country|state|county|town|place|location|borough|village)\b",
    ),
)
"""The first that fits."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as two hops read it."""

    text: str
    words: tuple[str, ...]
    """Stems of its content words in order, each once."""
    pairs: frozenset[tuple[str, str]]
    """Content words that stand side by side."""
    focus: tuple[str, ...]
    """Stems of the words that name what is asked for: "home stadium"."""
    phrase: str
    """Those words as they stand."""
    kind: Kind


def stem(token: str) -> str:
    """Return what forms of one word have in common, roughly."""
    return token if token[:1].isdigit() else token[:STEM]


def read_asked(question: str) -> Asked:
    """Read a question's words, what it asks for and of which kind that is."""
    lower = question.casefold()
    found = [stem(t) for t in content_tokens(question)]
    phrase = _named(question)
    kind = next((k for k, rule in KINDS if re.search(rule, lower)), "name")
    return Asked(
        text=question,
        words=tuple(dict.fromkeys(found)),
        pairs=frozenset(zip(found, found[1:], strict=False)),
        focus=tuple(dict.fromkeys(stem(t) for t in tokens(phrase))),
        phrase=phrase,
        kind=kind,
    )


def _named(question: str) -> str:
    """Return the noun that follows "what" or "which", up to the next small word."""
    for found in NAMED.finditer(question):
        kept = []
        for word in found["words"].split():
            if word.casefold() in ENDS:
                break
            kept.append(word)
        if kept:
            return " ".join(kept)
    return ""
