"""Systems that read the tables of a PDF, each as grids: ours, pdfplumber, camelot in two modes, and img2table."""

import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pdfplumber

from benchmarks.table_truths import Grid, headed
from tablerag.ingestion.document import TableBlock
from tablerag.ingestion.readers.pdf import read_pdf
from tablerag.ingestion.tables.cells import cell_text
from tablerag.ingestion.tables.table import build_table
from tablerag.ingestion.tables.typed_table import TypedTable
from tablerag.tools.errors import UnreadableDocument

__all__ = ["READERS", "our_tables", "printed"]


def our_tables(pdf: Path) -> Iterator[Grid]:
    try:
        blocks = read_pdf(pdf).blocks
    except UnreadableDocument:
        return
    for block in blocks:
        table = build_table(block) if isinstance(block, TableBlock) else None
        if table is not None:
            yield printed(table)


def printed(table: TypedTable) -> Grid:
    """Return a table with each printed column once: one of counts and percentages is stored as two."""
    once = [*range(table.path_depth), *table.printed_columns]
    rows = [[cell_text(row.cells[i]) for i in once] for row in table.rows()]
    return Grid([table.columns[i].header for i in once], rows)


def _pdfplumber(pdf: Path) -> Iterator[Grid]:
    with pdfplumber.open(pdf) as opened:
        for page in opened.pages:
            for rows in page.extract_tables():
                yield headed([[_line(t) for t in row] for row in rows])
            page.close()


def _camelot(flavor: str) -> Callable[[Path], Iterator[Grid]]:
    def read(pdf: Path) -> Iterator[Grid]:
        import camelot  # as img2table below only installed for this benchmark

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tables: Any = camelot.read_pdf(str(pdf), pages="all", flavor=flavor, suppress_stdout=True)
        for table in tables:
            yield headed([[_line(t) for t in row] for row in table.df.values.tolist()])

    return read


def _img2table(pdf: Path) -> Iterator[Grid]:
    from img2table.document import PDF

    pages: Any = PDF(str(pdf)).extract_tables(implicit_rows=False, borderless_tables=True) or {}
    for tables in pages.values():
        for table in tables:
            yield headed([[_line(t) for t in row] for row in table.df.values.tolist()])


def _line(text: object) -> str:
    return " ".join(text.split()) if isinstance(text, str) else ""


READERS: dict[str, Callable[[Path], Iterator[Grid]]] = {
    "tablerag": our_tables,
    "pdfplumber": _pdfplumber,
    "camelot lattice": _camelot("lattice"),
    "camelot stream": _camelot("stream"),
    "img2table": _img2table,
}
"""Each with its default settings, but img2table also looks for tables without borders."""
