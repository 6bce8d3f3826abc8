"""Keeps results of functions of columns for as long as the columns."""

import weakref
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, ParamSpec, TypeVar

__all__ = ["kept"]

P = ParamSpec("P")
T = TypeVar("T")
MOST = 1_000
"""Results kept with one column. Those of pairs of tables are many where other tables come and go."""


def kept(function: Callable[P, T]) -> Callable[P, T]:
    """Keep the results of a function of Fields, of tuples of them or of Facts, whose first argument is one of these.

    A result is kept with one of the columns, and no longer: a cache of its own would hold the rows of tables that were
    replaced or that are read for one question. Results must not have columns of another table than the first argument.
    """

    @wraps(function)
    def found(*args: P.args, **kwargs: P.kwargs) -> T:
        keeper = _keeper(args)
        if keeper is None:
            return function(*args, **kwargs)
        results = keeper.__dict__.setdefault("kept", {})
        key = (found, *map(_weak, args), *kwargs.items())
        try:
            return results[key]
        except KeyError:
            result = function(*args, **kwargs)
        if len(results) >= MOST:
            results.clear()
        results[key] = result
        return result

    return found


def _keeper(args: tuple[Any, ...]) -> Any:
    """Return what a result is kept with: what is made for one question if there is any, else the first column."""
    given = [one for arg in args for one in _columns(arg)]
    passing = (one for one in given if hasattr(one, "fields") or not one.complete)
    return next(passing, given[0] if given else None)


def _columns(given: Any) -> Iterator[Any]:
    """Yield the Facts and Fields in an argument."""
    for one in given if isinstance(given, tuple) else (given,):
        if hasattr(one, "fields") or hasattr(one, "complete"):
            yield one


def _weak(given: Any) -> Any:
    """Return an argument as a part of a key that keeps no column."""
    if isinstance(given, tuple):
        return tuple(map(_weak, given))
    return weakref.ref(given) if hasattr(given, "fields") or hasattr(given, "complete") else given
