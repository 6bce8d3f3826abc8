"""A question's words, and the phrases that say what to compute."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from tablerag.agent.offline.reading.vocabulary import (
    LANGUAGES,
    UNSTEMMED,
    Language,
    Lexeme,
    language,
    language_of,
    lexeme,
)
from tablerag.tools.linking.keys import key_of, nearest

__all__ = ["RANKS", "WORD", "Asked", "Phrase", "Word", "read", "with_net"]

WORD = re.compile(r"[^\W_]+|%")
MOST_WORDS = 120
LONGEST_PHRASE = 5
LEAST_RESPELLED, LEAST_SWAPPED = 6, 5
MOST_AROUND = 12
"""Words from the first to the last of a phrase that stands around others."""
SEASONS = frozenset("winter summer spring autumn season sommer fruhling herbst saison hiver ete printemps".split())
RANKS = ("highest", "lowest", "latest", "earliest", "expensive", "cheap", "often", "seldom")
CLAUSE = re.compile(r"(?:\s[-–—]|[:;?!]|(?<=[a-zß-ÿ])\.)\s+")
"""What stands between clauses."""
COMMA = re.compile(r",\s+")
TAX = r"(?:VAT|MwSt\.?|Mehrwertsteuer|USt\.?|TVA|sales tax)"
NET = re.compile(
    rf"\b(?:net of|without|excluding|excl\.?|before|ohne|exkl\.?|zzgl\.?|hors|sans(?: la)?)\s+(?:the )?{TAX}(?!\w)",
    re.I,
)
GROSS = re.compile(
    rf"\b(?:including|incl\.?|inkl\.?|mit|avec)\s+(?:the )?{TAX}(?!\w)|\b{TAX}\s+(?:included|inclusive|comprise)\b",
    re.I,
)
EXAMPLES = re.compile(
    r"\([^()]*\b(?:etc|and so on|and so forth|and the like|usw|und so weiter|et ainsi de suite|"
    r"e\.\s?g|z\.\s?b|p\.\s?ex)\b[^()]*\)|^[^:?]*\b(?:etc|and so on|usw|und so weiter)\.?\s*:",
    re.IGNORECASE,
)
"""Examples in brackets, which narrow nothing: "(brakes, tyres and so on)"."""
DIGITS_ORDINAL = re.compile(r"(\d{1,2})(?:st|nd|rd|th|te[nrs]?|e|eme|nde)")
ENDINGS = frozenset(("", "e", "er", "en", "es", "em"))
NTH_BEFORE = 2
"""At most this many words, all without meaning but the last, are between an ordinal and what it ranks."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a question."""

    text: str
    """As written."""
    key: str
    """Without case and accents."""
    start: int
    end: int
    """Offsets in the question."""
    lexeme: Lexeme
    pairs: frozenset[str]
    """Groups of the two-word phrases that it is part of."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that say what to compute."""

    concept: str
    first: int
    last: int
    """Indexes of words, the last one exclusive."""


