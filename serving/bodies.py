"""Bodies of requests, of bounded size."""

from starlette.exceptions import HTTPException
from starlette.requests import Request

__all__ = ["body_of"]


async def body_of(request: Request, most: int) -> bytes:
    """Return the body; 413 if it has more than ``most`` bytes."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise HTTPException(413, f"the body has more than {most:,} bytes")
    return body
