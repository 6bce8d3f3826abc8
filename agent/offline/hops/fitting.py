"""Whether a cell or span is of the kind that a question asks for: 1 yes, -1 no, 0 unknown."""

import re
from typing import Literal

from tablerag.agent.offline.hops.asked import Asked, Kind
from tablerag.agent.offline.hops.spans import PEOPLE, Span
from tablerag.tools.number_words import OLD_YEAR
from tablerag.tools.records import Column

__all__ = ["cell_fits", "span_fits"]

Fit = Literal[-1, 0, 1]
NAMED: tuple[Kind, ...] = ("person", "place", "name")
"""Kinds whose answers are capitalised words."""
LETTERS = re.compile(r"[^\W\d_]{3}")


def cell_fits(kind: Kind, column: Column, text: str) -> Fit:
    """Tell whether a cell may be the answer."""
    number = column.type in ("integer", "decimal") or not LETTERS.search(text)
    dated = column.type in ("date", "datetime") or column.kind in ("date", "partial date", "year", "datetime")
    if kind == "nationality":
        return 1 if PEOPLE.fullmatch(text) else -1
    if kind in ("person", "place"):
        return -1 if number or dated else 1
    if kind in ("date", "year", "month"):
        return 1 if dated or re.search(rf"\b{OLD_YEAR}\b", text) else -1
    if kind == "number":
        return 1 if re.search(r"\d", text) else -1
    return 0


def span_fits(asked: Asked, span: Span) -> Fit:
    """Tell whether a span may be the answer."""
    if asked.kind == span.kind:
        return 1
    if asked.kind == "date" and span.kind == "year":
        return 1
    if asked.kind in NAMED and span.kind == "name":
        return 0 if asked.kind == "name" else 1
    return -1
