"""Why a function failed: SQLite does not pass the message of a function on, so it is kept here."""

import threading

__all__ = ["Refused", "last_refusal", "remember"]

_last = threading.local()


class Refused(Exception):
    """A function cannot give MySQL's result; the message is the reason in one line."""


def remember(reason: str) -> None:
    """Keep the reason for this thread, which runs one statement at a time."""
    _last.reason = reason


def last_refusal() -> str | None:
    """Return and clear the last reason."""
    reason: str | None = getattr(_last, "reason", None)
    _last.reason = None
    return reason
