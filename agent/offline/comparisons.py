"""Programs that compare: differences, rows that exceed another, and choices between two answers."""

from dataclasses import replace

from tablerag.agent.offline.cues import CHOICES
from tablerag.agent.offline.grammar import Composed, Grammar
from tablerag.agent.offline.row_sets import compared_pairs
from tablerag.tools.records import ROW_ID

__all__ = ["Comparisons"]


class Comparisons(Grammar):
    """Composes programs that compare rows."""

    def all(self) -> Composed:
        """Yield the programs that the cues suggest."""
        cues, self.pairs = self.cues, compared_pairs(self.sets)
        yield from self._differences() if "compared" in cues else ()
        yield from self._exceeding() if cues & {"compared", "beside"} else ()
        yield from self._choices()

    def _differences(self) -> Composed:
        """The difference of two rows in a number."""
        for one, two in self.pairs:
            for column in self.numbers:
                of_both = self.program("difference", column.measure, rows=one.rows, other=two.rows)
                yield of_both, one.mentions + two.mentions

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

    def _choices(self) -> Composed:
        """Yes or no, more or less, before or after: the question names the answers to choose from."""
        offered = [c for c in CHOICES if all(w in self.question.words for w in c)]
        if "yes_no" in self.cues:
            offered.append(("yes", "no"))
        for one, two in self.pairs if offered else ():
            for labels in (way for choice in offered for way in (choice, choice[::-1])):
                both = {"rows": one.rows, "other": two.rows, "labels": labels}
                for name in ("", ROW_ID, *(c.measure for c in self.measured[:6])):
                    yield self.program("choice", name, **both), one.mentions + two.mentions
