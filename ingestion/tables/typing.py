"""Column types: a type is taken only when every filled cell of the column fits it.

Nothing is lost: one value that fits no type keeps the whole column text. Marks for "no value" count as
empty in typed columns, and are reported.
"""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from ingestion.document import RawCell
from tools.records import ColumnType

__all__ = ["SqlValue", "TypedColumn", "type_column"]

SqlValue = str | int | Decimal | date | datetime | bool | None
MISSING = frozenset({"-", "–", "—", "--", "n/a", "na", "n.a.", "null", "none", "nan", "...", "…", "?", "nil", "#n/a"})
INT64 = 2**63
BOOLEAN_PAIRS = (("true", "false"), ("yes", "no"), ("y", "n"))
CURRENCIES = r"US\$|C\$|A\$|\$|€|£|¥|₹|₩|USD|EUR|GBP|CHF|JPY|CNY|RMB|INR|SEK|NOK|DKK|kr"
MONEY = re.compile(
    rf"(?P<sign>[-−+]?)\s*(?P<before>{CURRENCIES})?\s*(?P<inner>[-−]?)(?P<number>[\d.,'\u00a0\u202f ]*\d)"
    rf"\s*(?P<after>{CURRENCIES}|%)?"
)
GROUPED_POINT = re.compile(r"\d{1,3}(,\d{3})+(\.\d+)?")
GROUPED_COMMA = re.compile(r"\d{1,3}(\.\d{3})+(,\d+)?")
GROUPED_SPACE = re.compile(r"\d{1,3}([ '\u00a0\u202f]\d{3})+([.,]\d+)?")
PLAIN_POINT = re.compile(r"\d+(\.\d+)?|\.\d+")
PLAIN_COMMA = re.compile(r"\d+,\d+")
ISO_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
ISO_TIME = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:?\d{2})?")
SLASHED = re.compile(r"(\d{1,2})[./-](\d{1,2})[./-](\d{4})")
WORDED = re.compile(r"(?:(\d{1,2})(?:st|nd|rd|th)?\s+)?([A-Za-z]{3,9})\.?\s*(?:(\d{1,2})(?:st|nd|rd|th)?)?,?\s+(\d{4})")
MONTHS = {
    name: number
    for number, names in enumerate(
        "january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sep sept"
        "|october oct|november nov|december dec".split("|"),
        start=1,
    )
    for name in names.split()
}
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


@dataclass(slots=True)
class TypedColumn:
    """A column's cells as SQL values of one type."""

    header: str
    type: ColumnType
    values: list[SqlValue]
    unit: str = ""
    """What was taken off every number: "%" or a currency."""
    unfit: int = 0
    """Filled cells that kept a nearly typed column text."""
    warnings: tuple[str, ...] = ()


class _Unfit(Exception):
    """A cell does not fit the type tried."""


def type_column(header: str, cells: Sequence[RawCell]) -> TypedColumn:
    """Type one column from all of its cells."""
    cleaned = [_cleaned(c) for c in cells]
    filled = list({_key(c): c for c in cleaned if c is not None and not _is_missing(c)}.values())
    if filled:
        for attempt in (_booleans, _numbers, _datetimes, _dates):
            parsed = attempt(filled)
            if parsed is not None:
                return _typed(header, cleaned, filled, parsed)
    return _as_text(header, cleaned, filled)


def _cleaned(cell: RawCell) -> RawCell:
    """Return a cell without surrounding space and control characters; None when it is empty."""
    if isinstance(cell, str):
        return " ".join(CONTROL.sub(" ", cell).split()) or None
    if isinstance(cell, float) and not math.isfinite(cell):
        return None
    return cell


def _is_missing(cell: RawCell) -> bool:
    return isinstance(cell, str) and cell.casefold() in MISSING


@dataclass(slots=True)
class _Parsed:
    type: ColumnType
    values: dict[Any, SqlValue]
    unit: str = ""


def _typed(header: str, cells: list[RawCell], filled: list[RawCell], parsed: _Parsed) -> TypedColumn:
    by_key = {_key(c): parsed.values[_key(c)] for c in filled}
    missing = [c for c in cells if c is not None and _is_missing(c)]
    values = [None if c is None or _is_missing(c) else by_key[_key(c)] for c in cells]
    warnings = ()
    if missing:
        marks = ", ".join(sorted({repr(m) for m in missing}))
        warnings = (f"column {header!r}: {len(missing)} cells with {marks} were read as empty",)
    return TypedColumn(header, parsed.type, values, parsed.unit, 0, warnings)


