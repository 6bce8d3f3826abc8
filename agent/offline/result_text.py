"""A SQL result as an answer."""

from tablerag.agent.offline.question import Question
from tablerag.tools.records import Cell, SqlResult

__all__ = ["result_text"]

MOST_ROWS = 20


def result_text(result: SqlResult | None, question: Question) -> str:
    """Write a result as an answer; "" for no rows or only empty cells."""
    rows = [row for row in result.rows if any(c is not None for c in row)] if result else []
    percent = question.operation == "share"
    texts = [": ".join(_cell(c, percent=percent) for c in row if c is not None) for row in rows[:MOST_ROWS]]
    more = f" and {len(rows) - MOST_ROWS} more" if len(rows) > MOST_ROWS else ""
    return ", ".join(dict.fromkeys(texts)) + more


def _cell(cell: Cell, *, percent: bool) -> str:
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    text = f"{cell:.4f}".rstrip("0").rstrip(".") if isinstance(cell, float) else str(cell)
    return f"{text}%" if percent and not isinstance(cell, str) else text