@dataclass
class Asked:
    """A question as words and phrases."""

    text: str
    words: tuple[Word, ...]
    language: Language

    @cached_property
    def phrases(self) -> tuple[Phrase, ...]:
        """All phrases, which may overlap; of one concept only the longest."""
        keys, found = [w.key for w in self.words], []
        for first in range(len(keys)):
            for length in range(LONGEST_PHRASE, 0, -1):
                for concept in self._concepts(tuple(keys[first : first + length])):
                    inside = any(p.concept == concept and p.first <= first < p.last for p in found)
                    if not inside:
                        found.append(Phrase(concept, first, min(first + length, len(keys))))
        inside = [
            p
            for p in found
            if any(q.first <= p.first and p.last <= q.last and q.last - q.first > p.last - p.first for q in found)
        ]
        named = [
            p
            for p in found
            if p.concept == "count" and keys[p.first] in ("number", "no", "count") and self._continues(p.first)
        ]
        # "Last winter" is a time, and ranks nothing.
        named += [p for p in found if p.concept in RANKS and keys[p.last : p.last + 1] and keys[p.last] in SEASONS]
        around = list(self._around(keys))
        meant = {p.first for p in around if p.concept == "meaning"}  # what R does mean is no average
        named += [p for p in found if p.concept == "average" and p.first in meant]
        kept = [p for p in found if p not in inside and p not in named]
        return (
            *kept,
            *around,
            *self._by_which(keys, kept),
            *self._ordinals([p for p in kept if p.concept in RANKS]),
        )

    def _by_which(self, keys: list[str], kept: list[Phrase]) -> Iterator[Phrase]:
        """Yield what a count is grouped by: "at which site", "in welchem Bereich"."""
        counts = min((p.first for p in kept if p.concept == "count"), default=len(keys))
        for i in range(counts + 2, len(keys) - 1):
            if keys[i] in self.language.set_of("which") and keys[i - 1] in self.language.set_of("prepositions"):
                yield Phrase("group", i - 1, i + 1)

    def _around(self, keys: list[str]) -> Iterator[Phrase]:
        """Yield the last words of phrases that stand around others: "leave cancelled orders out"."""
        for first, key in enumerate(keys):
            for last in range(first + 2, min(first + MOST_AROUND, len(keys))):
                if concept := self.language.around.get((key, keys[last])):
                    yield Phrase(concept, last, last + 1)

    def _concepts(self, keys: tuple[str, ...]) -> tuple[str, ...]:
        """Return what words say to compute; a compound such as "zweithöchste" says what its end does."""
        known = self.language.phrases
        whole = known.get(keys, ())
        end = self._split(" ".join(keys))[1] if not whole else ""
        return whole or known.get((end,), ())

    def _split(self, key: str) -> tuple[int, str]:
        """Return the ordinal that a word begins with, and its end: 2 and "hochste"; 0 and "" if it has none."""
        for start, nth in self.language.ordinals.items():
            if key.startswith(start) and key not in self.language.numbers:
                return nth, key.removeprefix(start)
        return 0, ""

    def _ordinals(self, ranks: list[Phrase]) -> Iterator[Phrase]:
        """Yield the words before ranks that say which one: "second highest", "zweithöchste"."""
        for rank in ranks:
            for i in range(max(rank.first - self._reach, 0), rank.first + 1):
                telling = [k for k in self.keys[i + 1 : rank.first] if k not in self.language.ignored]
                if self._nth(i, inside=i == rank.first) and len(telling) <= (self._reach > NTH_BEFORE):
                    yield Phrase("ordinal", i, i + 1)

    @property
    def _reach(self) -> int:
        """How many words are between an ordinal and its rank: "le deuxième salaire le plus élevé"."""
        return 2 * NTH_BEFORE if self.language.code == "fr" else NTH_BEFORE

    def _nth(self, place: int, *, inside: bool = False) -> int:
        """Return which one a word says, 2 for "second"; 0 if none. ``inside``: in a compound such as "zweithöchste"."""
        key = self.keys[place]
        if digits := DIGITS_ORDINAL.fullmatch(key):
            return 0 if inside else int(digits[1])
        nth, end = self._split(key)
        ranks = any(c in RANKS for c in self.language.phrases.get((end,), ()))
        return nth if (ranks if inside else end in ENDINGS) else 0

    def nth(self, rank: Phrase) -> tuple[int, int]:
        """Return which of the highest or lowest a question means, 1 for the first, and the words for it as a mask."""
        for p in self.of("ordinal"):
            if rank.first - self._reach <= p.first <= rank.first:
                return self._nth(p.first, inside=p.first == rank.first), 1 << p.first
        return 1, 0

    def _continues(self, place: int) -> bool:
        """Tell whether a word belongs to the one before: "phone number of" counts nothing."""
        before = self.keys[place - 1] if place else ""
        return bool(before) and before not in self.language.ignored and before not in self.language.light

    def of(self, *concepts: str) -> list[Phrase]:
        """Return the phrases of some concepts, in the question's order."""
        found = self._found.get(concepts)
        if found is None:
            found = self._found[concepts] = [p for p in self.phrases if p.concept in concepts]
        return found

    @cached_property
    def _found(self) -> dict[tuple[str, ...], list[Phrase]]:
        return {}

    def has(self, *concepts: str) -> bool:
        """Tell whether the question has a phrase of one of the concepts."""
        return bool(self.of(*concepts))

    def place_of(self, offset: int) -> int:
        """Return the index of the first word that ends after an offset of the text."""
        return next((i for i, w in enumerate(self.words) if w.end > offset), len(self.words))

    @cached_property
    def years(self) -> frozenset[str]:
        """The years among the words."""
        return frozenset(k for k in self.keys if len(k) == 4 and k.isdigit() and k[:2] in ("19", "20"))

    @cached_property
    def shouted(self) -> bool:
        """Whether the question is in capitals."""
        return self.text.isupper()

    @cached_property
    def titled(self) -> bool:
        """Whether most of the words have capitals, so that these tell no names."""
        return 2 * sum(w.text[:1].isupper() for w in self.words) > len(self.words) + 1

    def is_acronym(self, place: int) -> bool:
        """Tell whether a word is in capitals: IT is no "it"; at the beginning, only if it is longer than "A"."""
        text = self.words[place].text
        return (
            text.isupper() and not self.shouted and not text.isdigit() and text != "I" and (len(text) > 1 or place > 0)
        )

    def is_ignored(self, place: int) -> bool:
        """Tell whether a word has no meaning of its own."""
        return self.words[place].key in self.language.ignored and not self.is_acronym(place)

    @cached_property
    def start(self) -> int:
        """The first word of the clause that asks: of "what do we need - which items are low?" the word "which"."""
        found = [m.end() for m in CLAUSE.finditer(self.text)]
        asking = self.language.set_of("asking")
        places = (self.place_of(end) for end in reversed(found))
        start = next((p for p in places if p < len(self.words) and self.keys[p] in asking), 0)
        if start or not self.keys or self.keys[0] not in asking | self.language.verbs:
            return start
        after = (self.place_of(m.end()) for m in COMMA.finditer(self.text))  # "what is low, which items are ..."
        which = self.language.set_of("which") - self.language.set_of("who")
        return next((p for p in after if p < len(self.words) and self.keys[p] in which), 0)

    def may_be_left(self, place: int) -> bool:
        """Tell whether a reading may leave a word unexplained."""
        return self.is_ignored(place) or self.words[place].key in self.language.light

    @cached_property
    def keys(self) -> list[str]:
        """The folded words."""
        return [w.key for w in self.words]