def _key(cell: RawCell) -> tuple[type, RawCell]:
    """Tell 1, 1.0 and True apart."""
    return type(cell), cell


def _as_text(header: str, cells: list[RawCell], filled: list[RawCell]) -> TypedColumn:
    values = [None if c is None else _text(c) for c in cells]
    numeric = [c for c in filled if _fits(c)]
    warnings: list[str] = []
    unfit = 0
    if numeric and len(numeric) >= 0.8 * len(filled) and len(filled) > len(numeric):
        strange = [c for c in filled if not _fits(c)]
        unfit = sum(1 for c in cells if c in strange)
        shown = ", ".join(repr(_text(c)) for c in strange[:3])
        warnings.append(f"column {header!r} stays text: {unfit} cells are no numbers, such as {shown}")
    if filled and all(isinstance(c, str) and SLASHED.fullmatch(c) for c in filled):
        warnings.append(f"column {header!r} stays text: its dates may be day first or month first")
    return TypedColumn(header, "text", values, "", unfit, tuple(warnings))


def _text(cell: RawCell) -> str:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    if isinstance(cell, datetime):
        return cell.date().isoformat() if cell.time() == time() else cell.isoformat(" ")
    return str(cell)


def _fits(cell: RawCell) -> bool:
    try:
        _number(cell, european=False)
    except _Unfit:
        return False
    return True


def _parse_all(filled: Iterable[RawCell], parse: Callable[[RawCell], SqlValue]) -> dict[Any, SqlValue] | None:
    try:
        return {_key(c): parse(c) for c in filled}
    except _Unfit:
        return None


def _booleans(filled: list[RawCell]) -> _Parsed | None:
    if all(isinstance(c, bool) for c in filled):
        return _Parsed("boolean", {_key(c): c for c in filled})
    words = {c.casefold() if isinstance(c, str) else None for c in filled}
    for true, false in BOOLEAN_PAIRS:
        # One of the two alone may be a plain word of a list: both must occur, or it is true/false.
        if words == {true, false} or (words <= {"true", "false"} and true == "true"):
            return _Parsed("boolean", {_key(c): c.casefold() == true for c in filled})
    return None


def _numbers(filled: list[RawCell]) -> _Parsed | None:
    if any(isinstance(c, bool) for c in filled):
        return None
    european = _is_european(filled)
    units: set[str] = set()

    def parse(cell: RawCell) -> Decimal:
        number, unit = _number(cell, european=european)
        units.add(unit)
        return number

    parsed = _parse_all(filled, parse)
    if parsed is None or len(units - {""}) > 1:
        return None
    unit = next(iter(units - {""}), "")
    if unit and "" in units and unit == "%":
        return None  # a number without the sign may be a share or a count: nobody can tell
    if all(n == n.to_integral_value() and not _has_point(n) for n in parsed.values()):
        if any(not -INT64 <= n < INT64 for n in parsed.values()):
            return None
        return _Parsed("integer", {k: int(n) for k, n in parsed.items()}, unit)
    return _Parsed("decimal", dict(parsed), unit)


def _has_point(number: Decimal) -> bool:
    return number.as_tuple().exponent < 0


def _is_european(filled: list[RawCell]) -> bool:
    """Say whether commas are decimal points here: some number shows it, and none shows the contrary."""
    bodies = [m["number"].strip() for c in filled if isinstance(c, str) and (m := MONEY.fullmatch(c))]
    shows = any(
        ("," in b and "." in b and b.rfind(",") > b.rfind("."))
        or (PLAIN_COMMA.fullmatch(b) and not GROUPED_POINT.fullmatch(b))
        for b in bodies
    )
    contrary = any(
        ("," in b and "." in b and b.rfind(".") > b.rfind(","))
        or (PLAIN_POINT.fullmatch(b) and "." in b and not GROUPED_COMMA.fullmatch(b))
        for b in bodies
    )
    return shows and not contrary


