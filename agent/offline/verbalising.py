"""SQL in plain English: what was computed, for people who do not read SQL.

It knows the statements that the embedded reasoner writes; of others it says nothing.
"""

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from tablerag.tools.records import ROW_ID, TOTAL, TableSchema

__all__ = ["in_words"]

COMPARED: dict[type[exp.Expr], str] = {
    exp.NEQ: "is not", exp.LT: "is less than", exp.GT: "is more than", exp.LTE: "is at most", exp.GTE: "is at least",
}  # fmt: skip
AGGREGATES: dict[type[exp.Expr], str] = {
    exp.Sum: "total", exp.Avg: "average", exp.Min: "lowest", exp.Max: "highest",
}  # fmt: skip
MONTHS = "January February March April May June July August September October November December".split()


class _Unknown(Exception):
    """A part of a statement that has no words here."""


def in_words(sql: str, schema: TableSchema | None = None) -> str:
    """Return what a SELECT computes as a noun phrase, such as "the Nation with the highest Gold"; "" where unknown.

    Columns are called as in the document when the schema is given, else by their SQL names.
    """
    try:
        select = sqlglot.parse_one(sql, read="mysql")
        headers = {n: c.header for c in schema.columns for n in c.all_names()} if schema else {}
        return _Wording(headers).select(select)
    except (SqlglotError, _Unknown):
        return ""


