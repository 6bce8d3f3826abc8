"""The content of one file, ready to store: typed tables with their schemas, and text and table chunks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import PurePosixPath
from typing import Protocol

from tablerag.ingestion.chunking import MOST_TABLE_PIECES, chunk_table, chunk_text
from tablerag.ingestion.document import Document, TableBlock, TextBlock
from tablerag.ingestion.document_content import AS_TEXT, DocumentContent, StoredTable
from tablerag.ingestion.manifest import SourceFile
from tablerag.ingestion.overrides import OVERRIDES_FILE, DocumentWishes
from tablerag.ingestion.readers import read_document
from tablerag.ingestion.tables.companions import MAX_COLUMNS, Companions, companions_of, hidden_columns, stored_name
from tablerag.ingestion.tables.doubts import found_as, is_set_aside
from tablerag.ingestion.tables.introduced import stated_units
from tablerag.ingestion.tables.naming import TakenNames
from tablerag.ingestion.tables.overrides import TableWishes
from tablerag.ingestion.tables.table import build_table
from tablerag.ingestion.tables.typed_table import TypedTable
from tablerag.ingestion.tables.typing import Unit
from tablerag.tools.counting import one_line, shortened
from tablerag.tools.records import Chunk, ChunkKind, Column, TableSchema

__all__ = ["ChunkSizes", "read_content"]

SET_ASIDE = f"is set aside: answers do not use it; `use: true` in {OVERRIDES_FILE} has them use it"
EXAMPLE_CHARS = 80
MOST_WARNINGS = 100
CHARS_PER_TOKEN = 4
MAX_GRID_COLUMNS = 5 * MAX_COLUMNS
"""Wider grids are kept as text without being typed, which could not remove enough columns."""
GENERIC_SHEETS = ("sheet", "tabelle", "feuil", "hoja", "foglio", "table", "工作表")
"""Prefixes of the default sheet names of spreadsheet programs, which do not describe a table."""


class ChunkSizes(Protocol):
    """The settings that decide how text is split."""

    @property
    def chunk_tokens(self) -> int: ...

    @property
    def chunk_overlap(self) -> int: ...


@dataclass(slots=True)
class _Collector:
    """The tables and chunks found so far."""

    file: SourceFile
    document: Document
    document_id: str
    sizes: ChunkSizes
    wishes: DocumentWishes
    tables: list[StoredTable]
    chunks: list[Chunk]
    warnings: list[str]
    found: list[tuple[str, str]]
    """The name and the locator of each table found."""
    names: TakenNames = field(default_factory=TakenNames)

    def add_chunk(self, kind: ChunkKind, text: str, locator: str, title: str, table_id: str | None = None) -> None:
        self.chunks.append(
            Chunk(
                id=f"{self.document_id}:{len(self.chunks)}",
                text=text,
                kind=kind,
                document_id=self.document_id,
                source=self.file.source,
                locator=locator,
                title=title,
                table_id=table_id,
            )
        )


def read_content(
    file: SourceFile, document_id: str, sizes: ChunkSizes, wishes: DocumentWishes | None = None
) -> DocumentContent:
    """Read, type and chunk one file. Raises UnreadableDocument."""
    document = read_document(file.on_disk)
    document = replace(document, title=shortened(document.title))
    wishes = wishes or DocumentWishes()
    collected = _Collector(file, document, document_id, sizes, wishes, [], [], list(document.warnings), [])
    stated = iter(stated_units(document.blocks))
    for _, run in groupby(document.blocks, key=lambda b: (type(b), b.locator.slide)):  # a slide is cited on its own
        blocks = list(run)
        _add_text(collected, [b for b in blocks if isinstance(b, TextBlock)])
        for table in (b for b in blocks if isinstance(b, TableBlock)):
            _add_table(collected, table, next(stated))
    collected.warnings += wishes.unused([t.schema for t in collected.tables], collected.found)
    is_tabular = any(isinstance(b, TableBlock) for b in document.blocks)
    if is_tabular and not collected.tables and not any(AS_TEXT in w for w in collected.warnings):
        collected.warnings.append(f"no table has rows below a header: {AS_TEXT}")
    return DocumentContent(
        document_id=document_id,
        title=document.title,
        tables=tuple(collected.tables),
        chunks=tuple(collected.chunks),
        warnings=_few(collected.warnings),
    )


def _few(warnings: Sequence[str]) -> tuple[str, ...]:
    """Return the warnings as lines, each once: a document may have one for each of thousands of tables."""
    lines = list(dict.fromkeys(map(one_line, warnings)))
    more = len(lines) - MOST_WARNINGS
    return (*lines[:MOST_WARNINGS], *([f"{more:,} more warnings are not shown"] if more > 0 else []))


def _add_text(collected: _Collector, texts: Sequence[TextBlock], most: int | None = None) -> None:
    sizes = collected.sizes
    for piece in chunk_text(texts, sizes.chunk_tokens, sizes.chunk_overlap)[:most]:
        title = _joined(collected.document.title, piece.title)
        collected.add_chunk("text", piece.text, piece.locator, title)


def _add_table(collected: _Collector, block: TableBlock, stated: Unit) -> None:
    """Type one table with the unit that the text states; keep a grid that cannot be a SQL table as searchable text."""
    where = f"{block.locator}: " if str(block.locator) else ""
    collected.warnings += [f"{where}{w}" for w in block.warnings]
    stem = PurePosixPath(collected.file.source).stem
    found = collected.names.free(_naming_part(_nearest_title(collected.document, block)), stem)
    collected.found.append((found, str(block.locator)))
    wishes = collected.wishes.for_table(found, str(block.locator))
    if wishes.skip:
        collected.warnings.append(f"{where}table {found} is skipped by {OVERRIDES_FILE}")
        return
    width = len(block.grid[0]) if block.grid else 0
    table = build_table(block, wishes, stated) if width <= MAX_GRID_COLUMNS else None
    width = len(table.columns) if table else width
    if table is None or width > MAX_COLUMNS:
        if width > MAX_COLUMNS:
            says = (
                f"{width} columns, more than the {MAX_COLUMNS} of a SQL table: {AS_TEXT}; split it into narrower ones"
            )
            collected.warnings.append(f"{where}{says}")
        _add_grid_as_text(collected, block, where)
        return
    collected.warnings += [f"{where}{w}" for w in table.warnings]
    title = table.title or _nearest_title(collected.document, block)
    companions = companions_of(table)
    name = collected.names.free(wishes.name or _naming_part(title), stem)
    collected.names.take(name)
    schema = _schema(collected, table, block, title, name, companions, wishes)
    if schema.set_aside:
        collected.warnings.append(
            f"{where}table {name} is set aside: answers do not use it; `use: true` in {OVERRIDES_FILE} has them use it"
        )
    _add_table_chunks(collected, table, block, schema)
    collected.tables.append(StoredTable(table, schema, tuple(companions)))


def _add_table_chunks(collected: _Collector, table: TypedTable, block: TableBlock, schema: TableSchema) -> None:
    headers = [c.header for c in table.columns]
    title = _joined(PurePosixPath(collected.file.source).stem, collected.document.title, schema.title)
    last = -1
    indexes: list[int] = []

    def shown() -> Iterator[tuple[str, ...]]:
        for row in table.rows():
            indexes.append(row.index)
            yield table.texts(row)

    for piece in chunk_table(headers, shown(), schema.title, collected.sizes.chunk_tokens):
        rows = (indexes[piece.first_row], indexes[piece.last_row]) if indexes else (0, 0)
        locator = _rows_locator(table, block, *rows)
        collected.add_chunk("table", piece.text, locator, title, schema.table_id)
        last = piece.last_row
    if last < table.row_count - 1:
        collected.warnings.append(
            f"table {schema.name}: rows after {last + 1:,} are in SQL but not in its {MOST_TABLE_PIECES} search chunks"
        )


def _add_grid_as_text(collected: _Collector, block: TableBlock, where: str) -> None:
    """Add the text of a grid, as far as that of a table is searchable."""
    lines = [" | ".join("" if c is None else str(c) for c in row) for row in block.grid]
    text = "\n".join([block.caption, *lines]).strip()
    most = CHARS_PER_TOKEN * MOST_TABLE_PIECES * collected.sizes.chunk_tokens
    before = len(collected.chunks)
    _add_text(collected, [TextBlock(text[:most], block.locator)], MOST_TABLE_PIECES)
    if len(text) > most or len(collected.chunks) - before == MOST_TABLE_PIECES:
        collected.warnings.append(f"{where}only the first {len(collected.chunks) - before} search chunks are kept")


def _nearest_title(document: Document, block: TableBlock) -> str:
    """Return the caption, else the sheet, else the nearest heading, else the document's title."""
    sheet = block.locator.sheet or ""
    if sheet.casefold().startswith(GENERIC_SHEETS):
        sheet = ""
    return (
        shortened(block.caption or sheet)
        or (block.locator.headings[-1] if block.locator.headings else "")
        or document.title
    )


