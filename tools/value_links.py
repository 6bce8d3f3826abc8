"""Value links: which stored cell values a question mentions, with their exact spelling.

Each run of one to six words of the question is looked up among the distinct values of the text columns,
the surest way first: as it stands (case, accents and punctuation aside), without plural endings, in
another order of words, with small typing errors in longer words, and last as a part of a longer value.
Within one way the longest run wins, and a run that shares a word with a surer or longer match is out.
"""

import re
import threading
import unicodedata
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from os.path import commonprefix

from sqlalchemy import column, select, table

from tools.database import Database
from tools.errors import SqlProblem
from tools.records import TableSchema, ValueHint
from tools.sql_stored import UNION_SOURCE
from tools.text import singular

__all__ = ["ValueIndex", "ValueLinker", "best_matches"]

MAX_DISTINCT = 20_000
MAX_VALUE_CHARS = 120
MAX_QUESTION_WORDS = 200
MAX_WORDS = 6
CACHED_TABLES = 256
TYPO_WORD_LENGTH = 6
TWO_TYPOS_LENGTH = 9
NEIGHBOURS = 100
MAX_SHARING = 3
"""A part of more values than these says nothing about which one is meant."""
COMMON = frozenset(
    """
    a an and any all are as at average be been before after best between both but by can count did do does each ever
    every few find first for from had has have he her his how i if in into is it its last least less list long many
    me more most much my name no none not number of off old on one only or other our out over per same she show so
    some sum than that the their them then there these they this those to top total two under up was we were what
    when where which who whom whose why will with within without would year years yes you your
    """.split()
)
"""Words that ask; a run of them alone is no mention of a value."""


def key_of(text: str) -> str:
    """Return text without case, accents and punctuation, words set apart by one space."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if unicodedata.category(c) != "Mn")
    return " ".join(re.findall(r"\w+", plain.casefold()))


def _singular(key: str) -> str:
    return " ".join(map(singular, key.split()))


def _sorted(key: str) -> str:
    return " ".join(sorted(key.split()))


@dataclass(slots=True)
class ValueIndex:
    """The distinct values of one column, by normalised spelling."""

    exact: dict[str, list[str]] = field(default_factory=dict)
    singulars: dict[str, list[str]] = field(default_factory=dict)
    reordered: dict[str, list[str]] = field(default_factory=dict)
    parts: dict[str, list[str]] = field(default_factory=dict)
    """Values of several words, by each of their words and runs of two or three."""
    vocabulary: dict[tuple[str, int], list[str]] = field(default_factory=dict)
    """Longer words by first letter and length, sorted."""

    @classmethod
    def of(cls, values: Iterable[str]) -> "ValueIndex":
        """Index a column's distinct values."""
        index = cls()
        for value in values:
            key = key_of(value)
            if key and len(value) <= MAX_VALUE_CHARS:
                index._add(value, key)
        for group, words in index.vocabulary.items():
            index.vocabulary[group] = sorted(set(words))
        return index

    def _add(self, value: str, key: str) -> None:
        words = key.split()
        self.exact.setdefault(key, []).append(value)
        self.singulars.setdefault(_singular(key), []).append(value)
        for word in words:
            if len(word) >= TYPO_WORD_LENGTH:
                self.vocabulary.setdefault((word[0], len(word)), []).append(word)
        if len(words) > 1:
            self.reordered.setdefault(_sorted(key), []).append(value)
            for part in {" ".join(words[i : i + n]) for n in (1, 2, 3) for i in range(len(words) - n + 1)}:
                if part != key and len(part) > 2 and part not in COMMON:
                    self.parts.setdefault(part, []).append(value)

    def spelled(self, word: str) -> str:
        """Return the column's own spelling of a mistyped word; the word itself when it has none nearby."""
        if len(word) < TYPO_WORD_LENGTH or word in COMMON:
            return word
        most = 2 if len(word) >= TWO_TYPOS_LENGTH else 1
        near = min(((edits(word, known, most), known) for known in self._neighbours(word, most)), default=(9, word))
        # A plural or other form is no typing error: it was looked up as such already.
        return near[1] if near[0] <= most and _singular(near[1]) != _singular(word) else word

    def _neighbours(self, word: str, most: int) -> Iterator[str]:
        """Give words of about that length and start; of very many, those next in the alphabet."""
        for length in range(len(word) - most, len(word) + most + 1):
            known = self.vocabulary.get((word[0], length), [])
            place = bisect_left(known, word)
            yield from known[max(0, place - NEIGHBOURS) : place + NEIGHBOURS]


