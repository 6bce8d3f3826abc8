"""The Reasoner protocol, implemented by chat models and by the embedded reasoner.

Each method takes one task with all that it may know, and returns a Thought: the value and its cost.
A refusal is a type (CannotAnswer), not a magic string.
"""

from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeVar

from tablerag.agent.disagreement import ConflictCause
from tablerag.tools.knowledge.mentions import Mention
from tablerag.tools.number_words import AnswerScale
from tablerag.tools.records import (
    Chunk,
    Citation,
    JoinHint,
    SqlResult,
    SupportingRows,
    TableExtract,
    TableSchema,
    ValueHint,
)

__all__ = [
    "AskBack",
    "CannotAnswer",
    "Conclusion",
    "Confirmed",
    "ConcludeTask",
    "DecomposeTask",
    "Enough",
    "NoQuestion",
    "Purpose",
    "Reading",
    "Reasoner",
    "ResolveTask",
    "Said",
    "Scale",
    "Standalone",
    "SqlAttempt",
    "SqlQuery",
    "SqlTask",
    "Step",
    "Subquery",
    "TextReading",
    "Thought",
    "Turn",
    "Usage",
    "ValidateTask",
    "Validation",
    "Verdict",
]

Verdict = Literal["agree", "conflict", "sql_only", "text_only", "none"]
"""SQL result and text agree; differ; only one of them answers; neither does."""

Scale = AnswerScale
"""What an answer's number is counted in."""

StoppedBy = Literal["", "budget"]
"""Why the model was not asked any more; "" if it was."""

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Usage:
    """The cost of a thought."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    """Those of the input tokens that the server had cached, and charges less for."""

    @property
    def tokens(self) -> int:
        """All tokens, read and written."""
        return self.input_tokens + self.output_tokens

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cached_tokens + other.cached_tokens,
        )


@dataclass(frozen=True, slots=True)
class Said:
    """One message of the conversation with a model about one question; later calls only add to it."""

    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Thought(Generic[T_co]):
    """A reasoner's reply."""

    value: T_co
    usage: Usage = Usage()
    said: tuple[Said, ...] = ()
    """What it adds to the conversation."""


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier question of the same conversation, as it was understood, and its answer."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Confirmed:
    """A question that a person has confirmed an answer of, near to the one that is asked."""

    question: str
    sql: str
    """Its statement; with the values and periods of the question asked, if that is the same question."""
    is_same: bool
    note: str
    """Who confirmed it, when and where it stands."""
    likeness: float = 0.0
    """Of the two questions, from 0 to 1."""
    adapted: str = ""
    """The statement with the values and periods of the question asked, if they have a place in it and differ."""

    @property
    def failing(self) -> str:
        """What to say if the statement does not run any more: its tables have changed."""
        as_said = self.note[:1].lower() + self.note[1:].removesuffix(".")
        return f"Not {as_said}: that statement fails now, see `tablerag knowledge check`."


@dataclass(frozen=True, slots=True)
class Step:
    """One finished iteration, as later ones see it."""

    subquery: str
    intermediate_answer: str
    verdict: Verdict
    reason: str = ""
    sql: str | None = None
    result: SqlResult | None = None


# understand


@dataclass(frozen=True, slots=True)
class ResolveTask:
    """Rewrite a message of a conversation as a standalone question."""

    question: str
    history: tuple[Turn, ...]
    """Earlier turns, oldest first; at least one."""
    hints: tuple[ValueHint, ...] = ()
    """Stored values that the message seems to mention, in the tables that the conversation is about."""
    earlier: tuple[ValueHint, ...] = ()
    """The same for the last turn's question."""
    schemas: tuple[TableSchema, ...] = ()


@dataclass(frozen=True, slots=True)
class Standalone:
    """The standalone question; unchanged if the message was one already."""

    text: str


@dataclass(frozen=True, slots=True)
class NoQuestion:
    """The message is not a question about the documents."""


# decompose


