"""Programs: what a question may mean over one table, and the SELECT for it in MySQL's dialect."""

from dataclasses import dataclass
from typing import Literal

from tablerag.agent.offline.sql_text import like_safe, literal, name_of
from tablerag.tools.records import ROW_ID, TOTAL

__all__ = ["ALL", "Condition", "Operation", "Operator", "Program", "Rows", "numbers_of"]

Operator = Literal["=", "<>", "<", ">", "<=", ">=", "between", "contains", "starts", "year"]
Operation = Literal[
    "list", "count", "count_distinct", "sum", "avg", "difference", "most_common", "best_group", "same", "choice",
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
            case "year":
                return f"YEAR({name}) = {values[0]}"
            case _:
                return f"{name} {self.operator} {values[0]}"


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows: those that satisfy all conditions, the extreme ones of them, or those beside them."""

    conditions: tuple[Condition, ...] = ()
    extreme: Literal["", "max", "min"] = ""
    by: str = ""
    """The column of the extreme; ``_row_id`` for the first and last row."""
    step: int = 0
    """1 for the row after the last one, -1 for the row before the first."""
    above: Literal["", ">", "<"] = ""
    """Select rows whose ``by`` is greater or less than that of the rows that satisfy the conditions."""


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
    """The column that is summed up in each group; "" counts rows."""
    descending: bool = True
    labels: tuple[str, ...] = ()
    """Answers of a choice: the first if ``rows`` has more than ``other``, else the second."""
    has_totals: bool = False
    """Whether the table marks totals rows."""

    def to_sql(self) -> str:
        """Return the statement in MySQL's dialect."""
        column, table = _name(self.column) if self.column else "*", _name(self.table)
        where = self._where(self.rows)
        source = f"FROM {table}{where}"
        match self.operation:
            case "list":
                return f"SELECT {column} {source}"
            case "count":
                return f"SELECT COUNT(*) AS `result` {source}"
            case "count_distinct":
                return f"SELECT COUNT(DISTINCT {column}) AS `result` {source}"
            case "sum" | "avg":
                return f"SELECT {self.operation.upper()}({column}) AS `result` {source}"
            case "difference" | "choice":
                return self._compared(column)
            case "same":
                return self._alike(column)
            case "most_common" | "best_group":
                group, way = _name(self.group), "DESC" if self.descending else "ASC"
                measured = f"SUM({_name(self.measure)})" if self.measure else "COUNT(*)"
                order = f"ORDER BY {measured} {way}, MIN({_name(ROW_ID)}) LIMIT 1"
                return f"SELECT {group} {source} GROUP BY {group} {order}"

    def _compared(self, column: str) -> str:
        table, other = _name(self.table), self._where(self.other or ALL)
        value = f"MAX({column})" if self.column else "COUNT(*)"
        one, two = f"(SELECT {value} FROM {table}{self._where(self.rows)})", f"(SELECT {value} FROM {table}{other})"
        if self.operation == "difference":
            return f"SELECT ABS({one} - {two}) AS `result`"
        first, second = map(literal, self.labels)
        return f"SELECT CASE WHEN {one} > {two} THEN {first} ELSE {second} END AS `result`"

    def _alike(self, column: str) -> str:
        """Select the values of other rows with the same value in the group column."""
        table, group, row = _name(self.table), _name(self.group), _name(ROW_ID)
        where = self._where(self.rows)
        kept = (
            f"{group} = (SELECT MIN({group}) FROM {table}{where}) AND {row} <> (SELECT MIN({row}) FROM {table}{where})"
        )
        return f"SELECT {column} FROM {table}{_where([kept, *self._parts(ALL)])}"

    def _where(self, rows: Rows) -> str:
        return _where(self._parts(rows))

    def _parts(self, rows: Rows) -> list[str]:
        """Return a row's conditions as SQL."""
        table, by = _name(self.table), _name(rows.by or ROW_ID)
        no_totals = [f"NOT {_name(TOTAL)}"] if self.has_totals else []
        conditions = [*(c.sql() for c in rows.conditions), *no_totals]
        if rows.above:
            found = [f"{by} {rows.above} (SELECT MAX({by}) FROM {table}{_where(conditions)})", *no_totals]
        elif rows.extreme:
            found = [*conditions, f"{by} = (SELECT {rows.extreme.upper()}({by}) FROM {table}{_where(conditions)})"]
        else:
            found = conditions
        if not rows.step:
            return found
        row, end, sign = _name(ROW_ID), *(("MAX", "+") if rows.step > 0 else ("MIN", "-"))
        return [f"{row} = (SELECT {end}({row}) FROM {table}{_where(found)}) {sign} {abs(rows.step)}"]


def _where(parts: list[str]) -> str:
    return f" WHERE {' AND '.join(parts)}" if parts else ""


def _name(name: str) -> str:
    if name.endswith(NUMBERS):
        column = _name(name.removesuffix(NUMBERS))
        # The second pattern drops symbols before the number, which CAST would not accept.
        leading = f"REGEXP_SUBSTR(REPLACE({column}, ',', ''), '^[^0-9]{{0,3}}[0-9]+([.][0-9]+)?')"
        return f"CAST(REGEXP_SUBSTR({leading}, '[0-9]+([.][0-9]+)?') AS DECIMAL(20, 4))"
    return name_of(name)
