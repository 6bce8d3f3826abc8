"""Candidates: the programs that a question may mean over one table, composed from mentions, cues and columns."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from tablerag.agent.offline.comparisons import Comparisons
from tablerag.agent.offline.cues import cues_of
from tablerag.agent.offline.execution import Denotation, Evaluator
from tablerag.agent.offline.grammar import Composed, Grammar
from tablerag.agent.offline.mention import Mention, QuestionWords
from tablerag.agent.offline.program import Program
from tablerag.agent.offline.row_sets import RowSet, row_sets_of, selective
from tablerag.agent.offline.table_view import ColumnView, TableView
from tablerag.tools.records import ROW_ID

__all__ = ["Candidate", "candidates_for"]

MOST_CANDIDATES = 900
MOST_LISTED = 300
"""Limit for programs that list cells, and again for those of extreme rows: these alone would fill the budget."""
MOST_BEST = 200
MOST_TOP = 20
"""Largest N of "top N"."""
MOST_ROW_SETS = 48
MOST_COLUMNS = 14


@dataclass(slots=True)
class Candidate:
    """One interpretation of a question, with the mentions that its conditions come from, and its result."""

    program: Program
    mentions: tuple[Mention, ...]
    result: Denotation = ()


def candidates_for(
    question: QuestionWords, view: TableView, mentions: Sequence[Mention], evaluator: Evaluator
) -> list[Candidate]:
    """Return at most MOST_CANDIDATES candidates that find something, the simplest first."""
    cues = cues_of(" ".join(question.words))
    sets = row_sets_of(selective(mentions, evaluator), evaluator, cues)
    spoken = set(question.words) | {w.removesuffix("s") for w in question.words}
    columns = sorted(view.columns, key=lambda c: -sum(w in spoken for w in c.words) / max(len(c.words), 1))
    found: dict[Program, Candidate] = {}
    for program, of in _Programs(question, evaluator, cues, columns[:MOST_COLUMNS], sets).all():
        if program in found:
            continue
        result = evaluator.run(program)
        if result and any(v is not None for v in result):
            found[program] = Candidate(program, of, result)
        if len(found) >= MOST_CANDIDATES:
            break
    return list(found.values())


class _Programs(Grammar):
    """Composes programs of one row set each."""

    def all(self) -> Composed:
        """Yield all programs, the simplest first."""
        cues = self.cues
        yield from islice(self._listed(self.sets), MOST_LISTED)
        yield from self._counted() if "counted" in cues else ()
        yield from islice(self._listed(self._ranked()), MOST_LISTED) if "superlative" in cues else ()
        yield from self._aggregated() if "summed" in cues else ()
        yield from self._beside() if "beside" in cues else ()
        yield from self._alike() if "alike" in cues else ()
        yield from Comparisons(self.question, self.evaluator, cues, self.columns, self.sets).all()
        if cues & {"grouped", "alternative"}:
            yield from islice(self._best_groups(), MOST_BEST)

    def _listed(self, sets: Iterable[RowSet]) -> Composed:
        for rows in sets:
            if not rows.rows.conditions and not rows.rows.by and len(self.view.row_ids) > 1:
                continue
            fixed = {c.column for c in rows.rows.conditions if c.operator == "=" and len(c.values) == 1}
            for column in self.columns:
                if rows.rows.by or (column.shown not in fixed and column.name not in fixed):
                    yield self.program("list", column.shown, rows=rows.rows), rows.mentions

    def _counted(self) -> Composed:
        for rows in self.sets:
            yield self.program("count", rows=rows.rows), rows.mentions
        for rows in self.sets[:12]:
            for column in self._groups():
                yield self.program("count_distinct", column.shown, rows=rows.rows), rows.mentions

    def _groups(self) -> Iterator[ColumnView]:
        """Yield the columns in which some value occurs more than once."""
        yield from (c for c in self.columns if 1 < c.distinct < len(self.view.row_ids))

    def _ranked(self) -> Iterator[RowSet]:
        """Yield row sets narrowed to the extreme rows of a column, or to the first and last."""
        for base in self.sets[:MOST_ROW_SETS]:
            if self.count(base) > 1:
                for extreme in ("max", "min"):
                    yield replace(base, rows=replace(base.rows, extreme=extreme, by=ROW_ID))
        for base in self.sets[:10]:
            for column in self.measured[:8] if self.count(base) > 1 else ():
                for extreme in ("max", "min"):
                    yield replace(base, rows=replace(base.rows, extreme=extreme, by=column.measure))

    def _aggregated(self) -> Composed:
        for rows in self.sets[:16]:
            for column in self.numbers if self.count(rows) > 1 else ():
                yield self.program("sum", column.measure, rows=rows.rows), rows.mentions
                yield self.program("avg", column.measure, rows=rows.rows), rows.mentions

    def _beside(self) -> Composed:
        """The row after or before the rows of a mention."""
        for base in self.sets[1:10]:
            for step in (1, -1):
                for column in self.columns[:8]:
                    yield self.program("list", column.shown, rows=replace(base.rows, step=step)), base.mentions

    def _best_groups(self) -> Composed:
        """The value of a column with the most or fewest rows, or with the greatest or least sum."""
        several = [s for s in self.sets if any(len(c.values) > 1 for c in s.rows.conditions)][:4]
        for base in [*self.sets[:8], *several]:
            for column in self._groups():
                for descending in (True, False):
                    common = {"group": column.shown, "rows": base.rows, "descending": descending}
                    yield self.program("most_common", **common), base.mentions
                    holds_amounts = column.is_number and column.column.kind != "year"
                    for measure in [] if holds_amounts else [m for m in self.numbers if m is not column][:4]:
                        yield self.program("best_group", measure=measure.measure, **common), base.mentions

    def _alike(self) -> Composed:
        """Other rows that share a value with the row of a mention."""
        for base in self.sets[1:7]:
            for group in self._groups() if self.count(base) == 1 else ():
                for column in (c for c in self.columns[:8] if c is not group):
                    yield self.program("same", column.shown, group=group.shown, rows=base.rows), base.mentions
