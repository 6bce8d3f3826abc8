"""The rules that rewrite MySQL for SQLite, in their order."""

from collections.abc import Callable, Sequence

from sqlglot import exp

from tablerag.tools.sql.dialect.lite.aggregates import counts, deviations, group_concat, rollups
from tablerag.tools.sql.dialect.lite.casts import casts
from tablerag.tools.sql.dialect.lite.collations import collations
from tablerag.tools.sql.dialect.lite.comparisons import between, comparisons, memberships, texts_compared
from tablerag.tools.sql.dialect.lite.date_texts import date_texts, weeks
from tablerag.tools.sql.dialect.lite.dates import conversions, date_arithmetic, date_differences, date_parts
from tablerag.tools.sql.dialect.lite.numbers import arithmetic, bits, rounding, scalars
from tablerag.tools.sql.dialect.lite.queries import quantifiers, set_operands
from tablerag.tools.sql.dialect.lite.refusals import missing
from tablerag.tools.sql.dialect.lite.texts import ascii_likes, likes, positions, texts, written_out
from tablerag.tools.sql.dialect.mariadb import padded
from tablerag.tools.sql.medians import numbered_medians

__all__ = ["ASCII_RULES", "SQLITE_RULES"]

SQLITE_RULES: Sequence[Callable[[exp.Expr], exp.Expr]] = (
    missing,
    padded,
    numbered_medians,
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
ASCII_RULES = tuple(r for rule in SQLITE_RULES for r in ((ascii_likes, rule) if rule is likes else (rule,)))
"""The same for statements whose texts are all ASCII."""
