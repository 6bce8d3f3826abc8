"""Queries: what a question may mean over one table or several joined ones, as SQL in MySQL's dialect and in words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from tablerag.agent.offline.reading.saying import period_words
from tablerag.agent.offline.sql_text import like_safe, literal, name_of
from tablerag.agent.presenting.rows import in_rows, row_words, singular
from tablerag.tools.number_words import is_year
from tablerag.tools.records import ROW_ID, TOTAL, UNION_SOURCE, TableSchema
from tablerag.tools.text import total_of

__all__ = [
    "PLACES", "Calc", "Condition", "Contrast", "Expr", "Grain", "Join", "Mapped", "Measure", "Query", "Ref", "Source",
    "compared", "lower_first", "source_of",
]  # fmt: skip

PLACES: dict[str, str] = dict(zip(UNION_SOURCE, ("file", "place"), strict=True))
"""What explanations call the columns that tell where a union's rows are from."""
SINGULAR = re.compile(r"^(total|sum|average|number)\b")
YEARLY = re.compile(r"year|jahr|ann[ée]e|\bfy\b", re.IGNORECASE)
"""Headers of columns whose numbers are years: 2025, not 2,025."""
MOST_LISTED = 4
"""Columns that are named where more are shown."""
Grain = Literal["", "year", "quarter", "month", "week", "day"]
Function = Literal["", "count", "distinct", "sum", "avg", "min", "max"]
Operator = Literal[
    "=", "<>", "<", ">", "<=", ">=", "between", "contains", "starts", "month", "quarter", "weekday", "empty", "filled",
    "yes", "no", "absent",
]  # fmt: skip
"""Of "absent", no row of another table refers to this one."""


@dataclass(frozen=True, slots=True)
class Ref:
    """A stored column, or the period of its dates."""

    table: str
    column: str
    header: str
    grain: Grain = ""
    is_metric: bool = False
    """Whether it stands for a metric: its sum is the metric of many rows."""

    def sql(self, *, qualified: bool) -> str:
        """Return the expression."""
        name = f"{name_of(self.table)}.{name_of(self.column)}" if qualified else name_of(self.column)
        match self.grain:
            case "year":
                return f"YEAR({name})"
            case "quarter":
                return f"CONCAT(YEAR({name}), '-Q', QUARTER({name}))"
            case "month":
                return f"DATE_FORMAT({name}, '%Y-%m')"
            case "week":
                return f"DATE_FORMAT({name}, '%x-W%v')"
            case "day":
                return f"DATE({name})"
            case _:
                return name

    def words(self) -> str:
        """Return the header, after the period."""
        return f"{self.grain} of {self.header}" if self.grain else self.header


@dataclass(frozen=True, slots=True)
class Calc:
    """Arithmetic over columns of one row."""

    operator: Literal["+", "-", "*", "/", "days", "growth"]
    """"days" is the time from the first to the second date; "growth" is the change in percent."""
    parts: "tuple[Expr, ...]"
    label: str = ""
    """What to call it; "" describes it by its parts."""

    @property
    def header(self) -> str:
        """What to call it, as for a column."""
        return self.words()

    def sql(self, *, qualified: bool) -> str:
        """Return the expression; empty cells count as 0 in sums."""
        parts = [p.sql(qualified=qualified) for p in self.parts]
        if self.operator == "days":
            return f"DATEDIFF({parts[1]}, {parts[0]})"
        if self.operator == "growth":
            return f"(100 * ({parts[1]} - {parts[0]}) / {parts[0]})"
        if self.operator == "+":
            parts = [f"COALESCE({p}, 0)" for p in parts]
        return f"({f' {self.operator} '.join(parts)})"

    def words(self) -> str:
        """Return the headers with the operator between them."""
        if self.label:
            return self.label
        if self.operator == "days":
            return f"days from {self.parts[0].words()} to {self.parts[1].words()}"
        if self.operator == "growth":
            return f"change in percent from {self.parts[0].words()} to {self.parts[1].words()}"
        if self.operator == "+" and len(self.parts) > 2:
            return f"{self.parts[0].words()} to {self.parts[-1].words()}"
        return f" {self.operator} ".join(p.words() for p in self.parts)


