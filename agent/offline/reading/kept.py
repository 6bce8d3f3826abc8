"""Caches of functions of columns."""

from collections.abc import Callable, Iterator
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar

__all__ = ["kept"]

P = ParamSpec("P")
T = TypeVar("T")


def kept(maxsize: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Cache a function of Fields, of tuples of them or of Facts, with the ``maxsize`` of lru_cache.

    Columns of which all rows were read are the same for every question. A part of a large table, up to 2,000 rows, is
    read for one question, and so are Facts put together: these take their results along, as a cache would keep them.
    """

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        cached: Any = lru_cache(maxsize)(function)

        @wraps(function)
        def found(*args: P.args, **kwargs: P.kwargs) -> T:
            passing = next((one for given in args for one in _passing(given)), None)
            if passing is None:
                return cached(*args, **kwargs)
            results = passing.__dict__.setdefault("kept", {})
            key = (found, *(None if one is passing else one for one in args))  # no cycle: it ends with its question
            if key not in results:
                results[key] = function(*args, **kwargs)
            return results[key]

        return found

    return decorate


def _passing(given: Any) -> Iterator[Any]:
    """Yield what is made for one question: Facts, and Fields without all rows."""
    if hasattr(given, "fields"):
        yield given
    for one in given if isinstance(given, tuple) else (given,):
        if not getattr(one, "complete", True):
            yield one
