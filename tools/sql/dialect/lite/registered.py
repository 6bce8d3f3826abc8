"""Registration of functions on a connection, and the names of functions that statements may call."""

import sqlite3
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from tablerag.tools.sql.dialect.lite.functions.aggregates import SPREADS, GroupConcat, Spread, Windowed
from tablerag.tools.sql.dialect.lite.functions.date_formats import FORMAT_FUNCTIONS
from tablerag.tools.sql.dialect.lite.functions.moments import LONGEST, MOMENT_FUNCTIONS
from tablerag.tools.sql.dialect.lite.functions.numbers import NUMBER_FUNCTIONS
from tablerag.tools.sql.dialect.lite.functions.refusals import Refused, remember
from tablerag.tools.sql.dialect.lite.functions.texts import NULLABLE_TEXT_FUNCTIONS, TEXT_FUNCTIONS, folded
from tablerag.tools.sql.dialect.lite.functions.time_limit import TIME_IS_UP, TimeIsUp, TimeLimit
from tablerag.tools.sql.dialect.lite.functions.values import OUT_OF_RANGE, storable

__all__ = ["SQLITE_FUNCTIONS", "register_functions"]

Value = Any
DATES_KEPT = 4_096
"""Cached results of each date function: dates repeat often."""
TEXTS_KEPT = 65_536
INVALID = (ValueError, TypeError, OverflowError, ArithmeticError, KeyError, IndexError)


def register_functions(connection: sqlite3.Connection, limit: TimeLimit) -> None:
    """Register every function on a connection; each ends a statement whose limit has passed."""
    for name, (arity, function) in TEXT_FUNCTIONS.items():
        connection.create_function(name, arity, _limited(_null_safe(function), limit), deterministic=True)
    for name, (arity, function) in NUMBER_FUNCTIONS.items():
        connection.create_function(name, arity, _limited(_null_safe(_ranged(function)), limit), deterministic=True)
    for name, (arity, function) in (MOMENT_FUNCTIONS | FORMAT_FUNCTIONS).items():
        called = _limited(_remembering(_null_safe(function)), limit)
        connection.create_function(name, arity, called, deterministic=True)
    for name, nullable in NULLABLE_TEXT_FUNCTIONS.items():
        connection.create_function(name, -1, _limited(nullable, limit), deterministic=True)
    # The stubs of sqlite3 only know aggregates of int.
    for name, settings in SPREADS.items():
        connection.create_aggregate(name, 1, type(name, (Spread,), settings))  # pyright: ignore[reportArgumentType]
        connection.create_window_function(f"{name}_over", 1, type(name, (Windowed,), settings))
    joined = type("Joined", (GroupConcat,), {"limit": limit})
    connection.create_aggregate("m_group_concat", -1, joined)  # pyright: ignore[reportArgumentType]
    key = lru_cache(maxsize=TEXTS_KEPT)(folded)
    connection.create_collation("m_ci", lambda a, b: (key(a) > key(b)) - (key(a) < key(b)))


def _null_safe(function: Callable[..., Value]) -> Callable[..., Value]:
    """Return NULL for NULL and for invalid arguments."""

    def call(*args: Value) -> Value:
        if None in args:
            return None
        try:
            return storable(function(*args))
        except INVALID:
            return None

    return call


def _ranged(function: Callable[..., Value]) -> Callable[..., Value]:
    """Refuse a result beyond the range of DOUBLE, as MySQL does; for dates it is NULL."""

    def call(*args: Value) -> Value:
        try:
            return function(*args)
        except OverflowError as error:
            raise Refused(OUT_OF_RANGE) from error

    return call


def _limited(function: Callable[..., Value], limit: TimeLimit) -> Callable[..., Value]:
    """End the statement when its time is up; keep the reason why a function failed."""

    def call(*args: Value) -> Value:
        try:
            limit.begin()
            return function(*args)
        except TimeIsUp:
            remember(TIME_IS_UP)
            raise
        except Refused as refusal:
            remember(str(refusal))
            raise

    return call


def _remembering(function: Callable[..., Value]) -> Callable[..., Value]:
    """Cache the results for short arguments: a long text is not a date, and would fill the memory."""
    kept = lru_cache(maxsize=DATES_KEPT, typed=True)(function)

    def call(*args: Value) -> Value:
        return kept(*args) if sum(len(str(a)) for a in args) <= 4 * LONGEST else function(*args)

    return call


BUILT_IN = """
    abs avg cast char coalesce concat count cume_dist date datetime dense_rank first_value glob group_concat iif
    ifnull instr julianday lag last_value lead length like lower ltrim max min ntile nth_value nullif percent_rank
    rank replace round row_number rtrim strftime substr substring sum time total trim upper pi acos asin
    atan atan2 cos sin tan degrees radians cot current_date current_time current_timestamp unicode
"""
_OURS = (MOMENT_FUNCTIONS, FORMAT_FUNCTIONS, NUMBER_FUNCTIONS, TEXT_FUNCTIONS)
SQLITE_FUNCTIONS = frozenset(
    {name.lower() for names in (*_OURS, NULLABLE_TEXT_FUNCTIONS, SPREADS) for name in names}
    | {f"{name}_over" for name in SPREADS}
    | {"m_group_concat", *BUILT_IN.split()}
)
"""Lower-case names that the authorizer allows."""
