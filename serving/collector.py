"""Shortens the pauses of Python's garbage collector, in which the server answers nothing.

A full collection visits every object. Those of modules and open stores are nearly a million, which takes 0.2 s and
more, and they stay for as long as the server runs.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["collect_when_started", "short_pauses"]

FULL = 2
"""The generation of a full collection."""
TIMES = 3
"""How many full collections set aside what they keep: the first runs load further modules and open the stores. What a
run was just using then is set aside too, and stays if only a cycle holds it: a few times that is little."""


def collect_when_started() -> None:
    """Collect nothing while the server starts, which takes a fifth less time then; ``short_pauses`` ends this."""
    gc.disable()


@contextmanager
def short_pauses() -> Iterator[None]:
    """Set aside what is there now, and what the next full collections keep: later ones do not visit it."""
    left = TIMES

    def set_aside(phase: str, about: dict[str, Any]) -> None:
        nonlocal left
        if phase == "stop" and about["generation"] == FULL and left:
            left -= 1
            gc.freeze()

    gc.callbacks.append(set_aside)
    gc.collect()
    gc.enable()
    try:
        yield
    finally:
        gc.callbacks.remove(set_aside)
        gc.unfreeze()
