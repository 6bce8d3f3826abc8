"""Why a function could not answer: SQLite hands no message of a function's on, so it is kept beside."""

import threading

__all__ = ["Refused", "last_refusal", "remember"]

_last = threading.local()


class Refused(Exception):
    """A function cannot answer as MySQL would; the message says why in one line."""


def remember(reason: str) -> None:
    """Keep the reason for the thread, which runs one statement at a time."""
    _last.reason = reason


def last_refusal() -> str | None:
    """Return the reason kept last, and forget it."""
    reason: str | None = getattr(_last, "reason", None)
    _last.reason = None
    return reason
