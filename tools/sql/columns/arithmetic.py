"""Units of sums, differences, products and quotients."""

from dataclasses import replace

from sqlglot import exp

from tablerag.tools.number_words import SCALE_NAMES
from tablerag.tools.sql.columns.column import ResultColumn, Scope, Way

__all__ = ["difference", "product", "quotient"]

UNKNOWN = ResultColumn("", way="computed")
LARGER = {
    ("kg", 3): "t", ("g", 3): "kg", ("mg", 3): "g", ("m", 3): "km", ("Wh", 3): "kWh", ("kWh", 3): "MWh",
    ("MWh", 3): "GWh", ("kWh", 6): "GWh", ("W", 3): "kW", ("kW", 3): "MW", ("MW", 3): "GW", ("ml", 3): "l",
    ("kB", 3): "MB", ("MB", 3): "GB",
}  # fmt: skip
"""The unit of a number that was divided by a power of ten."""
CONVERTED = LARGER | {(larger, -power): unit for (unit, power), larger in LARGER.items()}
MANY = 6
"""From so many columns on, a sum is called by its first and last: "Jan to Dec"."""
PARTS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 52)
"""Divisors that leave the unit as it is: a twelfth of a year's cost is a cost."""


def difference(e: exp.Add | exp.Sub, scope: Scope) -> ResultColumn:
    """Return a sum or difference: it has the unit of its parts if that is the same."""
    parts = [scope.of(p) for p in e.iter_expressions() if not isinstance(p, exp.Literal)]
    if not parts:
        return UNKNOWN
    if len(parts) == 1:
        return replace(parts[0], kind="", period="")
    one, other = parts
    same = (one.unit, one.scale) == (other.unit, other.scale)
    unit, scale = (one.unit, one.scale) if same else ("", "")
    if isinstance(e, exp.Sub) and one.period == other.period == "year":
        unit = "years"
    sign = "+" if isinstance(e, exp.Add) else "−"
    header = f"{one.header} {sign} {other.header}" if one.header and other.header and one.header != other.header else ""
    parts_added = list(e.flatten()) if isinstance(e, exp.Add) else []
    if header and len(parts_added) >= MANY:
        header = f"{scope.of(parts_added[0]).header} to {other.header}"
    ways = {one.way, other.way}
    way: Way = "count" if ways == {"count"} else "share" if "share" in ways else "total" if same else "computed"
    return ResultColumn(header or "Difference", unit, scale, "average" if "average" in ways else way, column=one.column)


def product(e: exp.Mul, scope: Scope) -> ResultColumn:
    """Return a product: a percentage, a converted number, or an amount of money."""
    for factor, other in ((e.this, e.expression), (e.expression, e.this)):
        number = _number(factor)
        if number == 100 and isinstance(_bare(other), exp.Div | exp.Avg):
            return _share(_bare(other), scope)
        if number is not None:
            return _scaled(scope.of(other), number, divided=False)
    one, other = scope.of(e.this), scope.of(e.expression)
    money, rest = (one, other) if one.is_money else (other, one)
    header = f"{one.header} × {other.header}" if one.header and other.header else ""
    # Quantity times price is money; an amount times a rate in percent is a hundred times that.
    keeps = money.is_money and not rest.is_money and rest.unit != "%" and not rest.scale
    unit, scale = (money.unit, money.scale) if keeps else ("", "")
    return ResultColumn(header, unit, scale, "total" if keeps else "computed", column=money.column)


def quotient(e: exp.Div, scope: Scope) -> ResultColumn:
    """Return a quotient: a percentage, a converted number, an average, or money for each unit of something."""
    above, number = _bare(e.this), _number(e.expression)
    if isinstance(above, exp.Mul) and 100 in (_number(above.this), _number(above.expression)):
        part = above.expression if _number(above.this) == 100 else above.this
        return _share(exp.Div(this=part, expression=e.expression), scope)
    one = scope.of(e.this)
    if number is not None:
        return _scaled(one, number, divided=True)
    other = scope.of(_bare(e.expression))
    if other.way == "count" and one.way != "count":
        return replace(one, header=f"Average of {_summed(one)}" if one.header else "", way="average", kind="")
    header = f"{one.header} / {other.header}" if one.header and other.header else ""
    keeps = one.is_money and not other.is_money and not other.scale and other.unit != "%"
    unit, scale = (one.unit, one.scale) if keeps else ("", "")
    return ResultColumn(header, unit, scale, "average", column=one.column)


def _share(e: exp.Expr, scope: Scope) -> ResultColumn:
    """Return 100 times a quotient: a percentage, unless the quotient's parts are of different kinds."""
    if not isinstance(e, exp.Div):
        inner = scope.of(e)
        return ResultColumn(inner.header, "%", way="share") if inner.header == "Share of rows" else UNKNOWN
    above, below = _bare(e.this), _bare(e.expression)
    one, other = scope.of(above), scope.of(below)
    if (one.way == "count") != (other.way == "count") or (one.unit and other.unit and one.unit != other.unit):
        return UNKNOWN
    if isinstance(above, exp.Sub) and _bare(above.expression) == below:
        return ResultColumn("Change", "%", way="share")
    of = "rows" if other.way == "count" else _summed(other)
    return ResultColumn(f"Share of {of}" if of else "Share", "%", way="share")


def _summed(total: ResultColumn) -> str:
    """Return the header of the column that a total sums up."""
    return total.header.removeprefix("Total of ").removeprefix("Sum of ")


def _bare(e: exp.Expr) -> exp.Expr:
    """Return an expression without brackets, casts, rounding and NULLIF(x, 0) around it."""
    while isinstance(e, exp.Paren | exp.Cast | exp.Round | exp.Nullif | exp.Coalesce):
        e = e.this
    return e


def _number(e: exp.Expr) -> float | None:
    e = _bare(e)
    return float(e.this) if isinstance(e, exp.Literal) and not e.is_string else None


def _power(number: float) -> int | None:
    """Return which power of ten a number is; None if it is none."""
    digits = f"{number:.0f}" if number >= 1 and number == int(number) else ""
    return len(digits) - 1 if digits.strip("0") == "1" else None


def _scaled(column: ResultColumn, number: float, *, divided: bool) -> ResultColumn:
    """Return a column divided or multiplied by a number: EUR in thousands, kWh as MWh; else without its unit."""
    power = _power(number)
    if power is None or not (column.unit or column.scale):
        return column if divided and number in PARTS else column.without_unit()
    power = power if divided else -power
    other = CONVERTED.get((column.unit, power)) if not column.scale else None
    if other:
        return replace(column, unit=other)
    whole = next((p for name, p in SCALE_NAMES.items() if name == column.scale), 0) + power
    scale = next((name for name, p in SCALE_NAMES.items() if p == whole), "")
    return replace(column, scale=scale) if scale or not whole else column.without_unit()
