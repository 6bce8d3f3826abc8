"""Evidence for a subquery: chunks with their schemas, and guarded SQL with the rows it was computed from."""

import re
import time
from collections.abc import Sequence

from tablerag.tools.connections.refreshing import over_current
from tablerag.tools.errors import ConfigError, SqlRejected
from tablerag.tools.knowledge.rewriting import without_excluded
from tablerag.tools.left_out import usable
from tablerag.tools.linking.neighbours import neighbours, referenced
from tablerag.tools.records import Chunk, ChunkKind, SqlResult, SupportingRows, TableSchema
from tablerag.tools.reranking.reranker import Reranker, candidates, selected
from tablerag.tools.retriever import TABLE_KINDS
from tablerag.tools.sandbox.process import Frame
from tablerag.tools.services import Services
from tablerag.tools.sql.empty_results import is_empty, why_empty
from tablerag.tools.sql.guard import guard, shows_stored
from tablerag.tools.sql.lineage.contributing import contributing_rows
from tablerag.tools.sql.receipts import receipt_for, seconds_for_rows
from tablerag.tools.sql.supporting_rows import supporting_rows
from tablerag.tools.summary_recall import recall_summaries, with_rows

__all__ = ["opening", "overview", "result_of", "run_sql", "search", "whole_table"]

QUESTION_WEIGHT = 0.5
"""Weight of the scores for the whole question, relative to those for a subquery."""
MOST_FURTHER = 200
FEW_TABLES = 40
"""A corpus with no more tables is small enough to offer all of them to who reads many."""
OVERVIEW_TABLES = 2
"""Tables shown before a question is decomposed, even if texts match its words better."""
OPENING_TABLES = 3
MOST_COMPARED, MOST_HINTS = 12, 60
RAISED = 0.6
"""What an exact value adds to the score of its table, relative to the best."""
FAR = 0.02
"""Score, relative to the best of its kind, below which a chunk of text or a third table is not shown."""
ANNOUNCES = re.compile(
    r"\b(?:following|below|folgende\w*|suivante?s?|ci-dessous)\b|:\s*$", re.IGNORECASE | re.MULTILINE
)
"""What a passage says that stands above a table."""
MOST_ANNOUNCED = 2
LEAST_TEXT = 40
SAYS = re.compile(r"[.:;!?]|\d")
"""What a chunk has that is more than a heading, if it is short."""


def search(
    services: Services,
    text: str,
    *,
    corpus: str,
    recall_n: int,
    top_k: int,
    question: str = "",
    kinds: Sequence[ChunkKind] | None = None,
    summaries: bool = False,
    embedded: bool = False,
    tables: int = 0,
    texts: int = 0,
) -> tuple[list[Chunk], list[TableSchema]]:
    """Recall ``recall_n`` chunks, keep the best ``top_k``, and map them to their schemas, best first.

    At least ``tables`` schemas are returned if so many were recalled, and all of a corpus with few tables; at least
    ``texts`` chunks of text if the corpus has so many: further ones follow.

    With ``embedded``, no other reranker than the embedded one is asked, whatever the settings name.

    The search also uses the whole question: a subquery may omit what the question states, such as the year. Only
    chunks of ``kinds`` are returned; with ``summaries``, H-RCL summaries of tables are recalled too. Raises ConfigError
    if the corpus has no documents, or none of the requested summaries.
    """
    weights, reranker = {text: 1.0}, services.reranker(corpus, embedded=embedded)
    if question and question.casefold() != text.casefold():
        weights[question] = QUESTION_WEIGHT
    found: dict[str, Chunk] = {}
    scores: dict[str, float] = {}
    for asked, weight in weights.items():
        recalled = services.retriever(corpus).search(asked, recall_n, kinds)
        recalled += recall_summaries(services, corpus, asked, recall_n) if summaries else []
        for chunk in reranker.rerank(asked, recalled, recall_n):
            found.setdefault(chunk.id, chunk)
            scores[chunk.id] = scores.get(chunk.id, 0.0) + weight * chunk.score
    if not found and not services.catalog.documents(corpus):
        raise ConfigError(f"corpus {corpus!r} has no documents: run `tablerag ingest PATH --corpus {corpus}` first")
    competing = candidates(sorted(found.values(), key=lambda c: -scores[c.id]))
    kept = selected([(scores[c[0].id] / sum(weights.values()), c) for c in competing], top_k)
    kept += _texts(services, text, corpus, kept, texts, reranker)
    further = [c.table_id for c in sorted(found.values(), key=lambda c: -scores[c.id]) if c.table_id] if tables else []
    return _with_schemas(services, with_rows(services, corpus, kept), corpus, further[:MOST_FURTHER], tables)