@dataclass(frozen=True, slots=True)
class DecomposeTask:
    """Decide on the next step, or that enough is known."""

    question: str
    schemas: tuple[TableSchema, ...]
    """Schemas of the tables that the question itself retrieves, best first."""
    chunks: tuple[Chunk, ...]
    """The chunks that the question itself retrieves, best first."""
    steps: tuple[Step, ...] = ()
    iterations_left: int = 5
    extracts: tuple[TableExtract, ...] = ()
    """Rows of those tables."""
    hints: tuple[ValueHint, ...] = ()
    joins: tuple[JoinHint, ...] = ()
    other_tables: tuple[TableSchema, ...] = ()
    """Connected tables whose rows are not shown: a statement may read them, and a search shows them."""
    mentions: tuple[Mention, ...] = ()
    """Words of the question that knowledge.yaml explains."""
    confirmed: tuple[Confirmed, ...] = ()
    """Confirmed questions near to it, nearest first."""
    told: str = ""
    """What the user replied to a question back, which the conversation so far ends with."""
    dialogue: tuple[Said, ...] = ()


Purpose = Literal["answer", "part", "bridge"]
"""What a statement is for: its result is the answer; a part of it; or names that are looked up in the texts."""


@dataclass(frozen=True, slots=True)
class Subquery:
    """The next step: a question for the evidence, standalone, with full names.

    A reasoner that sees the tables may give its statement at once, or what to search for.
    """

    text: str
    sql: str = ""
    purpose: Purpose = "answer"
    find: tuple[str, ...] = ()
    """Names or phrases, each searched for on its own, instead of a statement."""
    assumption: str = ""
    """Which of several readings the statement takes, in one line; "" if there is only one."""
    unit: str = ""
    """Scale and unit of the result, such as "thousand EUR", where the tables do not tell them."""


@dataclass(frozen=True, slots=True)
class AskBack:
    """The question cannot be answered before the user says which of several things is meant."""

    question: str
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Enough:
    """Enough is known; ``answer`` is the final answer, "" if the question cannot be answered."""

    answer: str
    reason: str = ""
    stopped_by: StoppedBy = ""


# nl2sql


@dataclass(frozen=True, slots=True)
class SqlAttempt:
    """A statement of this subquery that did not run, and why."""

    sql: str
    error: str


@dataclass(frozen=True, slots=True)
class SqlTask:
    """Write one SELECT in MySQL's dialect over the given schemas."""

    question: str
    subquery: str
    schemas: tuple[TableSchema, ...]
    hints: tuple[ValueHint, ...] = ()
    attempts: tuple[SqlAttempt, ...] = ()
    joins: tuple[JoinHint, ...] = ()
    others: tuple[str, ...] = ()
    """Statements already written for this subquery; a different approach is wanted."""
    may_run: bool = True
    """Whether readings may be run to offer their results; False where a person approves every statement."""
    dialogue: tuple[Said, ...] = ()
    """The conversation so far, if the tables were shown in it."""
    steps_left: int = 0
    chunks: tuple[Chunk, ...] = ()
    """The chunks shown so far: an answer may cite them instead."""
    mentions: tuple[Mention, ...] = ()
    confirmed: tuple[Confirmed, ...] = ()


@dataclass(frozen=True, slots=True)
class SqlQuery:
    """One statement, not yet guarded; ``meaning`` is what it computes, in the document's words, "" if unknown."""

    sql: str
    meaning: str = ""
    purpose: Purpose = "answer"
    notes: tuple[str, ...] = ()
    """How words of the question were read by knowledge.yaml."""
    set_aside: str = ""
    """As in CannotAnswer."""
    is_confirmed: bool = False
    """Whether people have confirmed it for this question: a text may contradict its result, not replace it."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a question: what it computes, in the document's words, the statement, and its result."""

    meaning: str
    sql: str
    result: SqlResult


@dataclass(frozen=True, slots=True)
class TextReading:
    """An answer that a sentence may give, and the chance that it is right."""

    answer: str
    citation: Citation
    chance: float


