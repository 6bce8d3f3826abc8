"""Documents as text for HD-RAG's prompts: bounded, and unable to close a block of the prompt."""

from collections.abc import Sequence

from tablerag.agent.hd_rag.reasoning import RecapTask
from tablerag.agent.model.rendering import chunks_text, inert
from tablerag.tools.document_search import FoundDocument
from tablerag.tools.records import Chunk, Column
from tablerag.tools.whole_documents import WholeDocument, WholeTable

__all__ = ["documents_text", "passages_text", "recap_task"]

PASSAGE_CHARS = 24_000
PASSAGES_CHARS = 80_000
CELL_CHARS = 300


def documents_text(documents: Sequence[FoundDocument]) -> str:
    """Write the candidates, numbered from 1, with their chunks."""
    blocks = []
    for number, document in enumerate(documents, start=1):
        titles = dict.fromkeys(c.title for c in document.chunks if c.title)
        head = f"[{number}] {_line(document.source)}: {_line('; '.join(titles))[:400]}"
        lines = [f"- {_line(c.text)}" for c in document.chunks]
        blocks.append("\n".join([f'<document number="{number}">', head, *lines, "</document>"]))
    return "\n".join(blocks)


def recap_task(question: str, document: WholeDocument) -> RecapTask:
    """Return the task of answering a question from a document: its tables, then its texts, as passages."""
    passages = (*(_table_passage(t, document) for t in document.tables), *document.chunks)
    return RecapTask(question, document.tables, passages)


def passages_text(passages: Sequence[Chunk]) -> str:
    """Write the passages, numbered from 1."""
    return chunks_text(passages, each=PASSAGE_CHARS, together=PASSAGES_CHARS)


def _table_passage(table: WholeTable, document: WholeDocument) -> Chunk:
    """Write a table as Markdown; a column's header is its whole path with scale and unit."""
    schema = table.table_schema
    lines = [_row([_header(c) for c in schema.columns]), "|" + " --- |" * len(schema.columns)]
    lines += [_row(row) for row in table.printed]
    if table.cut:
        lines.append(f"(cut: {len(table.printed)} of {schema.row_count} rows)")
    return Chunk(
        id=f"{schema.table_id}:whole",
        text="\n".join(lines),
        kind="table",
        document_id=document.document_id,
        source=document.source,
        locator=schema.locator,
        title=schema.title,
        table_id=schema.table_id,
    )


def _header(column: Column) -> str:
    counted = " ".join(p for p in (column.scale, column.unit) if p)
    return " > ".join(column.path or (column.header,)) + (f" [{counted}]" if counted else "")


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(" ".join(c.split())[:CELL_CHARS].replace("|", "\\|") for c in cells) + " |"


def _line(text: str) -> str:
    return inert(" ".join(text.split()))
