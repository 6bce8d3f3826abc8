"""The words of each language: what is asked, which words mean nothing, and which mean the same."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import Stemmer

from tablerag.tools.linking.keys import key_of

__all__ = ["LANGUAGES", "UNSTEMMED", "PART", "Language", "Lexeme", "language_of", "lexeme", "likeness"]

FOLDER = Path(__file__).with_name("languages")
LANGUAGES = ("en", "de", "fr")
STEMMERS = tuple(Stemmer.Stemmer(name) for name in ("english", "german", "french"))
KEPT_WORDS, KEPT_PAIRS = 16_384, 65_536
"""Of the words and pairs of words seen last, what was found is kept: up to 500 and 150 bytes each."""
LEAST_COMPOUND = 10
"""Least letters of a compound that no group has."""
LEAST_PART = 5
"""Least letters of a part of a compound, such as "betrag" in "gesamtbetrag"."""
SAME, SYNONYM, PART = 1.0, 0.8, 0.7
NUMBERED = re.compile(r"(\w{4,}?)s?(?:nr|nummern?)")
VERSIONS = frozenset(("added", "removed", "altered"))
"""Concepts whose words tell versions of a list apart, so that no answer may leave them."""


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A word as it is compared: folded, its stems, and the groups of words that mean the same."""

    text: str
    stems: frozenset[str]
    groups: frozenset[str]
    parts: frozenset[str] = frozenset()
    """The groups of the words that a compound begins or ends with: of "rechnungsausgang" those of "rechnung"."""


@dataclass(frozen=True, slots=True)
class Language:
    """One language's words."""

    code: str
    ignored: frozenset[str]
    """Words that a reading need not explain."""
    light: frozenset[str]
    """Words that a reading should explain, but may leave."""
    verbs: frozenset[str]
    """Which of the light words are forms of verbs."""
    phrases: dict[tuple[str, ...], tuple[str, ...]]
    """Concepts by the words that say them."""
    around: dict[tuple[str, str], str]
    """Concepts by two words that stand around what they are about: "leave ... out"."""
    asked: dict[str, tuple[str, ...]]
    """What a question word asks for, as words of headers."""
    numbers: dict[str, float]
    ordinals: dict[str, int]
    """Words, or beginnings of compounds, that say which one of the highest is meant."""
    months: dict[str, int]
    time: dict[str, tuple[str, ...]]
    sets: dict[str, frozenset[str]]
    """Other sets of folded words, by the name of their use."""
    follow_up: dict[str, tuple[tuple[str, ...], ...]]
    """Phrases of messages that continue a question, as folded words, by what they do."""
    said: dict[str, str]
    """How the parts of a continued question are written."""

    def set_of(self, use: str) -> frozenset[str]:
        """Return the words for a use, such as "verbs"."""
        return self.sets[use]


@cache
def language(code: str) -> Language:
    """Return the packaged words of a language."""
    data = tomllib.loads((FOLDER / f"{code}.toml").read_text(encoding="utf-8"))
    phrases: dict[tuple[str, ...], tuple[str, ...]] = {}
    around: dict[tuple[str, str], str] = {}
    for concept, listed in data["phrases"].items():
        for phrase in listed.split("|"):
            words = tuple(_folded(phrase))
            if "*" in phrase:
                around[words[0], words[-1]] = concept
            elif words:
                phrases[words] = (*phrases.get(words, ()), concept)
    time = data["time"]
    versions = {words[0] for words, concepts in phrases.items() if len(words) == 1 and VERSIONS & set(concepts)}
    verbs = frozenset(_verbs(data["verbs"])) - versions
    others = (*_folded(data["function_words"]["light"]), *_folded(data["verbs"]["others"]))
    months = {w: i % 12 + 1 for k in ("months", "short_months") for i, w in enumerate(_folded(time[k]))}
    return Language(
        code,
        frozenset(_folded(data["function_words"]["ignored"])),
        frozenset((*others, *verbs)),
        verbs,
        phrases,
        around,
        {k: tuple(v.split()) for k, v in data["asked"].items()},
        {key_of(k): float(v) for k, v in data["numbers"].items()},
        {key_of(k): int(v) for k, v in data["ordinals"].items()},
        months,
        {k: tuple(p.strip() for p in v.split("|")) for k, v in time.items()},
        {k: frozenset(_folded(v)) for k, v in data["words"].items()},
        {k: tuple(tuple(_folded(p)) for p in v.split("|")) for k, v in data["follow_up"].items()},
        data["said"],
    )


def _verbs(listed: dict[str, Any]) -> Iterator[str]:
    """Yield the forms of verbs: of regular ones those that name no column or table."""
    yield from _folded(listed["irregular"])
    for stems, endings in listed["regular"]:
        for stem in stems.split():
            forms = (key_of(stem + e.replace(".", "").replace("*", stem[-1])) for e in endings.split())
            yield from (form for form in forms if form not in _groups())


def _folded(text: str) -> list[str]:
    return [w for w in re.findall(r"\w+|%", key_of(text.replace("%", " percentsign ")).replace("percentsign", "%"))]


