"""Keeps what was computed lately: bounded by size, and dropped when nobody has used it for some minutes.

A cache that only counts its entries holds those of replaced documents until as many others have come.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from time import monotonic
from typing import Generic, TypeVar

__all__ = ["IDLE_S", "Recent"]

IDLE_S = 300.0
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Recent(Generic[K, V]):
    """Values by key, at most ``most`` of the size that ``size_of`` gives each; safe to share between threads."""

    def __init__(self, size_of: Callable[[V], int], most: int) -> None:
        self._size_of, self._most = size_of, most
        self._known: OrderedDict[K, tuple[V, int, float]] = OrderedDict()
        """With size and time of the last use, the latest last."""
        self._size = 0
        self._lock = Lock()

    def get(self, key: K) -> V | None:
        """Return what is kept, as used now; None if there is nothing."""
        with self._lock:
            if key not in self._known:
                return None
            value, size, _ = self._known.pop(key)
            self._known[key] = value, size, monotonic()
            self._drop()
            return value

    def keep(self, key: K, value: V) -> None:
        """Keep a value, and drop those that were used least lately if all are too large, or not used any more."""
        size = self._size_of(value)
        with self._lock:
            if key in self._known:
                self._size -= self._known.pop(key)[1]
            self._known[key] = value, size, monotonic()
            self._size += size
            self._drop()

    def _drop(self) -> None:
        since = monotonic() - IDLE_S
        while self._known and (self._size > self._most or next(iter(self._known.values()))[2] < since):
            self._size -= self._known.popitem(last=False)[1][1]

    def of(self, key: K, make: Callable[[], V]) -> V:
        """Return what is kept, else what ``make`` returns, which may run twice at once."""
        if (known := self.get(key)) is None:
            known = make()
            self.keep(key, known)
        return known

    def __len__(self) -> int:
        return len(self._known)
