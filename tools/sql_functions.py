"""MySQL's functions that SQLite lacks, registered on a connection; NULL in gives NULL out.

A function that is given nonsense returns NULL, as MySQL's do: it never raises into the engine.
"""

import calendar
import math
import re
import sqlite3
import statistics
from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Any

from tools import sql_patterns

__all__ = ["SQLITE_FUNCTIONS", "register_functions"]

Value = Any


class TooMuch(Exception):
    """A function was given more than it may work through; unlike nonsense, that ends the statement."""


MAX_TEXT = 10_000
"""Characters that REPEAT, LPAD and RPAD may make."""
MAX_ARGUMENT = 1_000_000
"""Characters of an argument: the deadline cannot end a function before it returns."""
MAX_JOINED = 1_000_000
"""Characters that CONCAT_WS and GROUP_CONCAT may join."""
MAX_HELD = 8 * MAX_JOINED
"""Characters that one GROUP_CONCAT holds, of what it leaves out again and of its keys too."""
MAX_EXPONENT = 400
MAX_FORMAT = 200


def register_functions(connection: sqlite3.Connection) -> None:
    """Register every function of this module on a connection."""
    for name, (arity, function) in SCALARS.items():
        connection.create_function(name, arity, _null_safe(function), deterministic=True)
    connection.create_function("m_concat_ws", -1, _concat_ws, deterministic=True)
    connection.create_function("FIELD", -1, _field, deterministic=True)
    for name, aggregate in AGGREGATES.items():
        connection.create_aggregate(name, -1, aggregate)


def _null_safe(function: Callable[..., Value]) -> Callable[..., Value]:
    def call(*args: Value) -> Value:
        if any(a is None for a in args):
            return None
        if any(isinstance(a, str) and len(a) > MAX_ARGUMENT for a in args):
            raise TooMuch(f"a text of more than {MAX_ARGUMENT} characters")
        try:
            return function(*args)
        except (ValueError, TypeError, OverflowError, ArithmeticError, InvalidOperation, LookupError):
            return None

    return call


# dates


def _moment(value: Value) -> datetime:
    return datetime.fromisoformat(str(value).strip())


def _as_text(moment: datetime, like: Value, *, timed: bool = False) -> str:
    """Write a date as a date and a time as a time, as the value that it came from was."""
    if len(str(like)) > 10 or timed:
        return moment.isoformat(" ", "microseconds" if moment.microsecond else "seconds")
    return moment.date().isoformat()


def _date_add(value: Value, amount: Value, unit: str) -> str:
    moment, count = _moment(value), int(float(amount))
    months = {"MONTH": 1, "QUARTER": 3, "YEAR": 12}.get(unit)
    if months:
        total = moment.year * 12 + moment.month - 1 + count * months
        year, month = divmod(total, 12)
        day = min(moment.day, calendar.monthrange(year, month + 1)[1])
        return _as_text(moment.replace(year=year, month=month + 1, day=day), value)
    span = {"DAY": 86400, "WEEK": 604800, "HOUR": 3600, "MINUTE": 60, "SECOND": 1}[unit]
    return _as_text(moment + timedelta(seconds=span * count), value, timed=span < 86400)


def _diff(unit: str, begin: Value, end: Value) -> int:
    a, b = _moment(begin), _moment(end)
    if unit == "DATE":
        return (b.date() - a.date()).days
    months = {"MONTH": 1, "QUARTER": 3, "YEAR": 12}.get(unit)
    if months:
        whole = (b.year - a.year) * 12 + b.month - a.month
        rest_a = (a.day, a.time())
        rest_b = (b.day, b.time())
        if whole > 0 and rest_b < rest_a:
            whole -= 1
        elif whole < 0 and rest_b > rest_a:
            whole += 1
        return int(whole / months)
    span = {"DAY": 86400, "WEEK": 604800, "HOUR": 3600, "MINUTE": 60, "SECOND": 1}[unit]
    return int((b - a).total_seconds() / span)


