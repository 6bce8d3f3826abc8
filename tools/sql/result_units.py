"""What the columns of a result count: the unit of the stored column that each of them shows or sums up."""

from collections.abc import Iterable

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from tablerag.tools.records import SupportingRows

__all__ = ["result_units"]

KEEPING = (exp.Alias, exp.Avg, exp.Cast, exp.Distinct, exp.Max, exp.Min, exp.Neg, exp.Paren, exp.Round, exp.Sum)
"""What a column's unit survives; a count, a quotient or a product counts something else."""
ALIKE = (exp.Add, exp.Coalesce, exp.Sub)
"""What has a unit where all its parts have that one."""


def result_units(sql: str, supporting: Iterable[SupportingRows]) -> tuple[str, ...]:
    """Return the unit of each column of a statement's result, scale first ("thousands $"); "" where it is not known.

    ``supporting`` are the rows that the statement read, with the units of their columns.
    """
    known: dict[str, set[str]] = {}
    for rows in supporting:
        for column, unit in zip(rows.columns, rows.units, strict=False):
            known.setdefault(column.casefold(), set()).add(unit)
    try:
        tree = sqlglot.parse_one(sql, dialect="mysql")
    except SqlglotError:
        return ()
    if not isinstance(tree, exp.Query) or tree.is_star:
        return ()
    return tuple(_unit(shown, known) for shown in tree.selects)


def _unit(shown: exp.Expr, known: dict[str, set[str]]) -> str:
    if isinstance(shown, exp.Column):
        units = known.get(shown.name.casefold(), set())
        return next(iter(units)) if len(units) == 1 else ""
    if isinstance(shown, KEEPING):
        inner = shown.expressions[0] if isinstance(shown, exp.Distinct) else shown.this
        return _unit(inner, known) if isinstance(inner, exp.Expr) else ""
    if isinstance(shown, ALIKE):
        parts = [p for p in shown.iter_expressions() if not isinstance(p, exp.Literal)]
        units = {_unit(p, known) for p in parts}
        return units.pop() if len(units) == 1 else ""
    return ""
