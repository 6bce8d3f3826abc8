"""Functions in Python for what DuckDB's SQL cannot do; none is called for a row of a common statement."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from duckdb import DuckDBPyConnection

from tablerag.tools.errors import SqlRejected
from tablerag.tools.sql.dialect.duck.patterns import translated

__all__ = ["register"]

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MOST = 2**64 - 1
KEPT = 1_024


def register(connection: DuckDBPyConnection) -> None:
    """Register the functions on a connection, before the macros are created."""
    functions: dict[str, tuple[Callable[..., Any], list[str]]] = {
        "m_pattern": (_pattern, ["VARCHAR"]),
        "m_conv": (_conv, ["VARCHAR", "BIGINT", "BIGINT"]),
    }
    for name, (function, types) in functions.items():
        create: Any = connection.create_function  # typed for enumerations, whose names it takes too
        create(name, function, types, "VARCHAR", type="native", null_handling="special")


@lru_cache(maxsize=KEPT)
def _pattern(pattern: str | None) -> str | None:
    """Return a regular expression in RE2's syntax."""
    if pattern is None:
        return None
    try:
        return translated(pattern)[0]
    except SqlRejected as refusal:
        raise ValueError(str(refusal)) from refusal


def _conv(value: str | None, source: int | None, target: int | None) -> str | None:
    """Convert the digits that a text begins with from one base to another."""
    if value is None or source is None or target is None:
        return None
    if not (2 <= abs(source) <= 36 and 2 <= abs(target) <= 36):
        return None
    text = value.strip().upper()
    negative = text.startswith("-")
    number = 0
    for digit in text.lstrip("-+"):
        place = DIGITS.find(digit)
        if not 0 <= place < abs(source):
            break
        number = min(number * abs(source) + place, MOST)
    if negative:
        number = -number if target < 0 else (-number) & MOST
    return ("-" if number < 0 else "") + _written(abs(number), abs(target))


def _written(number: int, base: int) -> str:
    made = ""
    while number:
        number, rest = divmod(number, base)
        made = DIGITS[rest] + made
    return made or "0"
