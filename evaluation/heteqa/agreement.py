"""Decides whether a candidate is kept: both programs find the same single value, without ties."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from tablerag.evaluation.heteqa.executing import Execution
from tablerag.tools.records import Cell

__all__ = ["REASONS", "Judgement", "cells_agree", "judge", "shown"]

TOLERANCE = 1e-6
REASONS = {
    "sql": "the SQL did not run",
    "pandas": "the pandas code did not run",
    "tied": "the ranking is tied at its limit",
    "empty": "no answer",
    "several": "more than one answer",
    "disagree": "the programs disagree",
    "trivial": "the answer is zero or empty",
    "few": "fewer than two rows to compute over",
    "twice": "the same SQL was tried before",
    "no_fact": "no linked passage states a fact about the value found",
    "passage": "the passage does not support the question",
    "form": "the question or its programs do not follow the instructions",
}
Reason = str
"""A key of REASONS."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The value both programs found, or the reason why there is none."""

    value: Cell = None
    """The value found by SQL."""
    by_pandas: Cell = None
    reason: Reason = ""
    detail: str = ""

    @property
    def kept(self) -> bool:
        """Whether to keep the candidate."""
        return not self.reason


def judge(execution: Execution) -> Judgement:
    """Return the value that both programs found, or the first reason against it."""
    if execution.sql_error:
        return Judgement(reason="sql", detail=execution.sql_error)
    if execution.pandas_error:
        return Judgement(reason="pandas", detail=execution.pandas_error)
    if execution.tied:
        return Judgement(reason="tied")
    for name, rows in (("SQL", execution.sql_rows), ("pandas", execution.pandas_rows)):
        cells = [cell for row in rows for cell in row]
        if not cells or cells[0] is None:
            return Judgement(reason="empty", detail=f"{name} found nothing")
        if len(cells) > 1:
            return Judgement(reason="several", detail=f"{name} found {len(rows)} rows, {len(cells)} cells")
    by_sql, by_pandas = execution.sql_rows[0][0], execution.pandas_rows[0][0]
    if not cells_agree(by_sql, by_pandas):
        return Judgement(reason="disagree", detail=f"SQL found {by_sql!r}, pandas {by_pandas!r}")
    if by_sql == "" or by_sql == 0:
        return Judgement(reason="trivial")
    return Judgement(by_sql, by_pandas)


def cells_agree(a: Cell, b: Cell) -> bool:
    """Return whether two cells are the same number (relative tolerance 1e-6) or the same text."""
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return abs(a - b) <= TOLERANCE * max(1.0, abs(a), abs(b))
    return a == b


def shown(value: Cell, decimals: int) -> str:
    """Format an answer: numbers are rounded half up, without trailing zeros.

    >>> shown(2.345, 2), shown(12.0, 2), shown("Ada", 2)
    ('2.35', '12', 'Ada')
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    rounded = Decimal(str(value)).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    text = f"{rounded:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
