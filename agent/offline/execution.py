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


def _with_unit(value: float, program: Program) -> Cell:
    if not program.labels:
        return value
    return f"{int(value) if float(value).is_integer() else value} {program.labels[0]}"


def _greater(one: Any, two: Any, program: Program) -> Cell:
    """Return the program's first label if the first value is greater, else the second."""
    return program.labels[0] if one is not None and two is not None and one > two else program.labels[1]


class Evaluator:
    """Runs programs over one table's rows; caches row sets."""

    def __init__(self, view: TableView) -> None:
        self.view = view
        self._all = tuple(range(len(view.row_ids)))
        self._details = tuple(i for i in self._all if i not in view.totals)
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
        """Return the result's values; of a grouped result, group and measure alternate."""
        rows = self.rows(program.rows)
        match program.operation:
            case "list":
                return tuple(self.view.of_rows(program.column, rows))
            case "count":
                return (len(rows),)
            case "count_distinct":
                return (len({_comparable(v) for v in self._filled(program.column, rows)}),)
            case "sum" | "avg" | "min" | "max" | "span":
                return (self._aggregate(program.operation, program.column, rows),)
            case "difference" | "count_difference" | "ratio" | "share" | "choice":
                return (self._compared(program, rows),)
            case "column_difference" | "column_sum" | "greater_column":
                return (self._columns_compared(program, rows),)
            case "exists":
                return ("yes" if rows else "no",)
            case "same":
                return self._alike(program, rows)
            case _:
                return self._grouped(program, rows)

    def _filled(self, name: str, rows: Sequence[int]) -> list[Cell]:
        return [v for v in self.view.of_rows(name, rows) if v is not None]

    def _aggregate(self, operation: str, name: str, rows: Sequence[int]) -> Any:
        values: list[Any] = self._filled(name, rows)
        if not values:
            return None
        match operation:
            case "sum":
                return sum(values)
            case "avg":
                return sum(values) / len(values)
            case "span":
                return max(values) - min(values)
            case _:
                return max(values) if operation == "max" else min(values)

    def _compared(self, program: Program, rows: Sequence[int]) -> Cell:
        others = self.rows(program.other or ALL)
        if program.operation == "count_difference":
            return abs(len(rows) - len(others))
        how = "sum" if program.operation == "share" else "max"
        one, two = (self._aggregate(how, program.column, r) if program.column else len(r) for r in (rows, others))
        if program.operation == "choice":
            return _greater(one, two, program)
        if one is None or two is None:
            return None
        if program.operation == "difference":
            return _with_unit(abs(one - two), program)
        factor = 100 if program.operation == "share" else 1
        return factor * one / two if two else None

    def _columns_compared(self, program: Program, rows: Sequence[int]) -> Cell:
        how = "sum" if program.operation == "greater_column" else "max"
        one, two = (self._aggregate(how, name, rows) for name in (program.column, program.measure))
        if program.operation == "greater_column":
            return _greater(one, two, program)
        if one is None or two is None:
            return None
        return one + two if program.operation == "column_sum" else _with_unit(abs(one - two), program)

    def _alike(self, program: Program, rows: Sequence[int]) -> Denotation:
        shared = [_comparable(v) for v in self._filled(program.group, rows)]
        if not shared:
            return ()
        least, values = min(shared), self.view.stored[program.group]
        found = [i for i in self._details if i != rows[0] and _comparable(values[i]) == least]
        return tuple(self.view.of_rows(program.column, found))

    def _grouped(self, program: Program, rows: Sequence[int]) -> Denotation:
        values = self.view.stored[program.group]
        groups: dict[Cell, list[int]] = {}
        for i in rows:
            groups.setdefault(_comparable(values[i]), []).append(i)
        total = "avg" if program.operation in ("grouped_average", "best_average") else "sum"
        measured = {
            key: self._aggregate(total, program.measure, of) if program.measure else len(of)
            for key, of in groups.items()
        }
        if program.operation in ("grouped", "grouped_average"):
            return tuple(v for key, of in groups.items() for v in (values[of[0]], measured[key]))
        if program.operation in ("groups_with", "count_groups_with"):
            least = program.number
            kept = [of for of in groups.values() if (len(of) >= least if program.descending else len(of) == least)]
            return tuple(values[of[0]] for of in kept) if program.operation == "groups_with" else (len(kept),)
        ranked = self._ranked(groups, measured, program.descending)
        return tuple(values[groups[key][0]] for key in ranked[: program.number or 1])

    @staticmethod
    def _ranked(groups: dict[Cell, list[int]], measured: dict[Cell, Any], descending: bool) -> list[Cell]:
        """Order groups as the database does: NULL first, ties by the first row."""
        sign = -1 if descending else 1
        lowest = float("-inf")
        return sorted(groups, key=lambda k: (sign * (lowest if measured[k] is None else measured[k]), groups[k][0]))

    def _selected(self, rows: Rows) -> tuple[int, ...]:
        base = self._all if rows.totals else self._details
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
            kept = self._all if rows.totals else self._details
            return tuple(i for i in kept if values[i] is not None and exceeds(values[i], least))
        if rows.limit:
            ordered = sorted(filled, key=lambda i: self.view.row_ids[i])
            ordered.sort(key=lambda i: values[i], reverse=rows.extreme == "max")
            return tuple(ordered[: rows.limit])
        best = (max if rows.extreme == "max" else min)(values[i] for i in filled)
        return tuple(i for i in filled if values[i] == best)

    def _meeting(self, condition: Condition) -> list[int]:
        values = self.view.stored[condition.column]
        if condition.operator == "empty":
            return [i for i, v in enumerate(values) if v is None]
        test = _test(condition)
        return [i for i, v in enumerate(values) if v is not None and test(v)]


def _test(condition: Condition) -> Callable[[Any], bool]:
    """Return the test of a condition on a filled cell."""
    wanted: list[Any] = [_comparable(v) for v in condition.values]
    first = wanted[0] if wanted else None
    match condition.operator:
        case "filled":
            return lambda v: True
        case "=":
            return lambda v: _comparable(v) in wanted
        case "contains":
            return lambda v: str(first) in _collated(str(v))
        case "starts":
            return lambda v: _collated(str(v)).startswith(str(first))
        case "year":
            return lambda v: int(str(v)[:4]) == first
        case "month":
            return lambda v: int(str(v)[5:7]) == first
        case "between":
            return lambda v: first <= _comparable(v) <= wanted[1]
        case _:
            compare = COMPARES[condition.operator]
            return lambda v: compare(_comparable(v), first)
