"""Summaries of tables for HD-RAG (arXiv 2504.09554, section 3.1): H-RCL, general RCL and table level.

The header trees H_t (columns) and H_l (rows) give one summary per header and level, of its path and the leaf paths of
the other axis (equations 6 to 8). Templates write them and a configured model rewrites them. They are indexed with the
sentences of the document's text in a summary corpus (tools/summary_corpora.py).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from tablerag.ingestion.model_texts import ModelText, TextRun, table_chunk, write_texts
from tablerag.ingestion.sentences import sentences_of
from tablerag.ingestion.summary_prompts import Batch, batches, refined
from tablerag.tools.catalog import DocumentRecord, model_text_key
from tablerag.tools.chunks import add_chunks
from tablerag.tools.header_tree import HeaderNode, column_tree, row_tree
from tablerag.tools.records import Chunk, TableSchema
from tablerag.tools.services import Services
from tablerag.tools.summary_corpora import SummaryLevel, summary_corpus

__all__ = ["TableSummaries", "index_summaries", "pending", "refine", "summaries_of_document", "templates", "unwritten"]

MOST_HEADERS = 200
"""Headers per axis: the rows of longer tables are records, which questions do not name by header."""
MOST_CHARS = 600
"""Characters per summary: the paths of a long other axis are cut."""
GROUP_DOCUMENTS = 50

Paths = list[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class TableSummaries:
    """A table with its summaries of one level."""

    schema: TableSchema
    level: SummaryLevel
    texts: tuple[str, ...]


def templates(schema: TableSchema, services: Services, level: SummaryLevel) -> tuple[str, ...]:
    """Return a table's summaries by template."""
    rows, columns = row_tree(schema, services.database), column_tree(schema)
    label = next((c.name for c in schema.columns if c.name not in schema.row_path), "")
    columns.children = [n for n in columns.children if n.all_leaves() != [label]]
    counted = _counted(schema)
    if level == "table":
        return (_table_text(_leaves(rows), _leaves(columns)) + counted,)
    each, union = (_nodes, _union) if level == "hrcl" else (_flat_leaves, _flat_union)
    row_texts = [_header_text("row", p, counted, union(_leaves(columns))) for p in _first(each(rows))]
    column_texts = [_header_text("column", p, counted, union(_leaves(rows))) for p in _first(each(columns))]
    return tuple(row_texts + column_texts)


def _first(paths: Paths) -> Paths:
    """Return the distinct paths, at most MOST_HEADERS."""
    return list(dict.fromkeys(paths))[:MOST_HEADERS]


def _nodes(tree: HeaderNode, path: tuple[str, ...] = ()) -> Paths:
    """Return the paths of all headers below a node, at every level."""
    found: Paths = []
    for child in tree.children:
        own = (*path, child.text)
        found += [own, *_nodes(child, own)]
    return found


def _leaves(tree: HeaderNode, path: tuple[str, ...] = ()) -> Paths:
    """Return the paths of the headers below a node that are leaves."""
    found: Paths = []
    for child in tree.children:
        own = (*path, child.text)
        found += ([own] if child.leaves else []) + _leaves(child, own)
    return found


def _flat_leaves(tree: HeaderNode) -> Paths:
    return [path[-1:] for path in _leaves(tree)]


def _path(path: Sequence[str]) -> str:
    return " > ".join(path)


def _union(paths: Paths) -> str:
    """Join leaf paths with common prefixes written once: "2019 > Q1, Q2; 2018 > Q1"."""
    runs = groupby(dict.fromkeys(paths), key=lambda path: path[:-1])
    return "; ".join(_path([*above, ", ".join(path[-1] for path in some)]) for above, some in runs)


def _counted(schema: TableSchema) -> str:
    """Return the scale and unit if all numeric columns state the same scale: " (in millions €)".

    A unit without a scale often applies to some rows only.
    """
    stated = {(c.scale, c.unit) for c in schema.columns if c.type in ("integer", "decimal")}
    scale, unit = stated.pop() if len(stated) == 1 else ("", "")
    return f" (in {scale} {unit}".rstrip() + ")" if scale else ""


def _flat_union(paths: Paths) -> str:
    return ", ".join(dict.fromkeys(path[-1] for path in paths))


