"""A hash of rows that does not depend on their order."""

import hashlib
import json
from collections.abc import Iterable, Sequence

from tablerag.tools.records import Cell

__all__ = ["row_hash"]

HASH_BITS = 256


def row_hash(rows: Iterable[Sequence[Cell]]) -> str:
    """Return the same hash for rows in any order: without ORDER BY, a database may return any.

    It is the sum of the hashes of the rows, so that they need not be kept in memory and sorted.
    """
    total = 0
    for row in rows:
        text = json.dumps(list(row), ensure_ascii=False, default=str)
        total += int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest())
    return f"{total % 2**HASH_BITS:0{HASH_BITS // 4}x}"
