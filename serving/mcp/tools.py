"""What the MCP tools do, over the services of the caller. None of them writes."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass

from tablerag.answer import Answer, AnswerEvent
from tablerag.async_client import AsyncTableRAG
from tablerag.client import TableRAG
from tablerag.ingestion.refreshing import refreshing
from tablerag.serving.mcp.arguments import AskArguments, DescribeTable, ListTables, RunSql, SearchDocuments
from tablerag.serving.mcp.replies import (
    AskReply,
    DescribedColumn,
    DescribedTable,
    FoundPassage,
    ListedTable,
    Passages,
    SqlRows,
    Tables,
)
from tablerag.serving.results import tables_of
from tablerag.serving.tables import exact, shown_tables
from tablerag.tools.access.corpora import known_corpora
from tablerag.tools.counting import counted
from tablerag.tools.errors import ConfigError
from tablerag.tools.evidence import run_sql as run_statement
from tablerag.tools.evidence import search
from tablerag.tools.records import Cell, Column, TableSchema
from tablerag.tools.services import Services

__all__ = ["Caller", "Told", "ask", "describe_table", "list_tables", "run_sql", "search_documents"]

Told = Callable[[str], Awaitable[None]]
"""Told what a question is at."""
AT = {
    "turn": "reading the question",
    "subquery": "looking for tables and passages",
    "evidence": "reading what was found",
    "sql": "running SQL",
    "sql_error": "correcting the SQL",
    "rows": "checking the result",
    "retry": "waiting for the model",
}
"""By the type of event. Fixed words: those of documents belong in results only."""
RECALLED = 30
MOST_CELL_CHARS, MOST_EXAMPLE_CHARS, MOST_PASSAGE_CHARS = 2_000, 200, 6_000
MOST_RESULT_CHARS = 100_000
"""What a result's cells may have together."""
SHOWN_CHARS = 60


@dataclass(frozen=True)
class Caller:
    """Who calls: the services as they may see them, and what they use if they name nothing."""

    services: Services
    owner: str | None = None
    """The owner of the caller's API key; None where no key is needed."""
    corpus: str = ""
    model: str = ""

    def corpora(self) -> list[str]:
        """Return the corpora that the caller may name."""
        return known_corpora(self.services.settings, self.services.catalog, self.owner)

    def corpus_of(self, named: str) -> str:
        """Return a corpus, the default one for ""; raise ConfigError for one that the caller does not have."""
        corpus, known = named or self.corpus or self.services.settings.corpus, self.corpora()
        if corpus not in known:
            expected = f"expected one of {', '.join(map(repr, known))}" if known else "there is none"
            raise ConfigError(f"unknown corpus {corpus[:SHOWN_CHARS]!r}: {expected}")
        return corpus


async def ask(caller: Caller, given: AskArguments, corpus: str, tell: Told) -> AskReply:
    """Answer a question; cancelled, it ends with the step that it is at."""
    rag = AsyncTableRAG.over(caller.services, corpus=corpus, model=caller.model)
    async for event in rag.stream(given.question):
        if isinstance(event, AnswerEvent):
            return _reply(event.answer, corpus)
        if at := AT.get(event.type):
            await tell(at)
    raise AssertionError("a stream ends with the answer")


def _reply(answer: Answer, corpus: str) -> AskReply:
    said = answer.to_dict()
    said["readings"] = [r | {"value": exact(r["value"])} for r in said["readings"]]
    if said["table"]:
        said["table"]["rows"] = [[exact(c) for c in row] for row in said["table"]["rows"]]
    return AskReply.model_validate(said | {"corpus": corpus, "found": answer.found, "value": exact(answer.value)})


def list_tables(caller: Caller, given: ListTables, corpus: str) -> Tables:
    """Return a page of the tables of a corpus; raise ConfigError if it has no documents."""
    every = shown_tables(caller.services, corpus)
    if not every and not caller.services.catalog.documents(corpus):
        raise ConfigError(f"corpus {corpus!r} has no documents: run `tablerag ingest PATH --corpus {corpus}` first")
    words = given.matching.casefold().split()
    found = [s for s in every if _is_named_by(s, words)]
    end = given.offset + given.limit
    listed = [
        ListedTable(
            name=s.name, title=s.title, source=s.source, locator=s.locator, rows=s.row_count, columns=len(s.columns)
        )
        for s in found[given.offset : end]
    ]
    return Tables(
        corpus=corpus,
        corpora=caller.corpora(),
        total=len(found),
        offset=given.offset,
        tables=listed,
        next_offset=end if end < len(found) else None,
    )


