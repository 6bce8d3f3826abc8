"""Aggregates: deviations without loss of digits, and GROUP_CONCAT with its options."""

import math
from array import array
from typing import Any

from tablerag.tools.sql.dialect.lite.functions.refusals import Refused, remember
from tablerag.tools.sql.dialect.lite.functions.texts import folded
from tablerag.tools.sql.dialect.lite.functions.time_limit import TIME_IS_UP, TimeIsUp, TimeLimit, check_time
from tablerag.tools.sql.dialect.lite.functions.values import OUT_OF_RANGE, text_of

__all__ = ["GroupConcat", "SPREADS"]

Value = Any
CHUNK = 65_536
"""Numbers that are collected before they are merged into count, mean and spread."""
MOST_JOINED = 500_000
MOST_CHARACTERS = 8_000_000
"""Of the values and keys of one GROUP_CONCAT: SQLite takes no longer result."""


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
        with numpy.errstate(all="ignore"):  # finalize() refuses what is beyond the range of DOUBLE.
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
        if not math.isfinite(variance):
            remember(OUT_OF_RANGE)
            raise Refused
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

    limit = TimeLimit()

    def __init__(self) -> None:
        self.options, self.separator = "-", ","
        self.rows: list[tuple[Value, ...]] = []
        self.seen: set[tuple[Value, ...]] = set()
        self.characters = 0

    def step(self, options: str, separator: Value, value: Value, *keys: Value) -> None:
        """Add a row; NULL does not count, nor with DISTINCT the same value with the same keys."""
        if value is None:
            return
        if not self.rows:
            self.options, self.separator = options, text_of(separator)
        if self.options[0] == "u":
            row = (folded(value), *keys)
            if row in self.seen:
                return
            self.seen.add(row)
        self.characters += sum(len(v) for v in (value, *keys) if isinstance(v, str))
        if len(self.rows) >= MOST_JOINED or self.characters > MOST_CHARACTERS:
            remember(f"GROUP_CONCAT is limited to {MOST_JOINED:,} rows of {MOST_CHARACTERS:,} characters in all")
            raise Refused
        self.rows.append((value, *keys))

    def finalize(self) -> str | None:
        """Return the joined values in order; NULL if there are none."""
        try:
            self.limit.begin()
            return self._joined()
        except TimeIsUp:
            remember(TIME_IS_UP)
            raise

    def _joined(self) -> str | None:
        for position in range(len(self.options) - 1, 0, -1):
            check_time()
            self.rows.sort(key=lambda row, p=position: _sort_key(row[p]), reverse=self.options[position] == "d")
        texts = [text_of(row[0]) for row in self.rows]
        if self.options[0] == "u":
            texts = list({folded(t): t for t in reversed(texts)}.values())[::-1]
        if len(self.separator) * len(texts) + self.characters > 2 * MOST_CHARACTERS:
            remember(f"GROUP_CONCAT makes a text of more than {MOST_CHARACTERS:,} characters")
            raise Refused
        return self.separator.join(texts) if texts else None


def _sort_key(value: Value) -> tuple[int, Value]:
    if value is None:
        return (0, 0)
    return (1, value) if isinstance(value, (int, float)) else (2, folded(value))
