"""The shapes of the tools that graphs bind to nodes."""

from collections.abc import Callable, Sequence

from tablerag.agent.context import Context
from tablerag.agent.reasoning import Reasoner
from tablerag.tools.calculator import Calculation
from tablerag.tools.records import Chunk, JoinHint, SqlResult, SupportingRows, TableSchema, ValueHint

__all__ = ["Calculate", "Contents", "Hints", "Joins", "Overview", "ReasonerFor", "RunProgram", "RunSql", "Search"]

Calculate = Callable[[str], Calculation]
"""Evaluate a formula; raises FormulaRefused."""

ReasonerFor = Callable[[Context], Reasoner]
"""The reasoner that a run's context names."""

Contents = Callable[[Context], tuple[str, int, Sequence[TableSchema]]]
"""A corpus's name, how many documents it holds, and its tables."""

Search = Callable[[str, Context, str], tuple[Sequence[Chunk], Sequence[TableSchema]]]
"""Evidence for a subquery of a question: the reranked chunks and the schemas that they map to, best first."""

Overview = Callable[[str, Context], tuple[Sequence[Chunk], Sequence[TableSchema]]]
"""The same for a whole question, with tables in any case."""

Hints = Callable[[str, Sequence[TableSchema]], Sequence[ValueHint]]
"""Stored cell values that a text seems to mention."""

Joins = Callable[[Sequence[TableSchema]], Sequence[JoinHint]]
"""Pairs of columns by which tables may be joined."""

RunSql = Callable[[str, Sequence[TableSchema]], tuple[SqlResult, Sequence[SupportingRows]]]
"""Guard and run one statement; raises SqlProblem with a message that may go back to the model."""

RunProgram = Callable[[str, Sequence[TableSchema]], Sequence[str]]
"""Run a program over whole tables in the sandbox; raises ProgramFailed with a message that may go back to the model."""
