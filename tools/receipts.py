"""Receipts: what a number was computed from, so that it can be computed again and compared.

A receipt holds the statement, a hash of its result, and the ids and a hash of all rows that contribute to it.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from tools.database import Database
from tools.errors import SqlProblem
from tools.records import Cell, Receipt, SqlResult, TableSchema
from tools.sql_guard import GuardedSql, guard
from tools.supporting_rows import contributing, supporting_rows

__all__ = ["Verified", "receipt_for", "verified"]

MOST_IDS = 200
"""Row ids that a receipt lists; the hash is over all of them."""
MOST_HASHED = 200_000
"""Where more rows contribute they are counted, and not hashed: an answer does not wait for them."""
HASH_BITS = 256


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
    """Return the receipt of a statement that ran; ``total`` is how many rows contribute now, None if not known."""
    by_name = {s.name: s for s in schemas}
    read = [by_name[name] for name in guarded.tables]
    sources = dict.fromkeys(m.source for s in read for m in (s.members or (s,)))
    receipt = Receipt(sql=guarded.shown, tables=guarded.tables, sources=tuple(sources), result_hash=_hash(result.rows))
    receipt = receipt.model_copy(update={"row_count": total})
    statement = contributing(guarded, schemas) if total is not None and total <= MOST_HASHED else None
    if statement is None:
        return receipt
    ids: list[int] = []
    try:
        rows_hash = _hash(_noting(database.scan(guard(statement, schemas, row_limit=MOST_HASHED)), ids))
    except SqlProblem:
        return receipt  # too slow to read again: the count stands
    return receipt.model_copy(update={"row_ids": tuple(ids), "rows_hash": rows_hash})


def _noting(rows: Iterable[Sequence[Cell]], ids: list[int]) -> Iterator[Sequence[Cell]]:
    """Pass rows on, and note the ids of the first ones, which stand in their first cells."""
    for row in rows:
        if len(ids) < MOST_IDS:
            ids.append(int(row[0] or 0))
        yield row


def verified(receipt: Receipt, schemas: Sequence[TableSchema], database: Database, *, row_limit: int) -> Verified:
    """Compute a receipt's statement again over what is stored now, and compare."""
    missing = sorted(set(receipt.tables) - {s.name for s in schemas})
    if missing:
        return Verified(receipt, "gone", f"the corpus has no table {', '.join(missing)} any more")
    try:
        guarded = guard(receipt.sql, schemas, row_limit=row_limit)
        result = database.run(guarded)
        behind = supporting_rows(guarded, schemas, database, limit=1)
        again = receipt_for(guarded, result, schemas, database, behind[0].total if behind else None)
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
    """Return a hash of rows in any order: without ORDER BY a database may give them in another one.

    It is the sum of the rows' own hashes, so that they need not be held to be sorted.
    """
    total = 0
    for row in rows:
        text = json.dumps(list(row), ensure_ascii=False, default=str)
        total += int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest())
    return f"{total % 2**HASH_BITS:0{HASH_BITS // 4}x}"