@dataclass(frozen=True, slots=True)
class Mapped:
    """What each text of a column is taken for: the quarter that "2025-03" is in, the meaning of "R"."""

    ref: Ref
    grain: Grain | Literal["meaning"]
    periods: tuple[tuple[str, tuple[str, ...]], ...]
    """Each period or meaning with the texts of it."""

    @property
    def header(self) -> str:
        """What to call it, as for a column."""
        return self.words()

    def sql(self, *, qualified: bool) -> str:
        """Return the expression."""
        name = self.ref.sql(qualified=qualified)
        cases = [f"WHEN {name} IN ({', '.join(map(literal, of))}) THEN {literal(p)}" for p, of in self.periods]
        return f"CASE {' '.join(cases)} END"

    def words(self) -> str:
        """Return what it is taken for, and the header."""
        return f"{self.grain} of {self.ref.header}"


Expr = Ref | Calc | Mapped


@dataclass(frozen=True, slots=True)
class Measure:
    """An aggregate; a count of rows has no expression."""

    function: Function
    expr: Expr | None = None
    divisor: float = 1.0
    """What to divide by for the unit asked for."""
    unit: str = ""
    """The unit asked for."""
    per: Expr | None = None
    """What has several rows of which an average is: it is the sum by how many different values there are."""

    def sql(self, *, qualified: bool) -> str:
        """Return the aggregate."""
        inner = self.expr.sql(qualified=qualified) if self.expr else "*"
        if self.per:
            return f"SUM({inner}) / COUNT(DISTINCT {self.per.sql(qualified=qualified)})"
        if self.divisor != 1:
            way, by = ("/", self.divisor) if self.divisor > 1 else ("*", 1 / self.divisor)
            return f"{self.function.upper()}({inner}) {way} {literal(round(by, 6))}"
        if self.function == "distinct":
            return f"COUNT(DISTINCT {inner})"
        return f"{self.function.upper()}({inner})" if self.function else inner

    def words(self, noun: str) -> str:
        """Return what it computes."""
        unit = f", {self.unit}" if self.unit.startswith("per ") else f" in {self.unit}" if self.unit else ""
        of = (self.expr.words() if self.expr else "") + unit
        match self.function:
            case "sum" | "avg" if isinstance(self.expr, Ref) and self.expr.is_metric:
                return of[:1].upper() + of[1:]
            case "count":
                return f"Number of {noun}"
            case "distinct":
                return f"Number of different values of {of}"
            case "sum":
                return total_of(of)
            case "avg":
                return f"Average of {of}{f' per {self.per.words()}' if self.per else ''}"
            case "min":
                return f"Lowest {of}"
            case "max":
                return f"Highest {of}"
            case _:
                return of


@dataclass(frozen=True, slots=True)
class Condition:
    """A filter on one column."""

    ref: Expr
    operator: Operator
    values: tuple[str | float, ...] = ()
    other: Expr | None = None
    """The column to compare with, instead of values; of "absent", the one that refers to this one."""
    label: str = ""
    """How the question says it, for dates."""
    within: "Condition | None" = None
    """Which rows of the other table count, of "absent"."""

    def sql(self, *, qualified: bool) -> str:
        """Return the condition."""
        name = self.ref.sql(qualified=qualified)
        if self.operator == "absent" and isinstance(self.other, Ref):
            refers = self.other.sql(qualified=False)
            within = f" AND {self.within.sql(qualified=False)}" if self.within else ""
            rows = f"FROM {name_of(self.other.table)} WHERE {refers} IS NOT NULL{within}"
            return f"{name} NOT IN (SELECT {refers} {rows})"
        if self.other is not None:
            return f"{name} {self.operator} {self.other.sql(qualified=qualified)}"
        values = [literal(v) for v in self.values]
        match self.operator:
            case "=" if len(values) > 1:
                return f"{name} IN ({', '.join(values)})"
            case "<>" if len(values) > 1 and not isinstance(self.values[0], str):
                return f"{name} NOT IN ({', '.join(values)})"
            case "<>" if len(values) > 1:
                return f"COALESCE({name}, '') NOT IN ({', '.join(values)})"
            case "<>" if isinstance(self.values[0], str):
                return f"COALESCE({name}, '') <> {values[0]}"
            case "between":
                return f"{name} BETWEEN {values[0]} AND {values[1]}"
            case "contains" | "starts":
                text = like_safe(str(self.values[0]))
                return f"{name} LIKE {literal(f'%{text}%' if self.operator == 'contains' else f'{text}%')}"
            case "month" | "quarter" | "weekday":
                called = f"{self.operator.upper()}({name})"
                return f"{called} = {values[0]}" if len(values) == 1 else f"{called} IN ({', '.join(values)})"
            case "empty" | "filled":
                return f"{name} IS {'NOT ' if self.operator == 'filled' else ''}NULL"
            case "yes" | "no":
                return f"{name} = {1 if self.operator == 'yes' else 0}"
            case _:
                return f"{name} {self.operator} {values[0]}"

    def words(self) -> str:
        """Return the condition in words."""
        header = PLACES.get(self.ref.header, self.ref.header)
        if self.operator == "absent" and isinstance(self.other, Ref):
            within = f" where {self.within.words()}" if self.within else ""
            return f"no row of {self.other.table.replace('_', ' ')}{within} refers to it"
        if self.operator == "weekday":
            return f"{header} is {self.label}"
        if period := period_words(self.operator, self.values):
            return f"{header} {period}"
        if self.other is not None:
            return f"{header} {compared(self.operator)} {self.other.words()}"
        values = [_said(_base_name(v) if self.ref.header in PLACES else v, header) for v in self.values]
        match self.operator:
            case "=":
                return f"{header} is {' or '.join(values)}"
            case "<>":
                return f"{header} is not {' or '.join(values)}"
            case "between":
                return f"{header} is between {values[0]} and {values[1]}"
            case "contains" | "starts":
                return f"{header} {'contains' if self.operator == 'contains' else 'starts with'} {values[0]}"
            case "empty" | "filled":
                return f"{header} is {'not ' if self.operator == 'filled' else ''}empty"
            case "yes" | "no":
                return f"{header} is {self.operator}"
            case _:
                return f"{header} {compared(self.operator)} {values[0] if values else ''}"


