"""The rows that contribute to a result, table by table: counted, listed and hashed, at a limited cost.

Every statement passes the guard and runs in the read-only session. All of them together end after the time limit of one
statement, or after less that is given; rows that are still unknown then stay unknown, with the reason.
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from math import prod
from typing import NamedTuple

from sqlglot import exp

from tablerag.tools.errors import SqlProblem
from tablerag.tools.records import ROW_ID, Cell, ContributingRows, SqlResult, TableSchema
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.guard import GuardedSql, guard
from tablerag.tools.sql.lineage.blocks import NotTraced, columns_read
from tablerag.tools.sql.lineage.readings import Reading, readings
from tablerag.tools.sql.lineage.statements import counted, joined, rows_of
from tablerag.tools.sql.row_hash import row_hash

__all__ = ["WHEN_OPENED", "Contributions", "contributing_rows"]

MOST_IDS = 200
"""Row ids that are listed; the hash includes all of them."""
MOST_HASHED = 200_000
"""If more rows contribute, they are counted but not hashed, so that an answer does not wait for them."""
MOST_JOINED = 1_000_000
"""Joined rows that are read to find those of each table."""
WHEN_OPENED = "computed when opened"
NO_KEY = "no key of the table tells them apart"
CLOCKS_S = 0.005
"""By how much a server's clock may end a statement earlier."""

Row = tuple[Cell, ...]


class Contributions(NamedTuple):
    """The rows that a result was computed from."""

    tables: tuple[ContributingRows, ...]
    """One for each stored table, those in FROM first."""
    own_rows: int | None
    """Number of stored rows from the FROM of the statement itself; None if it has none, or if unknown."""


def contributing_rows(
    guarded: GuardedSql,
    result: SqlResult,
    schemas: Sequence[TableSchema],
    database: Database,
    seconds: float | None = None,
) -> Contributions:
    """Return the rows behind the result of a statement, as lineage.readings defines them.

    Rows that are not found within ``seconds`` are deferred. Without, they are given up at the time limit.
    """
    found, tree = readings(guarded, database.row_limit)
    by_table: dict[str, list[Reading]] = {}
    for reading in found:
        by_table.setdefault(reading.table.casefold(), []).append(reading)
    read = columns_read(tree)
    finder = _Finder(schemas, database, result, seconds)
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


class _TimeIsUp(Exception):
    """The deadline has passed."""


