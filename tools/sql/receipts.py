"""Receipts: what a result was computed from, so that it can be computed again and compared.

A receipt has the statement, a hash of its result and, for each table, the ids and a hash of all contributing rows.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Literal, NamedTuple

from tablerag.tools.connections.registry import connection_of
from tablerag.tools.counting import counted
from tablerag.tools.errors import SqlProblem, TableAway, TableLost
from tablerag.tools.records import ContributingRows, Receipt, SqlResult, TableSchema
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.guard import GuardedSql, guard
from tablerag.tools.sql.lineage.contributing import contributing_rows
from tablerag.tools.sql.row_hash import row_hash

__all__ = ["Verified", "receipt_for", "seconds_for_rows", "verified"]

SHARE = 0.25
"""The share of the time of its statement in which the contributing rows are found; the rest of 0.3 is for preparing."""
LEAST_S = 0.05
SMALL_ROWS, SMALL_S = 50_000, 2.0
"""Up to so many rows of all tables, and the least time for them: a busy machine finds them with the answer, too."""


class Verified(NamedTuple):
    """The outcome for one receipt."""

    receipt: Receipt
    status: Literal["same", "changed", "damaged", "gone", "unavailable"]
    says: str
    result: SqlResult | None = None
    """What the statement returns now."""
    rows: tuple[ContributingRows, ...] = ()
    """The rows that it is computed from now."""


def receipt_for(
    guarded: GuardedSql, result: SqlResult, schemas: Sequence[TableSchema], rows: Sequence[ContributingRows]
) -> Receipt:
    """Return the receipt of a statement, given its result and the contributing rows."""
    by_name = {s.name: s for s in schemas}
    read = [by_name[name] for name in guarded.tables]
    sources = dict.fromkeys(m.source for s in read for m in (s.members or (s,)))
    databases = dict.fromkeys(connection_of(s.stored_as) for s in read)
    return Receipt(
        sql=guarded.shown,
        tables=guarded.tables,
        sources=tuple(sources),
        result_hash=row_hash(result.rows),
        computed_at=datetime.now(UTC).isoformat(timespec="seconds") if any(s.origin for s in read) else "",
        joined=tuple(databases) if len(databases) > 1 else (),
        rows=tuple(rows),
    )


def seconds_for_rows(
    guarded: GuardedSql, result: SqlResult, schemas: Sequence[TableSchema], took_s: float, timeout_s: float
) -> float:
    """Return how long to look for the contributing rows of a statement that took so long.

    With its statement that is never longer than the time limit. A result of zeros may be one of no rows: only its rows
    tell, so that they are not put off.
    """
    left = max(timeout_s - took_s, 0.0)
    if all(cell is None or cell == 0 for row in result.rows for cell in row):
        return left
    read = sum(s.row_count for s in schemas if s.name in guarded.tables)
    return min(left, max(SHARE * took_s, SMALL_S if read <= SMALL_ROWS else LEAST_S))


def verified(receipt: Receipt, schemas: Sequence[TableSchema], database: Database, *, row_limit: int) -> Verified:
    """Run the statement of a receipt again, and compare."""
    missing = sorted(set(receipt.tables) - {s.name for s in schemas})
    if missing:
        return Verified(receipt, "gone", f"no longer in the corpus: {', '.join(missing)}")
    try:
        guarded = guard(receipt.sql, schemas, row_limit=row_limit)
        result = database.run(guarded)
        now = contributing_rows(guarded, result, schemas, database).tables
    except TableAway as away:
        return Verified(receipt, "unavailable", f"could not be checked: {away}, then verify again")
    except TableLost as lost:
        return Verified(receipt, "damaged", f"{lost}, then verify again")
    except SqlProblem as problem:
        return Verified(receipt, "changed", f"the statement no longer runs: {problem}")
    pairs = [(then, again) for then in receipt.rows for again in now if again.table == then.table]
    other = ", ".join(again.table for then, again in pairs if _differ(then, again))
    if row_hash(result.rows) != receipt.result_hash:
        return Verified(receipt, "changed", _with_details("the result has changed", pairs), result, now)
    lost = any((then.row_count is not None and again.row_count is None) or again.untold for then, again in pairs)
    deferred = any(then.deferred for then, _ in pairs)
    says = "the result is unchanged" if other or lost or deferred else "the result and its rows are unchanged"
    says += f", but computed from other rows of {other}" if other else ""
    return Verified(receipt, "same", _with_details(says, pairs), result, now)


def _differ(then: ContributingRows, now: ContributingRows) -> bool:
    """Return whether rows have changed; False if either are unknown."""
    if then.row_count is None or now.row_count is None:
        return False
    hashes = {then.rows_hash, now.rows_hash}
    return then.row_count != now.row_count or ("" not in hashes and len(hashes) > 1)


def _with_details(says: str, pairs: Sequence[tuple[ContributingRows, ContributingRows]]) -> str:
    """Append the row counts that changed and the rows that are no longer known."""
    details = []
    for then, now in pairs:
        if now.row_count is None and (then.deferred or then.row_count is not None):
            details.append(f"the rows of {now.table} are unknown: {now.untold}")
        elif then.deferred:
            details.append(f"computed from {counted(now.row_count or 0, 'row')} of {now.table}")
        elif then.row_count != now.row_count and then.row_count is not None:
            rows = f"{counted(now.row_count or 0, 'row')} of {now.table}"
            details.append(f"{rows} contribute{'s' * (now.row_count == 1)}, previously {then.row_count}")
    return f"{says}: {'; '.join(details)}" if details else says