def _told_apart(conditions: Sequence[Condition]) -> list[Condition]:
    """Return conditions in which columns of several tables that are called the same name their tables."""
    columns = {(c.ref.table, c.ref.header) for c in conditions if isinstance(c.ref, Ref)}
    called = [header for _, header in columns]

    def told(one: Condition) -> Condition:
        if not isinstance(one.ref, Ref) or called.count(one.ref.header) == 1:
            return one
        return replace(one, ref=replace(one.ref, header=f"{one.ref.header} of {one.ref.table.replace('_', ' ')}"))

    return [told(c) for c in conditions]


@dataclass(frozen=True, slots=True)
class Join:
    """A table whose rows are looked up by a key."""

    table: str
    left: Ref
    right: Ref
    has_totals: bool = False
    keeps: bool = False
    """Whether rows without a counterpart are kept."""
    is_sure: bool = False
    """Whether the database says so, or both columns are called the same and each value is there."""


@dataclass(frozen=True, slots=True)
class Source:
    """A table, and the tables looked up from it."""

    table: str
    noun: str
    """What its rows are called."""
    title: str
    """How users know the table."""
    has_totals: bool = False
    has_row_ids: bool = True
    joins: tuple[Join, ...] = ()
    called: str = ""
    """The same as ``noun``, or 'rows of "Staff"', for explanations."""

    @property
    def rows(self) -> str:
        """What explanations call the rows."""
        return self.called or self.noun

    def sql(self) -> str:
        """Return what follows FROM."""
        joined = [
            f"{' LEFT' if j.keeps else ''} JOIN {name_of(j.table)} ON {j.left.sql(qualified=True)} = "
            f"{j.right.sql(qualified=True)}"
            for j in self.joins
        ]
        return name_of(self.table) + "".join(joined)


