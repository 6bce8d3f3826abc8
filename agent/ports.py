"""Types of the tools that graphs bind to nodes."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from tablerag.agent.context import Context
from tablerag.agent.reasoning import Confirmed, Reasoner
from tablerag.tools.calculator import Calculation
from tablerag.tools.knowledge.mentions import Mention
from tablerag.tools.records import Chunk, JoinHint, SqlResult, SupportingRows, TableExtract, TableSchema, ValueHint

if TYPE_CHECKING:
    from tablerag.agent.model.baseline import BaselineModel

__all__ = [
    "Alternatives",
    "BaselineTools",
    "Calculate",
    "ConfirmedFor",
    "Contents",
    "Doubts",
    "Extracts",
    "Hints",
    "Joins",
    "Keep",
    "LeftOut",
    "Mentions",
    "ModelFor",
    "OtherTables",
    "Overview",
    "ReasonerFor",
    "RunProgram",
    "RunSql",
    "Search",
    "Tools",
    "Unmentioned",
    "Unread",
]

Calculate = Callable[[str], Calculation]
"""Evaluate a formula; raises FormulaRefused."""

ReasonerFor = Callable[[Context], Reasoner]
"""The reasoner that a run's context names."""

ModelFor = Callable[[Context], "BaselineModel"]
"""The baselines' model that a run's context names."""

Contents = Callable[[Context], tuple[str, int, Sequence[TableSchema]]]
"""A corpus's name, how many documents it holds, and its tables."""

LeftOut = Callable[[str, Context], Sequence[str]]
"""Notes on tables that match a question and that answers leave out."""

Search = Callable[[str, Context, str], tuple[Sequence[Chunk], Sequence[TableSchema]]]
"""Evidence for a subquery of a question: the reranked chunks and the schemas that they map to, best first."""

Overview = Callable[[str, Context], tuple[Sequence[Chunk], Sequence[TableSchema]]]
"""The same for a whole question, with tables in any case."""

Hints = Callable[[str, Sequence[TableSchema]], Sequence[ValueHint]]
"""Stored cell values that a text seems to mention."""

Extracts = Callable[[str, Sequence[TableSchema], Sequence[ValueHint], bool], Sequence[TableExtract]]
"""The rows of tables to show for a question, given the values that it mentions; fewer if a search found them later."""

Joins = Callable[[Sequence[TableSchema]], Sequence[JoinHint]]
"""Pairs of columns by which tables may be joined."""

RunSql = Callable[[str, Sequence[TableSchema]], tuple[SqlResult, Sequence[SupportingRows]]]
"""Guard and run one statement; raises SqlProblem with a message that may go back to the model."""

Doubts = Callable[[str, SqlResult, Sequence[TableSchema], str], Sequence[str]]
"""Where the statement of a result does not fit its question, given the text that was read so far."""

Alternatives = Callable[[str, SqlResult, Sequence[TableSchema]], Sequence[dict[str, str]]]
"""What the statement of a result gives over other tables with its columns: {table, title, source, answer, sql}."""

ConfirmedFor = Callable[[str, Context], Sequence[Confirmed]]
"""The confirmed questions that are nearest to a question."""

Keep = Callable[[str, str, str], Sequence[TableSchema]]
"""Run a statement and keep it as the confirmed one of a question in a corpus; return the tables that it reads.

Raises SqlProblem for one that is refused or fails, AccessDenied for a key that may not use the corpus."""

Mentions = Callable[[str, Context], Sequence[Mention]]
"""The words of a text that the corpus's knowledge.yaml explains."""

OtherTables = Callable[[Context], Sequence[TableSchema]]
"""The connected tables of the context's corpus; none if they are too many to list."""

Unmentioned = Callable[[str, Context], Sequence[str]]
"""The words of a text that no table of the context's corpus mentions."""

Unread = Callable[[str, Sequence[TableSchema]], Sequence[str]]
"""What to say of connected tables that a text may be about, and that could not be read."""

RunProgram = Callable[[str, Sequence[TableSchema]], Sequence[str]]
"""Run a program over whole tables in the sandbox; raises ProgramFailed with a message that may go back to the model."""


class Tools(Protocol):
    """The tools of TableRAG's graph; ``graphs.deployment.Deployment`` implements them over the stores.

    A tool may raise any TableRagError: SqlProblem goes back to the reasoner, all others end the run.
    """

    @property
    def reasoner_for(self) -> ReasonerFor: ...

    @property
    def contents(self) -> Contents: ...

    @property
    def overview(self) -> Overview: ...

    @property
    def search(self) -> Search: ...

    @property
    def hints(self) -> Hints: ...

    @property
    def extracts(self) -> Extracts: ...

    @property
    def joins(self) -> Joins: ...

    @property
    def run_sql(self) -> RunSql: ...

    @property
    def doubts(self) -> Doubts: ...

    @property
    def alternatives(self) -> Alternatives: ...

    @property
    def confirmed(self) -> ConfirmedFor: ...

    @property
    def keep(self) -> Keep: ...

    @property
    def mentions(self) -> Mentions: ...

    @property
    def other_tables(self) -> OtherTables: ...

    @property
    def left_out(self) -> LeftOut: ...

    @property
    def unmentioned(self) -> Unmentioned: ...

    @property
    def unread(self) -> Unread: ...


class BaselineTools(Tools, Protocol):
    """The tools of the baselines."""

    @property
    def model_for(self) -> ModelFor: ...

    @property
    def run_program(self) -> RunProgram: ...
