"""AnswerTable: a result as a table with the document's headers, units and written values."""

import re
from collections.abc import Callable, Iterable, Sequence

from tablerag.agent.presenting.values import is_number, places_of, scale_word, value_text
from tablerag.tools.counting import counted
from tablerag.tools.markdown import cell
from tablerag.tools.number_words import currency_code
from tablerag.tools.records import Cell, Record
from tablerag.tools.sql.columns.column import ResultColumn
from tablerag.tools.stated_scale import scale_in

__all__ = ["SHOWN_ROWS", "AnswerTable", "label_of", "written_columns"]

SHOWN_ROWS = 10
"""Rows of a table that a chat message or a terminal shows."""
STATED = re.compile(r"\s*[(\[][^()\[\]]*[)\]]\s*$")
"""Brackets at the end of a header, where it states its unit."""


class AnswerTable(Record):
    """The result behind an answer: at most 50 of its rows."""

    columns: tuple[str, ...]
    """The document's headers with units: "Region", "Total of Quantity (kg)"."""
    rows: tuple[tuple[Cell, ...], ...]
    """The values as they are stored."""
    texts: tuple[tuple[str, ...], ...]
    """The same values as people read them, units aside."""
    units: tuple[str, ...]
    scales: tuple[str, ...]
    numeric: tuple[bool, ...]
    """Which columns hold numbers."""
    row_count: int
    truncated: bool = False
    """Whether the database has more rows than the row limit."""
    caption: str = ""
    """"Total of Quantity (kg) by Region"; "" where the headers say it all."""

    @property
    def is_single(self) -> bool:
        """Whether it has one cell."""
        return self.row_count == 1 and len(self.columns) == 1

    @property
    def count(self) -> str:
        """Which of the rows are shown: "10 of 37 rows", "4 rows"."""
        whole = f"more than {self.row_count:,} rows" if self.truncated else counted(self.row_count, "row")
        return f"{SHOWN_ROWS} of {whole}" if self.row_count > SHOWN_ROWS else whole

    @property
    def markdown(self) -> str:
        """The first ten rows as a Markdown table, then the count of rows if there are more; the cells as they are."""
        return self._markdown(_one_line)

    @property
    def inert_markdown(self) -> str:
        """The same for clients that render it: in headers and cells no link, image, URL or tag is live."""
        return self._markdown(cell)

    def _markdown(self, written: Callable[[str], str]) -> str:
        lines = [_line(map(written, self.columns)), _line("---:" if n else "---" for n in self.numeric)]
        lines += [_line(map(written, row)) for row in self.texts[:SHOWN_ROWS]]
        return "\n".join([*lines, "", self.count] if self.row_count > SHOWN_ROWS or self.truncated else lines)


def _one_line(text: str) -> str:
    return " ".join(text.split()).replace("|", r"\|")


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def label_of(column: ResultColumn) -> str:
    """Return a column's header with its unit, unless the header states it."""
    unit, scale, header = column.unit, scale_word(column.scale), column.header
    if not (unit or scale) or column.kind == "duration":
        return header
    stored = column.column
    if column.way == "share" or (stored and (stored.unit, stored.scale) != (unit, column.scale)):
        header = STATED.sub("", header)  # the header's unit is that of the stored column
    elif _states(header, unit) and (not scale or scale_in(header) == column.scale):
        return header
    return f"{header} ({' '.join(part for part in ((unit, scale) if currency_code(unit) else (scale, unit)) if part)})"


def _states(header: str, unit: str) -> bool:
    if not unit or currency_code(unit) or not unit[0].isalpha():
        return unit in header
    return re.search(rf"(?<![^\W_]){re.escape(unit)}(?![^\W_])", header) is not None


def written_columns(columns: Sequence[ResultColumn], rows: Sequence[Sequence[Cell]]) -> list[tuple[str, ...]]:
    """Return the rows with their cells written; computed numbers of a column have the same number of digits."""
    by_column = []
    for i, column in enumerate(columns):
        cells = [row[i] for row in rows]
        aligned = column.is_money or column.way not in ("value", "lowest", "highest")
        places = max((places_of(c, column) for c in cells if is_number(c)), default=0) if aligned else None
        by_column.append([value_text(c, column, places) for c in cells])
    return list(zip(*by_column, strict=True))
