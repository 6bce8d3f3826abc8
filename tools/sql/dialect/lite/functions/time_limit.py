"""The time limit of a statement, for functions that loop: SQLite checks its own between calls only."""

import math
import threading
import time

__all__ = ["TIME_IS_UP", "TimeIsUp", "TimeLimit", "check_time"]

TIME_IS_UP = "the time of the statement is up"
_current = threading.local()


class TimeIsUp(Exception):
    """The statement ran longer than it may."""


class TimeLimit:
    """When the statement of one connection must end, in seconds of time.monotonic()."""

    def __init__(self) -> None:
        self.end = math.inf

    def begin(self) -> None:
        """Make this the limit that check_time() checks on this thread; raise TimeIsUp."""
        _current.end = self.end
        check_time()


def check_time() -> None:
    """Raise TimeIsUp when the statement that calls a function on this thread has run too long."""
    if time.monotonic() > getattr(_current, "end", math.inf):
        raise TimeIsUp
