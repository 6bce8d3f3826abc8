"""Parts of a statement's result, sorted and filtered by the database; every statement passes the guard."""

import re
from collections.abc import Iterator, Sequence

import sqlglot
from sqlglot import exp

from tablerag.tools.errors import SqlRejected
from tablerag.tools.knowledge.rewriting import without_excluded
from tablerag.tools.records import Cell, Record, TableSchema
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.guard import GuardedSql, guard

__all__ = ["MOST_ROWS", "Filter", "Selection", "WholeResult"]

MOST_ROWS = 1_000_000
"""Rows of a result that can be reached; a spreadsheet has no more."""
COMPARED = re.compile(r"(<=|>=|<|>|=)\s*(-?[\d,]*\.?\d+)")
COMPARISONS = {"<": exp.LT, ">": exp.GT, "<=": exp.LTE, ">=": exp.GTE, "=": exp.EQ}
NUMBER = re.compile(r"-?\d{1,3}(,\d{3})+(\.\d+)?")
"""A number as the page writes it."""
PART = "part"
PART_ROWS = 50_000


class Filter(Record):
    """A condition on a column, by its place from 0: a text that it contains, or a comparison such as ">= 100"."""

    column: int
    text: str


class Selection(Record):
    """Which rows of a result are wanted, in which order."""

    search: str = ""
    """A text that one of the columns contains, in any case."""
    filters: tuple[Filter, ...] = ()
    sort: int | None = None
    """The column to sort by; None keeps the statement's own order."""
    descending: bool = False


class WholeResult:
    """The result of a statement, of which parts are read; raises SqlProblem as the guard and the database do."""

    def __init__(self, sql: str, schemas: Sequence[TableSchema], database: Database) -> None:
        self._schemas, self._database = schemas, database
        self.guarded = guard(without_excluded(sql, schemas), schemas, row_limit=MOST_ROWS)
        self.names = tuple(part.alias_or_name for part in self.guarded.expression.selects)

    def count(self, wanted: Selection) -> int:
        """Return how many rows are selected, at most MOST_ROWS."""
        counting = self._selected(wanted, exp.Count(this=exp.Star()))
        return min(int(self._database.run(self._checked(counting, 1)).rows[0][0] or 0), MOST_ROWS)

    def rows(self, wanted: Selection, *, first: int, count: int) -> list[tuple[Cell, ...]]:
        """Return ``count`` of the selected rows from ``first``."""
        page = self._ordered(wanted).limit(count, copy=False).offset(first, copy=False)
        return list(self._database.scan(self._checked(page, count)))[:count]

    def every(self, wanted: Selection) -> Iterator[tuple[Cell, ...]]:
        """Yield all selected rows, at most MOST_ROWS.

        They are read in parts: the time limit of a statement includes what is done with its rows.
        """
        for first in range(0, MOST_ROWS, PART_ROWS):
            part = self.rows(wanted, first=first, count=PART_ROWS)
            yield from part
            if len(part) < PART_ROWS:
                return

    def _checked(self, query: exp.Select, rows: int) -> GuardedSql:
        return guard(query.sql(dialect="mysql"), self._schemas, row_limit=rows)

    def _selected(self, wanted: Selection, *shown: exp.Expr) -> exp.Select:
        folded = [n.casefold() for n in self.names]
        if len(set(folded)) < len(folded):
            raise SqlRejected("two columns of the statement have the same name: give them different ones with AS")
        inner = sqlglot.parse_one(self.guarded.sql, read="mysql")
        assert isinstance(inner, exp.Query)
        query = exp.select(*shown).from_(inner.subquery(PART))
        if words := wanted.search.strip():
            query = query.where(exp.or_(*(_contains(n, words) for n in self.names)))
        for one in wanted.filters:
            query = query.where(self._condition(one))
        return query

    def _ordered(self, wanted: Selection) -> exp.Select:
        query = self._selected(wanted, *(_column(n) for n in self.names))
        if wanted.sort is not None:
            first = self._named(wanted.sort)
            by = exp.Ordered(this=_column(first), desc=wanted.descending)
            return query.order_by(by, *(_column(n) for n in self.names if n != first), copy=False)
        # Engines return groups in any order, in another one at each run: pages would overlap.
        own = self.guarded.expression
        settled = own.args.get("order") or not own.find(exp.Group, exp.Distinct, exp.Join, exp.SetOperation)
        return query if settled else query.order_by(*(_column(n) for n in self.names), copy=False)

    def _condition(self, one: Filter) -> exp.Expr:
        name, text = self._named(one.column), one.text.strip()
        if found := COMPARED.fullmatch(text):
            number = sqlglot.parse_one(found[2].replace(",", ""), read="mysql")
            return COMPARISONS[found[1]](this=_column(name), expression=number)
        return _contains(name, text)

    def _named(self, place: int) -> str:
        if not 0 <= place < len(self.names):
            raise SqlRejected(f"the result has no column {place}: expected 0 to {len(self.names) - 1}")
        return self.names[place]


def _column(name: str) -> exp.Column:
    return exp.column(name, table=PART, quoted=True)


def _contains(name: str, text: str) -> exp.Expr:
    """Return the condition that a column's value, as text, contains a text in any case."""
    sought = text.replace(",", "") if NUMBER.fullmatch(text) else text
    written = exp.Lower(this=exp.Cast(this=_column(name), to=exp.DataType.build("char", dialect="mysql")))
    found = exp.StrPosition(this=written, substr=exp.Literal.string(sought.lower()))
    return exp.GT(this=found, expression=exp.Literal.number(0))
