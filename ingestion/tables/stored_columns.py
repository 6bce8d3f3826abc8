"""The values of a table's stored columns, by column: what a database is filled with, whichever it is."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tablerag.ingestion.tables.companions import Companions, hidden_columns
from tablerag.ingestion.tables.typed_table import TypedTable
from tablerag.ingestion.tables.typing.typed_column import Number
from tablerag.tools.records import HIDDEN, OCR, OCR_WORD, PAGE, SOURCE_ROW, TOTAL

__all__ = ["stored_columns"]

HIDDEN_VALUES = (SOURCE_ROW, PAGE, HIDDEN, TOTAL, OCR, OCR_WORD)


def stored_columns(
    table: TypedTable, companions: Sequence[Companions], size: int, numbers: Mapping[str, Number]
) -> Iterator[dict[str, Sequence[Any]]]:
    """Yield the values of up to ``size`` rows, in order, by the name of each stored column except the key.

    Values are texts, whole numbers, dates, datetimes, booleans, None, and decimals of the type that ``numbers`` has
    for the column.
    """
    hidden = hidden_columns(table)
    for batch in table.body.batches(size):
        values = {name: _hidden(table, name, batch.indexes) for name in hidden if name in HIDDEN_VALUES}
        for name, column, beside, cells in zip(table.names, table.columns, companions, batch.columns, strict=True):
            values[name] = column.values(cells, numbers[name])
            if beside.raw:
                values[beside.raw] = column.raws(cells)
            if beside.low:
                values[beside.low], values[beside.high] = column.many_ends(cells)
        yield values


def _hidden(table: TypedTable, name: str, indexes: Sequence[int]) -> Sequence[Any]:
    """Return the values of a hidden column for grid rows."""
    block = table.block
    if name in (SOURCE_ROW, PAGE):
        numbers = (block.source_rows if name == SOURCE_ROW else block.pages) or ()
        if isinstance(indexes, range):
            return numbers[indexes.start : indexes.stop]
        return [numbers[i] for i in indexes]
    if name in (OCR, OCR_WORD):
        sure = [(block.least_sure or ())[i] for i in indexes]
        return [s.word if name == OCR_WORD else int(100 * s.confidence) for s in sure]
    marked = block.hidden_rows if name == HIDDEN else table.totals
    return [i in marked for i in indexes]
