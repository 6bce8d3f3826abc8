"""One value as people read it: "EUR 1,774,500", "EUR 1,787 thousand", "12.5 %", "1,234.5 kg", "2025-03-14", "yes"."""

import re
from decimal import ROUND_HALF_UP, Decimal
from math import isfinite

from tablerag.tools.calculator import with_currency
from tablerag.tools.number_words import SCALE_NAMES, currency_code
from tablerag.tools.records import Cell
from tablerag.tools.sql.columns.column import ResultColumn

__all__ = ["MONTHS", "is_name", "is_number", "number_text", "places_of", "scale_word", "value_text", "with_unit"]

MONEY_PLACES = 2
MOST_PLACES = 10
"""Digits behind the point that are not noise of floating-point numbers."""
SIGNIFICANT = 3
"""Digits of a computed number below 1."""
SMALL_SHARE = 10
"""Percent below which a share is shown with two digits behind the point."""
UNGROUPED = ("year", "id")
CODE = re.compile(
    r"(?<![^\W_])(?:(?:id|ids|code|zip|postcode|phone|no|nr|sku|isbn|year|plz|telefon)(?![^\W_])\.?"
    r"|(?:account|konto|compte|kostenstelle|numéro|\w*nummer)$)",
    re.IGNORECASE,
)
"""Headers of numbers that name something instead of counting it."""
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
MIDNIGHT = re.compile(r"(?<=\d)[T ]00:00:00(?:\.0+)?$")


def is_number(value: Cell) -> bool:
    """Return whether a cell is a finite number; booleans are not."""
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def value_text(value: Cell, column: ResultColumn, places: int | None = None) -> str:
    """Write one cell of a result without its unit; "" for NULL.

    ``places`` are the digits behind the point, for columns that align; by default as many as the number needs.
    """
    if value is None:
        return ""
    if isinstance(value, bool) or (column.kind == "boolean" and value in (0, 1)):
        return "yes" if value else "no"
    if not isinstance(value, str) and not isfinite(value):
        return str(value)
    if isinstance(value, str):
        return MIDNIGHT.sub("", value).replace("T", " ") if column.kind == "datetime" else value
    if column.period == "month" and value in range(1, 13):
        return MONTHS[int(value) - 1]
    if column.period == "quarter":
        return f"Q{value}"
    if is_name(value, column):
        return f"{value:.10f}".rstrip("0").rstrip(".")
    if column.kind == "duration" and column.unit == "s":
        return _clock(value)
    if places is None:
        return number_text(value, places_of(value, column), zeros=_is_in_coins(column))
    return number_text(value, places, zeros=True)


def is_name(value: Cell, column: ResultColumn) -> bool:
    """Return whether a number names something: a year, a month, an id, a code."""
    if column.kind in UNGROUPED or column.period:
        return True
    return isinstance(value, int) and column.way in ("value", "computed") and bool(CODE.search(column.header))


def number_text(value: int | float, places: int, *, zeros: bool) -> str:
    """Write a number with thousands separators, rounded half up; ``zeros`` keeps those at the end."""
    rounded = Decimal(str(value)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    text = f"{rounded:,f}"
    if "." in text and not zeros:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def places_of(value: Cell, column: ResultColumn) -> int:
    """Return how many digits behind the point a number needs: none if it is whole, two for money.

    Stored values keep all of theirs; totals, averages, quotients and shares are rounded.
    """
    if not isinstance(value, int | float) or not isfinite(value) or value == int(value):
        return 0
    own = _own_places(value)
    least = MONEY_PLACES if _is_in_coins(column) else 0
    if column.way in ("value", "lowest", "highest"):
        return max(own, least)
    if column.way == "share":
        # 1.96 % is not 2 %, 99.97 % is not 100 %, and 0.004 % is not 0 %.
        least = 1 + (abs(value) < SMALL_SHARE)
        return next((p for p in range(least, MOST_PLACES) if round(value, p) not in (0, 100)), least)
    return max(least, min(own, _places_computed(value, column)))


def _places_computed(value: float, column: ResultColumn) -> int:
    stored = column.column
    if stored and (stored.unit, stored.scale) != (column.unit, column.scale):
        return SIGNIFICANT  # converted: EUR 1.787 million
    if column.way == "total":
        return MONEY_PLACES if _is_in_coins(column) else max([MONEY_PLACES, *map(_own_places, _examples(column))])
    return max(MONEY_PLACES + bool(column.scale), SIGNIFICANT - 1 - Decimal(str(value)).adjusted())


def _is_in_coins(column: ResultColumn) -> bool:
    """Return whether numbers are money in ones, which has two digits behind the point."""
    return column.is_money and not column.scale


def _own_places(value: float) -> int:
    """Return the digits of a number behind the point, without noise."""
    exponent = Decimal(str(round(value, MOST_PLACES))).normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _examples(column: ResultColumn) -> list[float]:
    """Return the stored column's examples that are numbers."""
    given = column.column.examples if column.column else ()
    return [float(e) for e in given if re.fullmatch(r"-?\d+(?:\.\d+)?", e)]


def _clock(seconds: float) -> str:
    """Write a duration: 7513 -> 2:05:13."""
    whole, rest = divmod(round(abs(seconds), 3), 1)
    minutes, second = divmod(int(whole), 60)
    hours, minute = divmod(minutes, 60)
    fraction = f"{rest:.3f}"[1:].rstrip("0").rstrip(".")
    text = f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"
    return f"{'-' if seconds < 0 else ''}{text}{fraction}"


def with_unit(text: str, column: ResultColumn, *, one: bool = False) -> str:
    """Return a number's text with currency, scale and unit: EUR 1,787 thousand, 12.5 %, 1 day."""
    unit, scale = column.unit, scale_word(column.scale)
    if not text or (column.kind == "duration" and unit == "s"):
        return text
    if currency_code(unit):
        return f"{with_currency(text, unit)}{f' {scale}' if scale else ''}"
    if one and unit.isalpha() and unit.endswith("s") and len(unit) > len("s"):
        unit = unit[:-1]
    return " ".join(part for part in (text, scale, unit) if part)


def scale_word(scale: str) -> str:
    """Return a scale as it follows a number: thousands -> thousand."""
    return scale.removesuffix("s") if scale in SCALE_NAMES else scale
