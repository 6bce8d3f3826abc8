"""Numbers in a request's query."""

import re

from starlette.exceptions import HTTPException
from starlette.requests import Request

__all__ = ["row_ids_of", "whole_number"]

MOST_ROW_IDS = 200


def whole_number(request: Request, name: str, default: int, *, most: int) -> int:
    """Return a number from 0 to ``most`` of the query; 400 for anything else."""
    given = request.query_params.get(name)
    if given is None:
        return default
    if not re.fullmatch(r"[0-9]{1,10}", given) or int(given) > most:
        raise HTTPException(400, f"{name} is {given[:20]!r}: expected a whole number from 0 to {most}")
    return int(given)


def row_ids_of(request: Request) -> list[int]:
    """Return the ids of rows that ``?row_ids=3,5`` names; 400 where they are no list of numbers."""
    given = request.query_params.get("row_ids", "")
    parts = given.split(",") if given else []
    if len(parts) > MOST_ROW_IDS or not all(re.fullmatch(r"[0-9]{1,10}", p) for p in parts):
        raise HTTPException(400, f"row_ids is {given[:40]!r}: expected up to {MOST_ROW_IDS} numbers, such as 3,5")
    return sorted({int(p) for p in parts})
