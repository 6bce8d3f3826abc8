"""Time that bounds can be held to on a busy machine."""

import os

__all__ = ["cpu_seconds"]


def cpu_seconds() -> float:
    """Return the seconds that this process and those that it started and ended spent on a processor."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system
