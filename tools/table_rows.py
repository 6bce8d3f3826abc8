"""The first rows of a table for the embedded reasoner: one SELECT, cached for the next question."""

import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import column, select
from sqlglot import exp

from tablerag.tools.cells import json_cell
from tablerag.tools.records import ROW_ID, TOTAL, Cell, TableSchema, ValueHint
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.guard import guard

__all__ = ["MOST_CELLS", "MOST_ROWS", "RowReader", "TableRows"]

MOST_ROWS = 2_000
MOST_CELLS = 40_000
MOST_CHARS = 4_000
"""Longer texts are cut: they are read through for each question, and nothing is computed from them."""
MOST_HINTS = 8
HINTED_ROWS = 200
CACHED_TABLES = 64
CONNECTED_S = 10.0
"""How long the rows of a connected database are kept, which may change at any time: for one question."""


@dataclass(frozen=True, slots=True)
class TableRows:
    """Rows of one table, lowest ``_row_id`` first."""

    names: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    complete: bool
    """Whether these are all rows of the table."""


class RowReader:
    """Reads tables; caches the rows of recent ones. Safe to share between threads."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._cache: OrderedDict[str, tuple[TableRows, float]] = OrderedDict()
        self._lock = threading.Lock()

    def __call__(self, schema: TableSchema, hints: Sequence[ValueHint] = ()) -> TableRows:
        """Return at most MOST_ROWS rows; for larger tables, also some with the value of a hint.

        Raises the errors of Database.run().
        """
        # A union has no version of its own; it changes with the stored names of its members.
        key = schema.stored_as or "\0".join([schema.name, *(m.stored_as for m in schema.members)])
        with self._lock:
            known, read_at = self._cache.get(key, (None, 0.0))
            if schema.origin and (time.monotonic() > read_at + CONNECTED_S or self._database.tables.has_failed(key)):
                known = None
            if known is not None:
                self._cache.move_to_end(key)
        if known is not None:
            for stored in [m.stored_as for m in schema.members] or [schema.stored_as or schema.name]:
                self._database.tables.source(stored)  # raises TableLost: rows that no statement can read are no answer
        else:
            known = self._read(schema)
            with self._lock:
                self._cache[key] = known, time.monotonic()
                while len(self._cache) > CACHED_TABLES:
                    self._cache.popitem(last=False)
        return known if known.complete else self._with_hinted(known, schema, hints)

    def _read(self, schema: TableSchema) -> TableRows:
        names = [ROW_ID] if ROW_ID in schema.hidden_columns else []
        names += [TOTAL] if TOTAL in schema.hidden_columns else []
        names += [name for column in schema.columns for name in column.all_names()]
        most = max(1, min(MOST_ROWS, MOST_CELLS // len(names)))
        rows = self.first(schema, names, most)
        return TableRows(tuple(names), rows, schema.row_count <= len(rows))

    def first(self, schema: TableSchema, names: Sequence[str], most: int) -> tuple[tuple[Cell, ...], ...]:
        """Return columns of the first rows of a table."""
        if schema.members:
            return self.select(_first_members(schema, most), names, "", most)
        if schema.origin:
            return tuple(tuple(map(_cell, row)) for row in self._database.connected_rows(schema, names, most))
        # The program's own statement over plain columns: to check and rewrite it takes longer than to run it.
        stored: Any = (
            select(*map(column, names))
            .select_from(self._database.tables.source(schema.stored_as or schema.name))
            .limit(most)
        )
        ordered = stored.order_by(column(ROW_ID)) if ROW_ID in names else stored
        return tuple(tuple(map(_cell, row)) for row in self._database.select_stored(ordered))

    def _with_hinted(self, read: TableRows, schema: TableSchema, hints: Sequence[ValueHint]) -> TableRows:
        """Add rows with values that the question mentions, which are rarely among the first of many rows."""
        mine = [h for h in hints if h.table == schema.name and h.column in read.names][:MOST_HINTS]
        if not mine:
            return read
        numbers = {c.name for c in schema.columns if c.type == "integer"}
        met = " OR ".join(f"`{h.column}` = {_literal(h.value, h.column in numbers)}" for h in mine)
        found = self.select(schema, read.names, f" WHERE {met}", HINTED_ROWS)
        return TableRows(read.names, tuple(dict.fromkeys([*read.rows, *found])), complete=False)

    def select(self, schema: TableSchema, names: Sequence[str], tail: str, most: int) -> tuple[tuple[Cell, ...], ...]:
        """Return columns of the rows that a guarded statement finds."""
        listed = ", ".join(f"`{name}`" for name in names)
        statement = f"SELECT {listed} FROM `{schema.name}`{tail} LIMIT {most}"
        found = self._database.scan(guard(statement, [schema], row_limit=most))
        return tuple(tuple(map(_cell, row)) for row in found)


def _literal(value: str, is_number: bool) -> str:
    made = exp.Literal.number(int(value)) if is_number else exp.Literal.string(value)
    return made.sql(dialect="mysql")


def _cell(value: Any) -> Cell:
    """Return a value as a cell, a long text cut."""
    cell = json_cell(value)
    return cell[:MOST_CHARS] if isinstance(cell, str) else cell


def _first_members(schema: TableSchema, most: int) -> TableSchema:
    """Return a union without the members after its first ``most`` rows; any other table as it is."""
    kept, count = [], 0
    for member in schema.members:
        kept.append(member)
        count += member.row_count
        if count > most:
            break
    return schema.model_copy(update={"members": tuple(kept)}) if kept else schema
