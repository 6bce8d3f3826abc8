"""Takes a cell's value from its run, and compares rows over the same questions."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tablerag.evaluation.comparison import Run
from tablerag.evaluation.papers.paper import MAIN, Cell, Figure
from tablerag.evaluation.records import Answered
from tablerag.evaluation.statistics import Difference, bootstrap_interval, paired_difference
from tablerag.evaluation.trial import Plan

__all__ = ["Compared", "Measured", "measured", "row_differences"]

SECONDS = ("seconds", "seconds per step")
ITERATIONS = re.compile(r"iterations(=|>=)(\d+)")


@dataclass(frozen=True, slots=True)
class Measured:
    """One cell with ours; a cell by a facet becomes one for each of its values."""

    cell: Cell
    column: str
    """The cell's column, with the facet's value."""
    values: Mapping[str, float]
    """From 0 to 1, or seconds, by question id; empty if not measured."""
    why: str = ""
    """Why it was not measured, or not all of it."""
    model: str = ""
    """What its run asked; "embedded" for none."""

    @property
    def mean(self) -> float:
        """The mean of the values, in percent or seconds."""
        return self._factor * sum(self.values.values()) / max(len(self.values), 1)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % bootstrap interval of the mean, in percent or seconds."""
        low, high = bootstrap_interval([self.values[i] for i in sorted(self.values)])
        return self._factor * low, self._factor * high

    @property
    def _factor(self) -> int:
        return 1 if self.cell.metric in SECONDS else 100

    @property
    def is_score(self) -> bool:
        """Whether it measures answers, so that two rows can be tested against each other."""
        return self.cell.metric not in SECONDS and not self.cell.metric.startswith(("iterations", "failure"))


@dataclass(frozen=True, slots=True)
class Compared:
    """Two rows of one column over the same questions; the difference is the first row's gain."""

    column: str
    row: str
    against: str
    difference: Difference


def measured(cell: Cell, plan: Plan, run: Run, judge: str = "") -> Iterator[Measured]:
    """Yield a cell's measurements, over all questions of the plan; ``judge`` names whose verdicts count."""
    every = _values(cell.metric, plan, run, judge)
    how = {"model": plan.settings.asked, "why": _failures(plan, run)}
    if not cell.by:
        yield Measured(cell, cell.column, every, **how)
        return
    for value in sorted({q.facets[cell.by] for q in plan.questions if cell.by in q.facets}):
        ids = {q.id for q in plan.questions if q.facets.get(cell.by) == value}
        yield Measured(cell, f"{cell.column}, {value}", {i: v for i, v in every.items() if i in ids}, **how)


def _failures(plan: Plan, run: Run) -> str:
    """Say how many questions ended in an error, which count as wrong; "" for none."""
    failed = sum(bool(a.error) for a in run.answers)
    return f"{failed} of {len(plan.questions)} ended in an error: --retry-failed asks them again" if failed else ""


def _values(metric: str, plan: Plan, run: Run, judge: str) -> dict[str, float]:
    """Return a metric of every question; of an unasked question it is 0."""
    answers = {a.id: a for a in run.answers}
    if metric == MAIN and judge:
        right = {j.id: float(j.right) for j in run.judged if j.judge == judge}
        return {q.id: right.get(q.id, 0.0) for q in plan.questions}
    return {q.id: _value(metric or plan.benchmark.main, answers[q.id]) if q.id in answers else 0.0
            for q in plan.questions}  # fmt: skip


def _value(metric: str, answered: Answered) -> float:
    if found := ITERATIONS.fullmatch(metric):
        count, bound = answered.iterations, int(found[2])
        return float(count == bound if found[1] == "=" else count >= bound)
    if metric in SECONDS:
        return answered.seconds / (max(answered.iterations, 1) if metric.endswith("step") else 1)
    if metric.startswith("failure="):
        return float(answered.failure == metric.removeprefix("failure="))
    return answered.scores.get(metric, 0.0)


def row_differences(figure: Figure, cells: Sequence[Measured]) -> list[Compared]:
    """Compare the figure's own row with every other row of the same column that has the same questions."""
    first = {(m.column, m.cell.metric): m for m in cells if m.cell.row == figure.ours and m.values}
    found: list[Compared] = []
    for other in cells:
        own = first.get((other.column, other.cell.metric))
        if own is None or not own.is_score or other is own or set(own.values) != set(other.values):
            continue
        ids = sorted(own.values)
        difference = paired_difference([other.values[i] for i in ids], [own.values[i] for i in ids])
        found.append(Compared(own.column, figure.ours, other.cell.row, difference))
    return found
