"""The SQL names of a table, of the columns beside each column and of its hidden columns; imports no SQL library."""

from dataclasses import dataclass

from tablerag.ingestion.manifest import ID_CHARS
from tablerag.ingestion.tables.naming import sql_name
from tablerag.ingestion.tables.typed_table import TypedTable
from tablerag.tools.records import HIDDEN, HIDDEN_COLUMNS, OCR, OCR_WORD, PAGE, ROW_ID, SOURCE_ROW, TOTAL

__all__ = ["MAX_COLUMNS", "Companions", "companions_of", "hidden_columns", "stored_name"]

MAX_COLUMNS = 190
"""InnoDB fits about 200 filled TEXT columns in a row; the same limit applies to every engine."""
READABLE_CHARS = 40


@dataclass(frozen=True, slots=True)
class Companions:
    """The SQL names of a column's companions: its raw text and both ends of a range; "" for none."""

    raw: str = ""
    low: str = ""
    high: str = ""


def stored_name(name: str, document_id: str, position: int) -> str:
    """Return a table's name in the database: readable, and unique to one version of a document."""
    return f"{name[:READABLE_CHARS]}__{document_id[:ID_CHARS]}_{position}"


def companions_of(table: TypedTable) -> list[Companions]:
    """Name the companions of each column; raw text is dropped first if there are too many columns."""
    taken = [*table.names, *HIDDEN_COLUMNS]
    raw_room = MAX_COLUMNS - len(table.names) - 2 * sum(c.bounds is not None for c in table.columns)
    # Raw text of values that became NULL is kept before that of values that were only converted.
    wanted = sorted((i for i, c in enumerate(table.columns) if c.keeps_raw), key=lambda i: not table.columns[i].unfit)
    kept = set(wanted[: max(0, raw_room)])
    found = []
    for i, (name, column) in enumerate(zip(table.names, table.columns, strict=True)):
        names = []
        for suffix, needed in (("raw", i in kept), ("low", column.bounds), ("high", column.bounds)):
            chosen = sql_name(f"{name[:50]}_{suffix}", taken, suffix) if needed else ""
            taken.append(chosen)
            names.append(chosen)
        found.append(Companions(*names))
    return found


def hidden_columns(table: TypedTable) -> tuple[str, ...]:
    """Return which of the hidden columns a table has."""
    block = table.block
    present = {
        ROW_ID: True,
        SOURCE_ROW: block.source_rows is not None,
        PAGE: block.pages is not None and len(set(block.pages)) > 1,
        HIDDEN: bool(block.hidden_rows),
        TOTAL: bool(table.totals),
        OCR: block.least_sure is not None,
        OCR_WORD: block.least_sure is not None,
    }
    return tuple(name for name, there in present.items() if there)