@dataclass(frozen=True, slots=True)
class CannotAnswer:
    """No statement for the subquery is reliable; ``readings`` are up to three that it may mean, likeliest first."""

    reason: str
    readings: tuple[Reading, ...] = ()
    unread: tuple[str, ...] | None = None
    """The words of the question that fit nothing in the tables; None if that is unknown."""
    instead: "Subquery | Validation | None" = None
    """What is done in place of a statement: a search, or the answer."""
    cause: str = ""
    """What is wrong with the table that is meant, one of agent/causes.py; "" if the question is not understood."""
    set_aside: str = ""
    """That a person's statement for this question fails now; "" if none does."""


# cross_validate


@dataclass(frozen=True, slots=True)
class ValidateTask:
    """Compare the SQL result with the chunks."""

    question: str
    subquery: str
    chunks: tuple[Chunk, ...]
    result: SqlResult | None = None
    supporting: tuple[SupportingRows, ...] = ()
    schemas: tuple[TableSchema, ...] = ()
    """Of the tables that the statement could read."""
    error: str | None = None
    """Why there is no result: the guard's or the database's message, or the reason of CannotAnswer."""
    meaning: str = ""
    """What the statement computes, in the document's words; "" if unknown."""
    purpose: Purpose = "answer"
    assumption: str = ""
    unit: str = ""
    """Of the result, as the reasoner says."""
    found: tuple[Chunk, ...] = ()
    """Those of the chunks that no message of the conversation shows yet."""
    extracts: tuple[TableExtract, ...] = ()
    """Rows of the tables that no message shows yet."""
    joins: tuple[JoinHint, ...] = ()
    """How those may be joined to one another and to the tables shown before."""
    steps: tuple[Step, ...] = ()
    steps_left: int = 0
    dialogue: tuple[Said, ...] = ()
    alternatives: tuple[tuple[str, str], ...] = ()
    """What the same statement gives over other tables: the table's name and the answer."""
    asked: str = ""
    """What the user wrote in this conversation; a question that a model rewrote may hold a text's figure."""
    is_confirmed: bool = False
    """As in SqlQuery."""


@dataclass(frozen=True, slots=True)
class Validation:
    """The subquery's intermediate answer ("" if there is none) and its support."""

    intermediate_answer: str
    verdict: Verdict
    reason: str
    citations: tuple[Citation, ...] = ()
    """Text citations only; the node adds those of the SQL rows."""
    cause: ConflictCause = ""
    """Cause of a conflict in the reasoner's view; arithmetic causes are found without it."""
    formula: str = ""
    """Formula for the calculator, if the answer is computed from figures in the text; else ""."""
    readings: tuple[TextReading, ...] = ()
    """Without an answer: what the text may answer, likeliest first."""
    final: bool = False
    """Whether nothing is left to do: the intermediate answer is the answer, or there is none."""
    next: Subquery | None = None
    """The next step, if the reasoner decided on it already."""
    assumption: str = ""
    ask: AskBack | None = None


# finish


@dataclass(frozen=True, slots=True)
class ConcludeTask:
    """Answer from the steps after the limit of iterations was reached."""

    question: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The final answer ("" if the steps give none) and one or two sentences of explanation."""

    answer: str
    explanation: str
    stopped_by: StoppedBy = ""


class Reasoner(Protocol):
    """A model or the embedded reasoner. Stateless; deterministic for the same task as far as its model allows.

    Raises ModelUnavailable if the model cannot be reached and ReplyInvalid if its replies stay invalid after a retry;
    never raises for a question that it cannot answer.
    """

    name: str
    """Either "offline" or "<provider>:<model>": shown with every answer."""
    converses: bool
    """Whether it is shown rows of tables and keeps a conversation, as a model."""

    def resolve(self, task: ResolveTask) -> Thought[Standalone | NoQuestion]: ...

    def decompose(self, task: DecomposeTask) -> Thought[Subquery | Enough | Validation]: ...

    def write_sql(self, task: SqlTask) -> Thought[SqlQuery | CannotAnswer]: ...

    def cross_validate(self, task: ValidateTask) -> Thought[Validation]: ...

    def conclude(self, task: ConcludeTask) -> Thought[Conclusion]: ...