def _header_text(axis: str, path: Sequence[str], counted: str, others: str) -> str:
    other = "columns" if axis == "row" else "rows"
    return _cut(f"{_path(path)}{counted}: {axis} with the {other} {others}")


def _table_text(rows: Paths, columns: Paths) -> str:
    """Return a table's summary: the headers of both axes. The chunk has its title."""
    axes = (("columns", columns), ("rows", _first(rows)))
    return "\n".join(f"{axis}: {_union(paths)}" for axis, paths in axes)


def _cut(text: str) -> str:
    return text if len(text) <= MOST_CHARS else text[: MOST_CHARS - 1] + "…"


def pending(services: Services, corpus: str, level: SummaryLevel) -> list[DocumentRecord]:
    """Return the documents without summaries of a level."""
    return [d for d in services.catalog.documents(corpus) if level not in d.summaries]


def summaries_of_document(services: Services, document: DocumentRecord, level: SummaryLevel) -> list[TableSummaries]:
    """Return the summaries of a document's tables by template."""
    schemas = services.catalog.schemas_of_document(document.document_id)
    return [TableSummaries(s, level, templates(s, services, level)) for s in schemas]


def unwritten(services: Services, tables: Sequence[TableSummaries], model: str) -> list[Batch]:
    """Return the batches that are not cached, which refine() will send to the model."""
    by_key = {model_text_key(model, b.prompt): b for t in tables for b in batches(t.schema, t.level, t.texts)}
    known = services.catalog.model_texts(list(by_key))
    return [b for key, b in by_key.items() if key not in known]


def refine(
    services: Services,
    tables: Sequence[TableSummaries],
    model: str,
    ask: Callable[[str], str],
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[list[TableSummaries], TextRun]:
    """Let a model rewrite summaries; failures keep the template's text. Raises ModelUnavailable."""
    all_batches = [(i, b) for i, t in enumerate(tables) for b in batches(t.schema, t.level, t.texts)]
    by_key = {model_text_key(model, b.prompt): b for _, b in all_batches}
    wanted = [ModelText(tables[i].schema.name, model_text_key(model, b.prompt)) for i, b in all_batches]
    written: dict[str, Sequence[str]] = {}

    def keep(texts: Mapping[str, Sequence[str]]) -> None:
        written.update(texts)

    run = write_texts(services, wanted, lambda w: refined(by_key[w.key], ask), keep, on_progress)
    changed: list[list[str]] = [list(t.texts) for t in tables]
    for (i, batch), one in zip(all_batches, wanted, strict=True):
        if one.key in written:
            changed[i][batch.first : batch.first + len(batch.texts)] = written[one.key]
    return [TableSummaries(t.schema, t.level, tuple(c)) for t, c in zip(tables, changed, strict=True)], run


def index_summaries(
    services: Services,
    corpus: str,
    level: SummaryLevel,
    documents: Sequence[DocumentRecord],
    tables: Sequence[TableSummaries],
    unfinished: frozenset[str] = frozenset(),
) -> int:
    """Add the documents' summaries and sentences to the level's summary corpus; return the number of chunks.

    Documents of ``unfinished`` (ids) are indexed but stay pending.
    """
    by_document: dict[str, list[TableSummaries]] = {}
    for table in tables:
        by_document.setdefault(table.schema.table_id.partition(":")[0], []).append(table)
    name, count = summary_corpus(corpus, level), 0
    for start in range(0, len(documents), GROUP_DOCUMENTS):
        some = [d.document_id for d in documents[start : start + GROUP_DOCUMENTS]]
        chunks = [c for i in some for t in by_document.get(i, ()) for c in _chunks(t)]
        chunks += sentences_of(services.lexical_index(corpus).of_documents(some, ("text",)))
        add_chunks(services, name, chunks)
        services.catalog.note_summaries(corpus, set(some) - unfinished, level)
        count += len(chunks)
    return count


def _chunks(table: TableSummaries) -> Iterator[Chunk]:
    for number, text in enumerate(table.texts):
        yield table_chunk(table.schema, f"{table.schema.table_id}:{table.level}:{number}", text, "summary")
