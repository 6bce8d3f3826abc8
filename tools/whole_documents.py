"""Whole documents: their tables with rows, and their texts, within a budget of tokens."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import column, select

from tablerag.tools.cells import json_cell
from tablerag.tools.records import PAGE, ROW_ID, SOURCE_ROW, Cell, Chunk, Column, Record, TableSchema
from tablerag.tools.services import Services
from tablerag.tools.summary_corpora import SummaryLevel, summary_corpus
from tablerag.tools.token_count import count_tokens

__all__ = ["WholeDocument", "WholeTable", "read_whole"]

MOST_ROWS = 300
TABLE_SHARE = 0.7
"""Most of the budget that tables can use if there is text too."""
NEAREST = 200
"""Chunks of a large document that are ordered by similarity."""


class WholeTable(Record):
    """A table with its rows, as stored and as printed."""

    table_schema: TableSchema
    values: tuple[tuple[Cell, ...], ...]
    """Typed, one per column of the schema."""
    printed: tuple[tuple[str, ...], ...]
    """The text of the document."""
    row_ids: tuple[int, ...] = ()
    """``_row_id`` of each row."""
    source_rows: tuple[int, ...] = ()
    """The row numbers of the source; empty if it has none."""
    pages: tuple[int, ...] = ()
    """The pages of the rows, if the table spans several."""
    cut: bool = False
    """True if the table has more rows."""

    def first(self, count: int) -> "WholeTable":
        """Return the table with only its first ``count`` rows."""
        rows = ("values", "printed", "row_ids", "source_rows", "pages")
        return self.model_copy(update={name: getattr(self, name)[:count] for name in rows} | {"cut": True})


class WholeDocument(Record):
    """A document's tables and texts in reading order."""

    document_id: str
    source: str
    tables: tuple[WholeTable, ...] = ()
    chunks: tuple[Chunk, ...] = ()
    cut: bool = False
    """True if parts of it did not fit the budget."""


def read_whole(
    services: Services, document_id: str, question: str, *, corpus: str, level: SummaryLevel, tokens: int
) -> WholeDocument:
    """Return a document; if it is larger than the budget, the parts most similar to the question."""
    schemas = services.catalog.schemas_of_document(document_id)
    texts = services.lexical_index(corpus).of_documents([document_id], ("text",))
    near = services.vector_store(summary_corpus(corpus, level)).search(question, NEAREST, documents=[document_id])
    order = {i: place for place, i in reversed(list(enumerate(c.table_id or c.id for c in near)))}
    ranked = sorted(schemas, key=lambda s: order.get(s.table_id, NEAREST))
    tables, left = _tables(services, ranked, round(tokens * (TABLE_SHARE if texts else 1)))
    left += tokens - round(tokens * (TABLE_SHARE if texts else 1))
    fitting = _texts(texts, [c for c in near if not c.table_id], left)
    whole = len(tables) == len(schemas) and fitting == texts and not any(t.cut for t in tables)
    positions = {s.table_id: place for place, s in enumerate(schemas)}
    return WholeDocument(
        document_id=document_id,
        source=(schemas or texts or near)[0].source if schemas or texts or near else "",
        tables=tuple(sorted(tables, key=lambda t: positions[t.table_schema.table_id])),
        chunks=tuple(fitting),
        cut=not whole,
    )


def _tables(services: Services, schemas: Sequence[TableSchema], tokens: int) -> tuple[list[WholeTable], int]:
    """Return the tables that fit, and the remaining tokens; the first table in any case, cut if necessary."""
    kept: list[WholeTable] = []
    for schema in schemas:
        whole = _table(services, schema)
        costs = [count_tokens(" | ".join(row)) for row in whole.printed]
        fitting, used = 0, 0
        for cost in costs:
            if used + cost > tokens:
                break
            fitting, used = fitting + 1, used + cost
        if fitting < len(costs) and kept:
            continue
        if fitting < len(costs):
            whole = whole.first(fitting)
        kept.append(whole)
        tokens -= used
    return kept, max(tokens, 0)


def _table(services: Services, schema: TableSchema) -> WholeTable:
    own = [n for c in schema.columns for n in ((c.name, c.raw) if c.raw else (c.name,))]
    names = [*own, *(n for n in (ROW_ID, SOURCE_ROW, PAGE) if n in schema.hidden_columns)]
    wanted = select(*(column(n) for n in names)).select_from(
        services.database.tables.source(schema.stored_as or schema.name)
    )
    ordered = wanted.order_by(column(ROW_ID)) if ROW_ID in names else wanted
    rows = services.database.select_stored(ordered.limit(MOST_ROWS + 1))
    values, printed = [], []
    for row in rows[:MOST_ROWS]:
        cells = dict(zip(names, map(json_cell, row), strict=True))
        values.append(tuple(cells[c.name] for c in schema.columns))
        printed.append(tuple(_printed(c, cells) for c in schema.columns))
    beside = {
        field: _numbers([row[names.index(n)] for row in rows[:MOST_ROWS]])
        for field, n in (("row_ids", ROW_ID), ("source_rows", SOURCE_ROW), ("pages", PAGE))
        if n in names
    }
    cut = len(rows) > MOST_ROWS
    return WholeTable(table_schema=schema, values=tuple(values), printed=tuple(printed), cut=cut, **beside)


def _numbers(cells: Sequence[Any]) -> tuple[int, ...]:
    """Return the numbers of rows; empty if one has none."""
    return tuple(map(int, cells)) if all(c is not None for c in cells) else ()


def _printed(of: Column, cells: dict[str, Cell]) -> str:
    raw = cells.get(of.raw) if of.raw else None
    cell = raw if raw is not None else cells[of.name]
    return "" if cell is None else str(cell)


def _texts(chunks: Sequence[Chunk], nearest: Sequence[Chunk], tokens: int) -> list[Chunk]:
    """Return all chunks if they fit, otherwise the most similar sentences that do, in reading order."""
    if sum(count_tokens(c.text) for c in chunks) <= tokens:
        return list(chunks)
    kept: list[Chunk] = []
    for sentence in nearest:
        tokens -= count_tokens(sentence.text)
        if tokens < 0:
            break
        kept.append(sentence)
    return sorted(kept, key=lambda c: c.reading_place)
