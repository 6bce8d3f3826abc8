"""Candidates that compare: differences, shares, rows that exceed another, and choices between two answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from tablerag.agent.offline.cues import CHOICES, Cues
from tablerag.agent.offline.execution import Evaluator
from tablerag.agent.offline.mention import Mention, QuestionWords
from tablerag.agent.offline.program import Program, Rows
from tablerag.agent.offline.row_sets import RowSet, compared_pairs
from tablerag.agent.offline.table_view import ColumnView
from tablerag.tools.records import ROW_ID

__all__ = ["comparisons_of"]

Found = Iterator[tuple[Program, tuple[Mention, ...]]]


def comparisons_of(
    question: QuestionWords,
    evaluator: Evaluator,
    cues: Cues,
    columns: Sequence[ColumnView],
    sets: Sequence[RowSet],
) -> Found:
    """Yield the programs that compare, with the mentions that they come from."""
    made = _Comparing(question, evaluator, cues, columns, sets)
    yield from made.differences() if cues.compared else ()
    yield from made.exceeding() if cues.compared or cues.beside else ()
    yield from made.shares() if cues.share else ()
    yield from made.of_columns() if cues.compared or cues.summed or cues.alternative else ()
    yield from made.choices()


@dataclass
class _Comparing:
    question: QuestionWords
    evaluator: Evaluator
    cues: Cues
    columns: Sequence[ColumnView]
    sets: Sequence[RowSet]
    measured: list[ColumnView] = field(init=False)
    numbers: list[ColumnView] = field(init=False)
    pairs: list[tuple[RowSet, RowSet]] = field(init=False)

    def __post_init__(self) -> None:
        self.measured = [c for c in self.columns if c.measure]
        self.numbers = [c for c in self.measured if not c.is_date and c.column.kind != "id"]
        self.pairs = compared_pairs(self.sets)

    def _program(self, operation: str, column: str = "", **more: object) -> Program:
        view = self.evaluator.view
        return Program(view.schema.name, operation, column, has_totals=view.has_totals, **more)

    def differences(self) -> Found:
        """What two rows differ by in a number, two groups in their size, and the range of a number."""
        for one, two in self.pairs:
            mentions, both = one.mentions + two.mentions, {"rows": one.rows, "other": two.rows}
            for column in self.numbers:
                yield self._program("difference", column.measure, **both), mentions
                if self._counts_years(column):
                    yield self._program("difference", column.measure, labels=("years",), **both), mentions
            yield self._program("count_difference", **both), mentions
        for base in self.sets[:8]:
            for column in self.numbers:
                if len(self.evaluator.rows(base.rows)) > 1:
                    yield self._program("span", column.measure, rows=base.rows), base.mentions

    def _counts_years(self, column: ColumnView) -> bool:
        """Whether differences of a column are years, and the question asks how long something took."""
        return self.cues.length and (column.column.kind in ("year", "range") or "year" in column.words)

    def exceeding(self) -> Found:
        """Rows that exceed, or fall short of, the row of a mention."""
        for base in self.sets[1:7]:
            if len(self.evaluator.rows(base.rows)) != 1:
                continue
            for measured in self.measured[:6]:
                for above in (">", "<"):
                    rows = replace(base.rows, above=above, by=measured.measure)
                    if self.cues.counted:
                        yield self._program("count", rows=rows), base.mentions
                    for column in self.columns[:4]:
                        yield self._program("list", column.shown, rows=rows), base.mentions

    def shares(self) -> Found:
        """Percentages of all rows or of a sum, and how many times one row's number is another's."""
        for base in self.sets[1:8]:
            for name in ("", *(c.measure for c in self.numbers[:5])):
                yield self._program("share", name, rows=base.rows, other=Rows()), base.mentions
        for base in [s for s in self.sets if len(s.rows.conditions) == 2][:6]:
            for whole in base.rows.conditions:
                for name in ("", *(c.measure for c in self.numbers[:4])):
                    parts = {"rows": base.rows, "other": replace(base.rows, conditions=(whole,))}
                    yield self._program("share", name, **parts), base.mentions
        for one, two in self.pairs:
            for column in self.numbers[:5]:
                ratio = self._program("ratio", column.measure, rows=one.rows, other=two.rows)
                yield ratio, one.mentions + two.mentions

    def of_columns(self) -> Found:
        """Two columns of the same rows: what they differ by or sum up to, and which one is greater."""
        for base in self.sets[:7]:
            single = len(self.evaluator.rows(base.rows)) == 1
            yield from self._ends_of_ranges(base) if single else ()
            for one, two in combinations(self.numbers[:5], 2):
                both = {"measure": two.measure, "rows": base.rows}
                if single:
                    yield self._program("column_difference", one.measure, **both), base.mentions
                    yield self._program("column_sum", one.measure, **both), base.mentions
                if self.cues.alternative:
                    labels = (one.column.header, two.column.header)
                    yield self._program("greater_column", one.measure, labels=labels, **both), base.mentions

    def _ends_of_ranges(self, base: RowSet) -> Found:
        """How long a range such as 1937-1978 is."""
        for column in self.evaluator.view.columns:
            if column.column.low and column.column.ends == "integer":
                for labels in ((), ("years",)):
                    ends = {"measure": column.column.low, "rows": base.rows, "labels": labels}
                    yield self._program("column_difference", column.column.high, **ends), base.mentions

    def choices(self) -> Found:
        """Yes or no, more or less, before or after: the question says what to choose from."""
        said = [c for c in CHOICES if all(w in self.question.words for w in c)]
        if self.cues.yes_no:
            said.append(("yes", "no"))
            for base in self.sets[1:]:
                yield self._program("exists", rows=base.rows), base.mentions
        if not said:
            return
        for one, two in self.pairs:
            for labels in (way for choice in said for way in (choice, choice[::-1])):
                plain = {"rows": one.rows, "other": two.rows, "labels": labels}
                for name in ("", ROW_ID, *(c.measure for c in self.measured[:6])):
                    yield self._program("choice", name, **plain), one.mentions + two.mentions
