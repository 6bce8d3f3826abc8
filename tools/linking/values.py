"""Value links: the stored cell values that a question mentions, with their exact spelling."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from tablerag.tools.errors import SqlProblem, TableLost
from tablerag.tools.linking.codes import codes_of_column, may_be_number_codes, meanings_of
from tablerag.tools.linking.keys import COMMON, key_of, singular_key
from tablerag.tools.linking.large import LargeValues
from tablerag.tools.linking.matching import SURE, ColumnValues, ValueIndex, best_matches
from tablerag.tools.linking.meanings import MEANT_SCORE, Meanings
from tablerag.tools.recent import Recent
from tablerag.tools.records import UNION_SOURCE, Column, TableSchema, ValueHint
from tablerag.tools.sql.database import Database
from tablerag.tools.text import singular, tokens

__all__ = ["MAX_DISTINCT", "ValueLinker", "linked_columns"]

WHOLE = 0.9
"""The least score of a match of all words: "sold" is not "being sold off"."""
MAX_DISTINCT = 20_000
"""Most distinct values of a column in memory; columns with more are looked up in the value index."""
CACHED_KEYS = 500_000
"""Spellings of values that are kept of recent tables, and of columns that were read alone."""
CACHED_SOURCES = 64
"""Unions whose sources are kept."""


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
        self._small = Recent[tuple[tuple[str, str], ...], ValueIndex](ValueIndex.size, CACHED_KEYS)
        self._of_table = Recent[tuple[str, tuple[str, ...]], dict[str, ValueIndex]](
            lambda indexes: sum(index.size() for index in indexes.values()), CACHED_KEYS
        )

    def hints(self, question: str, schemas: Sequence[TableSchema], limit: int = 20) -> list[ValueHint]:
        """Return the values that the question mentions, best and longest first, at most ``limit``."""
        found = [
            ValueHint(table=schema.name, column=name, value=value, phrase=phrase, score=score)
            for schema in schemas
            for name, values in self._columns(schema)
            for value, phrase, score in best_matches(question, values)
        ]
        found += self._by_codes(question, schemas)
        hints = _meant(dict.fromkeys(found), schemas)
        hints += self._by_meaning(question, hints, schemas)
        hints.sort(key=lambda h: (-h.score, -len(h.phrase), h.table, h.column, h.value))
        return hints[:limit]

    def _by_codes(self, question: str, schemas: Sequence[TableSchema]) -> list[ValueHint]:
        """Return the stored codes that stand for words of the question, by what is known of their columns."""
        return [
            ValueHint(table=schema.name, column=name, value=codes[meaning], phrase=phrase, score=score)
            for schema in schemas
            if any(c.about for c in schema.columns)
            for name, values in (*self._columns(schema), *self._numbers(schema))
            if (codes := _codes(schema.column(name), values))
            for meaning, phrase, score in best_matches(question, _of_values(tuple(codes)))
            if score >= WHOLE
        ]

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
            yield from ((name, values) for values in self._united(schema, name))
        for name, field in zip(UNION_SOURCE, ("source", "within"), strict=True):
            yield name, _of_values(tuple(dict.fromkeys(v for m in schema.members if (v := getattr(m, field)))))

    def _numbers(self, schema: TableSchema) -> Iterable[tuple[str, ColumnValues]]:
        """Return the values of the columns of whole numbers whose descriptions explain codes."""
        names = [c.name for c in schema.columns if c.about and may_be_number_codes(c)]
        if schema.members:
            return [(name, values) for name in names for values in self._united(schema, name)]
        return self.held(schema.stored_as or schema.name, names, schema.row_count).items() if names else ()

    def _united(self, schema: TableSchema, name: str) -> Iterator[ColumnValues]:
        """Yield the values of a column of a union: of small members together, of each large one alone."""
        merged: list[tuple[str, str]] = []
        rows = 0
        for member in (m for m in schema.members if name in m.columns):
            own = member.columns[name]
            if member.row_count > MAX_DISTINCT:
                yield from self.held(member.stored_as, [own], member.row_count).values()
                continue
            if merged and rows + member.row_count > MAX_DISTINCT:
                yield from self._together(tuple(merged))
                merged, rows = [], 0
            merged.append((member.stored_as, own))
            rows += member.row_count
        if merged:
            yield from self._together(tuple(merged))

    def _together(self, columns: tuple[tuple[str, str], ...]) -> Iterator[ColumnValues]:
        try:
            yield self._small.of(columns, lambda: self._index(columns))
        except TableLost:
            for one in columns if len(columns) > 1 else ():
                yield from self._together((one,))
        except SqlProblem:
            return  # as in held()

    def held(self, stored_as: str, names: Sequence[str], row_count: int) -> Mapping[str, ColumnValues]:
        """Return the distinct values of columns of a stored table, by column."""
        try:
            if row_count <= MAX_DISTINCT:
                return self._of_table.of((stored_as, tuple(names)), lambda: self._indexes(stored_as, tuple(names)))
            return {name: self._read(stored_as, name) for name in names}
        except SqlProblem:
            return {}  # Just dropped, or too slow to read: the question gets no hints.

    def _read(self, stored_as: str, name: str) -> ColumnValues:
        # A large column is not cached: it reads the index as it was when it was opened.
        large = self._large.column(stored_as, name)
        if large is not None:
            return large
        column = ((stored_as, name),)
        return self._small.of(column, lambda: self._index(column))

    def _indexes(self, stored_as: str, names: tuple[str, ...]) -> dict[str, ValueIndex]:
        """Index the distinct values of columns of a small table, read by one statement."""
        rows = self._database.distinct([(stored_as, name) for name in names], MAX_DISTINCT)
        values: dict[str, list[str]] = {name: [] for name in names}
        for place, value in rows:
            values[names[place]].append(str(value))
        return {name: ValueIndex.of(held) for name, held in values.items()}

    def _index(self, columns: tuple[tuple[str, str], ...]) -> ValueIndex:
        """Index the distinct values of stored columns, each with its table."""
        rows = self._database.distinct(columns, MAX_DISTINCT)
        return ValueIndex.of(dict.fromkeys(str(value) for _, value in rows))


@lru_cache(maxsize=CACHED_SOURCES)
def _of_values(values: tuple[str, ...]) -> ValueIndex:
    return ValueIndex.of(values)


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


def _codes(column: Column | None, values: ColumnValues) -> dict[str, str]:
    """Return the stored codes of a column by what they stand for."""
    if column is None or not column.about:
        return {}
    stored = {v.casefold(): v for v in values.some(MAX_DISTINCT)}
    found = meanings_of(codes_of_column(column, list(stored.values()))).items()
    return {meaning: stored[key] for meaning, code in found if (key := code.casefold()) in stored}
