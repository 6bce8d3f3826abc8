"""Numbers in query strings."""

import re

from starlette.exceptions import HTTPException
from starlette.requests import Request

__all__ = ["row_ids_of", "whole_number"]

MOST_ROW_IDS = 200


def whole_number(request: Request, name: str, default: int, *, most: int) -> int:
    """Return a query parameter from 0 to ``most``; 400 for anything else."""
    given = request.query_params.get(name)
    if given is None:
        return default
    if not re.fullmatch(r"[0-9]{1,10}", given) or int(given) > most:
        raise HTTPException(400, f"{name} must be an integer from 0 to {most}, got {given[:20]!r}")
    return int(given)


def row_ids_of(request: Request) -> list[int]:
    """Return the row ids in ``?row_ids=3,5``, sorted; 400 if they are not integers or too many."""
    given = request.query_params.get("row_ids", "")
    parts = given.split(",") if given else []
    if len(parts) > MOST_ROW_IDS or not all(re.fullmatch(r"[0-9]{1,10}", p) for p in parts):
        raise HTTPException(400, f"row_ids must be up to {MOST_ROW_IDS} integers such as 3,5, got {given[:40]!r}")
    return sorted({int(p) for p in parts})
