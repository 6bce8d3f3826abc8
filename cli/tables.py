"""Tables that fit the terminal: cells wrap between words, and what is too wide is shown one record after the other."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment
from rich.style import Style
from rich.table import Table
from rich.text import Text

__all__ = ["FittingTable"]

LONGEST_WORD = 32
"""Longer words may be broken."""
MANY = 500
"""Rows from which on they are drawn line by line: rich takes 1 ms for each cell that it lays out."""
BETWEEN = 3
"""Characters between two columns."""
BOLD = Style(bold=True)
Cell = str | Text
"""A cell as it is shown; only the first MANY rows keep a style."""


class FittingTable:
    """Rows drawn as a table as wide as the terminal at most.

    Columns that do not fit beside each other are left out if ``first`` names those that matter, else their cells wrap;
    if not even the words fit, the rows are drawn as records.
    """

    def __init__(
        self,
        columns: Sequence[str],
        rows: Sequence[Sequence[Cell]],
        *,
        right: Sequence[bool] = (),
        title: str = "",
        caption: str = "",
        first: Sequence[int] = (),
    ) -> None:
        """Take the cells as they are shown; ``right`` says which columns are numbers."""
        self._columns, self._rows, self._title, self._caption = columns, rows, title, caption
        self._right = [*right] or [False] * len(columns)
        self._first = first

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self._title:
            yield Text(self._title, style="dim")
        every, width = range(len(self._columns)), options.max_width
        if self._first and sum(map(_width, self._texts(every))) + BETWEEN * (len(every) - 1) > width:
            every = self._first
        widths = self._widths(every, width)
        many = len(self._rows) > MANY
        if widths and not many:
            yield self._table(every, widths)
        elif widths:
            yield from self._table_lines(console, every, widths)
        elif not many:
            yield self._records()
        else:
            yield from self._record_lines(console, width)
        if self._caption:
            yield Text(self._caption, style="dim")

    def _texts(self, shown: Sequence[int]) -> list[list[str]]:
        return [[self._columns[i], *(str(row[i]) for row in self._rows)] for i in shown]

    def _widths(self, shown: Sequence[int], width: int) -> list[int]:
        """Return the width of each column shown; none if the longest words do not fit beside each other."""
        texts = self._texts(shown)
        wanted = list(map(_width, texts))
        least = [max(min(_longest_word(t), LONGEST_WORD) for t in column) for column in texts]
        left = width - BETWEEN * (len(texts) - 1) - sum(least)
        if left < 0:
            return []
        for _ in range(left):
            short = [i for i in range(len(texts)) if least[i] < wanted[i]]
            if not short:
                break
            least[min(short, key=lambda i: least[i])] += 1
        return least

    def _table(self, shown: Sequence[int], widths: Sequence[int]) -> Table:
        table = Table(header_style="bold", box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
        for i, width in zip(shown, widths, strict=True):
            justify = "right" if self._right[i] else "left"
            table.add_column(Text(self._columns[i]), width=width, overflow="fold", justify=justify)
        for row in self._rows:
            table.add_row(*(_text(row[i]) for i in shown))
        return table

    def _table_lines(self, console: Console, shown: Sequence[int], widths: Sequence[int]) -> Iterator[Segment]:
        """Draw rows as _table() does."""
        right = [self._right[i] for i in shown]
        head = [_folded(console, self._columns[i], w) for i, w in zip(shown, widths, strict=True)]
        height = max(map(len, head))
        yield from _lines([[""] * (height - len(lines)) + lines for lines in head], widths, right, BOLD)
        yield Segment("─" * (sum(widths) + BETWEEN * (len(widths) - 1)) + "\n")
        for row in self._rows:
            yield from _lines([_folded(console, row[i], w) for i, w in zip(shown, widths, strict=True)], widths, right)

    def _records(self) -> RenderableType:
        grid = Table.grid(padding=(0, 2))
        grid.add_column(style="bold", max_width=LONGEST_WORD)
        grid.add_column(overflow="fold")
        for number, row in enumerate(self._rows):
            if number:
                grid.add_row()
            for name, cell in zip(self._columns, row, strict=True):
                grid.add_row(Text(name), _text(cell))
        return grid

    def _record_lines(self, console: Console, width: int) -> Iterator[Segment]:
        """Draw rows as _records() does."""
        label = min(max(map(cell_len, self._columns)), LONGEST_WORD)
        names = [set_cell_size(name, label) + "  " for name in self._columns]
        below = " " * (label + 2)
        for number, row in enumerate(self._rows):
            if number:
                yield Segment.line()
            for name, cell in zip(names, row, strict=True):
                for place, line in enumerate(_folded(console, cell, width - label - 2)):
                    yield Segment(below if place else name, BOLD)
                    yield Segment(line + "\n")


def _folded(console: Console, cell: Cell, width: int) -> list[str]:
    """Return the lines of a cell as rich wraps them."""
    text = str(cell)
    if cell_len(text) <= width and "\n" not in text:
        return [text]
    return [line.plain.rstrip() for line in Text(text).wrap(console, width, overflow="fold")]


def _lines(
    cells: Sequence[Sequence[str]], widths: Sequence[int], right: Sequence[bool], style: Style | None = None
) -> Iterator[Segment]:
    """Draw the cells of one row, each with its lines, beside each other."""
    for parts in zip_longest(*cells, fillvalue=""):
        padded = (
            " " * (width - cell_len(part)) + part if is_right else set_cell_size(part, width)
            for part, width, is_right in zip(parts, widths, right, strict=True)
        )
        yield Segment((" " * BETWEEN).join(padded) + "\n", style)


def _text(cell: Cell) -> Text:
    return Text(cell) if isinstance(cell, str) else cell


def _width(texts: Sequence[str]) -> int:
    """Return the width of a column without wrapping."""
    return max(map(cell_len, "\n".join(texts).split("\n")))


def _longest_word(text: str) -> int:
    return max(map(cell_len, text.split()), default=0)
