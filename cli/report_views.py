"""The ingest report in a terminal: an overview of all documents, and a table for each one that changed."""

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from tablerag.cli.views import plain
from tablerag.ingestion.pipeline import Entry
from tablerag.tools.records import TableSchema

__all__ = ["report_view"]

MOST_DETAILED = 25
"""With more changed documents only the overview is shown; --report has them all."""
MOST_TABLES = 20
"""Tables of one document that are listed."""
SHOWN_NOTES = 2
COLOURS = {"failed": "red", "skipped": "yellow", "removed": "yellow", "unchanged": "dim"}
DOUBTFUL = 0.6
COLUMNS = ("table", "where", "rows", "header", "columns", "not fitting", "notes")


def report_view(entries: Sequence[Entry]) -> RenderableType:
    """Draw the overview of all files and, for up to MOST_DETAILED changed documents, their tables."""
    changed = [e for e in entries if e.schemas and e.status in ("added", "replaced")]
    if len(changed) > MOST_DETAILED:
        note = f"{len(changed)} documents changed: see their tables with `tablerag tables`, or use --report FILE"
        return Group(_overview(entries), Text(note, style="dim"))
    return Group(*(_document(e) for e in changed), _overview(entries))


def _overview(entries: Sequence[Entry]) -> Table:
    table = Table(header_style="bold")
    for name in ("document", "status", "tables", "rows", "chunks", "notes"):
        table.add_column(name, overflow="fold", justify="right" if name in ("tables", "rows", "chunks") else "left")
    for e in entries:
        notes = e.error or _notes(e.warnings)
        status = Text(e.status, style=COLOURS.get(e.status, "green"))
        counts = (str(e.tables), str(e.rows), str(e.chunks)) if not e.error else ("", "", "")
        table.add_row(Text(plain(e.source)), status, *counts, Text(" ".join(plain(notes).split())))
    return table


def _notes(warnings: Sequence[str]) -> str:
    more = f"; {len(warnings) - SHOWN_NOTES} more" if len(warnings) > SHOWN_NOTES else ""
    return "; ".join(warnings[:SHOWN_NOTES]) + more


def _document(entry: Entry) -> Table:
    title = escape(f"{plain(entry.source)}: {entry.status}")
    table = Table(title=title, title_justify="left", title_style="bold", header_style="dim", box=SIMPLE_HEAD)
    rows = [list(_cells(schema)) for schema in entry.schemas[:MOST_TABLES]]
    shown = [i for i, _ in enumerate(COLUMNS) if any(row[i].plain for row in rows)]
    for name in (COLUMNS[i] for i in shown):
        table.add_column(name, overflow="fold", justify="right" if name in ("rows", "not fitting") else "left")
    for row in rows:
        table.add_row(*(row[i] for i in shown))
    if len(entry.schemas) > MOST_TABLES:
        table.caption = f"and {len(entry.schemas) - MOST_TABLES} more tables"
    return table


def _cells(schema: TableSchema) -> Iterator[Text]:
    unfit = sum(c.unfit for c in schema.columns)
    sure = "yellow" if schema.confidence < DOUBTFUL else ""
    yield Text(schema.name)
    yield Text(plain(schema.locator))
    yield Text(f"{schema.row_count:,}")
    yield Text(f"{schema.header_rows} ({schema.confidence:.0%})", style=sure)
    yield Text(_types(schema))
    yield Text(f"{unfit:,}" if unfit else "", style="yellow")
    yield Text(" ".join(plain(_notes(schema.warnings)).split()), style="dim")


def _types(schema: TableSchema) -> str:
    """Return the number of columns of each type, and their units."""
    counts = Counter(c.type for c in schema.columns)
    units = dict.fromkeys(" ".join(p for p in (c.scale, c.unit) if p) for c in schema.columns if c.unit or c.scale)
    types = ", ".join(f"{n} {t}" for t, n in counts.most_common())
    return types + (f"; in {', '.join(map(plain, units))}" if units else "")