class _Finder:
    """Finds the rows of the readings of one statement, within one deadline."""

    def __init__(
        self, schemas: Sequence[TableSchema], database: Database, result: SqlResult, seconds: float | None
    ) -> None:
        self.counts: dict[int, int] = {}
        """Number of rows of each reading, by its id()."""
        self._schemas = schemas
        self._database = database
        self._result = result
        self._later = seconds is not None
        self._deadline = time.monotonic() + (database.timeout_s if seconds is None else seconds)
        self._row_counts = {s.name.casefold(): s.row_count for s in schemas}
        self._joined: dict[str, int] = {}

    def rows(self, schema: TableSchema, found: Sequence[Reading], read: set[str], chooses: bool) -> ContributingRows:
        keys = schema.row_key
        names = (name for c in schema.columns for name in c.all_names())
        used = [name for name in names if name.casefold() in read and name not in keys]
        known = ContributingRows(
            table=schema.name,
            columns=tuple(c.name for c in schema.columns if not read.isdisjoint(n.casefold() for n in c.all_names())),
            chooses=chooses,
        )
        try:
            return known.model_copy(update=self._found(found, keys, used) if keys else self._only_counted(found))
        except NotTraced as reason:
            return known.model_copy(update={"untold": str(reason)})
        except (_TimeIsUp, SqlProblem) as problem:
            # The result is valid without them: a slow or unusual statement is answered, just without its rows.
            if time.monotonic() > self._deadline - CLOCKS_S:
                slow = f"reading them again takes longer than {self._database.timeout_s:g} s"
                return known.model_copy(
                    update={"untold": WHEN_OPENED if self._later else slow, "deferred": self._later}
                )
            return known.model_copy(update={"untold": f"could not read them again: {problem}"})

    def _found(self, found: Sequence[Reading], keys: Sequence[str], used: Sequence[str]) -> dict[str, object]:
        for reading in found:
            if reading.untold:
                raise NotTraced(reading.untold)
        sizes = [self._size(r, keys) for r in found]
        if max(sizes) > MOST_HASHED:
            if len(found) > 1:
                raise NotTraced(f"a table that is read several times has more than {MOST_HASHED} rows")
            self.counts[id(found[0])] = sizes[0]
            first = list(_distinct(self._scan(rows_of(found[0], keys, used), MOST_IDS - 1), len(keys)))
            return {"row_count": sizes[0], **_listed([row[: len(keys)] for row in first[:MOST_IDS]], keys)}
        ids: dict[Row, None] = {}
        hashed = row_hash(self._noting(found, keys, used, ids))
        return {"row_count": len(ids), "rows_hash": hashed, **_listed(list(ids)[:MOST_IDS], keys)}

    def _only_counted(self, found: Sequence[Reading]) -> dict[str, object]:
        """Count the rows of a connected table without a key."""
        one = found[0]
        if one.untold or len(found) > 1 or one.limited or not one.alone:
            raise NotTraced(one.untold or NO_KEY)
        count = self._row_counts[one.table.casefold()] if one.whole else self._number(joined(one, MOST_JOINED + 1))
        self.counts[id(one)] = count
        rows = f"{count:,} row{'s' * (count != 1)} contribute{'s' * (count == 1)}"
        return {"row_count": count, "untold": f"{NO_KEY}; {rows}"}

    def _noting(
        self, found: Sequence[Reading], keys: Sequence[str], used: Sequence[str], ids: dict[Row, None]
    ) -> Iterator[Row]:
        """Yield the rows of all readings, each row of the table once, and add their keys to ``ids``."""
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
            raise NotTraced(f"more than {MOST_HASHED} rows")
        if reading.place.outermost:
            shown, cut = list(self._result.rows), self._result.truncated
        else:
            shown, cut = list(self._scan(reading.block, MOST_HASHED)), False
        if [row[width:] for row in found][: len(shown) if cut else None] != shown:
            raise NotTraced("LIMIT picks among tied rows, so they can differ each time")
        yield from (row[:width] for row in found)

    def _size(self, reading: Reading, keys: Sequence[str]) -> int:
        """Return the number of rows of a reading, or an upper bound; 0 if LIMIT bounds them."""
        if reading.limited:
            return 0
        most = self._most(reading)
        if most <= min(MOST_HASHED, MOST_JOINED) or reading.whole:
            return most
        count = joined(reading, MOST_JOINED + 1)
        text = count.sql(dialect="mysql")
        if text not in self._joined:
            self._joined[text] = self._number(count)
        size = self._joined[text]
        if reading.alone:
            return size
        most = MOST_JOINED if ROW_ID in keys else MOST_HASHED
        if size > most:
            raise NotTraced(f"the join has more than {most} rows")
        return self._number(counted(reading, keys)) if size > MOST_HASHED else size

    def _most(self, reading: Reading) -> int:
        """Return how many joined rows a reading may have at most, by the sizes of its tables."""
        if reading.alone:
            return self._row_counts[reading.table.casefold()]
        tables = reading.block.find_all(exp.Table) if reading.block else ()
        # One more each: an outer join keeps rows that match none, and a UNION adds up.
        return prod(self._row_counts.get(t.name.casefold(), 0) + 1 for t in tables)

    def _number(self, statement: exp.Select) -> int:
        ((number,),) = self._scan(statement, 1)
        return int(number or 0)

    def _scan(self, statement: exp.Expr | None, most: int) -> Iterator[Row]:
        if statement is None:
            raise NotTraced("the statement cannot be read again")
        guarded = guard(statement.sql(dialect="mysql"), self._schemas, row_limit=most)
        for row in self._database.scan(guarded, self._seconds_left()):
            self._seconds_left()  # rows are hashed between two of them
            yield row

    def _seconds_left(self) -> float:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise _TimeIsUp
        return left


def _distinct(rows: Iterable[Row], keys: int) -> Iterator[Row]:
    """Yield the first row of each key, without the empty one of an outer join."""
    seen: set[Row] = set()
    for row in rows:
        if row[0] is not None and row[:keys] not in seen:
            seen.add(row[:keys])
            yield row


def _listed(ids: Sequence[Row], keys: Sequence[str]) -> dict[str, object]:
    if ROW_ID not in keys:
        return {"keys": tuple(ids)}
    return {
        "row_ids": tuple(int(key[0] or 0) for key in ids),
        "members": tuple(str(member) for key in ids for member in key[1:]),
    }
