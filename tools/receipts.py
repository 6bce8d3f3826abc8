"""Receipts: what a number was computed from, so that it can be computed again and compared.

A receipt holds the statement, a hash of its result, and the ids and a hash of all rows that contribute to it.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from tools.database import Database
from tools.errors import SqlProblem
from tools.records import Cell, Receipt, SqlResult, TableSchema
from tools.sql_guard import GuardedSql, guard
from tools.supporting_rows import contributing

__all__ = ["Verified", "receipt_for", "verified"]

MOST_IDS = 200
"""Row ids that a receipt lists; the hash is over all of them."""
MOST_HASHED = 200_000
"""Rows beyond these are counted, and not hashed: an answer does not wait for them."""


class Verified(NamedTuple):
    """What became of one receipt."""

    receipt: Receipt
    status: Literal["same", "changed", "gone"]
    says: str
    result: SqlResult | None = None
    """What the statement returns now."""


def receipt_for(
    guarded: GuardedSql, result: SqlResult, schemas: Sequence[TableSchema], database: Database, total: int | None
) -> Receipt:
    """Return the receipt of a statement that ran; ``total`` is how many rows contribute, None if not known."""
    by_name = {s.name: s for s in schemas}
    read = [by_name[name] for name in guarded.tables]
    sources = dict.fromkeys(m.source for s in read for m in (s.members or (s,)))
    receipt = Receipt(sql=guarded.shown, tables=guarded.tables, sources=tuple(sources), result_hash=_hash(result.rows))
    statement = contributing(guarded, schemas) if total is not None else None
    if total is None or statement is None:
        return receipt
    if total > MOST_HASHED:
        return receipt.model_copy(update={"row_count": total})
    try:
        rows = list(database.scan(guard(statement, schemas, row_limit=MOST_HASHED)))
    except SqlProblem:
        return receipt.model_copy(update={"row_count": total})
    ids = tuple(int(row[0] or 0) for row in rows[:MOST_IDS])
    return receipt.model_copy(update={"row_count": len(rows), "row_ids": ids, "rows_hash": _hash(rows)})


def verified(receipt: Receipt, schemas: Sequence[TableSchema], database: Database, *, row_limit: int) -> Verified:
    """Compute a receipt's statement again over what is stored now, and compare."""
    missing = sorted(set(receipt.tables) - {s.name for s in schemas})
    if missing:
        return Verified(receipt, "gone", f"the corpus has no table {', '.join(missing)} any more")
    try:
        guarded = guard(receipt.sql, schemas, row_limit=row_limit)
        result = database.run(guarded)
        again = receipt_for(guarded, result, schemas, database, receipt.row_count)
    except SqlProblem as problem:
        return Verified(receipt, "changed", f"the statement does not run any more: {problem}")
    if again.result_hash != receipt.result_hash:
        return Verified(receipt, "changed", _difference(receipt, again, "the result is another one"), result)
    if again.rows_hash != receipt.rows_hash:
        return Verified(receipt, "same", _difference(receipt, again, "the result is the same, from other rows"), result)
    return Verified(receipt, "same", "result and rows are as they were", result)


def _difference(then: Receipt, now: Receipt, says: str) -> str:
    if then.row_count is None or now.row_count is None or then.row_count == now.row_count:
        return says
    return f"{says}: {now.row_count} rows contribute, before {then.row_count}"


def _hash(rows: Iterable[Sequence[Cell]]) -> str:
    """Return a hash of rows in any order: without ORDER BY a database may give them in another one."""
    texts = sorted(json.dumps(list(row), ensure_ascii=False, default=str) for row in rows)
    return hashlib.sha256("\n".join(texts).encode("utf-8", "replace")).hexdigest()[:32]
