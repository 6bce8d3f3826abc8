"""Large CSV and TSV files, streamed record by record and never held in memory."""

import csv
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, overload

from tablerag.ingestion.document import RawCell
from tablerag.ingestion.readers.pieces import filled

if TYPE_CHECKING:
    from tablerag.ingestion.readers.loaded_records import LoadedRecords

__all__ = ["RecordFile", "StreamedGrid", "Survey", "lone_text", "nuls_in", "plain_lines", "surveyed"]

HEAD_ROWS = 400
TAIL_ROWS = 20
MAX_WIDTH = 20_000
MAX_FIELD = 4_000_000
"""The most characters of a cell; a longer one is an unclosed quote."""
BLOCK_CHARS = 1_000_000
BLOCK_BYTES = 1 << 20
BLOCK_RECORDS = 4000
UTF_8 = ("ascii", "utf-8", "utf-8-sig")


@dataclass(frozen=True, slots=True)
class RecordFile:
    """How to split a file into records."""

    path: Path
    encoding: str
    delimiter: str
    quoting: str
    """"doubled", "escaped" or "none"."""
    skips_space: bool = False
    is_plain: bool = False
    """Whether lines are records and delimiters separate cells: nothing is quoted or escaped."""
    lines: int = 0
    """The number of its lines if an engine can split them: they are plain, in UTF-8 and end alike; else 0."""

    def records(self) -> Iterator[list[str]]:
        """Yield the records; raises UnicodeDecodeError and csv.Error if the file differs from the description."""
        with self._opened("") as stream:
            yield from self._split(line.replace("\0", "") for line in stream)

    def blocks(self) -> Iterator["Block"]:
        """Yield the records some at a time; raises like ``records``, and csv.Error for absurd widths."""
        done = 0
        for block in self._plain_blocks() if self.is_plain else _blocks(self.records()):
            if len(block.columns) > MAX_WIDTH:
                wide = next(i for i, n in enumerate(block.lengths or [len(block.columns)]) if n > MAX_WIDTH)
                raise csv.Error(f"record {done + wide + 1} has {len(block.columns)} cells")
            yield block
            done += block.count

    def _plain_blocks(self) -> Iterator["Block"]:
        with self._opened(None) as stream:
            left = ""
            while text := stream.read(BLOCK_CHARS):
                text, ended, left = (left + text).rpartition("\n")
                if ended:
                    yield from self._split_plainly(text)
                if len(left) > MAX_FIELD and len(left) - left.rfind(self.delimiter) > MAX_FIELD:
                    raise csv.Error(f"field larger than field limit ({MAX_FIELD})")
            if left:
                yield from self._split_plainly(left)

    def _split_plainly(self, text: str) -> Iterator["Block"]:
        """Yield the records of some lines."""
        width = text.partition("\n")[0].count(self.delimiter) + 1
        # With a line break as a cell of its own behind each line, a line of another length is seen by its place.
        cells = text.replace("\n", f"{self.delimiter}\n{self.delimiter}").split(self.delimiter)
        count = text.count("\n") + 1
        is_even = len(cells) == count * (width + 1) - 1 and cells[width :: width + 1].count("\n") == count - 1
        if is_even and len(text) < MAX_FIELD:
            yield Block(count, [cells[i :: width + 1] for i in range(width)])
        else:
            yield from _blocks(self._split(text.split("\n")))

    def _split(self, lines: Iterable[str]) -> Iterator[list[str]]:
        csv.field_size_limit(MAX_FIELD)
        options: dict[str, Any] = {
            "delimiter": self.delimiter,
            "quoting": csv.QUOTE_NONE if self.quoting == "none" else csv.QUOTE_MINIMAL,
            "skipinitialspace": self.skips_space,
        }
        if self.quoting == "escaped":
            options |= {"escapechar": "\\", "doublequote": False}
        yield from csv.reader(lines, **options)

    def _opened(self, newline: str | None) -> TextIO:
        errors = "replace" if self.encoding == "cp1252" else "strict"
        return self.path.open(encoding=self.encoding, errors=errors, newline=newline)


@dataclass(frozen=True, slots=True)
class Block:
    """Some records by column, "" for cells that are missing."""

    count: int
    columns: Sequence[Sequence[str]]
    lengths: Sequence[int] | None = None
    """The number of cells of each record; None if all have one for each column."""

    @property
    def blank(self) -> list[int]:
        """The places of records without any text."""
        if not self.columns:
            return list(range(self.count))
        if "" not in self.columns[0]:
            return []
        return [i for i, cell in enumerate(self.columns[0]) if not cell and not any(c[i] for c in self.columns)]


def _blocks(records: Iterator[list[str]]) -> Iterator[Block]:
    while some := list(islice(records, BLOCK_RECORDS)):
        yield Block(len(some), list(zip_longest(*some, fillvalue="")), list(map(len, some)))


def plain_lines(path: Path, encoding: str) -> tuple[bool, int]:
    """Return whether a file holds no quotes, backslashes and NULs, and the ``lines`` of a RecordFile."""
    if encoding.startswith(("utf-16", "utf-32")):
        return False, 0
    returns = feeds = both = 0
    last = b"\n"
    with path.open("rb") as stream:
        while data := stream.read(BLOCK_BYTES):
            if any(sign in data for sign in (b'"', b"\\", b"\0")):
                return False, 0
            feeds += data.count(b"\n")
            if b"\r" in data or last == b"\r":
                returns, both = returns + data.count(b"\r"), both + data.count(b"\r\n")
                both += last == b"\r" and data[:1] == b"\n"
            last = data[-1:]
    ends_alike = not returns or returns == feeds == both
    return True, feeds + (last != b"\n") if ends_alike and encoding in UTF_8 else 0