def _number(cell: RawCell, *, european: bool) -> tuple[Decimal, str]:
    """Return a cell's number and unit; raise _Unfit for anything that might not be a number."""
    if isinstance(cell, bool) or cell is None:
        raise _Unfit
    if isinstance(cell, (int, Decimal)):
        return Decimal(cell), ""
    if isinstance(cell, float):
        return Decimal(int(cell)) if cell.is_integer() and abs(cell) < 2**53 else Decimal(repr(cell)), ""
    if not isinstance(cell, str):
        raise _Unfit
    text, negative = cell, False
    if text.startswith("(") and text.endswith(")"):
        text, negative = text[1:-1].strip(), True
    found = MONEY.fullmatch(text)
    if not found or (found["before"] and found["after"]):
        raise _Unfit
    body = _digits(found["number"].strip(), european=european)
    negative = negative or "-" in (found["sign"] + found["inner"]).replace("−", "-")
    unit = found["before"] or found["after"] or ""
    return Decimal(f"-{body}" if negative else body), unit


def _digits(body: str, *, european: bool) -> str:
    """Return the number without separators; raise _Unfit for an id with leading zeros."""
    if european and (GROUPED_COMMA.fullmatch(body) or PLAIN_COMMA.fullmatch(body)):
        body = body.replace(".", "").replace(",", ".")
    elif GROUPED_POINT.fullmatch(body) and not european:
        body = body.replace(",", "")
    elif GROUPED_SPACE.fullmatch(body):
        body = re.sub(r"[ '\u00a0\u202f]", "", body).replace(",", ".")
    if not PLAIN_POINT.fullmatch(body):
        raise _Unfit
    if len(body) > 1 and body[0] == "0" and body[1] != ".":
        raise _Unfit
    return body


def _datetimes(filled: list[RawCell]) -> _Parsed | None:
    def parse(cell: RawCell) -> datetime:
        if isinstance(cell, datetime):
            moment = cell
        elif isinstance(cell, str) and ISO_TIME.fullmatch(cell):
            moment = _checked(lambda: datetime.fromisoformat(cell))
        else:
            raise _Unfit
        if moment.tzinfo is not None and moment.utcoffset():
            raise _Unfit  # the offset would be lost
        return moment.replace(tzinfo=None)

    parsed = _parse_all(filled, parse)
    if parsed is None:
        return None
    if all(m.time() == time() for m in parsed.values()) and all(isinstance(c, datetime) for c in filled):
        return _Parsed("date", {k: m.date() for k, m in parsed.items()})
    return _Parsed("datetime", dict(parsed))


def _checked(make: Callable[[], Any]) -> Any:
    try:
        return make()
    except (ValueError, OverflowError) as error:
        raise _Unfit from error


def _dates(filled: list[RawCell]) -> _Parsed | None:
    day_first = _day_first(filled)

    def parse(cell: RawCell) -> date:
        if isinstance(cell, datetime):
            if cell.time() != time():
                raise _Unfit
            return cell.date()
        if isinstance(cell, date):
            return cell
        if not isinstance(cell, str):
            raise _Unfit
        return _date_of_text(cell, day_first=day_first)

    parsed = _parse_all(filled, parse)
    return _Parsed("date", dict(parsed)) if parsed else None


def _date_of_text(text: str, *, day_first: bool | None) -> date:
    if found := ISO_DATE.fullmatch(text):
        year, month, day = map(int, found.groups())
    elif (found := SLASHED.fullmatch(text)) and day_first is not None:
        first, second, year = map(int, found.groups())
        day, month = (first, second) if day_first else (second, first)
    elif (found := WORDED.fullmatch(text)) and bool(found[1]) != bool(found[3]):
        month = MONTHS.get(found[2].lower(), 0)
        day, year = int(found[1] or found[3]), int(found[4])
    else:
        raise _Unfit
    return _checked(lambda: date(year, month, day))


def _day_first(filled: list[RawCell]) -> bool | None:
    """Return which part comes first in slashed dates; None when the column does not decide it."""
    pairs = [(int(m[1]), int(m[2])) for c in filled if isinstance(c, str) and (m := SLASHED.fullmatch(c))]
    first, second = any(a > 12 for a, _ in pairs), any(b > 12 for _, b in pairs)
    return None if first == second else first
