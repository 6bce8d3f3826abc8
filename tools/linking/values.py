"""Value links: the stored cell values that a question mentions, with their exact spelling."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from sqlalchemy import column, select, table

from tablerag.tools.errors import SqlProblem
from tablerag.tools.linking.keys import COMMON, key_of, singular_key
from tablerag.tools.linking.large import LargeValues
from tablerag.tools.linking.matching import SURE, ColumnValues, ValueIndex, best_matches
from tablerag.tools.linking.meanings import MEANT_SCORE, Meanings
from tablerag.tools.records import UNION_SOURCE, TableSchema, ValueHint
from tablerag.tools.sql.database import Database
from tablerag.tools.text import singular, tokens

__all__ = ["MAX_DISTINCT", "ValueLinker", "linked_columns"]

MAX_DISTINCT = 20_000
"""Most distinct values of a column in memory; columns with more are looked up in the value index."""
CACHED_COLUMNS = 2_048


def linked_columns(schema: TableSchema) -> list[str]:
    """Return the stored columns in which values are looked up, in the spelling of the document.

    These are texts, and the raw texts of typed columns: "2nd", "80 m", "3 May 1996".
    """
    return [c.raw or c.name for c in schema.columns if c.type == "text" or c.raw]


class ValueLinker:
    """Looks up words of a question in the text columns of tables; caches the values of recent tables."""

    def __init__(self, database: Database, large: LargeValues, meanings: Meanings | None = None) -> None:
        self._database = database
        self._large = large
        self._meanings = meanings
        self._small = lru_cache(maxsize=CACHED_COLUMNS)(self._index)

    def hints(self, question: str, schemas: Sequence[TableSchema], limit: int = 20) -> list[ValueHint]:
        """Return the values that the question mentions, best and longest first, at most ``limit``."""
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
        """Return the values that are meant by words in no stored value, header or title."""
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
        """Yield the values of each text column; for a union, those of its members and their sources."""
        if not schema.members:
            yield from self.held(schema.stored_as or schema.name, linked_columns(schema), schema.row_count).items()
            return
        for name in linked_columns(schema):
            for member in schema.members:
                if name in member.columns:
                    own = member.columns[name]
                    yield from ((name, v) for v in self.held(member.stored_as, [own], member.row_count).values())
        for name, field in zip(UNION_SOURCE, ("source", "within"), strict=True):
            yield name, ValueIndex.of({getattr(m, field) for m in schema.members} - {""})

    def held(self, stored_as: str, names: Sequence[str], row_count: int) -> Mapping[str, ColumnValues]:
        """Return the distinct values of columns of a stored table, by column."""
        try:
            return {name: self._read(stored_as, name, row_count) for name in names}
        except SqlProblem:
            return {}  # Just dropped, or too slow to read: the question gets no hints.

    def _read(self, stored_as: str, name: str, row_count: int) -> ColumnValues:
        # A large column is not cached: it reads the index as it was when it was opened.
        large = self._large.column(stored_as, name) if row_count > MAX_DISTINCT else None
        return large if large is not None else self._small(stored_as, name)

    def _index(self, stored_as: str, name: str) -> ValueIndex:
        stored = column(name)
        wanted = select(stored).select_from(table(stored_as)).where(stored.is_not(None)).distinct().limit(MAX_DISTINCT)
        return ValueIndex.of(str(row[0]) for row in self._database.select(wanted))


def _meant(hints: Iterable[ValueHint], schemas: Sequence[TableSchema]) -> list[ValueHint]:
    """Remove matches of a part of a value whose words name a column, or are in a longer phrase with a better match.

    "which town ..." refers to a column, not to "Spanish Town"; "Geno Hayes" does not mean "Helen Hayes".
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