def _is_named_by(schema: TableSchema, words: Sequence[str]) -> bool:
    said = "\n".join((schema.name, schema.title, schema.source, *(c.header for c in schema.columns))).casefold()
    return all(word in said for word in words)


def describe_table(caller: Caller, given: DescribeTable, corpus: str) -> DescribedTable:
    """Return a table with its columns; raise ConfigError for an unknown one."""
    schema = TableRAG.over(caller.services, corpus=corpus).describe(given.name)
    if caller.services.knowledge.of(corpus):
        schema = next((s for s in shown_tables(caller.services, corpus) if s.name == schema.name), schema)
    return DescribedTable(
        corpus=corpus,
        name=schema.name,
        title=schema.title,
        source=schema.source,
        locator=schema.locator,
        row_count=schema.row_count,
        columns=[_column(schema, c) for c in schema.columns],
        hidden_columns=list(schema.hidden_columns),
        members=[m.name for m in schema.members],
        warnings=list(schema.warnings),
    )


def _column(schema: TableSchema, column: Column) -> DescribedColumn:
    return DescribedColumn(
        name=column.name,
        header=column.header,
        type=column.type,
        kind=column.kind,
        unit=column.unit,
        scale=column.scale,
        description=schema.meaning(column),
        examples=[_shortened(e, MOST_EXAMPLE_CHARS) for e in column.examples],
        unfit=column.unfit,
        companions=[name for name, _ in column.companions()],
    )


def run_sql(caller: Caller, given: RunSql, corpus: str) -> SqlRows:
    """Run one SELECT; raises SqlProblem with the reason if it is refused or fails, or reads no table."""
    services = refreshing(caller.services)
    result, _ = run_statement(services, given.sql, tables_of(services, corpus), of_stored=True)
    rows, shortened = [], 0
    for row in _fitting(result.rows[: given.limit]):
        shortened += sum(isinstance(c, str) and len(c) > MOST_CELL_CHARS for c in row)
        rows.append([_shortened(c, MOST_CELL_CHARS) if isinstance(c, str) else exact(c) for c in row])
    cut = []
    if len(rows) < len(result.rows) or result.truncated:
        whole = f"{'more than ' if result.truncated else ''}{len(result.rows):,} rows"
        cut.append(f"{len(rows):,} of {whole}: aggregate or filter in SQL, or raise limit.")
    if shortened:
        cut.append(f"{counted(shortened, 'cell')} cut to {MOST_CELL_CHARS:,} characters.")
    return SqlRows(
        corpus=corpus,
        sql=result.sql,
        columns=list(result.columns),
        rows=rows,
        truncated=len(rows) < len(result.rows) or result.truncated,
        cut=cut,
        empty_because=result.empty.says if result.empty else "",
        tables=list(result.receipt.tables) if result.receipt else [],
        sources=list(result.receipt.sources) if result.receipt else [],
    )


def _fitting(rows: Sequence[tuple[Cell, ...]]) -> Iterator[tuple[Cell, ...]]:
    """Yield the first rows that have at most MOST_RESULT_CHARS together, but at least one."""
    room = MOST_RESULT_CHARS
    for number, row in enumerate(rows):
        room -= sum(min(len(str(c)), MOST_CELL_CHARS) + 4 for c in row)
        if room < 0 and number:
            return
        yield row


def search_documents(caller: Caller, given: SearchDocuments, corpus: str) -> Passages:
    """Return the passages and parts of tables that match best; raise ConfigError for an empty query or corpus."""
    if not given.query.strip():
        raise ConfigError("query must not be empty: say what to look for, in words")
    found, schemas = search(caller.services, given.query, corpus=corpus, recall_n=RECALLED, top_k=given.limit)
    names: dict[str | None, str] = {s.table_id: s.name for s in schemas}
    return Passages(
        corpus=corpus,
        passages=[
            FoundPassage(
                source=c.source,
                locator=c.locator,
                title=c.title,
                text=_shortened(c.text, MOST_PASSAGE_CHARS),
                table=names.get(c.table_id, ""),
                cut=len(c.text) > MOST_PASSAGE_CHARS,
            )
            for c in found[: given.limit]
        ],
    )


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
