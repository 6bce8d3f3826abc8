"""The rules that rewrite MySQL for SQLite, in their order."""

from collections.abc import Callable, Sequence

from sqlglot import exp

from tablerag.tools.sql.dialect.aggregates import counts, deviations, group_concat, rollups
from tablerag.tools.sql.dialect.casts import casts
from tablerag.tools.sql.dialect.collations import collations
from tablerag.tools.sql.dialect.comparisons import between, comparisons, memberships, texts_compared
from tablerag.tools.sql.dialect.date_texts import date_texts, weeks
from tablerag.tools.sql.dialect.dates import conversions, date_arithmetic, date_differences, date_parts
from tablerag.tools.sql.dialect.numbers import arithmetic, bits, rounding, scalars
from tablerag.tools.sql.dialect.queries import quantifiers, set_operands
from tablerag.tools.sql.dialect.regular_expressions import regular_expressions
from tablerag.tools.sql.dialect.texts import likes, positions, texts, written_out

__all__ = ["SQLITE_RULES"]

SQLITE_RULES: Sequence[Callable[[exp.Expr], exp.Expr]] = (
    positions,
    casts,
    conversions,
    date_parts,
    date_arithmetic,
    date_differences,
    date_texts,
    weeks,
    arithmetic,
    bits,
    rounding,
    scalars,
    regular_expressions,
    texts,
    written_out,
    likes,
    counts,
    deviations,
    group_concat,
    rollups,
    quantifiers,
    comparisons,
    texts_compared,
    between,
    memberships,
    set_operands,
    collations,
)
