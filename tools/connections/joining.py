"""Statements over several databases: partial results of each, joined by the embedded engine."""

import datetime as dt
import secrets
import shutil
import tempfile
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from tablerag.tools.connections.partial_results import Part, planned
from tablerag.tools.errors import SqlFailed, SqlRejected
from tablerag.tools.records import ROW_ID, Column, ColumnType, TableSchema
from tablerag.tools.sql.backends.parquet_tables import ParquetTables
from tablerag.tools.sql.backends.tables import Rows, StoredColumn, StoredTables

if TYPE_CHECKING:
    from tablerag.tools.sql.guard import GuardedSql

__all__ = ["MOST_PARTIAL_ROWS", "Joiner"]

MOST_PARTIAL_ROWS, MOST_PARTIAL_CELLS = 200_000, 2_000_000
"""What is read of one table or subquery."""
NO_DECIMAL = (38, 38)
"""Digits that no decimal type has: the numbers are stored in floating point, as they were read."""
KINDS: tuple[tuple[type, ColumnType], ...] = (
    (bool, "boolean"), (int, "integer"), (float, "decimal"), (Decimal, "decimal"), (dt.datetime, "datetime"),
    (dt.date, "date"),
)  # fmt: skip


class Running(Protocol):
    """Runs a guarded statement over tables of one database."""

    def __call__(self, guarded: "GuardedSql", timeout_s: float, most: int) -> AbstractContextManager[Rows]: ...


class Joiner:
    """Reads partial results by ``run``, and joins them beside the documents' own tables. Safe to share between threads.

    Where the documents' tables are files, they are read where they are; a server's are a partial result too.
    """

    def __init__(self, own: StoredTables, run: Running) -> None:
        self._run = run
        self._engine, self._made = (own, False) if isinstance(own, ParquetTables) else (_beside(), True)

    @contextmanager
    def running(self, guarded: "GuardedSql", timeout_s: float, most: int) -> Iterator[Rows]:
        """Run a guarded statement over several databases; raises as StoredTables.running() does."""
        from tablerag.tools.sql.guard import guard

        until = time.monotonic() + timeout_s
        plan = planned(guarded.expression, guarded.schemas, lambda s: not (s.origin or self._made))
        folder = f"joined-{secrets.token_hex(8)}"
        here = [s for s in guarded.schemas if not any(p.of is s for p in plan.parts)]
        written: list[str] = []
        try:
            for number, part in enumerate(plan.parts):
                name = f"{folder}/{number}"
                written.append(name)
                here.append(self._written(part, name, guarded.schemas, until))
            rest = guard(plan.rest.sql(dialect="mysql", comments=False), here, row_limit=most)
            with self._engine.running(rest, _left(until, timeout_s), most) as rows:
                yield rows
        finally:
            self._engine.drop(written)
            shutil.rmtree(self._engine.path(folder).with_suffix(""), ignore_errors=True)

    def close(self) -> None:
        """Delete what was made for partial results."""
        if self._made:
            self._engine.close()
            shutil.rmtree(self._engine.path("").parent, ignore_errors=True)

    def _written(self, part: Part, name: str, schemas: Sequence[TableSchema], until: float) -> TableSchema:
        """Write a partial result under a stored name, and return its schema."""
        columns, rows = self._read(part, schemas, until)
        types = part.of.stored_columns() if part.of else {}
        stored = [_stored(n, types.get(n), [row[i] for row in rows]) for i, n in enumerate(columns)]
        batch: list[Sequence[Any]] = [[_plain(row[i], c.type) for row in rows] for i, c in enumerate(stored)]
        if ROW_ID not in columns:  # by which the engine orders equal rows
            stored, batch = [*stored, StoredColumn(ROW_ID, "integer")], [*batch, range(1, len(rows) + 1)]
        self._engine.path(name).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._engine.write(name, stored, [batch])
        if part.of:
            return part.of.model_copy(update={"stored_as": name, "origin": None, "members": (), "row_filter": None})
        made = tuple(Column(name=c.name, header=c.name, type=c.type) for c in stored[: len(columns)])
        return TableSchema(
            table_id=name, name=part.name, columns=made, row_count=len(rows), source="", stored_as=name,
            hidden_columns=(),
        )  # fmt: skip

    def _read(
        self, part: Part, schemas: Sequence[TableSchema], until: float
    ) -> tuple[tuple[str, ...], list[Sequence[Any]]]:
        from tablerag.tools.sql.guard import guard

        try:
            guarded = guard(part.sql, schemas, row_limit=MOST_PARTIAL_ROWS)
            return self._fetched(part, guarded, until)
        except SqlRejected:
            if not part.unfiltered:
                raise
        # A condition that this database cannot compute is left to the embedded engine, which has it once more.
        return self._fetched(part, guard(part.unfiltered, schemas, row_limit=MOST_PARTIAL_ROWS), until)

    def _fetched(self, part: Part, guarded: "GuardedSql", until: float) -> tuple[tuple[str, ...], list[Sequence[Any]]]:
        found: list[Sequence[Any]] = []
        with self._run(guarded, _left(until), MOST_PARTIAL_ROWS + 1) as rows:
            for row in rows.values:
                found.append(row)
                if len(found) > min(MOST_PARTIAL_ROWS, MOST_PARTIAL_CELLS // max(len(row), 1)):
                    raise SqlFailed(
                        f"more than {len(found) - 1:,} rows of {part.says} would be joined with another database: "
                        "filter it, or add it up in a subquery (GROUP BY) before the join"
                    )
            return rows.columns, found


def _beside() -> ParquetTables:
    """Return an engine with a folder of its own."""
    return ParquetTables(Path(tempfile.mkdtemp(prefix="tablerag-joined-")))


def _left(until: float, asked_s: float | None = None) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise SqlFailed("the statement ran longer than it may: filter earlier, or add up before the join")
    return left if asked_s is None else min(left, asked_s)


def _stored(name: str, type_: ColumnType | None, values: Sequence[Any]) -> StoredColumn:
    """Return how a column is stored: with the type that its table has, of a computed one that of its values."""
    found = {type(v) for v in values if v is not None}
    kind = type_ or _kind(found)
    if kind == "integer" and any(isinstance(v, int) and abs(v) >= 2**63 for v in values):
        kind = "decimal"
    if kind != "decimal":
        return StoredColumn(name, kind)
    numbers = [Decimal(v) for v in values if v is not None]
    if float in found or not all(n.is_finite() for n in numbers):
        return StoredColumn(name, kind, NO_DECIMAL)
    scale = max((-int(n.as_tuple().exponent) for n in numbers), default=0)
    return StoredColumn(name, kind, (max((n.adjusted() + 1 for n in numbers), default=1), max(scale, 0)))


def _kind(found: Collection[type]) -> ColumnType:
    """Return the type of a column by the types of its values."""
    if len(found) > 1 and {*found} <= {bool, int, float, Decimal}:
        return "decimal"
    for type_, kind in KINDS:
        if found and all(issubclass(f, type_) for f in found):
            return kind
    return "text"


def _plain(value: Any, type_: ColumnType) -> Any:
    """Return a value as it is written; what no type of columns is, such as a duration, as text."""
    if value is None or type_ != "text":
        return value
    return value.decode("utf-8", "replace") if isinstance(value, bytes | bytearray) else str(value)
