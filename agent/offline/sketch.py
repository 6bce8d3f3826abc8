"""The statement that the rules read off a question, before it becomes a program."""

from dataclasses import dataclass
from typing import Literal

from tablerag.agent.offline.program import Condition, Program, Rows

__all__ = ["Sketch"]

Aggregate = Literal["count", "count_distinct", "sum", "avg", "min", "max", "share", "share_sum"]


@dataclass(frozen=True, slots=True)
class Sketch:
    """One SELECT over one table."""

    table: str
    columns: tuple[str, ...] = ()
    aggregate: Aggregate | None = None
    measure: str | None = None
    """The column aggregated; None counts rows."""
    conditions: tuple[Condition, ...] = ()
    group: str | None = None
    order: str | None = None
    """The column to rank by; the aggregate's when ``group`` is set and this is ""."""
    descending: bool = True
    limit: int | None = None
    neighbour: int = 0
    """1 for the row after the one that the conditions find, -1 for the row before it."""
    without_totals: bool = False
    """Leave out the rows that only sum up others."""
    ties: bool = False
    """Keep all rows that share the extreme value instead of ``limit`` rows."""

    def program(self) -> Program:
        """Return the program that computes it."""
        rows, more = Rows(self.conditions), {"has_totals": self.without_totals}
        shown = self.columns[0] if self.columns else ""
        if self.neighbour:
            return Program(self.table, "list", shown, Rows(self.conditions, step=self.neighbour), **more)
        if self.group and self.order == "":
            best = {"group": self.group, "measure": self.measure or "", "descending": self.descending}
            return Program(self.table, "best_group" if self.measure else "most_common", "", rows, **best, **more)
        if self.group:
            operation = "grouped" if self.aggregate != "avg" else "grouped_average"
            return Program(self.table, operation, "", rows, group=self.group, measure=self.measure or "", **more)
        if self.aggregate in ("share", "share_sum"):
            return Program(self.table, "share", self.measure or "", rows, other=Rows(), **more)
        if self.aggregate:
            return Program(self.table, self.aggregate, self.measure or "", rows, **more)
        if self.order:
            limit = 0 if self.ties else self.limit or 1
            ranked = Rows(self.conditions, "max" if self.descending else "min", self.order, limit)
            return Program(self.table, "list", shown, ranked, **more)
        return Program(self.table, "list", shown, rows, **more)