def _texts(
    services: Services, text: str, corpus: str, kept: Sequence[Chunk], least: int, reranker: Reranker
) -> list[Chunk]:
    """Return the chunks of text that are missing from ``least``, best first."""
    missing = least - sum(c.kind == "text" for c in kept)
    if missing <= 0:
        return []
    shown = {c.id for c in kept}
    recalled = services.retriever(corpus).search(text, least + len(kept), ("text",))
    return reranker.rerank(text, [c for c in recalled if c.id not in shown], missing)


def overview(
    services: Services,
    text: str,
    *,
    corpus: str,
    recall_n: int,
    top_k: int,
    kinds: Sequence[ChunkKind] | None = None,
    summaries: bool = False,
    embedded: bool = False,
) -> tuple[list[Chunk], list[TableSchema]]:
    """Search as search() does, and add the best table chunks.

    The first decomposition uses the most relevant table content (TableRAG, section 3.3).
    """
    how = {"recall_n": recall_n, "top_k": top_k, "kinds": kinds, "summaries": summaries, "embedded": embedded}
    chunks, _ = search(services, text, corpus=corpus, **how)
    missing = OVERVIEW_TABLES - len({c.table_id for c in chunks if c.table_id})
    if missing > 0:
        recalled = services.retriever(corpus).search(text, recall_n, TABLE_KINDS)
        shown = {c.table_id for c in chunks}
        others = [c for c in recalled if c.table_id not in shown]
        chunks += services.reranker(corpus, embedded=embedded).rerank(text, others, missing)
    return _with_schemas(services, chunks, corpus)


def opening(
    services: Services,
    text: str,
    *,
    corpus: str,
    recall_n: int,
    top_k: int,
    kinds: Sequence[ChunkKind] | None = None,
    summaries: bool = False,
    embedded: bool = False,
) -> tuple[list[Chunk], list[TableSchema]]:
    """Return the ``top_k`` best chunks of text and the schemas of the best tables, each on their own, best first.

    It is what a conversation about a question begins with: a table is shown by its rows and not as a chunk.
    """
    recalled = services.retriever(corpus).search(text, recall_n, kinds)
    recalled += recall_summaries(services, corpus, text, recall_n) if summaries else []
    if not recalled and not services.catalog.documents(corpus):
        raise ConfigError(f"corpus {corpus!r} has no documents: run `tablerag ingest PATH --corpus {corpus}` first")
    ranked = services.reranker(corpus, embedded=embedded).rerank(text, recalled, len(recalled))
    texts = _near([c for c in ranked if c.kind == "text" and not _is_heading(c)], 1)[:top_k]
    tables = {c.table_id: c for c in reversed(ranked) if c.table_id}
    best = _raised(services, text, corpus, sorted(tables.values(), key=lambda c: -c.score))[:OPENING_TABLES]
    # A text that announces a table brings it.
    announced = [s.table_id for c in texts if ANNOUNCES.search(c.text) for s in _beside(services, c)]
    wanted = list(dict.fromkeys([*(c.table_id for c in best[:1]), *announced, *(c.table_id for c in best[1:])]))
    schemas = services.catalog.schemas_by_id(corpus, [i for i in wanted[:OPENING_TABLES] if i])
    schemas += [s for s in services.catalog.unsearched(corpus, text) if s.table_id not in {t.table_id for t in schemas}]
    schemas += neighbours(services.catalog, corpus, schemas)
    schemas += referenced(services.catalog, corpus, schemas)
    return texts, services.catalog.with_unions(corpus, usable(schemas))


def _raised(services: Services, text: str, corpus: str, ranked: Sequence[Chunk]) -> list[Chunk]:
    """Return the tables near the best one, those first that hold a value of several words as the question spells it."""
    by_id = {str(c.table_id): c for c in ranked[:MOST_COMPARED]}
    schemas = usable(services.catalog.schemas_by_id(corpus, list(by_id)))
    by_id = {s.table_id: by_id[s.table_id] for s in schemas}
    ids = {s.name: s.table_id for s in schemas}
    exact = [h for h in services.value_linker.hints(text, schemas, MOST_HINTS) if h.score >= 1 and " " in h.phrase]
    holding = {ids[h.table] for h in exact}
    first = max((c.score for c in ranked), default=0.0)
    scored = [(c.score + RAISED * first * (c.table_id in holding), c) for c in ranked if c.table_id in by_id]
    return _near([c for _, c in sorted(scored, key=lambda s: -s[0])], OVERVIEW_TABLES)


