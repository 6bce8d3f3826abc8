"""The graph's state: input, output, and what nodes pass to each other.

Values are dicts and lists (``model_dump()`` of the records), so that any checkpointer can store them. Bounds are
integers that the routers compare.
"""

from typing import Annotated, Any

from langchain_core.messages import AnyMessage
from langgraph.channels import EphemeralValue
from langgraph.graph.message import add_messages
from pydantic import Field
from typing_extensions import TypedDict

from tablerag.agent.disagreement import Disagreement
from tablerag.agent.reasoning import Verdict
from tablerag.tools.records import Cell

__all__ = ["AnswerState", "InputState", "OutputState", "State", "StepState", "UsageState"]

Dumped = dict[str, Any]
"""A record's ``model_dump()``."""
ASKED = Field(
    title="Question",
    description="A question about the documents, in words: a total, an average, a count, a ranking, a comparison, or "
    "what a document says about something",
)
"""Schema of the question: Studio shows it, and the models of MCP clients read it."""


class UsageState(TypedDict):
    """The cost of the run's model calls so far."""

    calls: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    """Part of input_tokens."""


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
    supporting: list[Dumped]
    receipt: Dumped | None
    presented: Dumped | None
    """The result as it is shown (agent/presentation.py); None without one."""
    intermediate_answer: str
    verdict: Verdict
    reason: str
    agreement: str
    doubt: str
    """What the statement seems to leave out of the question."""
    approval: str
    """What a person decided about the statement: approved | edited | rejected; "" if nobody was asked."""
    cause: str
    cause_detail: str
    conflict_cause: Disagreement
    """Why SQL and text differ."""
    citations: list[Dumped]


class InputState(TypedDict, total=False):
    """The input: a question, or a conversation whose last human message is the question."""

    question: Annotated[str, ASKED, EphemeralValue(str)]
    """Forgotten after one step, so that a thread's next turn never sees the last turn's question."""
    messages: Annotated[list[AnyMessage], add_messages]


class AnswerState(TypedDict):
    """The answer alone, all of it written by finish: the output for programs that pass it on to a model."""

    question: Annotated[str, EphemeralValue(str)]
    """The question as it was asked."""
    answer: str
    verdict: Verdict
    """The verdict of the whole answer."""
    explanation: str
    sql: list[str]
    """The statements that ran, in order."""
    citations: list[Dumped]
    """{source, locator, quote} and the keys of its passage {chunk_id} or cells {table, row_ids, columns}."""
    cause: str
    """Why there is no answer: table_not_found | value_not_found | sql_failed | no_rows | empty_table |
    text_column | table_lost | unsure | not_in_tables; "" if there is one."""
    conflict_cause: Dumped
    """Why SQL and text differ, {cause, says}: the causes are those of agent/disagreement.py, or ""."""
    value: Cell
    """The computed value that the answer states, as it is stored; None if there are several, or none."""
    unit: str
    """The unit of the value: "EUR", "kg", "%"; "" if unknown."""
    scale: str
    """What the value is counted in: "thousand", "million"; "" for ones."""
    assumption: str
    """Which of several readings the answer takes; "" if there is only one."""
    alternatives: list[Dumped]
    """What the same statement gives over other tables, as {table, title, source, answer, sql}."""
    ask: Dumped | None
    """A question back to the user, {question, choices}, if there is no answer before it is answered."""


class OutputState(AnswerState):
    """The output, and what a served stream shows."""

    understood: str
    """Written by understand: the standalone question, with a follow-up's references resolved."""
    messages: Annotated[list[AnyMessage], add_messages]
    """Written by understand (a question that came without a message), by retrieve and cross_validate (tool calls that
    chat clients draw), and by finish: the answer."""
    steps: list[StepState]
    """Written by cross_validate: one entry per iteration."""
    raw: str
    """Written by finish: the answer as the reasoner gave it, without units and separators: evaluations score it."""
    table: Dumped | None
    """Written by finish: the AnswerTable behind the answer; None if it is from text."""
    chart: Dumped | None
    """Written by finish: the result's Chart, if it is a series."""
    iterations: int
    """Written by finish: how many iterations it took."""
    stopped_by: str
    """Written by finish: answered | iteration_limit | budget | no_evidence."""
    readings: list[Dumped]
    """Written by nl2sql, emptied by finish if there is an answer: what the question may mean, likeliest first, as
    {meaning, sql, text, value, unit, columns, rows, row_count}."""
    model: str
    """Written by understand: the reasoner's name."""
    usage: UsageState
    """Written by every node that asks the reasoner."""