def _naming_part(title: str) -> str:
    """Return the part of a multi-line title that names the table: the second of company, subject and period."""
    parts = [p for p in title.split(" – ") if p and not (p[0] in "(（[【" and p[-1] in ")）]】")]
    return (parts[1] if len(parts) > 2 else parts[0]) if parts else title


def _schema(
    collected: _Collector,
    table: TypedTable,
    block: TableBlock,
    title: str,
    name: str,
    companions: Sequence[Companions],
    wishes: TableWishes,
) -> TableSchema:
    position = len(collected.tables)
    return TableSchema(
        table_id=f"{collected.document_id}:t{position}",
        name=name,
        columns=tuple(_column(table, i, beside) for i, beside in enumerate(companions)),
        row_count=table.row_count,
        title=title,
        source=collected.file.source,
        locator=str(block.locator),
        within=str(replace(block.locator, page=None, last_page=None, rows=None, columns=None)),
        warnings=table.warnings,
        stored_as=stored_name(name, collected.document_id, position),
        hidden_columns=hidden_columns(table),
        row_path=tuple(table.names[: table.path_depth]),
        header_rows=table.header_rows,
        confidence=table.confidence,
        doubts=table.doubts,
        set_aside=is_set_aside(table, wishes.use),
        found=found_as(block) if table.doubts or is_set_aside(table, wishes.use) else None,
    )


