"""Finds the programs equivalent to a known one: those with the same result, also on perturbed copies of the table.

This excludes programs that are right by accident: of two that give 7 on a table, perhaps only one still gives the right
result when rows are removed and the others shuffled.
"""

import random
from dataclasses import replace

from tablerag.agent.offline.execution import Denotation, Evaluator
from tablerag.agent.offline.program import Program
from tablerag.agent.offline.table_view import TableView

__all__ = ["Meaning"]

COPIES = 3
KEPT_ROWS = 0.6


class Meaning:
    """Decides whether programs are equivalent to a known one, on a table and on shuffled copies with fewer rows."""

    def __init__(self, program: Program, view: TableView, random_: random.Random) -> None:
        self._copies = [Evaluator(_disturbed(view, random_)) for _ in range(COPIES)]
        self._whole = Evaluator(view).run(program)
        self._results = [e.run(program) for e in self._copies]

    def is_meant(self, program: Program, result: Denotation) -> bool:
        """Return whether a program with this result on the whole table is equivalent."""
        if not _alike(result, self._whole):
            return False
        pairs = zip(self._copies, self._results, strict=True)
        return all(_alike(evaluator.run(program), meant) for evaluator, meant in pairs)


def _alike(one: Denotation, other: Denotation) -> bool:
    """Return whether two results have the same values, ignoring repetition, order and empty cells."""
    return {_rounded(v) for v in one if v is not None} == {_rounded(v) for v in other if v is not None}


def _rounded(value: object) -> object:
    return round(float(value), 6) if isinstance(value, int | float) else value


def _disturbed(view: TableView, random_: random.Random) -> TableView:
    """Remove rows, and shuffle and renumber the others. Changes only what an Evaluator reads."""
    count = len(view.row_ids)
    kept = random_.sample(range(count), max(2, round(KEPT_ROWS * count)))
    stored = {name: tuple(cells[i] for i in kept) for name, cells in view.stored.items()}
    totals = frozenset(place for place, i in enumerate(kept) if i in view.totals)
    return replace(view, stored=stored, row_ids=tuple(range(1, len(kept) + 1)), totals=totals)
