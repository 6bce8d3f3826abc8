"""The SELECT that a question means, and its text in MySQL's dialect with every name and value quoted."""

from dataclasses import dataclass
from typing import Literal

from sqlglot import exp

from tools.records import ROW_ID, TOTAL

__all__ = ["Condition", "Sketch"]

Aggregate = Literal["count", "count_distinct", "sum", "avg", "min", "max", "share", "share_sum"]


@dataclass(frozen=True, slots=True)
class Condition:
    """A filter on one column; several values mean any of them."""

    column: str
    operator: Literal["=", "<", ">", "<=", ">=", "between", "contains", "year"]
    values: tuple[str | float, ...]


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

    def to_sql(self) -> str:
        """Return the statement in MySQL's dialect."""
        select = exp.select(*self._projections()).from_(exp.to_identifier(self.table, quoted=True))
        if self.neighbour:
            return self._beside(select).sql(dialect="mysql")
        conditions = self.conditions if self.aggregate not in ("share", "share_sum") else ()
        for condition in conditions:
            select = select.where(_expression(condition))
        if self.without_totals:
            select = select.where(exp.Not(this=_column(TOTAL)))
        if self.group:
            select = select.group_by(_column(self.group))
        if self.order is not None:
            select = self._ranked(select)
        return select.sql(dialect="mysql")

    def _beside(self, select: exp.Select) -> exp.Select:
        """Select the row beside the only one that the conditions find."""
        found = exp.select(exp.func("MIN", _column(ROW_ID))).from_(exp.to_identifier(self.table, quoted=True))
        for condition in self.conditions:
            found = found.where(_expression(condition))
        one = exp.EQ(this=exp.Count(this=exp.Star()), expression=exp.Literal.number(1))
        beside = exp.Add(this=found.having(one).subquery(), expression=exp.Literal.number(self.neighbour))
        return select.where(exp.EQ(this=_column(ROW_ID), expression=beside))

    def _projections(self) -> list[exp.Expression]:
        group = [_column(self.group)] if self.group else []
        if self.aggregate and not (self.order == "" and self.group):
            return [*group, exp.alias_(self._aggregate(), "result", quoted=True)]
        return [*group, *(_column(c) for c in self.columns)]

    def _aggregate(self) -> exp.Expression:
        measure = _column(self.measure) if self.measure else None
        match self.aggregate:
            case "count":
                return exp.Count(this=exp.Star())
            case "count_distinct":
                return exp.Count(this=exp.Distinct(expressions=[measure]))
            case "share" | "share_sum":
                met = exp.and_(*[_expression(c) for c in self.conditions])
                part = exp.Sum(this=exp.case().when(met, measure or exp.Literal.number(1)).else_(exp.Literal.number(0)))
                whole = exp.Sum(this=measure.copy()) if measure else exp.Count(this=exp.Star())
                return exp.Div(this=exp.Mul(this=exp.Literal.number(100), expression=part), expression=whole)
            case _:
                return exp.func(self.aggregate.upper(), measure)

    def _ranked(self, select: exp.Select) -> exp.Select:
        if self.order == "":
            ranked = select.order_by(
                exp.Ordered(this=self._aggregate(), desc=self.descending, nulls_first=not self.descending)
            )
            return ranked.limit(self.limit) if self.limit else ranked
        by = _column(self.order)
        select = select.where(exp.Not(this=exp.Is(this=by.copy(), expression=exp.Null())))
        if self.ties:
            extreme = exp.select(exp.func("MAX" if self.descending else "MIN", by.copy()))
            extreme = extreme.from_(exp.to_identifier(self.table, quoted=True))
            for condition in self.conditions:
                extreme = extreme.where(_expression(condition))
            return select.where(exp.EQ(this=by, expression=extreme.subquery()))
        ranked = select.order_by(
            exp.Ordered(this=by, desc=self.descending, nulls_first=not self.descending), _column(ROW_ID)
        )
        return ranked.limit(self.limit or 1)


def _column(name: str) -> exp.Column:
    return exp.column(exp.to_identifier(name, quoted=True))


def _literal(value: str | float) -> exp.Expression:
    if isinstance(value, str):
        return exp.Literal.string(value)
    return exp.Literal.number(int(value) if float(value).is_integer() else value)


def _expression(condition: Condition) -> exp.Expression:
    column, values = _column(condition.column), [_literal(v) for v in condition.values]
    match condition.operator:
        case "=" if len(values) == 1:
            return exp.EQ(this=column, expression=values[0])
        case "=":
            return exp.In(this=column, expressions=values)
        case "between":
            return exp.Between(this=column, low=values[0], high=values[1])
        case "contains":
            return exp.Like(this=column, expression=exp.Literal.string(f"%{_like_safe(str(condition.values[0]))}%"))
        case "year":
            return exp.EQ(this=exp.func("YEAR", column, dialect="mysql"), expression=values[0])
        case _:
            kinds = {"<": exp.LT, ">": exp.GT, "<=": exp.LTE, ">=": exp.GTE}
            return kinds[condition.operator](this=column, expression=values[0])


def _like_safe(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", r"\%").replace("_", r"\_")
