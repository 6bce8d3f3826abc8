"""Value links: which stored cell values a question mentions, with their exact spelling."""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from sqlalchemy import column, select, table

from tablerag.tools.errors import SqlProblem
from tablerag.tools.linking.keys import COMMON, key_of, singular_key
from tablerag.tools.linking.large import LargeColumn, LargeValues
from tablerag.tools.linking.matching import SURE, ColumnValues, ValueIndex, best_matches
from tablerag.tools.linking.meanings import MEANT_SCORE, Meanings
from tablerag.tools.records import UNION_SOURCE, TableSchema, ValueHint
from tablerag.tools.sql.database import Database
from tablerag.tools.text import singular, tokens

__all__ = ["MAX_DISTINCT", "ValueLinker", "linked_columns"]

MAX_DISTINCT = 20_000
"""Distinct values of a column that are held in memory; columns of more are looked up in the value index."""
CACHED_TABLES = 256


def linked_columns(schema: TableSchema) -> list[str]:
    """Return the stored columns in which values are looked up, as the document spells them.

    Those are texts, and the raw texts beside typed columns: "2nd", "80 m", "3 May 1996".
    """
    return [c.raw or c.name for c in schema.columns if c.type == "text" or c.raw]


class ValueLinker:
    """Looks question words up in the text columns of tables; keeps the values of recent tables."""

    def __init__(self, database: Database, large: LargeValues, meanings: Meanings | None = None) -> None:
        self._database = database
        self._large = large
        self._meanings = meanings
        self._cache: OrderedDict[str, dict[str, ColumnValues]] = OrderedDict()
        self._lock = threading.Lock()

    def hints(self, question: str, schemas: Sequence[TableSchema], limit: int = 20) -> list[ValueHint]:
        """Return the values that the question mentions, surest and longest first, at most ``limit``."""
        found = [
            ValueHint(table=schema.name, column=name, value=value, phrase=phrase, score=score)
            for schema in schemas
            for name, values in self._columns(schema)
            for value, phrase, score in best_matches(question, values)
        ]
        hints = _meant(dict.fromkeys(found), schemas)
        hints += self._by_meaning(question, hints, schemas)
        hints.sort(key=lambda h: (-h.score, -len(h.phrase), h.table, h.column, h.value))
        return hints[:limit]

    def _by_meaning(self, question: str, hints: Sequence[ValueHint], schemas: Sequence[TableSchema]) -> list[ValueHint]:
        """Return the values that words mean which no stored value, header or title holds."""
        if self._meanings is None:
            return []
        named = [s.title for s in schemas] + [c.header for s in schemas for c in s.columns]
        taken = {w for text in (*named, *(h.phrase for h in hints)) for w in key_of(text).split()}
        taken |= {singular_key(w) for w in taken}
        return [
            ValueHint(table=schema.name, column=column, value=value, phrase=phrase, score=MEANT_SCORE)
            for schema in schemas
            for column, value, phrase in self._meanings.find(question, taken, self._columns(schema))
        ]

    def _columns(self, schema: TableSchema) -> Iterator[tuple[str, ColumnValues]]:
        """Give the values of each text column; those of a uniting table are its members' and where they are from."""
        if not schema.members:
            yield from self.held(schema.stored_as or schema.name, linked_columns(schema), schema.row_count).items()
            return
        for name in linked_columns(schema):
            for member in schema.members:
                if name in member.columns:
                    own = member.columns[name]
                    yield from ((name, v) for v in self.held(member.stored_as, [own], member.row_count).values())
        for name, said in zip(UNION_SOURCE, ("source", "within"), strict=True):
            yield name, ValueIndex.of({getattr(m, said) for m in schema.members} - {""})

    def held(self, stored_as: str, names: Sequence[str], row_count: int) -> Mapping[str, ColumnValues]:
        """Return the distinct values of a stored table's columns, by column."""
        key = "\0".join((stored_as, *names))
        with self._lock:
            if key in self._cache:
                self._cache.move_to_end(key)
                return self._cache[key]
        try:
            read = {name: self._read(stored_as, name, row_count) for name in names}
        except SqlProblem:
            return {}  # Dropped just now, or too slow to read: the question does without hints.
        if any(isinstance(values, LargeColumn) for values in read.values()):
            return read  # it sees the index as it was when it was opened
        with self._lock:
            self._cache[key] = read
            while len(self._cache) > CACHED_TABLES:
                self._cache.popitem(last=False)
        return read

    def _read(self, stored_as: str, name: str, row_count: int) -> ColumnValues:
        large = self._large.column(stored_as, name) if row_count > MAX_DISTINCT else None
        if large is not None:
            return large
        stored = column(name)
        wanted = select(stored).select_from(table(stored_as)).where(stored.is_not(None)).distinct().limit(MAX_DISTINCT)
        return ValueIndex.of(str(row[0]) for row in self._database.select(wanted))


def _meant(hints: Iterable[ValueHint], schemas: Sequence[TableSchema]) -> list[ValueHint]:
    """Leave out parts of values whose words name a column, or belong to a longer phrase that was found more surely.

    Who asks "which town ..." asks of a column, not of "Spanish Town"; who says "Geno Hayes" means no "Helen Hayes".
    """
    hints = list(hints)
    scores: dict[str, float] = {}
    for hint in hints:
        scores[hint.phrase] = max(hint.score, scores.get(hint.phrase, 0))
    headers = {t for s in schemas for c in s.columns for t in tokens(c.header)}
    idle = {p for p in scores if {singular(w) for w in p.split() if w not in COMMON} <= headers}
    idle |= {p for p, score in scores.items() for q, more in scores.items() if p != q and score < more and _has(q, p)}
    return [h for h in hints if h.score >= SURE or h.phrase not in idle]


def _has(phrase: str, part: str) -> bool:
    return f" {part} " in f" {phrase} "
