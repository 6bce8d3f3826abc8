"""How an engine is set up to run what the rules for DuckDB return; imports no parser."""

from pathlib import Path

__all__ = ["SETTINGS", "macros"]

SETTINGS = (
    "SET default_collation = 'NOCASE.icu_noaccent'",
    "SET ieee_floating_point_ops = false",
    "SET error_on_division_by_zero = false",
    "SET order_by_non_integer_literal = true",
    "SET scalar_subquery_error_on_multiple_rows = true",
)
"""Run on a new connection before the macros."""


def macros() -> str:
    """Return the statements that create the macros which rewritten statements call."""
    return Path(__file__).with_name("macros.sql").read_text(encoding="utf-8")
