"""Candidates: the programs that a question may mean over one table, from its mentions, its form and the columns."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from tablerag.agent.offline.comparisons import comparisons_of
from tablerag.agent.offline.cues import Cues, cues_of
from tablerag.agent.offline.execution import Denotation, Evaluator
from tablerag.agent.offline.mention import Mention, QuestionWords
from tablerag.agent.offline.program import Program
from tablerag.agent.offline.row_sets import RowSet, row_sets_of, telling
from tablerag.agent.offline.table_view import ColumnView, TableView
from tablerag.tools.records import ROW_ID

__all__ = ["Candidate", "candidates_for"]

MOST_CANDIDATES = 900
MOST_LISTED = 300
"""Of them, those that show cells of row sets, and as many of extreme rows: these alone would fill the budget."""
MOST_GROUPED = 150
MOST_BEST = 200
MOST_TOP = 20
"""N of "top N" at most."""
MOST_ROW_SETS = 48
MOST_COLUMNS = 14


@dataclass(slots=True)
class Candidate:
    """One reading of a question."""

    program: Program
    mentions: tuple[Mention, ...]
    """What of the question its conditions come from."""
    result: Denotation = ()


def candidates_for(
    question: QuestionWords, view: TableView, mentions: Sequence[Mention], evaluator: Evaluator
) -> list[Candidate]:
    """Return at most MOST_CANDIDATES candidates with their results, the plainest first; none that finds nothing."""
    found: dict[Program, Candidate] = {}
    for program, spoken in _Grammar.of(question, view, mentions, evaluator).programs():
        if program in found:
            continue
        result = evaluator.run(program)
        if result and any(v is not None for v in result):
            found[program] = Candidate(program, spoken, result)
        if len(found) >= MOST_CANDIDATES:
            break
    return list(found.values())


@dataclass
class _Grammar:
    """Composes row sets, and what is said of them."""

    question: QuestionWords
    view: TableView
    evaluator: Evaluator
    cues: Cues
    columns: list[ColumnView]
    """The columns that may be spoken of, those that the question names first."""
    sets: list[RowSet]
    measured: list[ColumnView] = field(init=False)
    numbers: list[ColumnView] = field(init=False)

    def __post_init__(self) -> None:
        self.measured = [c for c in self.columns if c.measure]
        self.numbers = [c for c in self.measured if not c.is_date and c.column.kind != "id"]

    @classmethod
    def of(
        cls, question: QuestionWords, view: TableView, mentions: Sequence[Mention], evaluator: Evaluator
    ) -> "_Grammar":
        """Read cues, columns and row sets off a question."""
        cues = cues_of(" ".join(question.words))
        sets = row_sets_of(telling(mentions, evaluator), evaluator, cues)
        said = set(question.words) | {w.removesuffix("s") for w in question.words}
        columns = sorted(view.columns, key=lambda c: -sum(w in said for w in c.words) / max(len(c.words), 1))
        return cls(question, view, evaluator, cues, columns[:MOST_COLUMNS], sets)

    def _program(self, operation: str, column: str = "", **more: object) -> Program:
        return Program(self.view.schema.name, operation, column, has_totals=self.view.has_totals, **more)

    def programs(self) -> Iterator[tuple[Program, tuple[Mention, ...]]]:
        """Yield all programs with the mentions that they come from, the plainest first."""
        cues = self.cues
        yield from islice(self._listed(self.sets), MOST_LISTED)
        yield from self._counted() if cues.counted else ()
        yield from islice(self._listed(self._ranked()), MOST_LISTED) if cues.superlative else ()
        yield from self._aggregated() if cues.summed else ()
        yield from islice(self._for_each(), MOST_GROUPED) if cues.each else ()
        yield from self._beside() if cues.beside else ()
        yield from self._alike() if cues.alike else ()
        yield from comparisons_of(self.question, self.evaluator, cues, self.columns, self.sets)
        if cues.grouped or cues.alternative or self.top:
            yield from islice(self._best_groups(), MOST_BEST)
            yield from self._sized_groups()

    def _listed(self, sets: Iterable[RowSet]) -> Iterator[tuple[Program, tuple[Mention, ...]]]:
        for rows in sets:
            if not rows.rows.conditions and not rows.rows.by and len(self.view.row_ids) > 1:
                continue
            fixed = {c.column for c in rows.rows.conditions if c.operator == "=" and len(c.values) == 1}
            for column in self.columns:
                if rows.rows.by or (column.shown not in fixed and column.name not in fixed):
                    yield self._program("list", column.shown, rows=rows.rows), rows.mentions

    def _counted(self) -> Iterator[tuple[Program, tuple[Mention, ...]]]:
        for rows in self.sets:
            yield self._program("count", rows=rows.rows), rows.mentions
        for rows in self.sets[:12]:
            for column in self.columns:
                if self._repeats(column):
                    yield self._program("count_distinct", column.shown, rows=rows.rows), rows.mentions

    @property
    def top(self) -> int:
        """N of "top N", else 0."""
        numbers = (int(v) for _, _, v in self.question.numbers if 1 < v <= MOST_TOP)
        return next(numbers, 0) if self.cues.top else 0

    def _for_each(self) -> Iterator[tuple[Program, tuple[Mention, ...]]]:
        """Counts, sums and averages for each value of a column."""
        for base in self.sets[:6]:
            for column in (c for c in self.columns if self._repeats(c)):
                each = {"group": column.shown, "rows": base.rows}
                yield self._program("grouped", **each), base.mentions
                for measure in [m for m in self.numbers if m is not column][:5]:
                    yield self._program("grouped", measure=measure.measure, **each), base.mentions
                    yield self._program("grouped_average", measure=measure.measure, **each), base.mentions

    def _repeats(self, column: ColumnView) -> bool:
        return 1 < column.distinct < len(self.view.row_ids)

    def _ranked(self) -> Iterator[RowSet]:
        """Row sets narrowed to the extreme rows of a column, or to the first and last."""
        for base in self.sets[:MOST_ROW_SETS]:
            if len(self.evaluator.rows(base.rows)) > 1:
                for extreme in ("max", "min"):
                    yield replace(base, rows=replace(base.rows, extreme=extreme, by=ROW_ID))
        for base in self.sets[:10]:
            if len(self.evaluator.rows(base.rows)) < 2:
                continue
            for column in self.measured[:8]:
                for extreme in ("max", "min"):
                    ranked = replace(base.rows, extreme=extreme, by=column.measure)
                    yield replace(base, rows=ranked)
                    if self.top:
                        yield replace(base, rows=replace(ranked, limit=self.top))

    def _aggregated(self) -> Iterator[tuple[Program, tuple[Mention, ...]]]:
        for rows in self.sets[:16]:
            for column in self.numbers:
                if len(self.evaluator.rows(rows.rows)) > 1:
                    yield self._program("sum", column.measure, rows=rows.rows), rows.mentions
                    yield self._program("avg", column.measure, rows=rows.rows), rows.mentions

    def _beside(self) -> Iterator[tuple[Program, tuple[Mention, ...]]]:
        """The row after or before the rows of a mention, and how many stand above or below it."""
        for base in self.sets[1:10]:
            for step in (1, -1):
                for column in self.columns[:8]:
                    yield self._program("list", column.shown, rows=replace(base.rows, step=step)), base.mentions
            if self.cues.counted:
                for above in (">", "<"):
                    rows = replace(base.rows, above=above, by=ROW_ID)
                    yield self._program("count", rows=rows), base.mentions

    def _best_groups(self) -> Iterator[tuple[Program, tuple[Mention, ...]]]:
        """The value of a column with most or fewest rows, or with the greatest or least sum."""
        several = [s for s in self.sets if any(len(c.values) > 1 for c in s.rows.conditions)][:4]
        for base in self.sets[:8] + several:
            for column in (c for c in self.columns if self._repeats(c)):
                for descending in (True, False):
                    plain = {"group": column.shown, "rows": base.rows, "descending": descending}
                    yield self._program("most_common", **plain), base.mentions
                    measures = [m for m in self.numbers if m is not column][:4] if not _counts(column) else []
                    for measure in measures:
                        best = {"measure": measure.measure, **plain}
                        yield self._program("best_group", **best), base.mentions
                        if self.cues.averaged:
                            yield self._program("best_average", **best), base.mentions
                        if self.top:
                            yield self._program("best_group", number=self.top, **best), base.mentions

    def _sized_groups(self) -> Iterator[tuple[Program, tuple[Mention, ...]]]:
        """The values of a column that stand in so many rows, and how many such values there are."""
        numbers = sorted({int(v) for _, _, v in self.question.numbers if 1 < v <= 10} | {1, 2})
        sizes = [(n, least) for n in numbers for least in ((True, False) if n > 1 else (False,))]
        for base in self.sets[:4]:
            for column in (c for c in self.columns if self._repeats(c)):
                for number, least in sizes:
                    plain = {"group": column.shown, "rows": base.rows, "number": number, "descending": least}
                    yield self._program("groups_with", **plain), base.mentions
                    if self.cues.counted:
                        yield self._program("count_groups_with", **plain), base.mentions

    def _alike(self) -> Iterator[tuple[Program, tuple[Mention, ...]]]:
        """Other rows that share a value with the row of a mention."""
        for base in self.sets[1:7]:
            if len(self.evaluator.rows(base.rows)) != 1:
                continue
            for group in (c for c in self.columns if self._repeats(c)):
                for column in (c for c in self.columns[:8] if c is not group):
                    same = self._program("same", column.shown, group=group.shown, rows=base.rows)
                    yield same, base.mentions


def _counts(column: ColumnView) -> bool:
    """Whether a column holds amounts, not years or other names of things."""
    return column.is_number and column.column.kind != "year"
