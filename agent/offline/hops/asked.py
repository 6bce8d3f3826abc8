"""What a question asks for: its name and its kind."""

import re
from dataclasses import dataclass
from typing import Literal

from tablerag.agent.offline.word_lists import pattern, words
from tablerag.tools.text import content_tokens, tokens

__all__ = ["Asked", "Kind", "read_asked", "stem"]

Kind = Literal["person", "place", "date", "year", "month", "number", "nationality", "name"]
"""The answer's kind; "name" if the question only says "what" or "which"."""

STEM = 5
NAMED = re.compile(
    r"\b(?:what|which)(?: (?:is|was|are|were|be))?(?: the)?(?: (?:name|names) of(?: the)?)?\s+"
    r"(?P<words>(?:[\w'()-]+\s*){1,6})",
    re.IGNORECASE,
)
ENDS = words("ends_of_asked")
KINDS: tuple[Kind, ...] = ("year", "month", "date", "number", "nationality", "person", "place")
PATTERNS = {kind: re.compile(pattern("kinds", kind)) for kind in KINDS}
"""The first that matches is the kind."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question for two hops."""

    text: str
    words: tuple[str, ...]
    """Stems of its content words, each once."""
    pairs: frozenset[tuple[str, str]]
    """Adjacent content words."""
    focus: tuple[str, ...]
    """Stems of the words that name what is asked for: "home stadium"."""
    phrase: str
    """These words as written."""
    kind: Kind


def stem(token: str) -> str:
    """Return a rough stem of a word."""
    return token if token[:1].isdigit() else token[:STEM]


def read_asked(question: str) -> Asked:
    """Read a question's words, what it asks for and the kind of that."""
    lower = question.casefold()
    found = [stem(t) for t in content_tokens(question)]
    phrase = _named(question)
    kind: Kind | None = next((k for k in KINDS if PATTERNS[k].search(lower)), None)
    return Asked(
        text=question,
        words=tuple(dict.fromkeys(found)),
        pairs=frozenset(zip(found, found[1:], strict=False)),
        focus=tuple(dict.fromkeys(stem(t) for t in tokens(phrase))),
        phrase=phrase,
        kind=kind or "name",
    )


def _named(question: str) -> str:
    """Return the noun after "what" or "which", up to the next function word."""
    for found in NAMED.finditer(question):
        kept = []
        for word in found["words"].split():
            if word.casefold() in ENDS:
                break
            kept.append(word)
        if kept:
            return " ".join(kept)
    return ""
