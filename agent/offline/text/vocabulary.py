"""Words of questions and texts: folding, forms of a word, and the lists of words.toml."""

import re
import tomllib
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

__all__ = [
    "Word",
    "compounded",
    "fold",
    "inflected",
    "listed",
    "pattern",
    "related",
    "same_form",
    "section",
    "words_in",
]

WORD = re.compile(r"\w+(?:[-.]\w+)*")
ENDINGS = frozenset(
    "s es ed d e ing n en er ers r t te ten y ies ied al als ion ions ation ations ment ments ance ence ive ly st"
    " ung ungen et ent ant ee ees ir i is it ait eur euse ons ez tion ure em able ering ery eries".split()
) | {""}
"""What two forms of a word may end in, beyond what they share."""
INFLECTED = frozenset(("", "s", "es", "ed", "d", "e", "ing", "n", "en", "y", "ies", "ied"))
"""The same without endings that make another word: "worker" has not the synonyms of "work"."""
SHORT = frozenset((("", "s"), ("", "es"), ("", "ed"), ("", "ing"), ("e", "ing")))
"""Endings of forms that share fewer letters: "fee", "move", "fix"."""
SHARED = 4
"""The least number of letters that two forms share."""
COMPOUND = 10
"""Letters of the shortest word that may be a compound: "Kündigungsfrist" is a "Frist"."""
FORMS = {
    form: base
    for base, forms in {
        "take": "took taken", "hold": "held", "keep": "kept", "write": "wrote written", "run": "ran", "send": "sent",
        "pay": "paid", "begin": "began begun", "lead": "led", "choose": "chose chosen", "buy": "bought",
        "sell": "sold", "meet": "met", "win": "won", "speak": "spoke spoken", "rise": "rose risen",
        "fall": "fell fallen",
        "grow": "grew grown", "build": "built", "wear": "wore worn", "leave": "left", "lose": "lost", "spend": "spent",
        "find": "found", "draw": "drew drawn", "drive": "drove driven", "fly": "flew flown", "people": "persons person",
        "child": "children", "tax": "taxes", "analysis": "analyses", "gross": "groesse",
    }.items()
    for form in forms.split()
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Word:
    """A folded word and where it is in its text."""

    text: str
    start: int
    end: int


def fold(text: str) -> str:
    """Return a text in lower case without accents, of the same length where that is possible."""
    if text.isascii():
        return text.lower()
    folded = (unicodedata.normalize("NFKD", c)[0].lower() for c in text)
    return "".join(f[:1] or " " for f in folded)


def words_in(text: str) -> list[Word]:
    """Return the folded words of a text; hyphens and full stops may be inside."""
    return [Word(m[0], m.start(), m.end()) for m in WORD.finditer(fold(text))]


@lru_cache(maxsize=1)
def _sections() -> dict[str, dict[str, str]]:
    return tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))


def section(name: str) -> dict[str, str]:
    """Return a section of words.toml."""
    return _sections()[name]


@lru_cache(maxsize=64)
def listed(name: str, within: str = "words") -> frozenset[str]:
    """Return the words of a list."""
    return frozenset(_sections()[within][name].replace("_", " ").split())


def pattern(within: str, name: str) -> str:
    """Return a regular expression, its line breaks removed."""
    return "".join(line.strip() for line in _sections()[within][name].splitlines())


@lru_cache(maxsize=16_384)
def same_form(a: str, b: str) -> bool:
    """Tell whether two folded words are forms of one word."""
    a, b = FORMS.get(a, a), FORMS.get(b, b)
    if a == b:
        return True
    if a.isdigit() or b.isdigit():
        return False
    return _alike(a, b) or _alike(_bare(a), _bare(b))


def inflected(word: str, words: frozenset[str]) -> bool:
    """Tell whether a folded word or an inflection of it is among some words."""
    return word in words or any(_alike(word, other, INFLECTED) for other in words)


def _bare(word: str) -> str:
    """Return a German participle without its first syllable: "geprüft" is "prüft"."""
    return word[2:] if len(word) > 6 and word.startswith("ge") and word.endswith(("t", "en")) else word


def _alike(a: str, b: str, endings: frozenset[str] = ENDINGS) -> bool:
    if a[:2] != b[:2]:
        return False
    shared = 0
    for left, right in zip(a, b, strict=False):
        if left != right:
            break
        shared += 1
    # A doubled letter belongs to the ending: "travelled", "planned".
    left, right = a[shared:], b[shared:]
    if shared and (left[:1] == a[shared - 1] or right[:1] == a[shared - 1]):
        left, right = (e[1:] if e[:1] == a[shared - 1] else e for e in (left, right))
    if shared < SHARED:
        return tuple(sorted((left, right))) in SHORT
    # Two endings need more in common: "grant" is not "grand".
    return (
        left in endings and right in endings and (shared > SHARED or not {"", "ing", "ung"}.isdisjoint((left, right)))
    )


def compounded(a: str, b: str) -> bool:
    """Tell whether one folded word ends in the other: "Kündigungsfrist" in "Frist"."""
    longer, shorter = (a, b) if len(a) >= len(b) else (b, a)
    return len(longer) >= COMPOUND and len(shorter) >= SHARED + 1 and longer.endswith(shorter)


@lru_cache(maxsize=1)
def _groups() -> dict[str, frozenset[str]]:
    """Return the words that may stand for each word of the synonym groups."""
    found: dict[str, frozenset[str]] = {}
    for line in _sections()["synonyms"]["groups"].splitlines():
        group = frozenset(line.split())
        for word in group:
            found[word] = found.get(word, frozenset()) | group
    return found


@lru_cache(maxsize=20_000)
def related(word: str) -> frozenset[str]:
    """Return the words that may stand for a folded word, itself not included."""
    found = frozenset[str]()
    for known, group in _groups().items():
        if known == word or _alike(known, FORMS.get(word, word), INFLECTED):
            found |= group
    return found - {word}
