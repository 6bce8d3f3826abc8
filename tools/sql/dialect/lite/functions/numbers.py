"""Exact arithmetic with decimals, and numbers as texts."""

import math
import re
from collections.abc import Callable
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Any

from tablerag.tools.sql.dialect.lite.functions.refusals import Refused
from tablerag.tools.sql.dialect.lite.functions.values import LARGEST, LONGEST, number_of, text_of, whole_of

__all__ = ["NUMBER_FUNCTIONS"]

Value = Any
MOST_PLACES = 30
WHOLE = re.compile(r"\s*[-+]?\d+")


def _quantum(places: Value) -> Decimal:
    return Decimal(1).scaleb(-max(-MOST_PLACES, min(whole_of(places), MOST_PLACES)))


def _plain(number: Decimal, like: Value) -> int | float:
    return int(number) if isinstance(like, int) else float(number)


def _round(value: Value, places: Value) -> int | float:
    return _plain(_cut(value, places, ROUND_HALF_UP), value)


def _truncate(value: Value, places: Value) -> int | float:
    return _plain(_cut(value, places, ROUND_DOWN), value)


def _cut(value: Value, places: Value, mode: str) -> Decimal:
    number, quantum = number_of(value), _quantum(places)
    if number.as_tuple().exponent >= quantum.as_tuple().exponent:  # type: ignore[operator]
        return number
    return (number / quantum).to_integral_value(mode) * quantum


def _mod(a: Value, b: Value) -> int | float | None:
    divisor = number_of(b)
    if not divisor:
        return None
    try:
        rest = number_of(a) % divisor
    except InvalidOperation:  # The quotient has more digits than a Decimal keeps: MySQL then calculates in DOUBLE.
        return math.fmod(float(number_of(a)), float(divisor))
    return int(rest) if rest == rest.to_integral_value() else float(rest)


def _div(a: Value, b: Value) -> int | None:
    divisor = number_of(b)
    if not divisor:
        return None
    quotient = int(number_of(a) / divisor)
    if not -LARGEST - 1 <= quotient <= LARGEST:
        raise Refused("the result of DIV is out of range: an integer has at most 19 digits")
    return quotient


def _signed(value: Value) -> int:
    if isinstance(value, str):
        digits = WHOLE.match(value[:LONGEST])
        found = int(digits.group()) if digits else 0
    else:
        found = whole_of(value)
    return max(-LARGEST - 1, min(found, LARGEST))


def _unsigned(value: Value) -> int:
    return max(_signed(value), 0)


def _decimal(value: Value, digits: int, places: int) -> int | float:
    most = Decimal(10) ** (digits - places) - Decimal(1).scaleb(-places)
    found = max(-most, min(_cut(value, places, ROUND_HALF_UP), most))
    return int(found) if not places else float(found)


def _format(value: Value, places: Value) -> str:
    count = max(whole_of(places), 0)
    return f"{_cut(value, count, ROUND_HALF_UP):,.{min(count, MOST_PLACES)}f}"


def _fixed(value: Value, places: int) -> str:
    count = max(0, min(places, MOST_PLACES))
    return f"{_cut(value, count, ROUND_HALF_UP):.{count}f}"


def _power(base: Value, exponent: Value) -> float | None:
    found = float(number_of(base)) ** float(number_of(exponent))
    return None if isinstance(found, complex) else found


def _log(base_or_value: Value, value: Value | None = None) -> float:
    first = float(number_of(base_or_value))
    return math.log(first) if value is None else math.log(float(number_of(value)), first)


def _real(function: Callable[[float], float]) -> Callable[[Value], float]:
    return lambda value: function(float(number_of(value)))


NUMBER_FUNCTIONS: dict[str, tuple[int, Callable[..., Value]]] = {
    "m_mod": (2, _mod),
    "m_div": (2, _div),
    "m_round": (2, _round),
    "m_truncate": (2, _truncate),
    "m_signed": (1, _signed),
    "m_unsigned": (1, _unsigned),
    "m_decimal": (3, _decimal),
    "m_format": (2, _format),
    "m_fixed": (2, _fixed),
    "m_text": (1, text_of),
    "LOG": (-1, _log),
    "LOG2": (1, _real(math.log2)),
    "COT": (1, _real(lambda angle: 1 / math.tan(angle))),
    "LN": (1, _real(math.log)),
    "LOG10": (1, _real(math.log10)),
    "EXP": (1, _real(math.exp)),
    "POWER": (2, _power),
    "SQRT": (1, _real(math.sqrt)),
    "m_floor": (1, lambda v: math.floor(number_of(v))),  # SQLAlchemy registers its own floor, which fails on NULL
    "m_ceil": (1, lambda v: math.ceil(number_of(v))),
    "SIGN": (1, lambda v: (number_of(v) > 0) - (number_of(v) < 0)),
}