class State(OutputState):
    """The nodes' shared state."""

    asked: str
    """Written by understand: the question as it was asked."""
    history: list[dict[str, str]]
    """Written by finish: {question, understood, answer} of the thread's turns; asides are left out."""
    overview_chunks: list[Dumped]
    """Written by decompose in the first iteration: the chunks that the question itself retrieves; retrieve adds what
    searches find."""
    overview_schemas: list[Dumped]
    """The same of schemas."""
    offered: Dumped | None
    """Written by nl2sql, removed by finish if there is an answer: the last readings of the thread with their question
    and tables, for a message that chooses."""
    chosen: Dumped | None
    """Written by understand, the reading that the message chooses; by decompose and confirm, a person's statement.
    Removed by nl2sql, where another takes its place."""
    examples: list[str]
    """Written by decompose: the confirmed questions that a model is shown, each with its statement."""
    confirmed_sql: list[str]
    """Their statements."""
    set_aside: str
    """Written by nl2sql: that a person's statement for this question failed."""
    iteration: int
    """Written by decompose: which iteration is running, from 1."""
    subquery: str | None
    """Written by decompose: None when enough is known."""
    dialogue: list[dict[str, str]]
    """Written by every node that asks a model: {role, text} of the question's conversation, which only grows."""
    plan: Dumped | None
    """Written by decompose, and by nl2sql where another step takes a statement's place: the Subquery of this
    iteration with its statement or search, if the reasoner gave one."""
    next: Dumped | None
    """Written by cross_validate: the Subquery of the next iteration, if the reasoner decided on it already."""
    settled: Dumped | None
    """Written by decompose and nl2sql: the Validation of this iteration, if the reasoner gave it at once."""
    found: list[str]
    """Written by retrieve: the ids of the chunks that the conversation does not show yet."""
    shown_whole: list[str]
    """Written by decompose and retrieve: the ids of the chunks that the conversation shows whole."""
    extracts: list[Dumped]
    """Written by retrieve: the TableExtracts that it does not show yet."""
    draft: Dumped | None
    """Written by decompose: the fields of Enough; by understand: the reply to an aside; by cross_validate:
    the answer of a chosen reading."""
    chunks: list[Dumped]
    """Written by retrieve: the subquery's evidence."""
    schemas: list[Dumped]
    """Written by retrieve: S_t, the schemas that its chunks map to."""
    candidate_sql: str | None
    """Written by nl2sql: the statement to run next; None when the tables cannot answer."""
    meaning: str
    """Written by nl2sql: what the statement computes, in the document's words; "" if the reasoner does not say."""
    notes: list[str]
    """Written by nl2sql: how words of the question were read by knowledge.yaml."""
    is_confirmed: bool
    """Written by nl2sql: whether people have confirmed the statement for this question."""
    other_candidates: list[str]
    """Written by nl2sql: further statements, if several are asked for."""
    approve_sql: bool
    """Written by understand, since a resumed run has no context: whether statements wait for a person."""
    pause_to_ask: bool
    """Written by understand: whether a question back to the user pauses the run."""
    confirm_answers: bool
    """Written by understand, and by confirm once a person has replied: whether an answer waits to be confirmed."""
    corpus: str
    """Written by understand: the context's corpus, "" for the default one."""
    told: str
    """Written by ask_back: what a person replied to it, until decompose has passed it on."""
    approval: str
    """Written by approve: approved | edited | rejected."""
    agreement: str
    """Written by execute: how many of several statements came to the result."""
    attempts: list[dict[str, str]]
    """Written by execute: {sql, error} of this subquery's statements that did not run."""
    unmentioned: list[str]
    """Written by nl2sql: words of the question that no table mentions, if the tables cannot answer."""
    sql_error: str | None
    """Written by nl2sql and execute: why there is no SQL result."""
    refusal: str
    """Written by nl2sql: the cause, if the reasoner found what is wrong with a table: empty_table, text_column ..."""
    result: Dumped | None
    """Written by execute: the SqlResult."""
    supporting: list[Dumped]
    """Written by execute: the SupportingRows behind the result."""
    doubt: str
    """Written by execute: what the statement seems to leave out of the question, although it was sent again."""
    missing: str | None
    """Written by execute: which value of the statement is in no table."""
    max_iterations: int
    """Written by understand."""
    max_sql_repairs: int
    """Written by understand."""