def read(question: str, preferred: str = "en") -> Asked:
    """Split a question into words; more than MOST_WORDS are cut.

    ``preferred`` is its language if its words do not tell.
    """
    question = unicodedata.normalize("NFC", question)
    question = EXAMPLES.sub(lambda m: " " * len(m[0]), question)
    question = WORD.sub(lambda m: _month(m[0]), with_net(question))
    found = list(WORD.finditer(question))
    if len(found) > MOST_WORDS:
        found = found[:MOST_WORDS]
        question = question[: found[-1].end()]
    keys = [key_of(re.sub(r"(?<=[A-Z]{2})s$", "", m[0])) or m[0] for m in found]
    pairs: list[set[str]] = [set() for _ in keys]
    for i, (one, two) in enumerate(zip(keys, keys[1:], strict=False)):
        groups = lexeme(f"{one}_{two}").groups
        for place in (i, i + 1):
            pairs[place] |= groups
    spoken = language_of(keys, preferred)
    # A name is spelled as it is meant: the "Roof Appeal" does not "appear".
    named = [i > 0 and m[0][:1].isupper() and spoken.code != "de" for i, m in enumerate(found)]
    keys = [key if name else _respelled(key, spoken.code) for key, name in zip(keys, named, strict=True)]
    words = tuple(
        Word(m[0], key, m.start(), m.end(), _as_spoken(key, m[0], spoken), frozenset(of))
        for m, key, of in zip(found, keys, pairs, strict=True)
    )
    return Asked(question, words, spoken)


def with_net(text: str) -> str:
    """Return a text that calls an amount "without VAT" net, and one "incl. VAT" gross; its length stays."""
    text = NET.sub(lambda m: "net".ljust(len(m[0])), text)
    return GROSS.sub(lambda m: "gross".ljust(len(m[0])), text)


@lru_cache(maxsize=4096)
def _month(word: str) -> str:
    """Return the month that a mistyped word means, else the word: "Septmber"; periods are read from the text."""
    key, months = key_of(word), {m for code in LANGUAGES for m in language(code).months if len(m) > LEAST_RESPELLED}
    if len(key) < LEAST_RESPELLED or not key.isalpha() or key in months or lexeme(key).groups:
        return word
    meant = nearest(key, (m for m in months if m[0] == key[0] and m[-1] == key[-1]), 1)
    return meant.capitalize() if meant in months else word


@lru_cache(maxsize=4096)
def _respelled(key: str, code: str) -> str:
    """Return the word of an operation that a mistyped word means: "avarage"; "kleinen" is no "keinen"."""
    spoken = language(code)
    known = key in spoken.ignored or key in spoken.light or (key,) in spoken.phrases or lexeme(key).groups
    known = known or key in spoken.numbers or key in spoken.months or key in UNSTEMMED
    if known or len(key) < LEAST_SWAPPED or not key.isalpha():
        return key
    swapped = {f"{key[:i]}{key[i + 1]}{key[i]}{key[i + 2 :]}" for i in range(len(key) - 1)}
    if meant := next((w for w in sorted(swapped) if w in spoken.ignored or w in spoken.light), ""):
        return meant  # "poeple"
    if len(key) < LEAST_RESPELLED:
        cut = (w for (w, *more) in spoken.phrases if not more and len(w) == len(key) + 1 and w.startswith(key))
        return next(cut, key)  # "befor"
    lengths = (len(key) - 1, len(key), len(key) + 1)
    return nearest(key, (w for n in lengths for w in _single_words(spoken.code).get((key[0], n), ())), 1)


@cache
def _single_words(code: str) -> dict[tuple[str, int], list[str]]:
    """Return the words that say an operation on their own, by first letter and length."""
    found: dict[tuple[str, int], list[str]] = {}
    for (word, *more), concepts in language(code).phrases.items():
        if not more and "excluding" not in concepts and len(word) >= LEAST_RESPELLED:
            found.setdefault((word[0], len(word)), []).append(word)
    return found


def _as_spoken(key: str, text: str, spoken: Language) -> Lexeme:
    """Return a word to compare; a function word is like no other word: German "war" is no merchandise."""
    found = lexeme(key)
    return Lexeme(key, found.stems, frozenset()) if key in spoken.ignored and not text.isupper() else found
