"""Finds facts that passages state clearly enough to ask for: births, deaths, founding years, directors."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from tablerag.evaluation.heteqa.sources import Passage

__all__ = ["Fact", "facts_of", "is_about"]

DATE = r"(?:\d{1,2} [A-Z][a-z]+ \d{4}|[A-Z][a-z]+ \d{1,2}, \d{4})"
NAME = r"[A-Z][\w.'’-]+(?: (?:(?:de|van|von|der|la|le) )*[A-Z][\w.'’-]+){1,3}"
PROPER = r"[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*"
PLACE = rf"{PROPER}(?:, {PROPER}){{0,2}}"
WORD = re.compile(r"[A-Za-z]{4,}")
STEM = 5
"""Words with the same first letters are taken as the same: "football", "footballer"."""
LEAST_SHARED = 2


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact that a passage states exactly once about its subject."""

    kind: str
    asked: str
    """A question about ``{x}`` without capital letter and question mark."""
    value: str
    quote: str


@dataclass(frozen=True, slots=True)
class _Pattern:
    kind: str
    finds: re.Pattern[str]
    asked: str
    fits: Callable[[str], bool] = lambda first: True


def _says(words: str) -> Callable[[str], bool]:
    """Return a test whether a first sentence calls its subject one of these words."""
    pattern = re.compile(rf"\b(?:is|was|are|were) (?:an?|the|one of the) [^.]*?\b(?:{words})\b")
    return lambda first: pattern.search(first) is not None


PATTERNS = (
    _Pattern("born", re.compile(rf"\((?:[^()]{{0,60}}; )?born (?:\w+ )?(?:on )?({DATE})"), "when was {x} born"),
    _Pattern("born", re.compile(rf"\(({DATE}) [-–] {DATE}\)"), "when was {x} born"),
    _Pattern("died", re.compile(rf"\({DATE} [-–] ({DATE})\)"), "when did {x} die"),
    _Pattern(
        "founded",
        re.compile(r"\b(?:founded|established|incorporated) in (?:the year )?(\d{4})\b"),
        "in which year was {x} founded",
        _says("club|team|university|college|school|company|studio|label|band|organi[sz]ation|institution|airline|church"),
    ),
    _Pattern(
        "directed",
        re.compile(rf"\bdirected by ({NAME})(?=[,.]| (?:and (?:star|written|produc|based)|from|for|with|in|which))"),
        "who directed {x}",
        _says("film|movie|documentary|comedy|drama|thriller|short|cartoon"),
    ),
    _Pattern(
        "released",
        re.compile(rf"\breleased (?:[a-z ]{{0,30}})?on ({DATE})"),
        "when was {x} released",
        _says("album|single|song|film|game|EP"),
    ),
    _Pattern(
        "located",
        re.compile(rf"\b(?:located|situated|based|headquartered) in ({PLACE})"),
        "where is {x} located",
        _says("club|university|college|school|company|studio|stadium|arena|airport|racecourse|museum|church|institution"),
    ),
    _Pattern(
        "opened",
        re.compile(r"\bopened (?:to the public )?in (?:[A-Z][a-z]+ )?(\d{4})\b"),
        "in which year did {x} open",
        _says("stadium|arena|airport|ground|racecourse|museum|bridge|station|park|building|venue|tunnel"),
    ),
)  # fmt: skip


def facts_of(passage: Passage) -> list[Fact]:
    """Return the facts of which a passage states exactly one value."""
    first = re.split(r"(?<=[a-z)\d]\.) (?=[A-Z])", passage.text, maxsplit=1)[0]
    found: dict[str, list[Fact]] = {}
    for pattern in PATTERNS:
        if not pattern.fits(first):
            continue
        for match in pattern.finds.finditer(passage.text):
            if pattern.kind == "released" and re.search(DATE, passage.text[match.end() : match.end() + 60]):
                continue  # released on different days in different places
            fact = Fact(pattern.kind, pattern.asked, match[1], _around(passage.text, match))
            found.setdefault(pattern.kind, []).append(fact)
    return [facts[0] for facts in found.values() if len({f.value for f in facts}) == 1]


def _around(text: str, match: re.Match[str]) -> str:
    """Return the part of a passage that states the fact."""
    stop = text.rfind(". ", 0, match.start())
    start = max(stop + 2 if stop >= 0 else 0, match.start() - 120)
    end = text.find(". ", match.end())
    return text[start : min(len(text) if end < 0 else end + 1, match.end() + 80)].strip()


def is_about(passage: Passage, context: str) -> bool:
    """Return whether a passage shares words with its table: the same name may mean something else."""
    own = _stems(passage.title)
    return len((_stems(passage.text) & _stems(context)) - own) >= LEAST_SHARED


def _stems(text: str) -> set[str]:
    return {w.casefold()[:STEM] for w in WORD.findall(text)} - STOP


STOP = frozenset(
    w[:STEM] for w in "with from that this which were have been their after also they first most list".split()
)
