"""Value links: which stored cell values a question mentions, with their exact spelling.

Each run of one to six words of the question is looked up among the distinct values of the text columns:
first exactly (case, accents and punctuation aside), then without plural endings, then with a small
typing error in longer words. The longest match in a column wins over shorter ones inside it.
"""

import difflib
import re
import threading
import unicodedata
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sqlalchemy import column, select, table

from tools.database import Database
from tools.records import ColumnType, TableSchema, ValueHint

__all__ = ["ValueIndex", "ValueLinker"]

MAX_DISTINCT = 20_000
MAX_VALUE_CHARS = 120
MAX_WORDS = 6
CACHED_TABLES = 256
TYPO_WORD_LENGTH = 6
TYPO_SIMILARITY = 0.86
LINKED_TYPES: frozenset[ColumnType] = frozenset({"text"})
COMMON = frozenset(
    """
    a an and any all are as at average be been before after best between both but by can count did do does each ever
    every few find first for from had has have he her his how i if in into is it its last least less list long many
    me more most much my name no none not number of off old on one only or other our out over per same she show so
    some sum than that the their them then there these they this those to top total two under up was we were what
    when where which who whom whose why will with within without would year years yes you your
    """.split()
)


def _key(text: str) -> str:
    """Return text without case, accents and punctuation, words set apart by one space."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if unicodedata.category(c) != "Mn")
    return " ".join(re.findall(r"\w+", plain.casefold()))


def _singular(key: str) -> str:
    return " ".join(w[:-1] if len(w) > 3 and w.endswith("s") and not w.endswith("ss") else w for w in key.split())


@dataclass(slots=True)
class ValueIndex:
    """The distinct values of one column, by normalised spelling."""

    exact: dict[str, list[str]] = field(default_factory=dict)
    singular: dict[str, list[str]] = field(default_factory=dict)
    by_start: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    parts: dict[str, list[str]] = field(default_factory=dict)
    """Values of several words, by each of their rarer words and pairs of words."""

    @classmethod
    def of(cls, values: Iterable[str]) -> "ValueIndex":
        """Index a column's distinct values."""
        index = cls()
        for value in values:
            key = _key(value)
            if not key or len(value) > MAX_VALUE_CHARS:
                continue
            index.exact.setdefault(key, []).append(value)
            index.singular.setdefault(_singular(key), []).append(value)
            if len(key) >= TYPO_WORD_LENGTH:
                index.by_start[key[0]].append(key)
            words = key.split()
            for part in {*words, *(" ".join(words[i : i + n]) for n in (2, 3) for i in range(len(words) - n + 1))}:
                if part != key and len(part) > 2 and part not in COMMON:
                    index.parts.setdefault(part, []).append(value)
        return index

    def match(self, phrase: str) -> list[tuple[str, float]]:
        """Return the values that a normalised phrase may mean, with scores, best first."""
        if phrase in self.exact:
            return [(v, 1.0) for v in self.exact[phrase]]
        if _singular(phrase) in self.singular:
            return [(v, 0.95) for v in self.singular[_singular(phrase)]]
        if len(phrase) >= TYPO_WORD_LENGTH:
            near = difflib.get_close_matches(phrase, self.by_start.get(phrase[0], ()), n=2, cutoff=TYPO_SIMILARITY)
            if near:
                return [(v, 0.8) for key in near for v in self.exact[key]]
        found = self.parts.get(phrase, [])
        share = 0.7 if len(phrase.split()) > 1 else 0.55
        return [(v, share) for v in found] if 0 < len(found) <= 3 else []


def phrases(question: str) -> list[str]:
    """Return the runs of words worth looking up, longest first; common words alone are not."""
    words = _key(question).split()
    runs = []
    for n in range(min(MAX_WORDS, len(words)), 0, -1):
        for i in range(len(words) - n + 1):
            run = words[i : i + n]
            if not all(w in COMMON or (len(w) == 1 and not w.isdigit()) for w in run):
                runs.append(" ".join(run))
    return list(dict.fromkeys(runs))


def best_matches(question: str, index: ValueIndex) -> list[tuple[str, str, float]]:
    """Return (value, phrase, score) of one column: longest phrases first, none inside another."""
    found: list[tuple[str, str, float]] = []
    taken: list[str] = []
    for phrase in phrases(question):
        if any(f" {phrase} " in f" {longer} " for longer in taken):
            continue
        matches = index.match(phrase)
        if matches:
            taken.append(phrase)
            found += [(value, phrase, score) for value, score in matches]
    return found


class ValueLinker:
    """Looks question words up in the text columns of tables; keeps the values of recent tables."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._cache: OrderedDict[str, dict[str, ValueIndex]] = OrderedDict()
        self._lock = threading.Lock()

    def hints(self, question: str, schemas: Sequence[TableSchema], limit: int = 20) -> list[ValueHint]:
        """Return the values that the question mentions, surest and longest first, at most ``limit``."""
        hints = [
            ValueHint(table=schema.name, column=name, value=value, phrase=phrase, score=score)
            for schema in schemas
            for name, index in self._indexes(schema).items()
            for value, phrase, score in best_matches(question, index)
        ]
        hints.sort(key=lambda h: (-h.score, -len(h.phrase), h.table, h.column, h.value))
        return hints[:limit]

    def _indexes(self, schema: TableSchema) -> dict[str, ValueIndex]:
        with self._lock:
            if schema.table_id in self._cache:
                self._cache.move_to_end(schema.table_id)
                return self._cache[schema.table_id]
        read = {c.name: ValueIndex.of(self._values(schema, c.name)) for c in schema.columns if c.type in LINKED_TYPES}
        with self._lock:
            self._cache[schema.table_id] = read
            while len(self._cache) > CACHED_TABLES:
                self._cache.popitem(last=False)
        return read

    def _values(self, schema: TableSchema, name: str) -> list[str]:
        stored = column(name)
        wanted = (
            select(stored).select_from(table(schema.name)).where(stored.is_not(None)).distinct().limit(MAX_DISTINCT)
        )
        return [str(row[0]) for row in self._database.select(wanted)]