def edits(one: str, other: str, most: int) -> int:
    """Count letters inserted, left out, replaced or swapped between two words; more than ``most`` is ``most`` + 1."""
    start = len(commonprefix((one, other)))
    one, other = one[start:], other[start:]
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        before, last, row = row, before, [i]
        for j, against in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != against))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == against:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)


def best_matches(question: str, index: ValueIndex) -> list[tuple[str, str, float]]:
    """Return (value, phrase, score) of one column, surest and longest first, no two from the same words."""
    words = key_of(question).split()[:MAX_QUESTION_WORDS]
    spelled = [index.spelled(w) for w in words]
    ways: list[tuple[float, list[str], Callable[[str], Sequence[str]]]] = [
        (1.0, words, lambda run: index.exact.get(run, ())),
        (0.95, words, lambda run: index.singulars.get(_singular(run), ())),
        (0.9, words, lambda run: index.reordered.get(_sorted(run), ())),
        (0.8, spelled, lambda run: index.exact.get(run, ()) if spelled != words else ()),
        (0.7, words, lambda run: _few(index.parts.get(run, ())) if " " in run else ()),
        (0.55, words, lambda run: _few(index.parts.get(run, ()))),
    ]
    taken: set[int] = set()
    found = []
    for score, spelling, look_up in ways:
        for start, end in _runs(words):
            if taken.isdisjoint(range(start, end)) and (values := look_up(" ".join(spelling[start:end]))):
                taken.update(range(start, end))
                found += [(value, " ".join(words[start:end]), score) for value in values]
    return found


def _few(values: Sequence[str]) -> Sequence[str]:
    return values if len(values) <= MAX_SHARING else ()


def _runs(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Give the runs worth looking up, longest first; common words and single letters alone are not."""
    alone = [w in COMMON or (len(w) == 1 and not w.isdigit()) for w in words]
    for length in range(min(MAX_WORDS, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            if not all(alone[start : start + length]):
                yield start, start + length


class ValueLinker:
    """Looks question words up in the text columns of tables; keeps the values of recent tables."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._cache: OrderedDict[str, dict[str, ValueIndex]] = OrderedDict()
        self._lock = threading.Lock()

    def hints(self, question: str, schemas: Sequence[TableSchema], limit: int = 20) -> list[ValueHint]:
        """Return the values that the question mentions, surest and longest first, at most ``limit``."""
        found = [
            ValueHint(table=schema.name, column=name, value=value, phrase=phrase, score=score)
            for schema in schemas
            for name, index in self._indexes(schema).items()
            for value, phrase, score in best_matches(question, index)
        ]
        hints = list(dict.fromkeys(found))
        hints.sort(key=lambda h: (-h.score, -len(h.phrase), h.table, h.column, h.value))
        return hints[:limit]

    def _indexes(self, schema: TableSchema) -> dict[str, ValueIndex]:
        with self._lock:
            if schema.table_id in self._cache:
                self._cache.move_to_end(schema.table_id)
                return self._cache[schema.table_id]
        try:
            read = {
                name: ValueIndex.of(self._values(schema, name))
                for name in (c.raw or c.name for c in schema.columns if c.type == "text")
            }
        except SqlProblem:
            return {}  # Dropped just now, or too slow to read: the question does without hints.
        with self._lock:
            self._cache[schema.table_id] = read
            while len(self._cache) > CACHED_TABLES:
                self._cache.popitem(last=False)
        return read

    def _values(self, schema: TableSchema, name: str) -> list[str]:
        if schema.members:
            own = [(m.stored_as, m.columns[name]) for m in schema.members if name in m.columns]
            values = dict.fromkeys(v for place in own for v in self._distinct(*place))
            said = {
                UNION_SOURCE[0]: [m.source for m in schema.members],
                UNION_SOURCE[1]: [m.within for m in schema.members],
            }
            return list(values)[:MAX_DISTINCT] or list(dict.fromkeys(v for v in said.get(name, ()) if v))
        return self._distinct(schema.stored_as or schema.name, name)

    def _distinct(self, stored_as: str, name: str) -> list[str]:
        stored = column(name)
        wanted = select(stored).select_from(table(stored_as)).where(stored.is_not(None)).distinct().limit(MAX_DISTINCT)
        return [str(row[0]) for row in self._database.select(wanted)]
