"""Large CSV and TSV files, streamed record by record and never held in memory."""

import csv
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import overload

from tablerag.ingestion.document import RawCell
from tablerag.ingestion.readers.pieces import filled

__all__ = ["RecordFile", "StreamedGrid", "Survey", "lone_text", "surveyed"]

HEAD_ROWS = 400
TAIL_ROWS = 20
MAX_WIDTH = 20_000
MAX_FIELD = 4_000_000
"""The most characters of a cell; a longer one is an unclosed quote."""


@dataclass(frozen=True, slots=True)
class RecordFile:
    """How to split a file into records."""

    path: Path
    encoding: str
    delimiter: str
    quoting: str
    """"doubled", "escaped" or "none"."""
    skips_space: bool = False

    def records(self) -> Iterator[list[str]]:
        """Yield the records; raises UnicodeDecodeError and csv.Error if the file differs from the description."""
        csv.field_size_limit(MAX_FIELD)
        options = {
            "delimiter": self.delimiter,
            "quoting": csv.QUOTE_NONE if self.quoting == "none" else csv.QUOTE_MINIMAL,
            "skipinitialspace": self.skips_space,
        }
        if self.quoting == "escaped":
            options |= {"escapechar": "\\", "doublequote": False}
        errors = "replace" if self.encoding == "cp1252" else "strict"
        with self.path.open(encoding=self.encoding, errors=errors, newline="") as stream:
            yield from csv.reader((line.replace("\0", "") for line in stream), **options)


@dataclass(frozen=True, slots=True)
class Survey:
    """The results of one pass through a file."""

    count: int
    widths: Counter[int]
    """The number of records by width, without blank records."""
    head: list[list[str]]
    tail: list[list[str]]

    @property
    def width(self) -> int:
        return max(self.widths, default=0)


def surveyed(file: RecordFile) -> Survey:
    """Survey a file in one pass. Raises like ``records``, and csv.Error for absurd widths."""
    widths: Counter[int] = Counter()
    head: list[list[str]] = []
    tail: deque[list[str]] = deque(maxlen=TAIL_ROWS)
    count = 0
    for record in file.records():
        count += 1
        if len(head) < HEAD_ROWS:
            head.append(record)
        tail.append(record)
        if any(record):
            widths[len(record)] += 1
            if len(record) > MAX_WIDTH:
                raise csv.Error(f"record {count} has {len(record)} cells")
    return Survey(count, widths, head, list(tail))


class StreamedGrid(Sequence[list[RawCell]]):
    """Rows of a file as a grid that is read again for each iteration."""

    def __init__(self, file: RecordFile, first: int, count: int, width: int) -> None:
        """Take the records from ``first`` (from 0) on, ``count`` of them, each padded to ``width`` cells."""
        self._file, self._first, self._count, self._width = file, first, count, width
        self._head = list(islice(iter(self), HEAD_ROWS))

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[list[RawCell]]:
        width = self._width
        for record in islice(self._file.records(), self._first, self._first + self._count):
            row: list[RawCell] = [cell if cell and not cell.isspace() else None for cell in record]
            yield row if len(row) == width else row + [None] * (width - len(row))

    @overload
    def __getitem__(self, index: int) -> list[RawCell]: ...
    @overload
    def __getitem__(self, index: slice) -> list[list[RawCell]]: ...
    def __getitem__(self, index: int | slice) -> list[RawCell] | list[list[RawCell]]:
        """Return rows; those after the first HEAD_ROWS are read from the beginning of the file."""
        if isinstance(index, slice):
            start, stop, step = index.indices(self._count)
            rows = self._head if stop <= len(self._head) else self
            return list(islice(iter(rows), start, stop, step))
        place = index + self._count if index < 0 else index
        if not 0 <= place < self._count:
            raise IndexError(index)
        return self._head[place] if place < len(self._head) else next(islice(iter(self), place, None))


def lone_text(record: Sequence[RawCell]) -> str:
    """Return the only text of a record, "" if it has none or several."""
    places = filled(record)
    return str(record[places[0]]).strip() if len(places) == 1 else ""
