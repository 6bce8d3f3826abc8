"""A document as its reader sees it: text and table blocks in reading order, each with a locator."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple, Protocol, runtime_checkable

from tablerag.tools.cells import column_letters
from tablerag.tools.counting import shortened

__all__ = [
    "SOFT_HYPHEN",
    "Amount",
    "Block",
    "ColumnGrid",
    "CountedGrid",
    "Document",
    "LeastSure",
    "Locator",
    "RawCell",
    "Reader",
    "Region",
    "TableBlock",
    "TextBlock",
]

SOFT_HYPHEN = "\xad"
"""Marks where a word may be hyphenated; not part of the word."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A number whose cell format shows a unit: a percentage or an amount of money."""

    value: int | float
    """As shown: 12.5 for 12.5%."""
    unit: str

    def __str__(self) -> str:
        number = f"{self.value:.15g}" if self.unit == "%" else f"{self.value:,.15g}"
        return f"{number}%" if self.unit == "%" else f"{self.unit}{number}".replace(f"{self.unit}-", f"-{self.unit}")


RawCell = str | int | float | Decimal | bool | date | datetime | time | Amount | None
"""A cell as the format stores it: native types in spreadsheets, strings elsewhere; None is empty."""


class LeastSure(NamedTuple):
    """The word of a row that OCR is least sure of, with its confidence from 0 to 1."""

    confidence: float
    word: str


class Region(NamedTuple):
    """A place on a page, which counts from 1: in points from its top left corner, as a reader holds the page."""

    page: int
    x0: float
    top: float
    x1: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Locator:
    """The place of a block. Pages, rows and columns count from 1; rows are those of the sheet or file."""

    page: int | None = None
    sheet: str | None = None
    rows: tuple[int, int] | None = None
    headings: tuple[str, ...] = ()
    columns: tuple[int, int] | None = None
    """First and last column, if the source letters its columns."""
    last_page: int | None = None
    slide: int | None = None
    by_ocr: bool = False
    """Whether the page is a picture, read by OCR."""

    def __str__(self) -> str:
        parts = []
        if self.page is not None:
            several = self.last_page is not None and self.last_page != self.page
            parts.append(f"pages {self.page}-{self.last_page}" if several else f"page {self.page}")
        if self.by_ocr:
            parts.append("read by OCR")
        if self.slide is not None:
            parts.append(f"slide {self.slide}")
        if self.sheet is not None:
            parts.append(f"sheet {shortened(self.sheet)}")
        if self.rows is not None and self.columns is not None:
            left, right = map(column_letters, self.columns)
            parts.append(f"cells {left}{self.rows[0]}:{right}{self.rows[1]}")
        elif self.rows is not None:
            parts.append(f"rows {self.rows[0]}-{self.rows[1]}")
        if self.headings:
            parts.append(" > ".join(self.headings))
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A paragraph, list item or heading."""

    text: str
    locator: Locator
    is_heading: bool = False


@runtime_checkable
class ColumnGrid(Protocol):
    """A grid whose rows are cheaper to read by column."""

    def columns(self, start: int, size: int) -> Iterator[Sequence[Sequence[RawCell]]]:
        """Yield the rows from ``start`` on by column, ``size`` at a time."""
        ...


@runtime_checkable
class CountedGrid(Protocol):
    """A grid that may count equal cells faster than it can yield them."""

    def doubtful(self, start: int, stop: int, headers: Collection[str]) -> Sequence[list[RawCell]] | None:
        """Return the rows between two that may be blank or repeat a header row with one of these first texts.

        None if the grid cannot count its cells now, or if there are many.
        """
        ...

    def counted(self, start: int, stop: int) -> Iterator[Iterator[tuple[Sequence[str], Sequence[int]]]]:
        """Yield for each column its distinct texts between two rows, some at a time, and how often each occurs.

        They come in the order of their first rows; blank cells are left out.
        """
        ...


@dataclass(frozen=True, slots=True)
class TableBlock:
    """A grid of cells that includes the header rows; all rows have the same length.

    What else a format states about rows and columns is in sequences parallel to them, and in sets of grid row
    indexes (from 0).
    """

    grid: Sequence[list[RawCell]]
    locator: Locator
    caption: str = ""
    header_rows: int | None = None
    """The number of leading rows that the format marks as header (HTML ``th``, Markdown); else None."""
    warnings: tuple[str, ...] = ()
    """What the reader changed, such as "merged cells were filled with their value"."""
    source_rows: Sequence[int] | None = None
    """The source's own number of each grid row, from 1; None where the format numbers no rows."""
    source_columns: Sequence[int] | None = None
    """The source's own number of each grid column, from 1."""
    pages: Sequence[int] | None = None
    """The page of each grid row, if the table spans several pages."""
    least_sure: Sequence[LeastSure] | None = None
    """The least sure word of each grid row, if the table was read by OCR."""
    indents: Sequence[int] | None = None
    """The indentation level of each row's first filled cell; None if the format does not state it."""
    hidden_rows: frozenset[int] = frozenset()
    """Rows hidden in the source."""
    hidden: bool = False
    """Whether the table is on a hidden sheet."""
    is_records: bool = False
    """Whether the grid is a file of records for programs: one row of names, then data."""
    decimal_comma: bool = False
    """Whether ambiguous numbers have decimal commas: cells are separated by semicolons, as spreadsheet programs write
    them in locales that use the comma in numbers."""
    is_form: bool = False
    """Whether the grid is a form with keys in its first column and values in its second."""
    is_header: bool = False
    """Whether the grid is a header without rows below it."""
    ruled: bool | None = None
    """Whether lines on the page enclose its cells; None if the format states the cells."""
    regions: tuple[Region, ...] = ()
    """The places of its parts on pages, if it was found on some."""


Block = TextBlock | TableBlock


@dataclass(frozen=True, slots=True)
class Document:
    """One file."""

    path: Path
    title: str
    blocks: Sequence[Block] = field(default_factory=list)
    warnings: tuple[str, ...] = ()


class Reader(Protocol):
    """Turns one file into a document; raises UnreadableDocument with the fix if it cannot.

    A reader is the function ``read_<format>`` in ``ingestion/readers/<format>.py``. It never touches storage or the
    network, never follows references out of the file, and bounds what it reads.
    """

    def __call__(self, path: Path) -> Document: ...
