"""What the result of a formula is counted in: percent, thousands, millions, by operation, cells, headers and text."""

import re
from collections.abc import Iterable

from agent.offline.arithmetic.formula import Formula
from agent.reasoning import Scale
from tools.whole_documents import WholeTable

__all__ = ["scale_of"]

STATED_SCALE = re.compile(
    r"\bin (?:[a-z$€£]+ ){0,3}?(thousands|millions|billions)\b|[$€£'’‘](000|million|m)\b", re.IGNORECASE
)
SCALES: dict[str, Scale] = {
    "thousands": "thousand", "000": "thousand", "millions": "million", "million": "million", "m": "million",
    "billions": "billion",
}  # fmt: skip
PER_ONE = re.compile(r"\bper (?:\w+ )?(?:share|unit)\b|\brates?\b|\bratio\b", re.IGNORECASE)


def scale_of(formula: Formula, texts: Iterable[str]) -> Scale:
    """Return the scale that the columns state, else the one that headers or the document's ``texts`` do."""
    label = formula.row.label
    if formula.operation == "ratio":
        return ""
    if formula.operation in ("percent_change", "share") or any(t.percent for t in formula.terms) or "%" in label:
        return "percent"
    if PER_ONE.search(label):
        return ""
    table = formula.row.table
    numbers = [c for c in table.table_schema.columns if c.type in ("integer", "decimal")]
    stated = {SCALES.get(c.scale, "") for c in numbers} - {""}
    return stated.pop() if len(stated) == 1 else _said(table, texts)


def _said(table: WholeTable, texts: Iterable[str]) -> Scale:
    """Return the one scale that the headers state, or the texts together."""
    headers = " ".join(" ".join(c.path or (c.header,)) for c in table.table_schema.columns)
    for text in (headers, " ".join(texts)):
        found = {SCALES[(m[1] or m[2]).lower()] for m in STATED_SCALE.finditer(text)}
        if found:
            return found.pop() if len(found) == 1 else ""
    return ""
