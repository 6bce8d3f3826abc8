"""Programs over two sets of rows of a table, over the columns of a wide table, and over groups that are counted."""

from dataclasses import dataclass
from typing import Literal

from tablerag.agent.offline.reading.query import PLACES, Condition, Expr, Measure, Query, Source, compared, lower_first
from tablerag.agent.offline.sql_text import literal, name_of  # fmt: skip
from tablerag.agent.presenting.rows import in_rows
from tablerag.tools.records import TOTAL

__all__ = ["Bounded", "Only", "Series", "Shift"]

AGGREGATES = {
    "": "Value of ", "count": "Number of values of ", "distinct": "Number of different values of ", "sum": "Total of ",
    "avg": "Average of ", "min": "Lowest of ", "max": "Highest of ",
}  # fmt: skip


def _all(conditions: tuple[Condition, ...], *, qualified: bool) -> str:
    return " AND ".join(c.sql(qualified=qualified) for c in conditions)


def _words(conditions: tuple[Condition, ...]) -> str:
    return " and ".join(c.words() for c in conditions)


def _end(conditions: tuple[Condition, ...]) -> str:
    """Return one end of a change in words, a file by its name alone."""
    return " and ".join(c.words().removeprefix(f"{PLACES.get(c.ref.header)} is ") for c in conditions)


@dataclass(frozen=True, slots=True)
class Shift:
    """Groups of rows, each with the change of a measure from one set of rows to another."""

    source: Source
    where: tuple[Condition, ...]
    """What holds for both sets."""
    shown: tuple[Expr, ...]
    """What groups the rows."""
    measure: Measure
    one: tuple[Condition, ...]
    two: tuple[Condition, ...]
    kind: Literal["difference", "growth"] = "difference"
    test: Literal["", ">", "<", "<>", "="] = ""
    """Which groups to keep: those with a later value above, below or other than the earlier one."""
    limit: int = 0
    """How many to keep of those with the greatest change; 0 keeps all."""
    descending: bool = True
    bare: bool = False
    """Whether to show both values in place of the change."""
    counts: bool = False
    """Whether to count the groups."""
    measures: tuple[Measure, ...] = ()

    def sql(self) -> str:
        """Return the statement."""
        q = bool(self.source.joins)
        early, late = self._of(self.one), self._of(self.two)
        change = f"100 * ({late} - {early}) / {early}" if self.kind == "growth" else f"{late} - {early}"
        shown = ", ".join(e.sql(qualified=q) for e in self.shown)
        both = Query(self.source, self.where).where_sql()
        having = f" HAVING {late} {self.test} {early}" if self.test else f" HAVING {late} - {early} IS NOT NULL"
        way = "DESC" if self.descending else "ASC"
        order = "" if self.bare else f" ORDER BY {change} {way}" + (f" LIMIT {self.limit}" if self.limit else "")
        ends = f"{early} AS `old`, {late} AS `new`" if self.bare else f"{change} AS `result`"
        listed = shown if self.counts else f"{shown}, {ends}"
        groups = f"SELECT {listed} FROM {self.source.sql()}{both} GROUP BY {shown}{having}{order}"
        return f"SELECT COUNT(*) AS `result` FROM ({groups}) AS `groups`" if self.counts else groups

    def _of(self, conditions: tuple[Condition, ...]) -> str:
        q = bool(self.source.joins)
        value = self.measure.expr.sql(qualified=q) if self.measure.expr else "1"
        function = "SUM" if self.measure.function == "count" else self.measure.function.upper()
        return f"{function}(CASE WHEN {_all(conditions, qualified=q)} THEN {value} END)"

    def words(self) -> str:
        """Return what it computes, in the document's words."""
        shown = " and ".join(e.words() for e in self.shown)
        measured = lower_first(self.measure.words(self.source.rows))
        other = tuple(c for c in self.where if c.ref.header not in PLACES)
        where = f" where {_words(other)}" if other else ""
        ends = f"from {_end(self.one)} to {_end(self.two)}"
        if self.test:
            measured = self.measure.expr.words() if self.measure.expr else measured
            way = {">": "a higher", "<": "a lower", "=": "the same"}.get(self.test, "a different")
            counted = f"Number of different values of {shown}" if self.counts else shown
            return f"{counted} with {way} {measured}, {ends}{where}"
        percent = " in percent" if self.kind == "growth" else ""
        if self.limit:
            count = f"{self.limit} " if self.limit > 1 else ""
            way = "greatest" if self.descending else "lowest"
            return f"{shown} with the {count}{way} change{percent} of the {measured} {ends}{where}"
        return f"Change{percent} of the {measured} {ends} for each {shown}{where}"


