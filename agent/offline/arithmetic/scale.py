"""What the result of a formula is counted in: percent, thousands, millions, by operation, cells, headers and text."""

import re
from collections.abc import Iterable

from tablerag.agent.offline.arithmetic.formula import Formula
from tablerag.agent.reasoning import Scale
from tablerag.tools.number_words import answer_scale
from tablerag.tools.stated_scale import scales_stated
from tablerag.tools.whole_documents import WholeTable

__all__ = ["scale_of"]

PER_ONE = re.compile(r"\bper (?:\w+ )?(?:share|unit)\b|\brates?\W*$|\brate of\b|\bratio\b", re.IGNORECASE)
COUNTED = re.compile(
    r"\b(?:number of|headcount|employees|staff|fte|stores|shops|outlets|customers|subscribers|vehicles|units)\b",
    re.IGNORECASE,
)
"""Rows that count people or things."""


def scale_of(formula: Formula, texts: Iterable[str]) -> Scale:
    """Return the scale that the columns state, else the one that headers or the document's ``texts`` do."""
    label = formula.row.label
    if formula.operation == "ratio":
        return ""
    if formula.operation in ("percent_change", "share") or formula.percent:
        return "percent"
    if PER_ONE.search(label):
        return ""
    if COUNTED.search(label):
        # What a document says of its amounts is not said of people and things.
        return _stated(label)
    table = formula.row.table
    numbers = [c for c in table.table_schema.columns if c.type in ("integer", "decimal")]
    stated: set[Scale] = {scale for c in numbers if (scale := answer_scale(c.scale))}
    return stated.pop() if len(stated) == 1 else _said(table, texts)


def _said(table: WholeTable, texts: Iterable[str]) -> Scale:
    """Return the one scale that the headers state, or the texts together."""
    headers = " ".join(" ".join(c.path or (c.header,)) for c in table.table_schema.columns)
    return _stated(headers) or _stated(" ".join(texts))


def _stated(text: str) -> Scale:
    """Return the one scale that a text states; "" where it states none, or several."""
    found = scales_stated(text)
    return answer_scale(found.pop()) if len(found) == 1 else ""
