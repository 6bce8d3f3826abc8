"""Whether a candidate is kept: both executions agree on one value, and nothing else would be as right."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from tablerag.evaluation.heteqa.executing import Execution
from tablerag.tools.records import Cell

__all__ = ["REASONS", "Judgement", "cells_agree", "judge", "shown"]

TOLERANCE = 1e-6
REASONS = {
    "sql": "the statement did not run",
    "pandas": "the pandas code did not run",
    "tied": "the ranking has a tie where it is cut",
    "empty": "there is no answer",
    "several": "there is more than one answer",
    "disagree": "the executions disagree",
    "trivial": "the answer is nought",
    "few": "fewer than two rows to compute over",
    "twice": "the same statement was tried before",
    "no_fact": "no linked passage states a plain fact of what was found",
    "passage": "the passage does not say what the question takes from it",
    "form": "the question, its operations or its programs are not as asked for",
}
Reason = str
"""A key of REASONS."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The agreed value, or why there is none."""

    value: Cell = None
    """As SQL found it."""
    by_pandas: Cell = None
    reason: Reason = ""
    detail: str = ""

    @property
    def kept(self) -> bool:
        """Whether the candidate is to be kept."""
        return not self.reason


def judge(execution: Execution) -> Judgement:
    """Return the value that both executions found, or the first reason against it."""
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
    if _is_nought(by_sql):
        return Judgement(reason="trivial")
    return Judgement(by_sql, by_pandas)


def _is_nought(value: Cell) -> bool:
    return value == "" or (isinstance(value, (int, float)) and value == 0)


def cells_agree(a: Cell, b: Cell) -> bool:
    """Tell whether two cells are the same number (to 1e-6 of it) or the same text."""
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return abs(a - b) <= TOLERANCE * max(1.0, abs(a), abs(b))
    return a == b


def shown(value: Cell, decimals: int) -> str:
    """Return an answer as people write it: numbers rounded half up, without nought behind the point.

    >>> shown(2.345, 2), shown(12.0, 2), shown("Ada", 2)
    ('2.35', '12', 'Ada')
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    rounded = Decimal(str(value)).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    text = f"{rounded:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