@dataclass(frozen=True, slots=True)
class Only:
    """Rows of one version that have no counterpart in another version."""

    source: Source
    where: tuple[Condition, ...]
    """What holds for the rows shown."""
    shown: tuple[Expr, ...]
    key: Expr
    inside: tuple[Condition, ...]
    outside: tuple[Condition, ...]
    counts: bool = False
    measures: tuple[Measure, ...] = ()

    def sql(self) -> str:
        """Return the statement."""
        key = self.key.sql(qualified=False)
        total = f" AND NOT {name_of(TOTAL)}" if self.source.has_totals else ""
        outside = (
            f"SELECT {key} FROM {self.source.sql()} WHERE {_all(self.outside, qualified=False)} AND {key} IS NOT NULL"
        )
        inside = _all((*self.inside, *self.where), qualified=False)
        shown = (
            f"COUNT(DISTINCT {key}) AS `result`"
            if self.counts
            else "DISTINCT " + ", ".join(e.sql(qualified=False) for e in self.shown)
        )
        return f"SELECT {shown} FROM {self.source.sql()} WHERE {inside}{total} AND {key} NOT IN ({outside})"

    def words(self) -> str:
        """Return what it computes, in the document's words."""
        shown = "Number" if self.counts else " and ".join(e.words() for e in self.shown)
        rows = f"{shown} {in_rows(self.source.rows)} where {_words((*self.inside, *self.where))}"
        return f"{rows}, without those whose {self.key.words()} is found where {_words(self.outside)}"


@dataclass(frozen=True, slots=True)
class Series:
    """One measure for each column of a wide table, as rows."""

    source: Source
    where: tuple[Condition, ...]
    columns: tuple[tuple[str, Measure], ...]
    """What to call each value, and its measure."""
    limit: int = 0
    """1 keeps the highest or lowest value."""
    descending: bool = True
    shown: tuple[Expr, ...] = ()
    measures: tuple[Measure, ...] = ()

    def sql(self) -> str:
        """Return the statement."""
        parts = []
        for label, measure in self.columns:
            query = Query(self.source, self.where, measures=(measure,))
            parts.append(f"SELECT {literal(label)} AS `period`, {query.sql().removeprefix('SELECT ')}")
        order = f" ORDER BY `result` {'DESC' if self.descending else 'ASC'} LIMIT {self.limit}" if self.limit else ""
        return " UNION ALL ".join(parts) + order

    def words(self) -> str:
        """Return what it computes, in the document's words."""
        ends = [m.expr.words() for m in (self.columns[0][1], self.columns[-1][1]) if m.expr]
        columns = f'each column from {" to ".join(ends)} in "{self.source.title}"'
        where = f" where {_words(self.where)}" if self.where else ""
        way = AGGREGATES[self.columns[0][1].function]
        if self.limit:
            return f"{'Highest' if self.descending else 'Lowest'} of: {lower_first(way)}{columns}{where}"
        return f"{way}{columns}{where}"


@dataclass(frozen=True, slots=True)
class Bounded:
    """How many groups have a measure within a bound."""

    groups: Query
    """Groups with a bound."""

    @property
    def source(self) -> Source:
        """The table."""
        return self.groups.source

    @property
    def where(self) -> tuple[Condition, ...]:
        """The conditions on rows."""
        return self.groups.where

    @property
    def shown(self) -> tuple[Expr, ...]:
        """Nothing: the groups are counted."""
        return ()

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measure that is bounded."""
        return self.groups.measures

    def sql(self) -> str:
        """Return the statement."""
        return f"SELECT COUNT(*) AS `result` FROM ({self.groups.sql()}) AS `groups`"

    def words(self) -> str:
        """Return what it computes, in the document's words."""
        operator, value = self.groups.having or (">", 0.0)
        shown = " and ".join(e.words() for e in self.groups.shown)
        measured = lower_first(self.groups.measures[0].words(self.source.rows))
        where = f" where {_words(self.where)}" if self.where else ""
        return f"Number of different values of {shown} whose {measured} {compared(operator)} {value:,.10g}{where}"
