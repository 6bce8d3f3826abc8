"""Programs run over rows in memory, as the database would run them, to compare hundreds of candidates.

Answers are computed by SQL, through the guard; tests compare both.
"""

import operator
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, cast

from tablerag.agent.offline.program import ALL, Condition, Program, Rows
from tablerag.agent.offline.table_view import TableView
from tablerag.tools.records import ROW_ID, Cell

__all__ = ["Evaluator"]

Denotation = tuple[Cell, ...]
COLLATED = 4_096
COMPARES: dict[str, Callable[[Any, Any], bool]] = {
    "<>": operator.ne, "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge,
}  # fmt: skip


@lru_cache(maxsize=COLLATED)
def _collated(text: str) -> str:
    """Return a text without case."""
    return text.casefold()


def _comparable(value: Cell) -> Any:
    return _collated(value) if isinstance(value, str) else value


class Evaluator:
    """Runs programs over one table's rows; caches row sets."""

    def __init__(self, view: TableView) -> None:
        self.view = view
        self._details = tuple(i for i in range(len(view.row_ids)) if i not in view.totals)
        self._rows: dict[Rows, tuple[int, ...]] = {}
        self._met: dict[Condition, frozenset[int]] = {}
        self._place = {row: i for i, row in enumerate(view.row_ids)}

    def met(self, condition: Condition) -> frozenset[int]:
        """Return the indexes of the rows that satisfy a condition."""
        if condition not in self._met:
            self._met[condition] = frozenset(self._meeting(condition))
        return self._met[condition]

    def rows(self, rows: Rows) -> tuple[int, ...]:
        """Return the indexes of the selected rows, in the table's order or ranked."""
        if rows not in self._rows:
            self._rows[rows] = self._selected(rows)
        return self._rows[rows]

    def run(self, program: Program) -> Denotation:
        """Return the result's values."""
        rows = self.rows(program.rows)
        match program.operation:
            case "list":
                return tuple(self.view.of_rows(program.column, rows))
            case "count":
                return (len(rows),)
            case "count_distinct":
                return (len({_comparable(v) for v in self._filled(program.column, rows)}),)
            case "sum" | "avg":
                return (self._aggregate(program.operation, program.column, rows),)
            case "difference" | "choice":
                return (self._compared(program, rows),)
            case "same":
                return self._alike(program, rows)
            case "most_common" | "best_group":
                return self._best_group(program, rows)

    def _filled(self, name: str, rows: Sequence[int]) -> list[Cell]:
        return [v for v in self.view.of_rows(name, rows) if v is not None]

    def _aggregate(self, operation: str, name: str, rows: Sequence[int]) -> Any:
        values: list[Any] = self._filled(name, rows)
        if not values:
            return None
        if operation == "max":
            return max(values)
        return sum(values) / (len(values) if operation == "avg" else 1)

    def _compared(self, program: Program, rows: Sequence[int]) -> Cell:
        both = (rows, self.rows(program.other or ALL))
        one, two = (self._aggregate("max", program.column, r) if program.column else len(r) for r in both)
        choice = program.operation == "choice"
        if one is None or two is None:
            return program.labels[1] if choice else None
        return program.labels[0 if one > two else 1] if choice else abs(one - two)

    def _alike(self, program: Program, rows: Sequence[int]) -> Denotation:
        shared = [_comparable(v) for v in self._filled(program.group, rows)]
        if not shared:
            return ()
        least, values = min(shared), self.view.stored[program.group]
        found = [i for i in self._details if i != rows[0] and _comparable(values[i]) == least]
        return tuple(self.view.of_rows(program.column, found))

    def _best_group(self, program: Program, rows: Sequence[int]) -> Denotation:
        """Return the value with the most or fewest rows, or the greatest or least sum; NULL is the least."""
        values = self.view.stored[program.group]
        groups: dict[Cell, list[int]] = {}
        for i in rows:
            groups.setdefault(_comparable(values[i]), []).append(i)

        def order(of: list[int]) -> tuple[float, int]:
            measured = self._aggregate("sum", program.measure, of) if program.measure else len(of)
            return (-1 if program.descending else 1) * (float("-inf") if measured is None else measured), of[0]

        best = min(groups.values(), key=order, default=None)
        return () if best is None else (values[best[0]],)

    def _selected(self, rows: Rows) -> tuple[int, ...]:
        base = self._details
        for condition in rows.conditions:
            met = self.met(condition)
            base = tuple(i for i in base if i in met)
        found = self._ranked_rows(rows, base) if rows.by else base
        if not rows.step:
            return found
        if not found:
            return ()
        ids = [self.view.row_ids[i] for i in found]
        beside = self._place.get((max(ids) if rows.step > 0 else min(ids)) + rows.step)
        return () if beside is None else (beside,)

    def _ranked_rows(self, rows: Rows, base: tuple[int, ...]) -> tuple[int, ...]:
        values = cast(Sequence[Any], self.view.row_ids if rows.by == ROW_ID else self.view.stored[rows.by])
        filled = [i for i in base if values[i] is not None]
        if not filled:
            return ()
        if rows.above:
            least = max(values[i] for i in filled)
            exceeds = COMPARES[rows.above]
            return tuple(i for i in self._details if values[i] is not None and exceeds(values[i], least))
        best = (max if rows.extreme == "max" else min)(values[i] for i in filled)
        return tuple(i for i in filled if values[i] == best)

    def _meeting(self, condition: Condition) -> list[int]:
        values = self.view.stored[condition.column]
        test = _test(condition)
        return [i for i, v in enumerate(values) if v is not None and test(v)]


def _test(condition: Condition) -> Callable[[Any], bool]:
    """Return the test of a condition on a filled cell."""
    wanted: list[Any] = [_comparable(v) for v in condition.values]
    first = wanted[0] if wanted else None
    match condition.operator:
        case "=":
            return lambda v: _comparable(v) in wanted
        case "contains":
            return lambda v: str(first) in _collated(str(v))
        case "starts":
            return lambda v: _collated(str(v)).startswith(str(first))
        case "year":
            return lambda v: int(str(v)[:4]) == first
        case "between":
            return lambda v: first <= _comparable(v) <= wanted[1]
        case _:
            compare = COMPARES[condition.operator]
            return lambda v: compare(_comparable(v), first)