def _beside(services: Services, chunk: Chunk) -> list[TableSchema]:
    """Return the tables of a chunk's document, if they are few."""
    schemas = usable(services.catalog.schemas_of_document(chunk.document_id))
    return schemas if len(schemas) <= MOST_ANNOUNCED else []


def _near(chunks: Sequence[Chunk], least: int) -> list[Chunk]:
    """Return the chunks whose score is not far below the first's, but at least some."""
    return [c for i, c in enumerate(chunks) if i < least or c.score >= FAR * chunks[0].score]


def _is_heading(chunk: Chunk) -> bool:
    rest = chunk.text.replace(chunk.title, "").strip()
    return len(rest) < LEAST_TEXT and not SAYS.search(rest)


def _with_schemas(
    services: Services, chunks: Sequence[Chunk], corpus: str, further: Sequence[str] = (), tables: int = 0
) -> tuple[list[Chunk], list[TableSchema]]:
    """Map chunks to the schemas of their tables: the mapping f of the paper."""
    table_ids = list(dict.fromkeys(c.table_id for c in chunks if c.table_id))
    table_ids += [i for i in dict.fromkeys(further) if i not in table_ids][: max(0, tables - len(table_ids))]
    schemas = usable(services.catalog.schemas_by_id(corpus, table_ids))
    known = {s.table_id for s in schemas}
    schemas += neighbours(services.catalog, corpus, schemas)
    if tables:
        found = {s.table_id for s in schemas}
        schemas += [s for s in services.catalog.few_schemas(corpus, FEW_TABLES) if s.table_id not in found]
    offered = services.catalog.with_unions(corpus, usable(schemas))
    # A chunk without its table belongs to a document that is just being replaced.
    return [c for c in chunks if c.table_id is None or c.table_id in known], offered


def whole_table(services: Services, schema: TableSchema, most_rows: int) -> Frame:
    """Return the columns and the first ``most_rows`` rows of a table; raises the errors of run_sql()."""
    names = [c.name for c in schema.columns]
    listed = ", ".join(f"`{n}`" for n in names)
    guarded = guard(f"SELECT {listed} FROM `{schema.name}`", [schema], row_limit=most_rows - 1)
    return Frame(names, list(services.database.scan(guarded)))


def result_of(services: Services, sql: str, schemas: Sequence[TableSchema]) -> SqlResult:
    """Guard and run one SELECT, without what it was computed from; raise SqlRejected or SqlFailed."""
    return services.database.run(guard(without_excluded(sql, schemas), schemas, row_limit=services.settings.row_limit))


def run_sql(
    services: Services, sql: str, schemas: Sequence[TableSchema], *, of_stored: bool = False
) -> tuple[SqlResult, tuple[SupportingRows, ...]]:
    """Guard and run one SELECT over the given tables, and find the rows that its result was computed from.

    With ``of_stored``, a statement that selects only constants is refused: a value that a model remembers is not a
    result. Tables of a connected database that have changed are described again. Raises SqlRejected or SqlFailed, with
    a message that a model can act on.
    """
    return over_current(services, sql, schemas, lambda current: _ran(services, sql, current, of_stored=of_stored))


def _ran(
    services: Services, sql: str, schemas: Sequence[TableSchema], *, of_stored: bool
) -> tuple[SqlResult, tuple[SupportingRows, ...]]:
    guarded = guard(without_excluded(sql, schemas), schemas, row_limit=services.settings.row_limit)
    if of_stored and not shows_stored(guarded):
        raise SqlRejected("the statement selects only constants: select columns or aggregates of the tables")
    database, begun = services.database, time.monotonic()
    result = database.run(guarded)
    seconds = seconds_for_rows(guarded, result, schemas, time.monotonic() - begun, database.timeout_s)
    contributions = contributing_rows(guarded, result, schemas, database, seconds)
    supporting = supporting_rows(contributions.tables, schemas, database)
    receipt = receipt_for(guarded, result, schemas, contributions.tables)
    result = result.model_copy(update={"receipt": receipt})
    if is_empty(result, contributions.own_rows):
        reason = why_empty(guarded, schemas, database, services.value_linker.held)
        result = result.model_copy(update={"empty": reason})
    return result, supporting
