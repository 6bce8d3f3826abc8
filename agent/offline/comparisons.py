"""Programs that compare: differences, shares, rows that exceed another, and choices between two answers."""

from dataclasses import replace
from itertools import combinations
from typing import Any

from tablerag.agent.offline.cues import CHOICES
from tablerag.agent.offline.grammar import Composed, Grammar
from tablerag.agent.offline.program import Rows
from tablerag.agent.offline.row_sets import RowSet, compared_pairs
from tablerag.agent.offline.table_view import ColumnView
from tablerag.tools.records import ROW_ID

__all__ = ["Comparisons"]


class Comparisons(Grammar):
    """Composes programs that compare rows or columns."""

    def all(self) -> Composed:
        """Yield the programs that the cues suggest."""
        cues, self.pairs = self.cues, compared_pairs(self.sets)
        yield from self._differences() if "compared" in cues else ()
        yield from self._exceeding() if cues & {"compared", "beside"} else ()
        yield from self._shares() if "share" in cues else ()
        yield from self._of_columns() if cues & {"compared", "summed", "alternative"} else ()
        yield from self._choices()

    def _differences(self) -> Composed:
        """The difference of two rows in a number, of two groups in size, and the range of a number."""
        for one, two in self.pairs:
            mentions = one.mentions + two.mentions
            both: dict[str, Any] = {"rows": one.rows, "other": two.rows}
            for column in self.numbers:
                yield self.program("difference", column.measure, **both), mentions
                if self._counts_years(column):
                    yield self.program("difference", column.measure, labels=("years",), **both), mentions
            yield self.program("count_difference", **both), mentions
        for base in self.sets[:8]:
            for column in self.numbers if self.count(base) > 1 else ():
                yield self.program("span", column.measure, rows=base.rows), base.mentions

    def _counts_years(self, column: ColumnView) -> bool:
        """Tell whether differences of a column are years, and the question asks how long something took."""
        return "length" in self.cues and (column.column.kind in ("year", "range") or "year" in column.words)

    def _exceeding(self) -> Composed:
        """Rows that exceed, or fall short of, the row of a mention."""
        for base in self.sets[1:7]:
            for measured in self.measured[:6] if self.count(base) == 1 else ():
                for above in (">", "<"):
                    rows = replace(base.rows, above=above, by=measured.measure)
                    if "counted" in self.cues:
                        yield self.program("count", rows=rows), base.mentions
                    for column in self.columns[:4]:
                        yield self.program("list", column.shown, rows=rows), base.mentions

    def _shares(self) -> Composed:
        """Percentages of all rows or of a sum, and the ratio of two rows' numbers."""
        for base in self.sets[1:8]:
            for name in ("", *(c.measure for c in self.numbers[:5])):
                yield self.program("share", name, rows=base.rows, other=Rows()), base.mentions
        for base in [s for s in self.sets if len(s.rows.conditions) == 2][:6]:
            for whole in base.rows.conditions:
                for name in ("", *(c.measure for c in self.numbers[:4])):
                    parts = {"rows": base.rows, "other": replace(base.rows, conditions=(whole,))}
                    yield self.program("share", name, **parts), base.mentions
        for one, two in self.pairs:
            for column in self.numbers[:5]:
                yield self.program("ratio", column.measure, rows=one.rows, other=two.rows), one.mentions + two.mentions

    def _of_columns(self) -> Composed:
        """The difference and sum of two columns of the same rows, and which of the two is greater."""
        for base in self.sets[:7]:
            single = self.count(base) == 1
            yield from self._ends_of_ranges(base) if single else ()
            for one, two in combinations(self.numbers[:5], 2):
                both = {"measure": two.measure, "rows": base.rows}
                if single:
                    yield self.program("column_difference", one.measure, **both), base.mentions
                    yield self.program("column_sum", one.measure, **both), base.mentions
                if "alternative" in self.cues:
                    labels = (one.column.header, two.column.header)
                    yield self.program("greater_column", one.measure, labels=labels, **both), base.mentions

    def _ends_of_ranges(self, base: RowSet) -> Composed:
        """The length of a range such as 1937-1978."""
        for column in self.view.columns:
            if column.column.low and column.column.ends == "integer":
                for labels in ((), ("years",)):
                    ends = {"measure": column.column.low, "rows": base.rows, "labels": labels}
                    yield self.program("column_difference", column.column.high, **ends), base.mentions

    def _choices(self) -> Composed:
        """Yes or no, more or less, before or after: the question names the answers to choose from."""
        offered = [c for c in CHOICES if all(w in self.question.words for w in c)]
        if "yes_no" in self.cues:
            offered.append(("yes", "no"))
            for base in self.sets[1:]:
                yield self.program("exists", rows=base.rows), base.mentions
        for one, two in self.pairs if offered else ():
            for labels in (way for choice in offered for way in (choice, choice[::-1])):
                both = {"rows": one.rows, "other": two.rows, "labels": labels}
                for name in ("", ROW_ID, *(c.measure for c in self.measured[:6])):
                    yield self.program("choice", name, **both), one.mentions + two.mentions
