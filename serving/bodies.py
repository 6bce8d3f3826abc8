"""Bodies of requests, of bounded size."""

from typing import TypeVar

from pydantic import BaseModel, ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request

__all__ = ["MOST_BYTES", "body_of", "read_body"]

T = TypeVar("T", bound=BaseModel)
MOST_BYTES = 100_000


async def body_of(request: Request, most: int) -> bytes:
    """Return the body; 413 if it has more than ``most`` bytes."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise HTTPException(413, f"the body has more than {most:,} bytes")
    return body


async def read_body(request: Request, kind: type[T], expected: str) -> T:
    """Return the JSON body, of at most MOST_BYTES; 400 with what was ``expected`` if it is not one of this kind."""
    try:
        return kind.model_validate_json(await body_of(request, MOST_BYTES))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the body"
        raise HTTPException(400, f"{where}: {first['msg'].lower()}: expected {expected}") from error
