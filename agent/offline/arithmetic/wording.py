"""A formula in words."""

from tablerag.agent.offline.arithmetic.formula import Formula

__all__ = ["in_words"]

NAMES = {
    "percent_change": "change in percent", "difference": "difference", "average": "average", "sum": "sum",
    "share": "share in percent", "ratio": "ratio",
}  # fmt: skip


def in_words(formula: Formula) -> str:
    """Name a formula's operation: "change in percent"; of percentages, "difference in percentage points"."""
    points = " in percentage points" if formula.operation == "difference" and formula.percent else ""
    return NAMES[formula.operation] + points
