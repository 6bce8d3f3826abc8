"""The reasoner's SQL statements in words, for people who do not read SQL."""

from collections.abc import Sequence

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from tablerag.tools.records import ROW_ID, TOTAL, TableSchema

__all__ = ["describe"]

COMPARED: dict[type[exp.Expr], str] = {
    exp.NEQ: "is not", exp.LT: "is less than", exp.GT: "is more than", exp.LTE: "is at most", exp.GTE: "is at least",
}  # fmt: skip
AGGREGATES: dict[type[exp.Expr], str] = {
    exp.Sum: "total of", exp.Avg: "average of", exp.Min: "lowest", exp.Max: "highest",
}  # fmt: skip
MONTHS = "January February March April May June July August September October November December".split()


class _Unknown(Exception):
    """A part of a statement that cannot be described."""


def describe(sql: str, schemas: Sequence[TableSchema] = ()) -> str:
    """Return what a SELECT computes as a noun phrase, such as 'total of "Total (EUR)" where "Region" is 'North''.

    Columns have their document's headers, in double quotes; those of other tables than ``schemas`` their SQL names.
    "" for statements other than the embedded reasoner's.
    """
    try:
        select = sqlglot.parse_one(sql, read="mysql")
        tables = {t.name for t in select.find_all(exp.Table)}
        columns = [c for s in schemas if s.name in tables for c in s.columns]
        return _Description({name: c.header for c in columns for name in c.all_names()}).select(select)
    except (SqlglotError, _Unknown):
        return ""


