"""Programs: what a question may mean over one table, and the SELECT for it in MySQL's dialect."""

from dataclasses import dataclass
from typing import Literal

from tablerag.agent.offline.sql_text import like_safe, literal, name_of
from tablerag.tools.records import ROW_ID, TOTAL

__all__ = ["ALL", "Condition", "Operation", "Program", "Rows", "numbers_of"]

Operator = Literal["=", "<>", "<", ">", "<=", ">=", "between", "contains", "starts", "year", "month", "empty", "filled"]
Operation = Literal[
    "list", "count", "count_distinct", "sum", "avg", "min", "max", "span", "difference", "count_difference",
    "most_common", "best_group", "best_average", "groups_with", "count_groups_with", "same", "grouped",
    "grouped_average", "share", "ratio", "column_difference", "column_sum", "greater_column", "choice", "exists",
]  # fmt: skip


NUMBERS = "\0number"
"""Suffix of the name for the leading numbers of a text column."""


def numbers_of(column: str) -> str:
    """Return the name that programs use for the leading numbers of a text column."""
    return column + NUMBERS


@dataclass(frozen=True, slots=True)
class Condition:
    """A filter on one column; "=" with several values means any of them."""

    column: str
    operator: Operator
    values: tuple[str | float, ...]

    def sql(self) -> str:
        """Return the condition as SQL."""
        name, values = _name(self.column), [literal(v) for v in self.values]
        match self.operator:
            case "=" if len(values) > 1:
                return f"{name} IN ({', '.join(values)})"
            case "between":
                return f"{name} BETWEEN {values[0]} AND {values[1]}"
            case "contains":
                return f"{name} LIKE {literal(f'%{like_safe(str(self.values[0]))}%')}"
            case "starts":
                return f"{name} LIKE {literal(f'{like_safe(str(self.values[0]))}%')}"
            case "empty" | "filled":
                return f"{name} IS {'NOT ' if self.operator == 'filled' else ''}NULL"
            case "year" | "month":
                return f"{self.operator.upper()}({name}) = {values[0]}"
            case _:
                return f"{name} {self.operator} {values[0]}"


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows: those that satisfy all conditions, the extreme ones of them, or those beside them."""

    conditions: tuple[Condition, ...] = ()
    extreme: Literal["", "max", "min"] = ""
    by: str = ""
    """The column of the extreme; ``_row_id`` for the first and last row."""
    limit: int = 0
    """How many rows in that order; 0 keeps all with the extreme value."""
    step: int = 0
    """1 for the row after the last one, -1 for the row before the first."""
    above: Literal["", ">", "<"] = ""
    """Select rows whose ``by`` is greater or less than that of the rows that satisfy the conditions."""
    totals: bool = False
    """Whether to include totals rows."""


ALL = Rows()


@dataclass(frozen=True, slots=True)
class Program:
    """One SELECT over one table."""

    table: str
    operation: Operation
    column: str = ""
    """The column to show or measure; "" counts rows."""
    rows: Rows = ALL
    other: Rows | None = None
    """The rows to compare with ``rows``."""
    group: str = ""
    measure: str = ""
    """The column to aggregate per group; "" counts rows."""
    descending: bool = True
    number: int = 0
    """Of groups_with: the number of rows of a group; of the best groups: how many to keep, 0 for one."""
    labels: tuple[str, ...] = ()
    """Answers of a choice: the first if ``rows`` has more than ``other``, else the second; or a difference's unit."""
    has_totals: bool = False
    """Whether the table marks totals rows."""

    def to_sql(self) -> str:
        """Return the statement in MySQL's dialect."""
        column, table = _name(self.column) if self.column else "*", _name(self.table)
        where = self._where(self.rows)
        source = f"FROM {table}{where}"
        match self.operation:
            case "list":
                return f"SELECT {column} {source}{self._ordered(self.rows)}"
            case "count":
                return f"SELECT COUNT(*) AS `result` {source}"
            case "count_distinct":
                return f"SELECT COUNT(DISTINCT {column}) AS `result` {source}"
            case "sum" | "avg" | "min" | "max":
                return f"SELECT {self.operation.upper()}({column}) AS `result` {source}"
            case "span":
                return f"SELECT MAX({column}) - MIN({column}) AS `result` {source}"
            case "difference" | "count_difference" | "ratio" | "choice":
                return self._compared(column)
            case "column_difference" | "column_sum" | "greater_column":
                return self._columns_compared(column, source)
            case "exists":
                return f"SELECT CASE WHEN COUNT(*) > 0 THEN 'yes' ELSE 'no' END AS `result` {source}"
            case "share":
                whole = self._where(self.other or ALL)
                part = "COUNT(*)" if not self.column else f"SUM({column})"
                return f"SELECT 100 * (SELECT {part} {source}) / (SELECT {part} FROM {table}{whole}) AS `result`"
            case "same":
                return self._alike(column)
            case _:
                return self._grouped(source)

    def _compared(self, column: str) -> str:
        table, other = _name(self.table), self._where(self.other or ALL)
        value = f"MAX({column})" if self.column else "COUNT(*)"
        one, two = f"(SELECT {value} FROM {table}{self._where(self.rows)})", f"(SELECT {value} FROM {table}{other})"
        if self.operation == "ratio":
            return f"SELECT {one} / {two} AS `result`"
        if self.operation == "choice":
            return f"SELECT {self._chosen(one, two)} AS `result`"
        return f"SELECT {self._with_unit(f'ABS({one} - {two})')} AS `result`"

    def _columns_compared(self, column: str, source: str) -> str:
        """Select the difference or sum of two columns of the same rows, or which is greater."""
        other = _name(self.measure)
        if self.operation == "greater_column":
            return f"SELECT {self._chosen(f'SUM({column})', f'SUM({other})')} AS `result` {source}"
        if self.operation == "column_sum":
            return f"SELECT MAX({column}) + MAX({other}) AS `result` {source}"
        return f"SELECT {self._with_unit(f'ABS(MAX({column}) - MAX({other}))')} AS `result` {source}"

    def _chosen(self, one: str, two: str) -> str:
        first, second = map(literal, self.labels)
        return f"CASE WHEN {one} > {two} THEN {first} ELSE {second} END"

    def _with_unit(self, value: str) -> str:
        return f"CONCAT({value}, {literal(f' {self.labels[0]}')})" if self.labels else value

    def _alike(self, column: str) -> str:
        """Select the values of other rows with the same value in the group column."""
        table, group, row = _name(self.table), _name(self.group), _name(ROW_ID)
        where = self._where(self.rows)
        kept = (
            f"{group} = (SELECT MIN({group}) FROM {table}{where}) AND {row} <> (SELECT MIN({row}) FROM {table}{where})"
        )
        return f"SELECT {column} FROM {table}{_where([kept, *self._parts(ALL)])}"

    def _grouped(self, source: str) -> str:
        group = _name(self.group)
        total = "AVG" if self.operation in ("grouped_average", "best_average") else "SUM"
        measured = f"{total}({_name(self.measure)})" if self.measure else "COUNT(*)"
        if self.operation in ("grouped", "grouped_average"):
            return f"SELECT {group}, {measured} AS `result` {source} GROUP BY {group}"
        if self.operation in ("groups_with", "count_groups_with"):
            compared = f"{'>=' if self.descending else '='} {self.number}"
            having = f"SELECT {group} {source} GROUP BY {group} HAVING COUNT(*) {compared}"
            return having if self.operation == "groups_with" else f"SELECT COUNT(*) AS `result` FROM ({having}) AS `g`"
        order = f"ORDER BY {measured} {'DESC' if self.descending else 'ASC'}, MIN({_name(ROW_ID)})"
        return f"SELECT {group} {source} GROUP BY {group} {order} LIMIT {self.number or 1}"

    def _where(self, rows: Rows) -> str:
        return _where(self._parts(rows))

    def _parts(self, rows: Rows) -> list[str]:
        """Return a row's conditions as SQL."""
        table, by = _name(self.table), _name(rows.by or ROW_ID)
        no_totals = [f"NOT {_name(TOTAL)}"] if self.has_totals and not rows.totals else []
        conditions = [*(c.sql() for c in rows.conditions), *no_totals]
        if rows.above:
            found = [f"{by} {rows.above} (SELECT MAX({by}) FROM {table}{_where(conditions)})", *no_totals]
        elif rows.extreme and rows.limit:
            found = [*conditions, f"{by} IS NOT NULL"]
        elif rows.extreme:
            found = [*conditions, f"{by} = (SELECT {rows.extreme.upper()}({by}) FROM {table}{_where(conditions)})"]
        else:
            found = conditions
        if not rows.step:
            return found
        row, end, sign = _name(ROW_ID), *(("MAX", "+") if rows.step > 0 else ("MIN", "-"))
        return [f"{row} = (SELECT {end}({row}) FROM {table}{_where(found)}) {sign} {abs(rows.step)}"]

    def _ordered(self, rows: Rows) -> str:
        if not rows.extreme or not rows.limit or rows.step:
            return ""
        way = "DESC" if rows.extreme == "max" else "ASC"
        return f" ORDER BY {_name(rows.by)} {way}, {_name(ROW_ID)} LIMIT {rows.limit}"


def _where(parts: list[str]) -> str:
    return f" WHERE {' AND '.join(parts)}" if parts else ""


def _name(name: str) -> str:
    if name.endswith(NUMBERS):
        column = _name(name.removesuffix(NUMBERS))
        # The second pattern drops symbols before the number, which CAST would not accept.
        leading = f"REGEXP_SUBSTR(REPLACE({column}, ',', ''), '^[^0-9]{{0,3}}[0-9]+([.][0-9]+)?')"
        return f"CAST(REGEXP_SUBSTR({leading}, '[0-9]+([.][0-9]+)?') AS DECIMAL(20, 4))"
    return name_of(name)
