"""The ingest report in a terminal: one line for each document, and its tables if asked for."""

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tablerag.cli.printing import printable
from tablerag.cli.tables import FittingTable
from tablerag.ingestion.document_content import AS_TEXT
from tablerag.ingestion.pipeline import IDENTICAL, Entry
from tablerag.tools.counting import counted
from tablerag.tools.records import TableSchema

__all__ = ["report_view"]

MOST_TABLES = 20
"""Tables of one document that are listed."""
NAME_CHARS = 40
COLOURS = {"failed": "red", "skipped": "yellow", "removed": "yellow", "unchanged": "dim"}
DOUBTFUL = 0.7
COLUMNS = ("table", "where", "rows", "header rows", "confidence", "columns", "not fitting")


def report_view(entries: Sequence[Entry], *, verbose: bool = False) -> RenderableType:
    """Draw one line for each document that is new, changed or failed; ``verbose`` adds tables, notes and the others."""
    lines = Table.grid(padding=(0, 2))
    lines.add_column(no_wrap=True, overflow="ellipsis", max_width=NAME_CHARS)
    lines.add_column(no_wrap=True)
    lines.add_column(overflow="fold")
    for entry in entries:
        if verbose or entry.status != "unchanged":
            status = Text(entry.status, style=COLOURS.get(entry.status, "green"))
            lines.add_row(Text(printable(entry.source)), status, _summary(entry))
    if not verbose:
        return lines
    changed = [e for e in entries if e.status in ("added", "replaced") and (e.schemas or e.warnings)]
    return Group(lines, *(part for entry in changed for part in _details(entry)))


def _summary(entry: Entry) -> Text:
    """Return what a document has, on one line, or why it failed."""
    if entry.error:
        return Text(" ".join(printable(entry.error).split()))
    parts = [counted(entry.tables, "table")] if entry.tables else []
    parts += [counted(entry.rows, "row") if entry.rows else "no rows"] if entry.tables else []
    parts += [counted(entry.chunks, "chunk")] if entry.chunks else []
    notes = _notes(entry)
    parts += [AS_TEXT] if not entry.tables and any(AS_TEXT in note for note in notes) else []
    parts += ["read by OCR"] if any("read by OCR" in note for note in notes) else []
    copied = [printable(note) for note in notes if note.startswith(IDENTICAL)]
    aside = sum(s.set_aside for s in entry.schemas)
    parts += [f"{counted(aside, 'table')} set aside"] if aside else []
    others = len(notes) - len(copied)
    parts += [*copied, *([counted(others, "note")] if others else [])]
    return Text(", ".join(parts), no_wrap=True, overflow="ellipsis")


def _details(entry: Entry) -> Iterator[RenderableType]:
    yield Text(f"\n{printable(entry.source)}", style="bold")
    doubtful_first = sorted(entry.schemas, key=lambda s: (not s.set_aside, s.confidence >= DOUBTFUL))
    rows = [list(_cells(schema)) for schema in doubtful_first[:MOST_TABLES]]
    shown = [i for i, _ in enumerate(COLUMNS) if any(row[i].plain for row in rows)]
    more = len(entry.schemas) - len(rows)
    if rows:
        yield FittingTable(
            [COLUMNS[i] for i in shown],
            [[row[i] for i in shown] for row in rows],
            right=[COLUMNS[i] in ("rows", "not fitting") for i in shown],
            caption=f"and {counted(more, 'more table')}" if more > 0 else "",
        )
    yield from (Text(f"note: {_line(note)}", style="yellow") for note in _notes(entry))


def _notes(entry: Entry) -> list[str]:
    """Return the notes on a document and on its tables, each once."""
    return list(dict.fromkeys([*entry.warnings, *(w for s in entry.schemas for w in s.warnings)]))


def _cells(schema: TableSchema) -> Iterator[Text]:
    unfit = sum(c.unfit for c in schema.columns)
    sure = "yellow" if schema.confidence < DOUBTFUL else ""
    yield Text(schema.name)
    yield Text(printable(schema.locator))
    yield Text(f"{schema.row_count:,}")
    yield Text(str(schema.header_rows))
    yield Text(f"{schema.confidence:.0%}{', set aside' * schema.set_aside}", style=sure)
    yield Text(_types(schema))
    yield Text(f"{unfit:,}" if unfit else "", style="yellow")


def _line(text: str) -> str:
    return " ".join(printable(text).split())


def _types(schema: TableSchema) -> str:
    """Return the number of columns of each type, and their units."""
    counts = Counter(c.type for c in schema.columns)
    units = dict.fromkeys(" ".join(p for p in (c.scale, c.unit) if p) for c in schema.columns if c.unit or c.scale)
    types = ", ".join(f"{n} {t}" for t, n in counts.most_common())
    return types + (f"; in {', '.join(map(printable, units))}" if units else "")
