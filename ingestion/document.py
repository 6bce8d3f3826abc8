"""A document as its reader sees it: text and table blocks in reading order, each with a locator."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Protocol

from tablerag.tools.cells import column_letters

__all__ = ["SOFT_HYPHEN", "Amount", "Block", "Document", "Locator", "RawCell", "Reader", "TableBlock", "TextBlock"]

SOFT_HYPHEN = "\xad"
"""Where a word may be broken at the end of a line: no part of the word."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A number that its cell's format shows with a unit: a percentage or an amount of money."""

    value: int | float
    """As shown: 12.5 for 12.5%."""
    unit: str

    def __str__(self) -> str:
        number = f"{self.value:.15g}" if self.unit == "%" else f"{self.value:,.15g}"
        return f"{number}%" if self.unit == "%" else f"{self.unit}{number}".replace(f"{self.unit}-", f"-{self.unit}")


RawCell = str | int | float | Decimal | bool | date | datetime | time | Amount | None
"""A cell as the format gives it: spreadsheets have native types, all others strings; None is empty."""


@dataclass(frozen=True, slots=True)
class Locator:
    """Where a block stands. Pages, rows and columns count from 1; rows are the source's own (sheet or file)."""

    page: int | None = None
    sheet: str | None = None
    rows: tuple[int, int] | None = None
    headings: tuple[str, ...] = ()
    columns: tuple[int, int] | None = None
    """First and last column, where the source letters them."""
    last_page: int | None = None

    def __str__(self) -> str:
        parts = []
        if self.page is not None:
            several = self.last_page is not None and self.last_page != self.page
            parts.append(f"pages {self.page}-{self.last_page}" if several else f"page {self.page}")
        if self.sheet is not None:
            parts.append(f"sheet {self.sheet}")
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


@dataclass(frozen=True, slots=True)
class TableBlock:
    """A grid of cells, header rows still among them; all rows have the same length.

    What a format tells of its rows and columns beyond their cells stands beside the grid: sequences
    parallel to its rows or columns, and sets of grid row indexes (from 0).
    """

    grid: Sequence[list[RawCell]]
    locator: Locator
    caption: str = ""
    header_rows: int | None = None
    """How many leading rows the format itself marks as header (HTML ``th``, Markdown); else None."""
    warnings: tuple[str, ...] = ()
    """What the reader had to bend, e.g. "merged cells were filled with their value"."""
    source_rows: Sequence[int] | None = None
    """The source's own number of each grid row, from 1; None where the format numbers no rows."""
    source_columns: Sequence[int] | None = None
    """The source's own number of each grid column, from 1."""
    pages: Sequence[int] | None = None
    """The page of each grid row, where a table runs over several."""
    indents: Sequence[int] | None = None
    """How far each row's first filled cell is indented, in levels; None where the format does not tell."""
    hidden_rows: frozenset[int] = frozenset()
    """Rows that the source keeps out of sight."""
    hidden: bool = False
    """Whether all of it stands where the source keeps it out of sight: a hidden sheet."""
    is_records: bool = False
    """Whether the grid is a file of records: one row of names and then data, laid out for programs, not for readers."""
    decimal_comma: bool = False
    """Whether the file's way of writing speaks for decimal commas, where its numbers do not tell: cells divided by
    semicolons, as spreadsheet programs write them where the comma is taken."""
    is_form: bool = False
    """Whether the grid is a key-value form: keys in its first column, values in its second."""


Block = TextBlock | TableBlock


@dataclass(frozen=True, slots=True)
class Document:
    """One file."""

    path: Path
    title: str
    blocks: Sequence[Block] = field(default_factory=list)
    warnings: tuple[str, ...] = ()


class Reader(Protocol):
    """Turns one file into a document; raises UnreadableDocument, with what to do, when it cannot.

    A reader is a plain function in ``ingestion/readers/<format>.py``. It never touches storage or
    the network, never follows references out of the file, and bounds what it reads.
    """

    def __call__(self, path: Path) -> Document: ...
