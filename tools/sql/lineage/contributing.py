"""The rows that contribute to a result, table by table: counted, listed and hashed, at a bounded cost.

Every statement passes the guard and runs in the read-only session under its deadline. All of them together may
start within one deadline's time; what is not known then stays untold, with the reason.
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sqlglot import exp

from tablerag.tools.errors import SqlProblem
from tablerag.tools.records import MEMBER, ROW_ID, Cell, ContributingRows, SqlResult, TableSchema
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.guard import GuardedSql, guard
from tablerag.tools.sql.lineage.blocks import columns_read
from tablerag.tools.sql.lineage.errors import NotTakenApart
from tablerag.tools.sql.lineage.readings import Reading, readings
from tablerag.tools.sql.lineage.statements import counted, joined, rows_of
from tablerag.tools.sql.row_hash import row_hash

__all__ = ["Contributions", "contributing_rows"]

MOST_IDS = 200
"""Row ids that are listed; the hash is over all of them."""
MOST_HASHED = 200_000
"""Where more rows contribute they are counted, and not hashed: an answer does not wait for them."""
MOST_JOINED = 1_000_000
"""Joined rows that are looked through for those of each table."""

Row = tuple[Cell, ...]


class Contributions(NamedTuple):
    """What a result was computed from."""

    tables: tuple[ContributingRows, ...]
    """One for each stored table, those in FROM first."""
    own_rows: int | None
    """How many stored rows the statement's own FROM gives; None where it has none, or that cannot be told."""


def contributing_rows(
    guarded: GuardedSql, result: SqlResult, schemas: Sequence[TableSchema], database: Database
) -> Contributions:
    """Return the rows behind a statement's result, as lineage.readings says which those are."""
    found, tree = readings(guarded, database.row_limit)
    by_table: dict[str, list[Reading]] = {}
    for reading in found:
        by_table.setdefault(reading.table.casefold(), []).append(reading)
    read = columns_read(tree)
    finder = _Finder(schemas, database, result)
    tables = []
    for schema in schemas:
        here = by_table.get(schema.name.casefold(), [])
        shown = [r for r in here if not r.place.chooses]
        if here:
            tables.append(finder.rows(schema, shown or here, read.get(schema.name.casefold(), set()), not shown))
    order = list(by_table)
    tables.sort(key=lambda rows: order.index(rows.table.casefold()))
    own = [finder.counts.get(id(r)) for r in found if r.place.gives_rows]
    known = [n for n in own if n is not None]
    return Contributions(tuple(tables), sum(known) if own and len(known) == len(own) else None)


class _Finder:
    """Finds rows for the readings of one statement, within one time."""

    def __init__(self, schemas: Sequence[TableSchema], database: Database, result: SqlResult) -> None:
        self.counts: dict[int, int] = {}
        """Rows of each reading, by its id()."""
        self._schemas = schemas
        self._database = database
        self._result = result
        self._last_start = time.monotonic() + database.timeout_s
        self._joined: dict[str, int] = {}

    def rows(self, schema: TableSchema, found: Sequence[Reading], read: set[str], chooses: bool) -> ContributingRows:
        keys = [name for name in (ROW_ID, MEMBER) if name in schema.hidden_columns]
        used = [name for c in schema.columns for name in c.all_names() if name.casefold() in read]
        known = ContributingRows(
            table=schema.name,
            columns=tuple(c.name for c in schema.columns if not read.isdisjoint(n.casefold() for n in c.all_names())),
            chooses=chooses,
        )
        try:
            return known.model_copy(update=self._told(found, keys, used))
        except NotTakenApart as reason:
            return known.model_copy(update={"untold": str(reason)})
        except SqlProblem as problem:
            # The result stands without them: a slow or odd statement is answered, only not illustrated.
            return known.model_copy(update={"untold": f"they could not be read again: {problem}"})

    def _told(self, found: Sequence[Reading], keys: Sequence[str], used: Sequence[str]) -> dict[str, object]:
        for reading in found:
            if reading.untold:
                raise NotTakenApart(reading.untold)
        sizes = [self._size(r, keys) for r in found]
        if max(sizes) > MOST_HASHED:
            if len(found) > 1:
                raise NotTakenApart(f"more than {MOST_HASHED} rows in one of several places")
            self.counts[id(found[0])] = sizes[0]
            first = list(_distinct(self._scan(rows_of(found[0], keys, used), MOST_IDS - 1), len(keys)))
            return {"row_count": sizes[0], **_listed([row[: len(keys)] for row in first[:MOST_IDS]])}
        ids: dict[Row, None] = {}
        hashed = row_hash(self._noting(found, keys, used, ids))
        return {"row_count": len(ids), "rows_hash": hashed, **_listed(list(ids)[:MOST_IDS])}

    def _noting(
        self, found: Sequence[Reading], keys: Sequence[str], used: Sequence[str], ids: dict[Row, None]
    ) -> Iterator[Row]:
        """Yield the rows of all readings, each row of the table once, and note their keys."""
        for reading in found:
            count = 0
            for row in _distinct(self._of(reading, keys, used), len(keys)):
                count += 1
                if row[: len(keys)] not in ids:
                    ids[row[: len(keys)]] = None
                    yield row
            self.counts[id(reading)] = count

    def _of(self, reading: Reading, keys: Sequence[str], used: Sequence[str]) -> Iterator[Row]:
        rows = self._scan(rows_of(reading, keys, used), MOST_HASHED)
        if not reading.limited:
            yield from rows
            return
        width = len(keys) + len(used)
        found = list(rows)
        if len(found) > MOST_HASHED:
            raise NotTakenApart(f"more than {MOST_HASHED} rows")
        if reading.place.outermost:
            shown, cut = list(self._result.rows), self._result.truncated
        else:
            shown, cut = list(self._scan(reading.block, MOST_HASHED)), False
        if [row[width:] for row in found][: len(shown) if cut else None] != shown:
            raise NotTakenApart("LIMIT chooses among equal rows, and others a second time")
        yield from (row[:width] for row in found)

    def _size(self, reading: Reading, keys: Sequence[str]) -> int:
        """Return how many rows a reading gives, or a number that they are not above; 0 where LIMIT bounds them."""
        if reading.limited:
            return 0
        count = joined(reading, MOST_JOINED + 1)
        text = count.sql(dialect="mysql")
        if text not in self._joined:
            self._joined[text] = self._number(count)
        size = self._joined[text]
        if reading.alone:
            return size
        if size > MOST_JOINED:
            raise NotTakenApart(f"more than {MOST_JOINED} joined rows are not looked through")
        return self._number(counted(reading, keys)) if size > MOST_HASHED else size

    def _number(self, statement: exp.Select) -> int:
        ((number,),) = self._scan(statement, 1)
        return int(number or 0)

    def _scan(self, statement: exp.Expr | None, most: int) -> Iterable[Row]:
        if statement is None or time.monotonic() > self._last_start:
            raise NotTakenApart(f"reading them again takes longer than {self._database.timeout_s:g} s")
        return self._database.scan(guard(statement.sql(dialect="mysql"), self._schemas, row_limit=most))


def _distinct(rows: Iterable[Row], keys: int) -> Iterator[Row]:
    """Yield the first row of each key, without the one that an outer join leaves empty."""
    seen: set[Row] = set()
    for row in rows:
        if row[0] is not None and row[:keys] not in seen:
            seen.add(row[:keys])
            yield row


def _listed(ids: Sequence[Row]) -> dict[str, object]:
    return {
        "row_ids": tuple(int(key[0] or 0) for key in ids),
        "members": tuple(str(member) for key in ids for member in key[1:]),
    }
