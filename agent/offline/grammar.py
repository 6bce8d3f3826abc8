"""What programs are composed of: a question's cues, a table's columns, and row sets."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tablerag.agent.offline.cues import Cue
from tablerag.agent.offline.execution import Evaluator
from tablerag.agent.offline.mention import Mention, QuestionWords
from tablerag.agent.offline.program import Operation, Program
from tablerag.agent.offline.row_sets import RowSet
from tablerag.agent.offline.table_view import ColumnView

__all__ = ["Composed", "Grammar"]

Composed = Iterator[tuple[Program, tuple[Mention, ...]]]
"""Programs, each with the mentions that its conditions come from."""


@dataclass
class Grammar:
    """The parts to compose programs from."""

    question: QuestionWords
    evaluator: Evaluator
    cues: frozenset[Cue]
    columns: Sequence[ColumnView]
    """The columns to use, those that the question names first."""
    sets: Sequence[RowSet]
    measured: list[ColumnView] = field(init=False)
    """Columns to rank by."""
    numbers: list[ColumnView] = field(init=False)
    """Columns to sum."""

    def __post_init__(self) -> None:
        self.view = self.evaluator.view
        self.measured = [c for c in self.columns if c.measure]
        self.numbers = [c for c in self.measured if not c.is_date and c.column.kind != "id"]

    def program(self, operation: Operation, column: str = "", **more: Any) -> Program:
        """Return a program over this table."""
        return Program(self.view.schema.name, operation, column, has_totals=self.view.has_totals, **more)

    def count(self, base: RowSet) -> int:
        """Return the number of rows in a row set."""
        return len(self.evaluator.rows(base.rows))
