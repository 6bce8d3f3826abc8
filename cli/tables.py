"""Tables that fit the terminal: cells wrap between words, and what is too wide is shown one record after the other."""

from collections.abc import Iterator, Sequence

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
"""Records from which on they are drawn line by line: rich takes 1 ms for each cell that it lays out."""
BETWEEN = 3
"""Characters between two columns."""


class FittingTable:
    """Rows drawn as a table as wide as the terminal at most.

    Columns that do not fit beside each other are left out if ``first`` names those that matter, else their cells wrap;
    if not even the words fit, the rows are drawn as records.
    """

    def __init__(
        self,
        columns: Sequence[str],
        rows: Sequence[Sequence[Text]],
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
        if self._first and sum(self._wanted(every)) + BETWEEN * (len(every) - 1) > width:
            every = self._first
        widths = self._widths(every, width)
        if widths:
            yield self._table(every, widths)
        elif len(self._rows) <= MANY:
            yield self._records()
        else:
            yield from self._record_lines(console, width)
        if self._caption:
            yield Text(self._caption, style="dim")

    def _wanted(self, shown: Sequence[int]) -> list[int]:
        """Return the widths of columns without wrapping."""
        return [max(map(cell_len, "\n".join(text).split("\n"))) for text in self._texts(shown)]

    def _texts(self, shown: Sequence[int]) -> list[list[str]]:
        return [[self._columns[i], *(row[i].plain for row in self._rows)] for i in shown]

    def _widths(self, shown: Sequence[int], width: int) -> list[int]:
        """Return the width of each column shown; none if the longest words do not fit beside each other."""
        texts, wanted = self._texts(shown), self._wanted(shown)
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
            table.add_row(*(row[i] for i in shown))
        return table

    def _records(self) -> RenderableType:
        grid = Table.grid(padding=(0, 2))
        grid.add_column(style="bold", max_width=LONGEST_WORD)
        grid.add_column(overflow="fold")
        for number, row in enumerate(self._rows):
            if number:
                grid.add_row()
            for name, cell in zip(self._columns, row, strict=True):
                grid.add_row(Text(name), cell)
        return grid

    def _record_lines(self, console: Console, width: int) -> Iterator[Segment]:
        """Draw rows as _records() does."""
        label = min(max(map(cell_len, self._columns)), LONGEST_WORD)
        names = [set_cell_size(name, label) for name in self._columns]
        left, bold = width - label - 2, Style(bold=True)
        for number, row in enumerate(self._rows):
            if number:
                yield Segment.line()
            for name, cell in zip(names, row, strict=True):
                fits = cell_len(cell.plain) <= left and "\n" not in cell.plain
                lines = [cell.plain] if fits else [t.plain for t in cell.wrap(console, left, overflow="fold")]
                for place, line in enumerate(lines):
                    yield Segment(name if not place else " " * label, bold)
                    yield Segment(f"  {line}\n")


def _longest_word(text: str) -> int:
    return max(map(cell_len, text.split()), default=0)
