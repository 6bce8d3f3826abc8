"""Fakes for the public seams: a reasoner that says what it is told, evidence that is always there."""

from collections import deque
from collections.abc import Sequence
from typing import Any

from tablerag.agent.context import Context
from tablerag.agent.reasoning import (
    ConcludeTask,
    Confirmed,
    DecomposeTask,
    ResolveTask,
    SqlTask,
    Thought,
    Usage,
    ValidateTask,
)
from tablerag.tools.errors import SqlFailed
from tablerag.tools.knowledge.mentions import Mention
from tablerag.tools.records import (
    Chunk,
    Column,
    JoinHint,
    SqlResult,
    SupportingRows,
    TableExtract,
    TableSchema,
    ValueHint,
)

__all__ = ["SALES", "SALES_CHUNK", "FakeRuntime", "FakeTools", "ScriptedReasoner", "chunk"]

SALES = TableSchema(
    table_id="d1:t0",
    name="sales",
    columns=(
        Column(name="region", header="Region", type="text", examples=("North", "South")),
        Column(name="amount", header="Amount", type="integer", examples=("10", "20")),
    ),
    row_count=3,
    title="Sales",
    source="sales.csv",
    locator="rows 1-4",
    hidden_columns=("_row_id", "_source_row"),
)


def chunk(text: str, **fields: Any) -> Chunk:
    """Return a text chunk with sensible defaults."""
    defaults = {"id": "d2:0", "kind": "text", "document_id": "d2", "source": "notes.md"}
    return Chunk(text=text, **(defaults | fields))


SALES_CHUNK = chunk(
    "| Region | Amount |\n| --- | --- |\n| North | 10 |",
    id="d1:0",
    kind="table",
    document_id="d1",
    source="sales.csv",
    table_id="d1:t0",
)


class ScriptedReasoner:
    """Replies what was enqueued for each method, in order, and keeps the tasks it was given."""

    converses = False

    def __init__(self, name: str = "scripted") -> None:
        self.name = name
        self.history: list[Any] = []
        self._queues: dict[str, deque[Any]] = {
            m: deque() for m in ("resolve", "decompose", "write_sql", "cross_validate", "conclude")
        }

    def enqueue(self, method: str, *values: Any) -> "ScriptedReasoner":
        """Add replies to one method's queue; the last one is repeated for ever."""
        self._queues[method].extend(values)
        return self

    def _reply(self, method: str, task: Any) -> Thought[Any]:
        self.history.append(task)
        queue = self._queues[method]
        if not queue:
            raise AssertionError(f"{method} was asked but nothing is enqueued: {task}")
        return Thought(queue.popleft() if len(queue) > 1 else queue[0], Usage(1, 10, 2))

    def resolve(self, task: ResolveTask) -> Thought[Any]:
        return self._reply("resolve", task)

    def decompose(self, task: DecomposeTask) -> Thought[Any]:
        return self._reply("decompose", task)

    def write_sql(self, task: SqlTask) -> Thought[Any]:
        return self._reply("write_sql", task)

    def cross_validate(self, task: ValidateTask) -> Thought[Any]:
        return self._reply("cross_validate", task)

    def conclude(self, task: ConcludeTask) -> Thought[Any]:
        return self._reply("conclude", task)


class FakeTools:
    """Evidence, hints and a database with fixed contents; counts what it was asked."""

    def __init__(self, chunks: Sequence[Chunk] = (SALES_CHUNK,), schemas: Sequence[TableSchema] = (SALES,)) -> None:
        self.chunks, self.schemas = chunks, schemas
        self.searched: list[str] = []
        self.ran: list[str] = []
        self.results: list[SqlResult] = []
        """What statements that run return, each once; after them, one row."""
        self.missing: list[str] = []
        """Words that no table mentions."""
        self.set_aside: list[str] = []
        """Notes on tables that answers leave out."""

    def reasoner_for(self, context: Context) -> ScriptedReasoner:
        return ScriptedReasoner()

    def search(self, text: str, context: Context, question: str = "") -> tuple[Sequence[Chunk], Sequence[TableSchema]]:
        self.searched.append(text)
        return self.chunks, self.schemas

    overview = search

    def contents(self, context: Context) -> tuple[str, int, Sequence[TableSchema]]:
        return context.corpus or "default", 2, self.schemas

    def hints(self, text: str, schemas: Sequence[TableSchema]) -> list[ValueHint]:
        return [ValueHint(table="sales", column="region", value="North", phrase="north", score=1.0)]

    def extracts(
        self, text: str, schemas: Sequence[TableSchema], hints: Sequence[ValueHint], later: bool
    ) -> list[TableExtract]:
        return [TableExtract(table=s.name, columns=("region", "amount"), rows=(("North", 10),)) for s in schemas]

    def doubts(self, question: str, result: SqlResult, schemas: Sequence[TableSchema], told: str) -> list[str]:
        return []

    def alternatives(self, question: str, result: SqlResult, schemas: Sequence[TableSchema]) -> list[dict[str, str]]:
        return []

    def confirmed(self, text: str, context: Context) -> list[Confirmed]:
        return []

    def keep(self, question: str, sql: str, corpus: str) -> Sequence[TableSchema]:
        return self.schemas

    def mentions(self, text: str, context: Context) -> list[Mention]:
        return []

    def other_tables(self, context: Context) -> list[TableSchema]:
        return []

    def unread(self, text: str, schemas: Sequence[TableSchema]) -> list[str]:
        return []

    def left_out(self, text: str, context: Context) -> list[str]:
        return self.set_aside

    def unmentioned(self, text: str, context: Context) -> list[str]:
        return self.missing

    def joins(self, schemas: Sequence[TableSchema]) -> list[JoinHint]:
        return []

    def run_sql(self, sql: str, schemas: Sequence[TableSchema]) -> tuple[SqlResult, Sequence[SupportingRows]]:
        self.ran.append(sql)
        if "bad" in sql:
            raise SqlFailed("no such column: bad")
        if self.results:
            return self.results.pop(0), ()
        rows = SupportingRows(
            table="sales", columns=("region", "amount"), rows=(("North", 10),), row_ids=(1,), source_rows=(2,), total=1
        )
        return SqlResult(sql=sql, columns=("amount",), rows=((10,),)), (rows,)


class FakeRuntime:
    """The part of LangGraph's Runtime that nodes use."""

    def __init__(self, context: Context | None = None) -> None:
        self.context = context
        self.events: list[Any] = []
        self.stream_writer = self.events.append