@dataclass(frozen=True, slots=True)
class Query:
    """One SELECT: shown columns of rows, or measures of all rows or of groups."""

    source: Source
    where: tuple[Condition, ...] = ()
    shown: tuple[Expr, ...] = ()
    """Columns to show; the group keys if there are measures."""
    measures: tuple[Measure, ...] = ()
    by: Expr | Measure | None = None
    """What to rank by."""
    descending: bool = True
    limit: int = 0
    """How many to keep when ranked; 0 keeps all, 1 keeps ties."""
    offset: int = 0
    having: tuple[str, float] | None = None
    """A bound on the first measure of each group."""
    distinct: bool = False
    in_order: bool = False
    """Whether groups are in the order of the document: of months, which the alphabet would mix up."""

    def sql(self) -> str:
        """Return the statement."""
        q = bool(self.source.joins)
        shown = [e.sql(qualified=q) for e in self.shown]
        listed = [f"{s} AS `{e.grain}`" if isinstance(e, Mapped) else s for s, e in zip(shown, self.shown, strict=True)]
        listed += [f"{m.sql(qualified=q)}{' AS `result`' if m.function else ''}" for m in self.measures]
        first = self.by is not None and self.limit == 1 and not self.offset
        extreme = first and not self.measures
        where = self.where_sql(extreme=extreme)
        if not self.measures:
            order = "" if extreme else self._order(q)
            distinct = "DISTINCT " if self.distinct and not order else ""
            return f"SELECT {distinct}{', '.join(listed)} FROM {self.source.sql()}{where}{order}"
        group = f" GROUP BY {', '.join(shown)}" if shown else ""
        having = (
            f" HAVING {self.measures[0].sql(qualified=q)} {self.having[0]} {literal(self.having[1])}"
            if self.having
            else ""
        )
        rest = f" FROM {self.source.sql()}{where}{group}"
        if first and self.shown and isinstance(self.by, Measure) and not having:
            by = self.by.sql(qualified=q)
            way = "DESC" if self.descending else "ASC"
            having = f" HAVING {by} = (SELECT {by}{rest} HAVING {by} IS NOT NULL ORDER BY {by} {way} LIMIT 1)"
            return f"SELECT {', '.join(listed)}{rest}{having}"
        return f"SELECT {', '.join(listed)}{rest}{having}{self._order(q)}"

    def scalar(self) -> str:
        """Return the statement of a single measure as a subquery."""
        q = bool(self.source.joins)
        return f"(SELECT {self.measures[0].sql(qualified=q)} FROM {self.source.sql()}{self.where_sql()})"

    def where_sql(self, *, extreme: bool = False) -> str:
        """Return the conditions, with WHERE; "" if there are none."""
        q = bool(self.source.joins)
        parts = [c.sql(qualified=q) for c in self.where]
        tables = [(self.source.table, self.source.has_totals), *((j.table, j.has_totals) for j in self.source.joins)]
        for table, totals in tables:
            if totals:
                parts.append(f"NOT {name_of(table)}.{name_of(TOTAL)}" if q else f"NOT {name_of(TOTAL)}")
        if extreme and self.by is not None:
            inner = Query(self.source, self.where, (), (Measure("max" if self.descending else "min", _expr(self.by)),))
            parts.append(f"{self.by.sql(qualified=q)} = {inner.scalar()}")
        elif self.by is not None and not self.measures:
            parts.append(f"{self.by.sql(qualified=q)} IS NOT NULL")
        return f" WHERE {' AND '.join(parts)}" if parts else ""

    def _order(self, q: bool) -> str:
        if self.by is None:
            periods = [e for e in self.shown if isinstance(e, Ref) and e.grain]
            if self.in_order and self.source.has_row_ids:
                return f" ORDER BY MIN({f'{name_of(self.source.table)}.' if q else ''}{name_of(ROW_ID)})"
            return f" ORDER BY {periods[0].sql(qualified=q)}" if periods and self.measures else ""
        limit = f" LIMIT {self.limit}" if self.limit else ""
        offset = f" OFFSET {self.offset}" if self.offset else ""
        tie = ""
        if self.source.has_row_ids:
            row = f"{name_of(self.source.table)}.{name_of(ROW_ID)}" if q else name_of(ROW_ID)
            tie = f", MIN({row})" if self.measures else f", {row}"
        return f" ORDER BY {self.by.sql(qualified=q)} {'DESC' if self.descending else 'ASC'}{tie}{limit}{offset}"

    def words(self) -> str:
        """Return what it computes, in the document's words."""
        noun = self.source.rows
        where = f" where {' and '.join(c.words() for c in _told_apart(self.where))}" if self.where else ""
        shown = _listed([e.words() for e in self.shown])
        if not self.measures:
            ranked = self._ranking(noun)
            if not ranked and shown.casefold() == singular(noun).casefold():
                shown = ""  # "Suppliers where ...", not "Supplier of the suppliers where ..."
            return f"{shown} {in_rows(noun)}{ranked}{where}" if shown else f"{noun[:1].upper()}{noun[1:]}{where}"
        measured = " and ".join(m.words(noun) for m in self.measures)
        if not self.shown:
            counted = all(m.function in ("count", "distinct") for m in self.measures)
            return f"{measured}{'' if counted else f' over {noun}'}{where}"
        if self.by is not None:
            way = "highest" if self.descending else "lowest"
            count = f"{self.limit} " if self.limit > 1 else ""
            place = _place_of(self.offset)
            ranked = lower_first(measured)
            if count:
                ranked = SINGULAR.sub(r"\1s", ranked)  # "the 3 highest totals of"
            return f"{shown} with the {count}{place}{way} {ranked}{where}"
        bound = f", if it {compared(self.having[0])} {_said(self.having[1])}" if self.having else ""
        return f"{measured} for each {shown}{where}{bound}"

    def _ranking(self, noun: str) -> str:
        if self.by is None:
            return ""
        way, place = "highest" if self.descending else "lowest", _place_of(self.offset)
        count = f"{self.limit} " if self.limit > 1 else ""
        by = self.by.words(noun) if isinstance(self.by, Measure) else self.by.words()
        return f" with the {count}{place}{way} {by}"

    def narrowed(self, *conditions: Condition) -> "Query":
        """Return the query over fewer rows."""
        return replace(self, where=(*self.where, *conditions))