def nuls_in(path: Path) -> int:
    """Return the number of a file's NULs."""
    with path.open("rb") as stream:
        return sum(data.count(b"\0") for data in iter(lambda: stream.read(BLOCK_BYTES), b""))


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
    """Survey a file in one pass. Raises like ``blocks``."""
    widths: Counter[int] = Counter()
    head: list[list[str]] = []
    tail: deque[list[str]] = deque(maxlen=TAIL_ROWS)
    count = 0
    for block in file.blocks():
        count += block.count
        head += _rows(block, 0, HEAD_ROWS - len(head))
        tail += _rows(block, max(0, block.count - TAIL_ROWS), block.count)
        blank = block.blank
        if block.lengths is None:
            widths[len(block.columns)] += block.count - len(blank)
        else:
            widths.update(block.lengths)
            widths.subtract(block.lengths[i] for i in blank)
    return Survey(count, +widths, head, list(tail))


def _rows(block: Block, start: int, stop: int) -> list[list[str]]:
    return [[column[i] for column in block.columns] for i in range(start, min(stop, block.count))]


class StreamedGrid(Sequence[list[RawCell]]):
    """Rows of a file as a grid that is read again for each iteration."""

    def __init__(
        self,
        file: RecordFile,
        first: int,
        count: int,
        width: int,
        last: Sequence[str] = (),
        loaded: "LoadedRecords | None" = None,
    ) -> None:
        """Take the records from ``first`` (from 0) on, ``count`` of them, each padded to ``width`` cells.

        ``last`` is the last of them, if it is known.
        """
        self._file, self._first, self._count, self._width = file, first, count, width
        self._loaded = loaded
        self._head = list(islice(iter(self), HEAD_ROWS))
        self._last = _blanked([*last, *[""] * (width - len(last))]) if last else None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_loaded": None}

    @property
    def source(self) -> tuple[RecordFile, int, int]:
        """The file, its records before the first row, and the width of the rows."""
        return self._file, self._first, self._width

    def doubtful(self, start: int, stop: int, headers: Collection[str]) -> list[list[RawCell]] | None:
        """Return the rows between two that may be blank or repeat a header row with one of these first texts.

        None if the engine has not loaded the file, or if there are many.
        """
        return self._loaded and self._loaded.doubtful(self._first + start, self._first + stop, headers)

    def counted(self, start: int, stop: int) -> Iterator[Iterator[tuple[Sequence[str], Sequence[int]]]]:
        """Yield the counted cells of each column between two rows, as LoadedRecords has them."""
        assert self._loaded
        for place in range(self._width):
            yield self._loaded.counted(place, self._first + start, self._first + stop)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[list[RawCell]]:
        width = self._width
        for record in islice(self._file.records(), self._first, self._first + self._count):
            row: list[RawCell] = [cell if cell and not cell.isspace() else None for cell in record]
            yield row if len(row) == width else row + [None] * (width - len(row))

    def columns(self, start: int, size: int) -> Iterator[Sequence[Sequence[RawCell]]]:
        """Yield the rows from ``start`` on by column, ``size`` at a time."""
        skipped, left = self._first + start, self._count - start
        held: list[list[str]] = [[] for _ in range(self._width)]
        for block in self._file.blocks():
            if skipped >= block.count:
                skipped -= block.count
                continue
            taken = slice(skipped, skipped + left)
            added = len(range(*taken.indices(block.count)))
            for place, column in enumerate(held):
                column += block.columns[place][taken] if place < len(block.columns) else [""] * added
            skipped, left = 0, left - added
            while len(held[0]) >= size or (held[0] and not left):
                yield [_blanked(column[:size]) for column in held]
                held = [column[size:] for column in held]
            if not left:
                return

    @overload
    def __getitem__(self, index: int) -> list[RawCell]: ...
    @overload
    def __getitem__(self, index: slice) -> list[list[RawCell]]: ...
    def __getitem__(self, index: int | slice) -> list[RawCell] | list[list[RawCell]]:
        """Return rows; those after the first HEAD_ROWS, except the last, are read from the beginning of the file."""
        if isinstance(index, slice):
            start, stop, step = index.indices(self._count)
            rows = self._head if stop <= len(self._head) else self
            return list(islice(iter(rows), start, stop, step))
        place = index + self._count if index < 0 else index
        if not 0 <= place < self._count:
            raise IndexError(index)
        if place == self._count - 1 and self._last:
            return list(self._last)
        return self._head[place] if place < len(self._head) else next(islice(iter(self), place, None))


def _blanked(cells: list[str]) -> list[RawCell]:
    """Return cells with None for blank ones."""
    if "" not in cells and not any(map(str.isspace, cells)):
        return list(cells)
    return [cell if cell and not cell.isspace() else None for cell in cells]


def lone_text(record: Sequence[RawCell]) -> str:
    """Return the only text of a record, "" if it has none or several."""
    places = filled(record)
    return str(record[places[0]]).strip() if len(places) == 1 else ""
