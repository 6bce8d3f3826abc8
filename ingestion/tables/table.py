"""A table block turned into typed columns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ingestion.document import RawCell, TableBlock
from ingestion.tables.header import cell_text, find_header
from ingestion.tables.naming import column_names
from ingestion.tables.typing import SqlValue, TypedColumn, type_column

__all__ = ["TypedTable", "build_table"]

TOTALS = ("total", "totals", "sum", "grand total", "subtotal", "gesamt", "summe", "合计", "总计", "totale")


@dataclass(slots=True)
class TypedTable:
    """Typed columns with their SQL names (parallel), and the rows as the document shows them."""

    title: str
    names: list[str]
    columns: list[TypedColumn]
    shown: list[list[str]]
    """The data rows as text, as the document has them."""
    source_rows: list[int] | None
    """The source's row numbers, parallel to the rows; None where it has none."""
    warnings: tuple[str, ...]

    @property
    def row_count(self) -> int:
        """How many data rows there are."""
        return len(self.shown)

    @property
    def first_source_row(self) -> int | None:
        """The source's number of the first data row; None unless all data rows follow one another."""
        numbers = self.source_rows
        if not numbers or numbers[-1] - numbers[0] + 1 != len(numbers):
            return None
        return numbers[0]

    def rows(self) -> Iterator[tuple[SqlValue, ...]]:
        """Iterate the data rows as SQL values."""
        return zip(*(c.values for c in self.columns), strict=True)

    def display_rows(self) -> Iterator[tuple[str, ...]]:
        """Iterate the data rows as the document shows them."""
        return (tuple(row) for row in self.shown)


def build_table(block: TableBlock) -> TypedTable | None:
    """Find the header and type the columns; None when the block holds no table worth a SQL table."""
    decision = find_header(block)
    if decision is None:
        return None
    warnings = list(decision.warnings)
    numbered = _data_rows(block, decision.first_row, decision.headers, warnings)
    if not numbered:
        return None
    rows = [row for _, row in numbered]
    kept = [i for i, h in enumerate(decision.headers) if h != f"column_{i + 1}" or any(cell_text(r[i]) for r in rows)]
    headers = [decision.headers[i] for i in kept]
    columns = [type_column(h, [row[i] for row in rows]) for h, i in zip(headers, kept, strict=True)]
    for column in columns:
        warnings += column.warnings
    if _is_total(rows[-1]) and len(rows) > 2:
        warnings.append(f"the last row looks like a total ({cell_text(rows[-1][0])!r}): leave it out of sums")
    first = block.locator.rows[0] if block.locator.rows else None
    return TypedTable(
        title=block.caption or decision.title,
        names=column_names(headers),
        columns=columns,
        shown=[[cell_text(row[i]) for i in kept] for row in rows],
        source_rows=[first + i for i, _ in numbered] if first is not None else None,
        warnings=tuple(dict.fromkeys(warnings)),
    )


def _data_rows(
    block: TableBlock, first_row: int, headers: Sequence[str], warnings: list[str]
) -> list[tuple[int, list[RawCell]]]:
    """Return the filled rows below the header with their grid index, repeated headers left out."""
    rows, repeated = [], 0
    for index, row in enumerate(block.grid[first_row:], start=first_row):
        texts = [cell_text(c) for c in row]
        if not any(texts):
            continue
        if texts == list(headers):
            repeated += 1
            continue
        rows.append((index, row))
    if repeated:
        warnings.append(f"{repeated} repeated header rows inside the table were left out")
    return rows


def _is_total(row: Sequence[RawCell]) -> bool:
    return cell_text(row[0]).casefold().rstrip(":") in TOTALS