def _date_format(value: Value, pattern: str) -> str:
    return _moment(value).strftime(_short(pattern))


def _short(pattern: str) -> str:
    if len(pattern) > MAX_FORMAT:
        raise ValueError("a format this long")
    return pattern


def _str_to_date(value: Value, pattern: str) -> str:
    moment = datetime.strptime(str(value).strip(), _short(pattern).replace("%-", "%"))
    timed = any(mark in pattern for mark in ("%H", "%M", "%S", "%I", "%T", "%f"))
    return moment.isoformat(" ") if timed else moment.date().isoformat()


def _week(value: Value, mode: Value = 0) -> int:
    moment = _moment(value).date()
    if int(mode) in (1, 3):
        return moment.isocalendar().week
    return int(moment.strftime("%U"))


def _makedate(year: Value, day: Value) -> str | None:
    return (date(int(year), 1, 1) + timedelta(days=int(day) - 1)).isoformat() if int(day) > 0 else None


def _time_to_sec(value: Value) -> int:
    hours, minutes, seconds = (str(value).split(" ")[-1].split(":") + ["0", "0"])[:3]
    return int(hours) * 3600 + int(minutes) * 60 + int(float(seconds))


def _sec_to_time(value: Value) -> str:
    minutes, seconds = divmod(int(value), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{seconds:02}"


def _yearweek(value: Value) -> int:
    moment = _moment(value).date()
    sunday = moment - timedelta(days=(moment.weekday() + 1) % 7)
    return sunday.year * 100 + int(sunday.strftime("%U"))


# numbers


def _decimal(value: Value) -> Decimal:
    """Read a number, or the number that a text begins with, as MySQL does."""
    if isinstance(value, (int, float)):
        return Decimal(repr(value))
    found = re.match(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", str(value))
    number = Decimal(found.group().strip()) if found else Decimal(0)
    if abs(number.adjusted()) > MAX_EXPONENT:
        raise OverflowError("int() would write every digit of it out")
    return number


def _plain(number: Decimal, like: Value = 0.0) -> int | float:
    return int(number) if isinstance(like, int) else float(number)


def _quantum(places: Value) -> Decimal:
    return Decimal(1).scaleb(-int(places))


def _round(value: Value, places: Value) -> int | float:
    return _plain(_decimal(value).quantize(_quantum(places), ROUND_HALF_UP), value)


def _truncate(value: Value, places: Value) -> int | float:
    return _plain(_decimal(value).quantize(_quantum(places), ROUND_DOWN), value)


def _mod(a: Value, b: Value) -> int | float | None:
    divisor = _decimal(b)
    if not divisor:
        return None
    rest = _decimal(a) % divisor
    return int(rest) if rest == rest.to_integral_value() else float(rest)


def _signed(value: Value) -> int:
    mode = ROUND_DOWN if isinstance(value, str) else ROUND_HALF_UP
    return int(_decimal(value).to_integral_value(mode))


def _format(value: Value, places: Value) -> str:
    places = max(int(places), 0)
    return f"{_decimal(value).quantize(_quantum(places), ROUND_HALF_UP):,.{places}f}"


def _power(base: Value, exponent: Value) -> float | None:
    found = float(base) ** float(exponent)
    return None if isinstance(found, complex) else found


def _log(base_or_value: Value, value: Value | None = None) -> float:
    return math.log(base_or_value) if value is None else math.log(value, base_or_value)


# text


def _substring_index(text: Value, delimiter: Value, count: Value) -> str:
    parts, n = str(text).split(str(delimiter)), int(count)
    return str(delimiter).join(parts[:n] if n > 0 else parts[n:] if n else [])


def _locate(part: Value, text: Value, start: Value = 1) -> int:
    return str(text).casefold().find(str(part).casefold(), int(start) - 1) + 1


def _pad(text: Value, length: Value, fill: Value, *, left: bool) -> str | None:
    text, length, fill = str(text), int(length), str(fill)
    if length < 0 or length > MAX_TEXT or (not fill and length > len(text)):
        return None
    missing = (fill[:length] * length)[: max(length - len(text), 0)]
    return (missing + text if left else text + missing) if missing else text[:length]


def _trim(text: Value, part: Value, side: str) -> str:
    text, part = str(text), str(part)
    begin, end = 0, len(text)
    while part and side in ("BOTH", "LEADING") and text.startswith(part, begin, end):
        begin += len(part)
    while part and side in ("BOTH", "TRAILING") and text.endswith(part, begin, end):
        end -= len(part)
    return text[begin:end]


def _concat_ws(*args: Value) -> str | None:
    if not args or args[0] is None:
        return None
    return _joined(str(args[0]), [_text(a) for a in args[1:] if a is not None])


def _joined(separator: str, texts: list[str]) -> str:
    if sum(map(len, texts)) + len(separator) * len(texts) > MAX_JOINED:
        raise TooMuch(f"a text of more than {MAX_JOINED} characters")
    return separator.join(texts)


def _text(value: Value) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _field(*args: Value) -> int:
    wanted = str(args[0]).casefold() if args and args[0] is not None else None
    return next((i for i, a in enumerate(args[1:], 1) if a is not None and str(a).casefold() == wanted), 0)


def _elt(number: Value, *texts: Value) -> Value:
    return texts[int(number) - 1] if 0 < int(number) <= len(texts) else None


SCALARS: dict[str, tuple[int, Callable[..., Value]]] = {
    "m_date_add": (3, _date_add),
    "m_diff": (3, _diff),
    "m_date_format": (2, _date_format),
    "m_str_to_date": (2, _str_to_date),
    "m_week": (-1, _week),
    "MAKEDATE": (2, _makedate),
    "TIME_TO_SEC": (1, _time_to_sec),
    "SEC_TO_TIME": (1, _sec_to_time),
    "YEARWEEK": (1, _yearweek),
    "WEEKDAY": (1, lambda v: _moment(v).weekday()),
    "MICROSECOND": (1, lambda v: _moment(v).microsecond),
    "NOW": (0, lambda: datetime.now().isoformat(" ", "seconds")),
    "m_mod": (2, _mod),
    "m_bit_xor": (2, lambda a, b: _signed(a) ^ _signed(b)),
    "m_round": (2, _round),
    "m_truncate": (2, _truncate),
    "m_signed": (1, _signed),
    "m_format": (2, _format),
    "LOG": (-1, _log),
    "LOG2": (1, math.log2),
    "LN": (1, math.log),
    "LOG10": (1, math.log10),
    "EXP": (1, math.exp),
    "POWER": (2, _power),
    "SQRT": (1, math.sqrt),
    "COT": (1, lambda v: 1 / math.tan(v)),
    "m_floor": (1, lambda v: math.floor(_decimal(v))),  # floor itself is SQLAlchemy's, and fails on NULL
    "CEIL": (1, lambda v: math.ceil(_decimal(v))),
    "SIGN": (1, lambda v: (_decimal(v) > 0) - (_decimal(v) < 0)),
    "m_left": (2, lambda t, n: _text(t)[: max(int(n), 0)]),
    "m_right": (2, lambda t, n: _text(t)[-int(n) :] if int(n) > 0 else ""),
    "m_substring_index": (3, _substring_index),
    "m_locate": (-1, _locate),
    "m_instr": (2, lambda text, part: _locate(part, text)),
    "m_lpad": (3, lambda t, n, f: _pad(_text(t), n, f, left=True)),
    "m_rpad": (3, lambda t, n, f: _pad(_text(t), n, f, left=False)),
    "m_trim": (3, _trim),
    "m_elt": (-1, _elt),
    "m_repeat": (2, lambda t, n: _text(t) * int(n) if len(_text(t)) * int(n) <= MAX_TEXT else None),
    "m_reverse": (1, lambda t: _text(t)[::-1]),
    "m_ascii": (1, lambda t: _text(t).encode()[0] if _text(t) else 0),
    "STRCMP": (2, lambda a, b: (str(a).casefold() > str(b).casefold()) - (str(a).casefold() < str(b).casefold())),
    "m_regexp": (2, lambda text, pattern: sql_patterns.matches(_text(text), str(pattern))),  # REGEXP is SQLAlchemy's
    "m_regexp_replace": (3, lambda text, pattern, new: sql_patterns.replaced(_text(text), str(pattern), str(new))),
    "m_regexp_substr": (2, lambda text, pattern: sql_patterns.found(_text(text), str(pattern))),
    "m_regexp_instr": (2, lambda text, pattern: sql_patterns.position(_text(text), str(pattern))),
    "m_tuple": (-1, lambda *values: "\x1f".join(str(v).casefold() for v in values)),
}


class _Spread:
    """An aggregate over numbers; ``measure`` turns them into the result."""

    measure: Callable[[list[float]], float]
    fewest = 1

    def __init__(self) -> None:
        self.values: list[float] = []

    def step(self, value: Value) -> None:
        if value is not None:
            self.values.append(float(_decimal(value)))

    def finalize(self) -> float | None:
        return type(self).measure(self.values) if len(self.values) >= self.fewest else None


class _StddevPop(_Spread):
    measure = staticmethod(statistics.pstdev)


class _StddevSamp(_Spread):
    measure = staticmethod(statistics.stdev)
    fewest = 2


class _VarPop(_Spread):
    measure = staticmethod(statistics.pvariance)


class _VarSamp(_Spread):
    measure = staticmethod(statistics.variance)
    fewest = 2


class _GroupConcat:
    """GROUP_CONCAT: options ("u" distinct or "-", then "a" or "d" per key), separator, value, keys."""

    def __init__(self) -> None:
        self.options, self.separator = "-", ","
        self.rows: list[tuple[Value, ...]] = []
        self.size = 0

    def step(self, options: str, separator: Value, value: Value, *keys: Value) -> None:
        self.options, self.separator = options, str(separator)
        if value is not None:
            self.rows.append((_text(value), *keys))
            self.size += sum(len(v) for v in self.rows[-1] if isinstance(v, str))
        if self.size > MAX_HELD or len(self.rows) > MAX_JOINED:
            raise TooMuch("more texts to join than are held at once")

    def finalize(self) -> str | None:
        for position in range(len(self.options) - 1, 0, -1):
            self.rows.sort(key=lambda row, p=position: _sort_key(row[p]), reverse=self.options[position] == "d")
        texts = [row[0] for row in self.rows]
        if self.options[0] == "u":
            texts = list({t.casefold(): t for t in reversed(texts)}.values())[::-1]
            if len(self.options) == 1:
                texts.sort(key=str.casefold)
        return _joined(self.separator, texts) if texts else None


def _sort_key(value: Value) -> tuple[int, Value]:
    if value is None:
        return (0, 0)
    return (1, value) if isinstance(value, (int, float)) else (2, str(value).casefold())


AGGREGATES: dict[str, type] = {
    "m_stddev_pop": _StddevPop,
    "m_stddev_samp": _StddevSamp,
    "m_var_pop": _VarPop,
    "m_var_samp": _VarSamp,
    "m_group_concat": _GroupConcat,
}

BUILT_IN = """
    abs avg cast char coalesce concat count cume_dist date datetime dense_rank first_value glob iif ifnull
    instr julianday lag last_value lead length like lower ltrim max min ntile nth_value nullif percent_rank
    rank replace round row_number rtrim sign strftime substr substring sum time total trim upper pi acos asin
    atan atan2 cos sin tan degrees radians cot current_date current_time current_timestamp ceil floor mod
    power sqrt ln exp log unicode
"""
SQLITE_FUNCTIONS = frozenset(
    {name.lower() for name in (*SCALARS, *AGGREGATES, "m_concat_ws", "FIELD")} | set(BUILT_IN.split())
)
"""Lower-case names that the authorizer lets through."""
