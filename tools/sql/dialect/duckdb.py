"""The rules that rewrite MySQL for DuckDB, in their order."""

from collections.abc import Callable, Sequence

from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB

from tablerag.tools.sql.dialect.duck.aggregates import aggregates, counts, group_concat, json_arrays, rollups
from tablerag.tools.sql.dialect.duck.casts import casts
from tablerag.tools.sql.dialect.duck.comparisons import between, comparisons, memberships, nullifs
from tablerag.tools.sql.dialect.duck.conditions import choices, conditions, extremes
from tablerag.tools.sql.dialect.duck.dates import arithmetic_of_dates, conversions, differences, parts, times
from tablerag.tools.sql.dialect.duck.formats import date_texts, parsed_dates, weeks
from tablerag.tools.sql.dialect.duck.numbers import arithmetic, bits, functions, rounding
from tablerag.tools.sql.dialect.duck.patterns import regular_expressions
from tablerag.tools.sql.dialect.duck.queries import integers, results, set_operands, steps
from tablerag.tools.sql.dialect.duck.texts import joined, likes, positions, searches, texts

__all__ = ["DUCKDB_RULES", "DuckDb"]

DUCKDB_RULES: Sequence[Callable[[exp.Expr], exp.Expr]] = (
    casts,
    conversions,
    parts,
    arithmetic_of_dates,
    differences,
    times,
    date_texts,
    parsed_dates,
    weeks,
    arithmetic,
    bits,
    rounding,
    functions,
    regular_expressions,
    positions,
    texts,
    searches,
    joined,
    likes,
    aggregates,
    counts,
    group_concat,
    json_arrays,
    rollups,
    conditions,
    nullifs,
    extremes,
    choices,
    comparisons,
    between,
    memberships,
    set_operands,
    integers,
    results,
    steps,
)


class DuckDb(DuckDB):
    """DuckDB's dialect for statements that the rules have rewritten."""
