"""Repeats what another transaction, or the death of a database node, has interrupted."""

import random
import time
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from tablerag.tools.errors import CommitUnknown, Interrupted

__all__ = ["TRIES", "pause", "repeated", "repeated_if_undone"]

P = ParamSpec("P")
T = TypeVar("T")
TRIES = 6
FIRST_PAUSE_S = 0.05
_chance = random.Random()


def pause(tries: int) -> None:
    """Wait before the next try, longer after each, so that two who stand in each other's way part."""
    time.sleep(FIRST_PAUSE_S * 2**tries * _chance.uniform(0.5, 1.5))


def repeated(work: Callable[P, T]) -> Callable[P, T]:
    """Try a function again when it was interrupted, TRIES times in all; whatever it does must be safe to do twice."""
    return _repeated(work, Interrupted, ())


def repeated_if_undone(work: Callable[P, T]) -> Callable[P, T]:
    """Try a function again as repeated() does, but not if its transaction may have been committed."""
    return _repeated(work, Interrupted, (CommitUnknown,))


def _repeated(work: Callable[P, T], causes: type[Interrupted], never: tuple[type[Interrupted], ...]) -> Callable[P, T]:
    @wraps(work)
    def again(*given: P.args, **named: P.kwargs) -> T:
        for tries in range(TRIES - 1):
            try:
                return work(*given, **named)
            except causes as error:
                if isinstance(error, never):
                    raise
            pause(tries)
        return work(*given, **named)

    return again
