"""Indentation levels of rows, from the left edges of their first cells."""

from collections.abc import Sequence

__all__ = ["indents_of"]

STEP = 2.5
"""The least indentation of a level, in points."""
MOST_LEVELS = 6


def indents_of(lefts: Sequence[float | None]) -> list[int] | None:
    """Return each row's level, or None if first cells are not indented in steps (centred cells, numbers).

    The first row is usually a header, which may be centred, so it does not define a level.
    """
    places = sorted(left for left in lefts[1:] if left is not None)
    levels: list[float] = []
    for left in places:
        if not levels or left - levels[-1] > STEP:
            levels.append(left)
    if len(levels) < 2 or len(levels) > MOST_LEVELS or len(levels) > len(places) / 2:
        return None
    return [0 if left is None else max(0, sum(left >= level - 0.1 for level in levels) - 1) for left in lefts]