class _Wording:
    def __init__(self, headers: dict[str, str]) -> None:
        self._headers = headers

    def select(self, select: exp.Expr) -> str:
        """Say what a SELECT gives."""
        if not isinstance(select, exp.Select) or not select.expressions:
            raise _Unknown
        source = select.args.get("from_")
        shown = [p.unalias() for p in select.expressions]
        if source is None:
            return self._value(shown[0], "")
        if isinstance(source.this, exp.Subquery):
            return f"the number of {self.select(source.this.this).removeprefix('each ')}"
        rows = self._rows(select)
        if select.args.get("group"):
            return self._grouped(select, shown, rows)
        order = select.args.get("order")
        if order and select.args.get("limit"):
            ordered = order.expressions[0]
            way = "highest" if ordered.args.get("desc") else "lowest"
            count = select.args["limit"].expression.name
            rows = f" with the {count if count != '1' else ''} {way} {self._name(ordered.this)}{_among(rows)}"
            rows = rows.replace("  ", " ")
        return ", ".join(self._value(p, rows) for p in shown)

    def _grouped(self, select: exp.Select, shown: list[exp.Expr], rows: str) -> str:
        group, having = self._name(select.args["group"].expressions[0]), select.args.get("having")
        if having:
            least = "at least" if isinstance(having.this, exp.GTE) else "exactly"
            return f"each {group} that stands in {least} {having.this.expression.name} rows{rows}"
        if select.args.get("order") and select.args.get("limit"):
            ordered = select.args["order"].expressions[0]
            way = "highest" if ordered.args.get("desc") else "lowest"
            count = select.args["limit"].expression.name
            way = way if count == "1" else f"{count} {way}"
            return f"the {group} with the {way} {self._value(ordered.this, '').removeprefix('the ')}{_among(rows)}"
        measured = [self._value(p, "") for p in shown if not isinstance(p, exp.Column)]
        return f"{' and '.join(measured)} for each {group}{_among(rows)}"

    def _value(self, value: exp.Expr, rows: str) -> str:
        """Say a projection over rows."""
        match value:
            case exp.Column() | exp.Cast():
                return f"the {self._name(value)}{rows}"
            case exp.Paren():
                return self._value(value.this, rows)
            case exp.Subquery():
                return self.select(value.this)
            case exp.Count():
                distinct = value.this if isinstance(value.this, exp.Distinct) else None
                if distinct:
                    return f"the number of different {self._name(distinct.expressions[0])} values{_among(rows)}"
                return f"the number of rows{rows}"
            case exp.Sum() | exp.Avg() | exp.Min() | exp.Max():
                return f"the {AGGREGATES[type(value)]} {self._name(value.this)}{_among(rows)}"
            case exp.Literal():
                return str(value.this)
            case exp.Concat():
                return self._value(value.expressions[0], rows)
            case exp.Abs():
                return f"the difference between {self._both(value.this)}{_of(rows)}"
            case _:
                return self._composed(value, rows)

    def _composed(self, value: exp.Expr, rows: str) -> str:
        match value:
            case exp.Sub():
                return f"the difference between {self._both(value)}{_of(rows)}"
            case exp.Add():
                return f"{self._value(value.left, '')} plus {self._value(value.right, '')}{_of(rows)}"
            case exp.Div() if isinstance(value.left, exp.Mul):
                return f"{self._value(value.left.right, rows)} in percent of {self._value(value.right, rows)}"
            case exp.Div():
                return f"{self._value(value.left, rows)} divided by {self._value(value.right, rows)}"
            case exp.Case():
                when = value.args["ifs"][0]
                first, second = when.args["true"].name, value.args["default"].name
                return f"“{first}” if {self._compared(when.this, rows)}, else “{second}”"
        raise _Unknown

    def _both(self, value: exp.Expr) -> str:
        return f"{self._value(value.left, '')} and {self._value(value.right, '')}"

    def _compared(self, condition: exp.Expr, rows: str) -> str:
        if not isinstance(condition, exp.GT):
            raise _Unknown
        return f"{self._value(condition.left, rows)} is more than {self._value(condition.right, rows)}"

    def _rows(self, select: exp.Select) -> str:
        """Say what its rows must meet, behind a noun."""
        where = select.args.get("where")
        parts = (
            list(where.this.flatten()) if where and isinstance(where.this, exp.And) else [where.this] if where else []
        )
        special = [s for p in parts if (s := self._special(p))]
        plain = [self._condition(p) for p in parts if not self._special(p) and not _leaves_out_totals(p)]
        said = f" where {' and '.join(plain)}" if plain else ""
        return special[0] + _among(said) if special else said

    def _special(self, part: exp.Expr) -> str:
        """Say a condition that ranks rows, or picks those beside others."""
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
            if _is_same_row(part, inner):
                return f" with the same {self._name(part.left)} as the row{rows}"
            return f" with the {AGGREGATES.get(type(extreme), 'same')} {self._name(part.left)}"
        if is_row:
            return f" listed {'below' if isinstance(part, exp.GT) else 'above'} the row{rows}"
        return f" with a {'higher' if isinstance(part, exp.GT) else 'lower'} {self._name(part.left)} than the row{rows}"

    def _condition(self, part: exp.Expr) -> str:
        name = self._name(part.this)
        match part:
            case exp.EQ() if isinstance(part.left, exp.Month):
                return f"the month of the {name} is {MONTHS[int(part.right.name) - 1]}"
            case exp.EQ() if isinstance(part.left, exp.Year):
                return f"the {name} is in {part.right.name}"
            case exp.EQ():
                return f"the {name} is {_literal(part.right)}"
            case exp.In():
                return f"the {name} is {' or '.join(map(_literal, part.expressions))}"
            case exp.Between():
                return f"the {name} is between {_literal(part.args['low'])} and {_literal(part.args['high'])}"
            case exp.Like():
                text = part.expression.name
                return f"the {name} {'contains' if text.startswith('%') else 'begins with'} “{text.strip('%')}”"
            case exp.Is():
                return f"the {name} is empty"
            case exp.Not():
                return f"the {self._name(part.this.this)} is filled"
            case exp.NEQ() if isinstance(part.right, exp.Subquery):
                return "it is another row"
            case exp.NEQ() | exp.LT() | exp.GT() | exp.LTE() | exp.GTE():
                return f"the {name} {COMPARED[type(part)]} {_literal(part.right)}"
        raise _Unknown

    def _name(self, value: exp.Expr) -> str:
        column = value if isinstance(value, exp.Column) else value.find(exp.Column)
        if column is None:
            raise _Unknown
        return (
            "place in the table"
            if column.name == ROW_ID
            else self._headers.get(column.name, column.name.replace("_", " "))
        )


def _is_same_row(part: exp.EQ, inner: exp.Select) -> bool:
    """Tell "same team as X" from "the lowest team": the former leaves the row of X out."""
    return any(isinstance(p, exp.NEQ) and p.left.name == ROW_ID for p in part.parent_select.find_all(exp.NEQ))


def _leaves_out_totals(part: exp.Expr) -> bool:
    return isinstance(part, exp.Not) and isinstance(part.this, exp.Column) and part.this.name == TOTAL


def _literal(value: exp.Expr) -> str:
    return f"“{value.name}”" if isinstance(value, exp.Literal) and value.is_string else value.sql(dialect="mysql")


def _among(rows: str) -> str:
    """Say rows behind a noun that is no row itself."""
    return f", among the rows{rows}" if rows else ""


def _of(rows: str) -> str:
    return f" of the row{rows}" if rows else ""
