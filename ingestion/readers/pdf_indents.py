"""Levels of indentation from where the rows' first cells begin."""

from collections.abc import Sequence

__all__ = ["indents_of"]

STEP = 2.5
"""Points by which a level is indented at least."""
MOST_LEVELS = 6


def indents_of(lefts: Sequence[float | None]) -> list[int] | None:
    """Return each row's level, or None where first cells are not indented in steps: centred ones, figures.

    The first row is a header more often than not, and may be centred: it makes no level of its own.
    """
    places = sorted(left for left in lefts[1:] if left is not None)
    levels: list[float] = []
    for left in places:
        if not levels or left - levels[-1] > STEP:
            levels.append(left)
    if len(levels) < 2 or len(levels) > MOST_LEVELS or len(levels) > len(places) / 2:
        return None
    return [0 if left is None else max(0, sum(left >= level - 0.1 for level in levels) - 1) for left in lefts]