def language_of(words: list[str], preferred: str = "en") -> Language:
    """Return the language with most of the function words; the preferred one at a tie."""
    known = [language(code) for code in LANGUAGES]
    told = words[:-1] if words and len(words[-1]) == 1 else words  # in "average n", no elided French word
    return max(
        known,
        key=lambda one: (
            sum(w in one.ignored for w in told),
            sum(w in one.months or w in one.light or (w,) in one.phrases for w in words),
            one.code == preferred,
        ),
    )


_DATA = tomllib.loads((FOLDER / "nouns.toml").read_text(encoding="utf-8"))
PLACES = frozenset(_DATA["places"])
"""Groups of the names, codes and people of countries."""
UNLIKE = tuple(frozenset(names.split()) for names in _DATA["unlike"]["sets"])
"""Sets of groups: words of different ones are not alike, whatever else they share."""


@cache
def _groups() -> dict[str, frozenset[str]]:
    """Return the groups of each word and of its stems."""
    data = _DATA
    found: dict[str, set[str]] = {}
    for group, listed in (*data["groups"].items(), *data["places"].items()):
        for word in listed.split():
            key = "_".join(key_of(word.replace("_", " ")).split())
            for form in (key, *(_stems(key) if "_" not in key else ())):
                found.setdefault(form, set()).add(group)
    return {form: frozenset(of) for form, of in found.items()}


IRREGULAR = {
    "children": "child",
    "people": "person",
    "men": "man",
    "women": "woman",
    "feet": "foot",
    "geese": "goose",
    "mice": "mouse",
}


PAST = {
    past: (verb,)
    for past, verb in (
        pair.split(":")
        for pair in "sold:sell sent:send built:build driven:drive flown:fly grown:grow caught:catch taught:teach"
        " written:write lent:lend worn:wear eaten:eat ridden:ride thrown:throw".split()
    )
}
"""Forms of verbs in headers, "Seats sold", by which a question that says the verb otherwise means them."""


UNSTEMMED = frozenset(("summer", "summers"))
"""Words of one language that would have the stem of a word of another: no "Summe"."""


@lru_cache(maxsize=KEPT_WORDS)
def _stems(word: str) -> frozenset[str]:
    word = IRREGULAR.get(word, word)
    if word.isdigit() or word in UNSTEMMED:
        return frozenset((word,))
    return frozenset((word, *(s.stemWord(word) for s in STEMMERS), *PAST.get(word, ())))


@lru_cache(maxsize=KEPT_WORDS)
def lexeme(word: str) -> Lexeme:
    """Return a folded word, or two joined by "_", as it is compared."""
    stems = _stems(word)
    groups = _groups()
    exact = groups.get(word)
    if numbered := NUMBERED.fullmatch(word):
        stems |= {f"{numbered[1]}nr"}
        exact = exact or lexeme(numbered[1]).groups  # "rechnungsnr" is of a Rechnung
    if not exact:
        exact = frozenset(g for s in stems if len(s) > 2 for g in groups.get(s, ()))
    return Lexeme(word, stems, exact, frozenset() if exact else _parts(word))


def _parts(word: str) -> frozenset[str]:
    """Return the groups of the longest known words that a long word begins and ends with."""
    groups, found = _groups(), set()
    if len(word) < LEAST_COMPOUND or not word.isalpha():
        return frozenset()
    for cut in range(len(word) - LEAST_PART + 1, LEAST_PART, -1):
        if first := groups.get(word[:cut]):
            found |= first
            break
    for cut in range(LEAST_PART - 1, len(word) - LEAST_PART):  # no "ville" of a town
        if last := groups.get(word[cut:]):
            found |= last
            break
    return frozenset(found)


@lru_cache(maxsize=KEPT_PAIRS)
def likeness(one: Lexeme, other: Lexeme) -> float:
    """Return how surely two words mean the same: 1 for forms of one word, less for synonyms and parts; else 0."""
    if one.text == other.text:
        return SAME
    if any(len(s) > 2 for s in one.stems & other.stems):
        return SAME - 0.02
    if one.groups & other.groups:
        return 0.0 if _are_unlike(one.groups, other.groups) else SYNONYM
    if one.groups & other.parts or one.parts & other.groups:
        return PART
    short, long = sorted((one.text, other.text), key=len)
    ends = any(
        s.endswith(short) and len(s) - len(short) > 2 for s in (long, *lexeme(long).stems)
    )  # no "under" of a funder
    if len(short) >= LEAST_PART and not short.isdigit() and (ends or long.startswith(short)):
        return PART
    if len(short) >= LEAST_PART and not short.isdigit() and any(s.endswith(short) for s in lexeme(long).stems):
        return PART  # "Rechnungsbetrags" and "Betrag"
    stem = min(short and lexeme(short).stems, key=len, default="")
    return PART if len(stem) >= LEAST_PART and long.startswith(stem) else 0.0


def _are_unlike(some: frozenset[str], others: frozenset[str]) -> bool:
    """Tell whether words mean different things of a kind: the price paid and the price asked for."""
    return any(some & names and others & names and not some & others & names for names in UNLIKE)
