"""The graph's state: input, output, and what nodes pass to each other.

Values are plain dicts and lists (``model_dump()`` of the records), so that any checkpointer can store
them. Bounds are plain integers that the routers compare.
"""

from typing import Annotated, Any

from langchain_core.messages import AnyMessage
from langgraph.channels import EphemeralValue
from langgraph.graph.message import add_messages
from pydantic import Field
from typing_extensions import TypedDict

from tablerag.agent.disagreement import Disagreement
from tablerag.agent.reasoning import Verdict

__all__ = ["AnswerState", "InputState", "OutputState", "State", "StepState", "UsageState"]

Plain = dict[str, Any]
"""A record as a plain dict."""
ASKED = Field(
    title="Question",
    description="A question about the documents, in words: a total, an average, a count, a ranking, a comparison, or "
    "what a document says about something",
)
"""What schemas say of the question: Studio shows it, and MCP clients' models read it."""


class UsageState(TypedDict):
    """What the run's model calls cost so far."""

    calls: int
    input_tokens: int
    output_tokens: int


class StepState(TypedDict):
    """One finished iteration, as shown to callers."""

    iteration: int
    subquery: str
    tables: list[str]
    sql: str | None
    error: str | None
    columns: list[str]
    rows: list[list[Any]]
    truncated: bool
    supporting: list[Plain]
    receipt: Plain | None
    intermediate_answer: str
    verdict: Verdict
    reason: str
    agreement: str
    approval: str
    """What a person said to the statement: approved | edited | rejected; "" where nobody was asked."""
    cause: str
    cause_detail: str
    conflict_cause: Disagreement
    """Why SQL and text differ."""
    citations: list[Plain]


class InputState(TypedDict, total=False):
    """What a caller gives: a question, or a conversation whose last human message is the question."""

    question: Annotated[str, ASKED, EphemeralValue(str)]
    """Forgotten after one step, so that a thread's next turn never sees the last turn's question."""
    messages: Annotated[list[AnyMessage], add_messages]


class AnswerState(TypedDict):
    """The answer alone, all of it written by finish: what a program that passes it on to a model gets."""

    question: Annotated[str, EphemeralValue(str)]
    """The question as it was asked."""
    answer: str
    verdict: Verdict
    """Of the step that the answer rests on."""
    explanation: str
    sql: list[str]
    """The statements that ran, in order."""
    citations: list[Plain]
    """{source, locator, quote} and what opens it: {chunk_id}, or {table, row_ids, columns}."""
    cause: str
    """Why there is no answer: table_not_found | value_not_found | sql_failed | no_rows | not_in_tables; "" where there
    is one."""
    conflict_cause: Plain
    """Why SQL and text differ, {cause, says}: the causes are those of agent/disagreement.py, or ""."""


class OutputState(AnswerState):
    """What a caller gets, and what a served stream shows."""

    understood: str
    """Written by understand: the question as it is put to the documents, follow-ups spelled out."""
    messages: Annotated[list[AnyMessage], add_messages]
    """Written by understand (a question that came without a message), by retrieve and cross_validate (tool calls that
    chat clients draw), and by finish: the answer."""
    steps: list[StepState]
    """Written by cross_validate: one entry per iteration."""
    iterations: int
    """Written by finish: how many iterations it took."""
    stopped_by: str
    """Written by finish: answered | iteration_limit | no_evidence."""
    model: str
    """Written by understand: the reasoner's name."""
    usage: UsageState
    """Written by every node that asks the reasoner."""


class State(OutputState):
    """All that the nodes share."""

    asked: str
    """Written by understand: the question as it was asked."""
    history: list[dict[str, str]]
    """Written by finish: {question, understood, answer} of the thread's turns; asides are left out."""
    overview_chunks: list[Plain]
    """Written by decompose in the first iteration: the chunks that the question itself retrieves."""
    overview_schemas: list[Plain]
    """Written by decompose in the first iteration: the schemas behind them."""
    iteration: int
    """Written by decompose: which iteration is running, from 1."""
    subquery: str | None
    """Written by decompose: None when enough is known."""
    draft: Plain | None
    """Written by decompose: the answer and reason of Enough; by understand: the reply to an aside."""
    chunks: list[Plain]
    """Written by retrieve: the subquery's evidence."""
    schemas: list[Plain]
    """Written by retrieve: S_t, the schemas that its chunks map to."""
    candidate_sql: str | None
    """Written by nl2sql: the statement to run next; None when the tables cannot answer."""
    other_candidates: list[str]
    """Written by nl2sql: statements that were written beside it, where several are asked for."""
    approve_sql: bool
    """Written by understand, since a resumed run has no context: whether statements wait for a person."""
    approval: str
    """Written by approve: approved | edited | rejected."""
    agreement: str
    """Written by execute: how many of several statements came to the result."""
    attempts: list[dict[str, str]]
    """Written by execute: {sql, error} of this subquery's statements that did not run."""
    sql_error: str | None
    """Written by nl2sql and execute: why there is no SQL result."""
    result: Plain | None
    """Written by execute: the SqlResult."""
    supporting: list[Plain]
    """Written by execute: the SupportingRows behind the result."""
    missing: str | None
    """Written by execute: which value that the statement names is stored nowhere."""
    max_iterations: int
    """Written by understand."""
    max_sql_repairs: int
    """Written by understand."""