class _Description:
    def __init__(self, headers: dict[str, str]) -> None:
        self._headers = headers

    def select(self, select: exp.Expr) -> str:
        """Describe a SELECT."""
        if not isinstance(select, exp.Select) or not select.expressions:
            raise _Unknown
        source, shown = select.args.get("from_"), [p.unalias() for p in select.expressions]
        if source is None:
            return self._value(shown[0], "")
        if isinstance(source.this, exp.Subquery):
            return f"number of values: {self.select(source.this.this)}"
        rows = self._rows(select)
        if select.args.get("group"):
            return self._grouped(select, shown, rows)
        if select.args.get("order") and select.args.get("limit"):
            way, ordered = _ranking(select)
            rows = f" with the {way} {self._name(ordered)}{rows}"
        return ", ".join(self._value(p, rows) for p in shown)

    def _grouped(self, select: exp.Select, shown: list[exp.Expr], rows: str) -> str:
        group, having = self._name(select.args["group"].expressions[0]), select.args.get("having")
        if having:
            least = "at least" if isinstance(having.this, exp.GTE) else "exactly"
            count = having.this.expression.name
            return f"each {group} that occurs in {least} {count} row{'' if count == '1' else 's'}{rows}"
        if select.args.get("order") and select.args.get("limit"):
            way, ordered = _ranking(select)
            return f"{group} with the {way} {self._value(ordered, '')}{rows}"
        measured = [self._value(p, "") for p in shown if not isinstance(p, exp.Column)]
        return f"{' and '.join(measured)} for each {group}{rows}"

    def _value(self, value: exp.Expr, rows: str) -> str:
        """Describe a projection over rows."""
        match value:
            case exp.Column() | exp.Cast():
                return f"{self._name(value)}{rows}"
            case exp.Paren():
                return self._value(value.this, rows)
            case exp.Subquery():
                return self.select(value.this)
            case exp.Count() if isinstance(value.this, exp.Distinct):
                return f"number of different values of {self._name(value.this.expressions[0])}{rows}"
            case exp.Count():
                return f"number of rows{rows}"
            case exp.Sum() | exp.Avg() | exp.Min() | exp.Max():
                return f"{AGGREGATES[type(value)]} {self._name(value.this)}{rows}"
            case exp.Literal():
                return str(value.this)
            case exp.Concat():
                return self._value(value.expressions[0], rows)
            case exp.Abs():
                return self._value(value.this, rows)
            case exp.Sub():
                return f"difference between {self._value(value.left, '')} and {self._value(value.right, '')}{rows}"
            case exp.Add():
                return f"{self._value(value.left, '')} plus {self._value(value.right, '')}{rows}"
            case exp.Div() if isinstance(value.left, exp.Mul):
                return f"{self._value(value.left.right, rows)} as a percentage of {self._value(value.right, rows)}"
            case exp.Div():
                return f"{self._value(value.left, rows)} divided by {self._value(value.right, rows)}"
            case exp.Case() if isinstance(condition := value.args["ifs"][0].this, exp.GT):
                first, second = value.args["ifs"][0].args["true"].name, value.args["default"].name
                compared = f"{self._value(condition.left, rows)} is more than {self._value(condition.right, rows)}"
                return f"'{first}' if {compared}, else '{second}'"
        raise _Unknown

    def _rows(self, select: exp.Select) -> str:
        """Describe which rows a SELECT reads, as what follows a noun; "" for all rows."""
        where = select.args.get("where")
        parts = list(where.this.flatten() if isinstance(where.this, exp.And) else [where.this]) if where else []
        special = [s for p in parts if (s := self._special(p))]
        simple = [self._condition(p) for p in parts if not self._special(p) and not _leaves_out_totals(p)]
        return (special[0] if special else "") + (f" where {' and '.join(simple)}" if simple else "")

    def _special(self, part: exp.Expr) -> str:
        """Describe a condition that ranks rows or selects those beside others; "" for others."""
        if not isinstance(part, exp.EQ | exp.GT | exp.LT) or not isinstance(part.left, exp.Column | exp.Cast):
            return ""
        right, is_row = part.right, part.left.name == ROW_ID
        if isinstance(right, exp.Add | exp.Sub) and is_row:
            way = "after" if isinstance(right, exp.Add) else "before"
            return f" in the row {way} the one{self._rows(right.left.this)}"
        if not isinstance(right, exp.Subquery):
            return ""
        inner = right.this
        extreme, rows = inner.expressions[0].unalias(), self._rows(inner)
        if isinstance(part, exp.EQ) and is_row:
            return f" in the {'last' if isinstance(extreme, exp.Max) else 'first'} row"
        if isinstance(part, exp.EQ):
            if _is_other_row(part):
                return f" with the same {self._name(part.left)} as the row{rows}"
            return f" with the {AGGREGATES.get(type(extreme), 'same')} {self._name(part.left)}"
        if is_row:
            return f" listed {'below' if isinstance(part, exp.GT) else 'above'} the row{rows}"
        return f" with a {'higher' if isinstance(part, exp.GT) else 'lower'} {self._name(part.left)} than the row{rows}"

    def _condition(self, part: exp.Expr) -> str:
        name = self._name(part.this)
        match part:
            case exp.EQ() if isinstance(part.left, exp.Month):
                return f"{name} is in {MONTHS[int(part.right.name) - 1]}"
            case exp.EQ() if isinstance(part.left, exp.Year):
                return f"{name} is in {part.right.name}"
            case exp.EQ():
                return f"{name} is {_literal(part.right)}"
            case exp.In():
                return f"{name} is {' or '.join(map(_literal, part.expressions))}"
            case exp.Between():
                return f"{name} is between {_literal(part.args['low'])} and {_literal(part.args['high'])}"
            case exp.Like():
                text = part.expression.name
                return f"{name} {'contains' if text.startswith('%') else 'starts with'} '{text.strip('%')}'"
            case exp.Is():
                return f"{name} is empty"
            case exp.Not():
                return f"{self._name(part.this.this)} is not empty"
            case exp.NEQ() if isinstance(part.right, exp.Subquery):
                return "it is another row"
            case exp.NEQ() | exp.LT() | exp.GT() | exp.LTE() | exp.GTE():
                return f"{name} {COMPARED[type(part)]} {_literal(part.right)}"
        raise _Unknown

    def _name(self, value: exp.Expr) -> str:
        column = value if isinstance(value, exp.Column) else value.find(exp.Column)
        if column is None:
            raise _Unknown
        return "position in the table" if column.name == ROW_ID else f'"{self._headers.get(column.name, column.name)}"'


def _ranking(select: exp.Select) -> tuple[str, exp.Expr]:
    """Return "highest" or "3 lowest", and what the statement orders by."""
    ordered, count = select.args["order"].expressions[0], select.args["limit"].expression.name
    way = "highest" if ordered.args.get("desc") else "lowest"
    return way if count == "1" else f"{count} {way}", ordered.this


def _is_other_row(part: exp.EQ) -> bool:
    """Tell "same team as X" from "the lowest team": only the former excludes the row of X."""
    select = part.parent_select
    return select is not None and any(p.left.name == ROW_ID for p in select.find_all(exp.NEQ))


def _leaves_out_totals(part: exp.Expr) -> bool:
    return isinstance(part, exp.Not) and isinstance(part.this, exp.Column) and part.this.name == TOTAL


def _literal(value: exp.Expr) -> str:
    return f"'{value.name}'" if isinstance(value, exp.Literal) and value.is_string else value.sql(dialect="mysql")
