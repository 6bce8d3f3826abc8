"""Aggregates: deviations without loss of digits, and GROUP_CONCAT with its options."""

import math
from array import array
from typing import Any

from tablerag.tools.sql.functions.refusals import Refused, remember
from tablerag.tools.sql.functions.texts import folded
from tablerag.tools.sql.functions.values import text_of

__all__ = ["GroupConcat", "SPREADS"]

Value = Any
CHUNK = 65_536
"""Numbers that are collected before they are merged into count, mean and spread."""
MOST_JOINED = 2_000_000


class Spread:
    """Count, mean and squared deviations of numbers, merged chunk by chunk (Chan, Golub and LeVeque 1979)."""

    fewest, less, rooted = 1, 0, False

    def __init__(self) -> None:
        self.values = array("d")
        self.count, self.mean, self.spread = 0, 0.0, 0.0

    def step(self, value: float | None) -> None:
        """Add a number; NULL does not count."""
        if value is not None:
            self.values.append(value)
            if len(self.values) >= CHUNK:
                self._merge()

    def _merge(self) -> None:
        import numpy  # here: loading it takes longer than most commands, and few statements ask for deviations

        chunk = numpy.frombuffer(self.values, dtype=numpy.float64)
        size = len(chunk)
        if not size:
            return
        mean = float(chunk.mean())
        spread = float(((chunk - mean) ** 2).sum())
        count, apart = self.count + size, mean - self.mean
        self.spread += spread + apart * apart * self.count * size / count
        self.mean += apart * size / count
        self.count = count
        self.values = array("d")

    def finalize(self) -> float | None:
        """Return the result; NULL for too few numbers."""
        self._merge()
        if self.count < self.fewest:
            return None
        variance = self.spread / (self.count - self.less)
        return math.sqrt(variance) if self.rooted else variance


class Windowed(Spread):
    """The same over the frame of a window, which rows enter and leave."""

    def inverse(self, value: float | None) -> None:
        """Remove a number."""
        if value is not None:
            self.values.remove(value)

    def step(self, value: float | None) -> None:
        """Add a number; NULL does not count."""
        if value is not None:
            self.values.append(value)

    def value(self) -> float | None:
        """Return the result for the current frame."""
        frame = Spread()
        frame.values = array("d", self.values)
        frame.fewest, frame.less, frame.rooted = self.fewest, self.less, self.rooted
        return frame.finalize()


SPREADS: dict[str, dict[str, Value]] = {
    "m_stddev_pop": {"rooted": True},
    "m_stddev_samp": {"rooted": True, "fewest": 2, "less": 1},
    "m_var_pop": {},
    "m_var_samp": {"fewest": 2, "less": 1},
}


class GroupConcat:
    """GROUP_CONCAT: options ("u" distinct or "-", then "a" or "d" per key), separator, value, keys."""

    def __init__(self) -> None:
        self.options, self.separator = "-", ","
        self.rows: list[tuple[Value, ...]] = []

    def step(self, options: str, separator: Value, value: Value, *keys: Value) -> None:
        """Add a row; NULL does not count."""
        if value is not None:
            if not self.rows:
                self.options, self.separator = options, text_of(separator)
            elif len(self.rows) >= MOST_JOINED:
                remember(f"GROUP_CONCAT is limited to {MOST_JOINED:,} rows")
                raise Refused
            self.rows.append((value, *keys))

    def finalize(self) -> str | None:
        """Return the joined values in order; NULL if there are none."""
        for position in range(len(self.options) - 1, 0, -1):
            self.rows.sort(key=lambda row, p=position: _sort_key(row[p]), reverse=self.options[position] == "d")
        texts = [text_of(row[0]) for row in self.rows]
        if self.options[0] == "u":
            texts = list({folded(t): t for t in reversed(texts)}.values())[::-1]
        return self.separator.join(texts) if texts else None


def _sort_key(value: Value) -> tuple[int, Value]:
    if value is None:
        return (0, 0)
    return (1, value) if isinstance(value, (int, float)) else (2, folded(value))
