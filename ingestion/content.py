"""What one file holds, ready to be stored: typed tables with their schemas, and chunks of both kinds."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import PurePosixPath

from ingestion.chunking import chunk_table, chunk_text
from ingestion.document import Block, Document, TableBlock, TextBlock
from ingestion.manifest import SourceFile
from ingestion.readers import read_document
from ingestion.tables.naming import sql_name
from ingestion.tables.storing import MAX_COLUMNS
from ingestion.tables.table import TypedTable, build_table
from ingestion.tables.typing import TypedColumn
from tools.records import Chunk, ChunkKind, Column, TableSchema
from tools.settings import Settings

__all__ = ["DocumentContent", "read_content"]

EXAMPLES = 5
EXAMPLE_CHARS = 80
GENERIC_SHEETS = ("sheet", "tabelle", "feuil", "hoja", "foglio", "table", "工作表")
"""Beginnings of the names that spreadsheet programs give; they say nothing about a table."""


@dataclass(frozen=True, slots=True)
class DocumentContent:
    """One file's tables, their schemas (parallel), and its chunks in reading order."""

    document_id: str
    title: str
    tables: tuple[TypedTable, ...]
    schemas: tuple[TableSchema, ...]
    chunks: tuple[Chunk, ...]
    warnings: tuple[str, ...]


@dataclass(slots=True)
class _Collector:
    """The tables and chunks found so far."""

    file: SourceFile
    document: Document
    document_id: str
    taken: set[str]
    settings: Settings
    tables: list[TypedTable]
    schemas: list[TableSchema]
    chunks: list[Chunk]
    warnings: list[str]

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


def read_content(file: SourceFile, document_id: str, taken: set[str], settings: Settings) -> DocumentContent:
    """Read, type and chunk one file; table names avoid those taken. Raises UnreadableDocument."""
    document = read_document(file.path)
    collected = _Collector(file, document, document_id, set(taken), settings, [], [], [], list(document.warnings))
    for is_table, run in groupby(document.blocks, key=lambda b: isinstance(b, TableBlock)):
        if is_table:
            for block in run:
                _add_table(collected, block)
        else:
            _add_text(collected, list(run))
    return DocumentContent(
        document_id=document_id,
        title=document.title,
        tables=tuple(collected.tables),
        schemas=tuple(collected.schemas),
        chunks=tuple(collected.chunks),
        warnings=tuple(collected.warnings),
    )


def _add_text(collected: _Collector, blocks: Sequence[Block]) -> None:
    texts = [b for b in blocks if isinstance(b, TextBlock)]
    settings = collected.settings
    for piece in chunk_text(texts, settings.chunk_tokens, settings.chunk_overlap):
        title = _joined(collected.document.title, piece.title)
        collected.add_chunk("text", piece.text, piece.locator, title)


def _add_table(collected: _Collector, block: TableBlock) -> None:
    """Type one table; what is no SQL table is still kept as text that can be found."""
    where = f"{block.locator}: " if str(block.locator) else ""
    collected.warnings += [f"{where}{w}" for w in block.warnings]
    table = build_table(block)
    if table is None or len(table.columns) > MAX_COLUMNS:
        if table is not None:
            collected.warnings.append(
                f"{where}{len(table.columns)} columns are more than the {MAX_COLUMNS} that a SQL table may have: "
                "kept as text only"
            )
        _add_grid_as_text(collected, block)
        return
    collected.warnings += [f"{where}{w}" for w in table.warnings]
    title = table.title or _nearest_title(collected.document, block)
    schema = _schema(collected, table, block, title)
    collected.taken.add(schema.name)
    collected.tables.append(table)
    collected.schemas.append(schema)
    headers = [c.header for c in table.columns]
    for piece in chunk_table(headers, list(table.display_rows()), title, collected.settings.chunk_tokens):
        chunk_title = _joined(PurePosixPath(collected.file.source).stem, collected.document.title, title)
        locator = _rows_locator(block, table, piece.first_row, piece.last_row)
        collected.add_chunk("table", piece.text, locator, chunk_title, schema.table_id)


def _add_grid_as_text(collected: _Collector, block: TableBlock) -> None:
    lines = [" | ".join("" if c is None else str(c) for c in row) for row in block.grid]
    plain = TextBlock("\n".join([block.caption, *lines]).strip(), block.locator)
    _add_text(collected, [plain])


def _nearest_title(document: Document, block: TableBlock) -> str:
    """Return the caption, else the sheet, else the nearest heading, else the document's title."""
    sheet = block.locator.sheet or ""
    if sheet.casefold().startswith(GENERIC_SHEETS):
        sheet = ""
    return block.caption or sheet or (block.locator.headings[-1] if block.locator.headings else "") or document.title


def _schema(collected: _Collector, table: TypedTable, block: TableBlock, title: str) -> TableSchema:
    stem = PurePosixPath(collected.file.source).stem
    return TableSchema(
        table_id=f"{collected.document_id}:t{len(collected.tables)}",
        name=sql_name(title, collected.taken, fallback=stem),
        columns=tuple(_column(n, c) for n, c in zip(table.names, table.columns, strict=True)),
        row_count=table.row_count,
        title=title,
        source=collected.file.source,
        locator=str(block.locator),
        first_row=table.first_source_row,
        warnings=table.warnings,
    )


def _column(name: str, column: TypedColumn) -> Column:
    distinct = dict.fromkeys(str(v) for v in column.values[:1000] if v is not None)
    examples = tuple(e if len(e) <= EXAMPLE_CHARS else e[:EXAMPLE_CHARS] + "…" for e in list(distinct)[:EXAMPLES])
    return Column(name=name, header=column.header, type=column.type, examples=examples, unit=column.unit)


def _rows_locator(block: TableBlock, table: TypedTable, first: int, last: int) -> str:
    """Return the block's locator narrowed to the chunk's rows, where rows are numbered."""
    if table.first_source_row is None:
        return str(block.locator)
    start = table.first_source_row
    return str(replace(block.locator, rows=(start + first, start + last)))


def _joined(*parts: str) -> str:
    """Join title parts, each said once."""
    return " > ".join(dict.fromkeys(p for p in parts if p))
