"""What the columns of a result are: their headers in the document's words, units and scales, by the SQL's lineage."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from tablerag.tools.records import TableSchema
from tablerag.tools.sql.columns.column import ResultColumn, named, of_column
from tablerag.tools.sql.columns.expressions import described

__all__ = ["ResultColumn", "result_columns"]

GENERIC = frozenset(("result", "value", "answer"))
"""Aliases that say nothing."""
UNITED = ("Total", "Sum", "Average", "Lowest", "Highest")
"""What the parts of a UNION over several columns share."""
SHORTEST = 3
"""Letters of an alias that says something."""
Source = Mapping[str, ResultColumn]
"""The columns of a table, sub-select or WITH query by their names in lower case."""
Sources = Mapping[str, Source]


def result_columns(sql: str, names: Sequence[str], schemas: Iterable[TableSchema]) -> tuple[ResultColumn, ...]:
    """Return what each column of a statement's result is; ``names`` are the result's own column names.

    A unit survives SUM, AVG, MIN, MAX and grouping; a count has none, and a share has "%". Where nothing is known of a
    column, its name is its header.
    """
    tables = {s.name.casefold(): {c.name.casefold(): of_column(c) for c in s.columns} for s in schemas}
    try:
        tree = sqlglot.parse_one(sql, dialect="mysql")
    except SqlglotError:
        return tuple(named(name) for name in names)
    found = _Lineage(tables).of_query(tree, {}) if isinstance(tree, exp.Query) else []
    if len(found) != len(names):
        return tuple(named(name) for name in names)
    return tuple(column for _, column in found)


class _Scope:
    """The columns that one SELECT can name, and those of the SELECT around it."""

    def __init__(self, lineage: "_Lineage", sources: Sources, ctes: Sources, outer: "_Scope | None") -> None:
        self._lineage, self.sources, self.ctes, self._outer = lineage, sources, ctes, outer

    def column(self, name: str, table: str) -> ResultColumn:
        """Return a column by its name; only the name is known if several sources have it, or none."""
        wanted = [self.sources[table]] if table in self.sources else [] if table else list(self.sources.values())
        found = [source[name.casefold()] for source in wanted if name.casefold() in source]
        if found and len({(c.unit, c.scale, c.header) for c in found}) == 1:
            return found[0]
        return self._outer.column(name, table) if self._outer and not found else named(name)

    def query(self, query: exp.Expr) -> ResultColumn:
        """Return the only column of a scalar sub-select."""
        found = self._lineage.of_query(query, self.ctes, self)
        return found[0][1] if found else named("")

    def of(self, expression: exp.Expr) -> ResultColumn:
        """Return what an expression is."""
        return described(expression, self)


class _Lineage:
    """Follows columns from the stored tables to a result."""

    def __init__(self, tables: Sources) -> None:
        self._tables = tables

    def of_query(self, query: exp.Expr, ctes: Sources, outer: _Scope | None = None) -> list[tuple[str, ResultColumn]]:
        """Return the columns of a query, each with its name."""
        ctes = dict(ctes)
        with_ = query.args.get("with_")
        for cte in with_.expressions if with_ else ():
            ctes[cte.alias.casefold()] = self._as_source(cte.this, ctes)
        if isinstance(query, exp.Subquery | exp.Paren):
            return self.of_query(query.this, ctes, outer)
        if isinstance(query, exp.SetOperation):
            parts = [self.of_query(part, ctes, outer) for part in (query.this, query.expression)]
            return [(name, _agreeing(one, other)) for (name, one), (_, other) in zip(*parts, strict=False)]
        return self._of_select(query, ctes, outer) if isinstance(query, exp.Select) else []

    def _of_select(self, select: exp.Select, ctes: Sources, outer: _Scope | None) -> list[tuple[str, ResultColumn]]:
        scope = _Scope(self, self._sources(select, ctes), ctes, outer)
        found: list[tuple[str, ResultColumn]] = []
        for shown in select.expressions:
            inner = shown.unalias()
            star = isinstance(inner, exp.Star) or (isinstance(inner, exp.Column) and isinstance(inner.this, exp.Star))
            if star:
                qualifier = inner.table.casefold() if isinstance(inner, exp.Column) else ""
                for name, source in scope.sources.items():
                    found += list(source.items()) if qualifier in ("", name) else []
            else:
                column = _with_header(scope.of(inner), shown.alias)
                found.append((shown.alias_or_name.casefold(), _of_pivot(column, inner, shown.alias)))
        return found

    def _sources(self, select: exp.Select, ctes: Sources) -> Sources:
        from_ = select.args.get("from_")
        parts = [part.this for part in ([from_] if from_ else []) + (select.args.get("joins") or [])]
        sources: dict[str, Source] = {}
        for part in parts:
            if isinstance(part, exp.Table):
                name = part.name.casefold()
                sources[(part.alias or part.name).casefold()] = ctes.get(name) or self._tables.get(name, {})
            elif isinstance(part, exp.Subquery):
                sources[part.alias.casefold()] = self._as_source(part.this, ctes)
        return sources

    def _as_source(self, query: exp.Expr, ctes: Sources) -> Source:
        return dict(self.of_query(query, ctes))


def _with_header(column: ResultColumn, alias: str) -> ResultColumn:
    """Return a column with its alias as header where the expression has no words of its own."""
    if column.header:
        return column
    tells = len(alias) >= SHORTEST and alias.casefold() not in GENERIC
    return replace(column, header=named(alias).header if tells else "Result")


def _of_pivot(column: ResultColumn, shown: exp.Expr, alias: str) -> ResultColumn:
    """Return a column with its alias before its header if it has the values of some rows: "Old price", "New price"."""
    pivoted = isinstance(shown, exp.Max | exp.Min) and isinstance(shown.this, exp.Case)
    if not pivoted or len(alias) < SHORTEST or alias.casefold() in GENERIC:
        return column
    words = column.header.partition(" ")[2]
    return replace(column, header=f"{named(alias).header} {words}", way="value")


def _agreeing(one: ResultColumn, other: ResultColumn) -> ResultColumn:
    """Return a UNION's column: its header is what those of the parts share, without the unit if they differ in it."""
    if one.header != other.header:
        pairs = zip(one.header.split(), other.header.split(), strict=False)
        shared = [a for a, _ in takewhile(lambda pair: pair[0] == pair[1], pairs)]
        words = " ".join(shared).removesuffix(" of")
        one = replace(one, header=words if words in UNITED else one.header)
    return one if (one.unit, one.scale) == (other.unit, other.scale) else one.without_unit()
