"""Which programs mean the same as a known one: those that lead to its result, and do so on disturbed copies too.

Right by accident is not right: of two programs that give 7 over a table, only one may give what is asked when rows are
left out and the others come in another order.
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
    """Tells which programs mean the same as a known one: on a table, and on copies with fewer rows in another order."""

    def __init__(self, program: Program, view: TableView, random_: random.Random) -> None:
        self._copies = [Evaluator(_disturbed(view, random_)) for _ in range(COPIES)]
        self._whole = Evaluator(view).run(program)
        self._results = [e.run(program) for e in self._copies]

    def is_meant(self, program: Program, result: Denotation) -> bool:
        """Tell whether a program with that result on the whole table means the same."""
        if not _alike(result, self._whole):
            return False
        pairs = zip(self._copies, self._results, strict=True)
        return all(_alike(evaluator.run(program), meant) for evaluator, meant in pairs)


def _alike(one: Denotation, other: Denotation) -> bool:
    """Whether two results hold the same values; how often, in which order and among which empty cells is the same."""
    return {_rounded(v) for v in one if v is not None} == {_rounded(v) for v in other if v is not None}


def _rounded(value: object) -> object:
    return round(float(value), 6) if isinstance(value, int | float) else value


def _disturbed(view: TableView, random_: random.Random) -> TableView:
    """Leave rows out and shuffle the others; they are numbered anew. Only what an Evaluator reads is changed."""
    count = len(view.row_ids)
    kept = random_.sample(range(count), max(2, round(KEPT_ROWS * count)))
    stored = {name: tuple(cells[i] for i in kept) for name, cells in view.stored.items()}
    totals = frozenset(place for place, i in enumerate(kept) if i in view.totals)
    return replace(view, stored=stored, row_ids=tuple(range(1, len(kept) + 1)), totals=totals)