def _listed(names: Sequence[str]) -> str:
    """Return names in a row; of many, how many more there are."""
    if len(names) > MOST_LISTED:
        return f"{', '.join(names[: MOST_LISTED - 1])} and {len(names) - MOST_LISTED + 1} more columns"
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two values compared."""

    kind: Literal["share", "difference", "gap", "growth", "decrease", "ratio"]
    """A gap is a difference without a sign."""
    one: Query
    """The part of a share; what a change starts from."""
    two: Query
    """The whole; what a change leads to."""

    def sql(self) -> str:
        """Return the statement; percentages are in percent."""
        one, two = self.one.scalar(), self.two.scalar()
        match self.kind:
            case "share":
                return f"SELECT 100 * {one} / {two} AS `percent`"
            case "difference":
                return f"SELECT {two} - {one} AS `result`"
            case "gap":
                return f"SELECT ABS({two} - {one}) AS `result`"
            case "growth":
                return f"SELECT 100 * ({two} - {one}) / {one} AS `percent`"
            case "decrease":
                return f"SELECT 100 * ({one} - {two}) / {one} AS `percent`"
            case _:
                return f"SELECT {one} / {two} AS `result`"

    def words(self) -> str:
        """Return what it computes."""
        one, two = self.one.words(), self.two.words()
        if self.one.source.table != self.two.source.table:  # of two tables, the titles tell the sides
            one, two = f"{one} ({self.one.source.title})", f"{two} ({self.two.source.title})"
        match self.kind:
            case "share":
                return f"{one} as a percentage of {lower_first(two)}"
            case "difference":
                return f"{two} minus {lower_first(one)}"
            case "gap":
                return f"Difference between {lower_first(one)} and {lower_first(two)}"
            case "growth":
                return f"Change in percent from {lower_first(one)} to {lower_first(two)}"
            case "decrease":
                return f"Decrease in percent from {lower_first(one)} to {lower_first(two)}"
            case _:
                return f"{one} divided by {lower_first(two)}"


def _place_of(offset: int) -> str:
    """Return which one of the highest is meant, with a blank; "" for the first."""
    return {0: "", 1: "second ", 2: "third "}.get(offset, f"{offset + 1}th ")


def _expr(by: Expr | Measure) -> Expr | None:
    return by.expr if isinstance(by, Measure) else by


def compared(operator: str) -> str:
    """Return a comparison in words."""
    return {"<": "is below", ">": "is above", "<=": "is at most", ">=": "is at least", "=": "is", "<>": "is not"}.get(
        operator, operator
    )


def lower_first(text: str) -> str:
    """Return a text to put inside a sentence."""
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def _base_name(value: str | float) -> str | float:
    return value.rsplit("/", 1)[-1] if isinstance(value, str) else value


def _said(value: str | float, header: str = "") -> str:
    if isinstance(value, str):
        return f'"{value}"'
    return f"{value:.0f}" if YEARLY.search(header) and is_year(value) else f"{value:,.10g}"


def source_of(schema: TableSchema, noun: str) -> Source:
    """Return a table as the source of a query."""
    hidden = schema.hidden_columns
    return Source(
        schema.name, noun, schema.title or schema.source, TOTAL in hidden, ROW_ID in hidden and not schema.members,
        called=row_words(schema, noun),
    )  # fmt: skip
