"""Limits how many uploads are received at the same time, of one client and of all."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from starlette.exceptions import HTTPException

__all__ = ["RETRY_AFTER_S", "UploadSlots"]

OF_CLIENT = 4
OF_ALL = 32
RETRY_AFTER_S = 10


class UploadSlots:
    """The uploads that are being received. For one event loop."""

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()

    @contextmanager
    def one_of(self, client: str) -> Iterator[None]:
        """Hold one of a client's slots; 429 if they are all taken, 503 if those of all clients are."""
        if self._taken[client] >= OF_CLIENT:
            raise _refusal(429, f"{OF_CLIENT} of your uploads are being received")
        if self._taken.total() >= OF_ALL:
            raise _refusal(503, f"{OF_ALL} uploads are being received")
        self._taken[client] += 1
        try:
            yield
        finally:
            self._taken[client] -= 1
            self._taken += Counter()  # forgets clients without uploads


def _refusal(status: int, why: str) -> HTTPException:
    return HTTPException(status, f"{why}: try again in {RETRY_AFTER_S} s", {"Retry-After": str(RETRY_AFTER_S)})