def _column(table: TypedTable, i: int, beside: Companions) -> Column:
    column = table.columns[i]
    shown = dict.fromkeys(str(v) for v in (column.value(e) for e in column.examples) if v is not None)
    examples = tuple(e if len(e) <= EXAMPLE_CHARS else e[:EXAMPLE_CHARS] + "…" for e in shown)
    return Column(
        name=table.names[i],
        header=column.header,
        type=column.type,
        examples=examples,
        unit=column.unit,
        scale=column.scale,
        kind=column.kind,
        path=table.paths[i],
        raw=beside.raw,
        low=beside.low,
        high=beside.high,
        ends=column.bounds,
        place=table.places[i],
        coerced=column.coerced,
        unfit=column.unfit,
        missing=column.missing,
    )


def _rows_locator(table: TypedTable, block: TableBlock, first: int, last: int) -> str:
    """Return the block's locator narrowed to some grid rows, if its rows or pages are numbered."""
    if table.block.source_rows is not None:
        return str(replace(block.locator, rows=(table.block.source_rows[first], table.block.source_rows[last])))
    if table.block.pages is not None:
        return str(replace(block.locator, page=table.block.pages[first], last_page=table.block.pages[last]))
    return str(block.locator)


def _joined(*parts: str) -> str:
    """Join title parts without repetition."""
    return " > ".join(dict.fromkeys(p for p in parts if p))
