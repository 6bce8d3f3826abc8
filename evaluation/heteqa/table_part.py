"""The part of a table that matters to a question, for the annotator."""

from dataclasses import dataclass
from pathlib import Path

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from tablerag.evaluation.heteqa.records import HeteQuestion
from tablerag.ingestion.document import TableBlock
from tablerag.ingestion.readers import read_document
from tablerag.ingestion.tables.cells import cell_text
from tablerag.ingestion.tables.naming import column_names
from tablerag.tools.errors import UnreadableDocument

__all__ = ["TablePart", "table_part"]

MOST_ROWS = 8
LEAST_COLUMNS = 5
"""Shown so that rows can be distinguished."""


@dataclass(frozen=True, slots=True)
class TablePart:
    """Some rows of a table, first those that match a text in the SQL, and the columns that the SQL reads."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    matching: int
    """The number of rows with a text that the SQL compares with."""
    total: int
    problem: str = ""
    """Why the document cannot be shown."""


def table_part(question: HeteQuestion, documents: Path) -> TablePart:
    """Read the question's document below ``documents`` and return the part of its table to show."""
    source = question.tables[0].source
    try:
        blocks = read_document(documents / source).blocks
    except (UnreadableDocument, OSError) as error:
        return TablePart((), (), 0, 0, f"cannot show {source}: {error}")
    grid = next((b.grid for b in blocks if isinstance(b, TableBlock)), [])
    header, *rows = [[cell_text(c) for c in row] for row in grid] or [[]]
    names, texts = _read_by(question.sql)
    columns = [c.casefold() for c in column_names(header)]
    read = [i for i, c in enumerate(columns) if c in names or c in {n.removesuffix("_raw") for n in names}]
    beside = [i for i in range(len(header)) if i not in read][: max(LEAST_COLUMNS - len(read), 0)]
    kept = sorted(read + beside)
    matching = [row for row in rows if texts & {c.casefold() for c in row}]
    shown = matching or rows
    return TablePart(
        tuple(header[i] for i in kept),
        tuple(tuple(row[i] for i in kept) for row in shown[:MOST_ROWS]),
        len(matching),
        len(rows),
    )


def _read_by(sql: str) -> tuple[set[str], set[str]]:
    """Return the columns and texts in a statement, in lower case."""
    try:
        tree = sqlglot.parse_one(sql, read="mysql")
    except SqlglotError:
        return set(), set()
    texts = {t.name.casefold() for t in tree.find_all(exp.Literal) if t.is_string}
    return {c.name.casefold() for c in tree.find_all(exp.Column)}, texts
