"""Quantities: decimals with a unit, and the few operations that the calculator allows on them, all bounded."""

import ast
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from types import MappingProxyType
from typing import Any

from tablerag.tools.errors import FormulaRefused

__all__ = ["FUNCTIONS", "OPERATORS", "Quantity", "bounded"]

MOST_MAGNITUDE = 30
"""Of numbers, as powers of ten, and of their fractions."""
MOST_POWER = 100
MOST_PLACES = 10


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number and what it counts: "%" (0.05 for 5 %), a currency's sign, or "" for a plain one."""

    value: Decimal
    unit: str = ""


def bounded(value: Decimal) -> Decimal:
    """Return a number that is neither too large nor too small; raise FormulaRefused."""
    if not value.is_finite() or (value and value.adjusted() > MOST_MAGNITUDE):
        raise FormulaRefused(f"a number grows beyond 10 ** {MOST_MAGNITUDE}")
    if value and value.adjusted() < -MOST_MAGNITUDE:
        raise FormulaRefused(f"a number shrinks below 10 ** -{MOST_MAGNITUDE}")
    return value


def _same(a: Quantity, b: Quantity) -> str:
    """Return the unit of a sum: a plain number takes on a currency, and makes a fraction of a percentage."""
    if a.unit == b.unit:
        return a.unit
    units = {a.unit, b.unit}
    if "" in units:
        return "" if "%" in units else (units - {""}).pop()
    raise FormulaRefused(f"it adds {a.unit} and {b.unit}")


def _add(a: Quantity, b: Quantity) -> Quantity:
    return Quantity(bounded(a.value + b.value), _same(a, b))


def _subtract(a: Quantity, b: Quantity) -> Quantity:
    return Quantity(bounded(a.value - b.value), _same(a, b))


def _multiply(a: Quantity, b: Quantity) -> Quantity:
    currencies = {u for u in (a.unit, b.unit) if u not in ("", "%")}
    if a.unit in currencies and b.unit in currencies:
        raise FormulaRefused(f"it multiplies {a.unit} by {b.unit}")
    return Quantity(bounded(a.value * b.value), currencies.pop() if currencies else "")


def _divide(a: Quantity, b: Quantity) -> Quantity:
    if not b.value:
        raise FormulaRefused("it divides by zero")
    if b.unit not in ("", "%", a.unit):
        raise FormulaRefused(f"it divides {a.unit or 'a plain number'} by {b.unit}")
    # A share of equal things is plain, as is a percentage of a plain number; a currency is kept by a plain divisor.
    unit = "" if a.unit == b.unit or (a.unit == "%" and b.unit) else a.unit
    return Quantity(bounded(a.value / b.value), unit)


def _power(a: Quantity, b: Quantity) -> Quantity:
    for of, what in ((a, "a power of"), (b, "a power by")):
        if of.unit not in ("", "%"):
            raise FormulaRefused(f"it takes {what} {of.unit}: powers are of plain numbers")
    if abs(b.value) > MOST_POWER:
        raise FormulaRefused(f"powers go up to {MOST_POWER}")
    if a.value and abs(a.value.adjusted() * b.value) > MOST_MAGNITUDE:
        raise FormulaRefused(f"a number grows beyond 10 ** {MOST_MAGNITUDE}")
    if not a.value and not b.value:
        raise FormulaRefused("0 ** 0 is no number")
    if a.value < 0 and b.value != b.value.to_integral_value():
        raise FormulaRefused("it takes a root of a negative number")
    if not a.value and b.value < 0:
        raise FormulaRefused("it divides by zero")
    return Quantity(bounded(a.value**b.value), "")


def _total(*terms: Quantity) -> Quantity:
    _some(terms)
    total = terms[0]
    for term in terms[1:]:
        total = _add(total, term)
    return total


def _average(*terms: Quantity) -> Quantity:
    total = _total(*terms)
    return Quantity(total.value / len(terms), total.unit)


def _least(*terms: Quantity) -> Quantity:
    _some(terms)
    return min(terms, key=lambda t: t.value)


def _most(*terms: Quantity) -> Quantity:
    _some(terms)
    return max(terms, key=lambda t: t.value)


def _some(terms: tuple[Quantity, ...]) -> None:
    if not terms:
        raise FormulaRefused("a function has no numbers")


def _round(a: Quantity, places: Quantity | None = None) -> Quantity:
    """Round half away from zero, as people do; a percentage as it is printed."""
    wanted = places.value if places else Decimal(0)
    if wanted != wanted.to_integral_value() or not 0 <= wanted <= MOST_PLACES:
        raise FormulaRefused(f"numbers are rounded to 0 to {MOST_PLACES} places")
    shown = Decimal(100) if a.unit == "%" else Decimal(1)
    rounded = (a.value * shown).quantize(Decimal(1).scaleb(-int(wanted)), ROUND_HALF_UP)
    return Quantity(rounded / shown, a.unit)


OPERATORS: MappingProxyType[type[ast.AST], Callable[..., Any]] = MappingProxyType(
    {
        ast.Add: _add,
        ast.Sub: _subtract,
        ast.Mult: _multiply,
        ast.Div: _divide,
        ast.Pow: _power,
        ast.USub: lambda a: Quantity(-a.value, a.unit),
        ast.UAdd: lambda a: a,
    }
)
FUNCTIONS: MappingProxyType[str, Callable[..., Quantity]] = MappingProxyType(
    {
        "sum": _total,
        "average": _average,
        "avg": _average,
        "mean": _average,
        "min": _least,
        "max": _most,
        "abs": lambda a: Quantity(abs(a.value), a.unit),
        "round": _round,
    }
)
