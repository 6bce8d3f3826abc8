"""Compares confidence with accuracy: one line for each band of confidence."""

from collections.abc import Sequence

__all__ = ["reliability"]

BANDS = 10


def reliability(chances: Sequence[float], right: Sequence[float]) -> str:
    """Return one line for each band with answers: their number, mean confidence, and share of right ones.

    ``chances`` are from 0 to 1, ``right`` is 1 or 0; each band includes its lower bound.
    """
    bands: list[list[tuple[float, float]]] = [[] for _ in range(BANDS)]
    for chance, is_right in zip(chances, right, strict=True):
        bands[min(int(chance * BANDS), BANDS - 1)].append((chance, is_right))
    return "\n".join(_line(place, held) for place, held in enumerate(bands) if held)


def _line(place: int, held: list[tuple[float, float]]) -> str:
    sure, right = (sum(column) / len(held) for column in zip(*held, strict=True))
    return (
        f"  {place / BANDS:.1f} to {(place + 1) / BANDS:.1f}  {len(held):5}  confidence {sure:.2f}  right {right:.2f}"
    )
