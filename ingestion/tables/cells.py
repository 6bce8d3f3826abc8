"""What single cells look like, for the detection of headers, sections and totals."""

import re
from collections.abc import Sequence
from datetime import date, datetime
from functools import lru_cache

from tablerag.ingestion.document import SOFT_HYPHEN, Amount, RawCell
from tablerag.ingestion.tables.typing.cells import is_missing, without_marks
from tablerag.ingestion.tables.typing.dates import read_date
from tablerag.ingestion.tables.typing.numbers import read_number
from tablerag.ingestion.tables.typing.spans import read_duration
from tablerag.ingestion.tables.typing.units import Unit, unit_in
from tablerag.tools.number_words import SPACED_YEAR

__all__ = ["cell_text", "is_period", "is_typed", "is_words", "lone_text"]

PERIOD = re.compile(
    rf"(?:fy|cy|(?:fiscal|financial) year|year|fiscal|ytd)?\s?'?{SPACED_YEAR}(?:[/–-]\d{{2,4}})?\s?[aepf]?|"
    r"fy?\s?'?\d\d|"
    r"(?:q[1-4]|[1-4]q|h[12]|[12]h|quarter [1-4]|week \d{1,2}|w\d{1,2}|kw ?\d{1,2})(?:[ /'-]*(?:fy)?\d{2,4})?|"
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]*\.?(?:[ '-]*\d{2,4})?|"
    r"\d{1,2}月|\d{4}年(?:度|\d{1,2}月)?",
    re.IGNORECASE,
)
REMARK = re.compile(
    r"\s*(?:\((?:\d{1,2}|[a-z]{1,2}|[ivx]{1,4}|\*+)\)"
    r"|\(?(?:as )?(?:re-?stated|revised|adjusted|(?:un)?audited)\)?\s?\d?)+$",
    re.IGNORECASE,
)
"""What may follow a period: a note's number, or that the figures were revised."""


UNIT_BEHIND = re.compile(r"(?P<period>[^()]{2,12}?)(?:,?\s*(?P<unit>\([^()]{1,24}\)|in\s[^()]{1,24}))")
"""A period with the unit of the numbers below it: 2024 (EUR thousand)."""
UNTIL_NOW = ("至今", "present", "heute")
"""Ends of an open span of time, which is not an amount."""
MEMO = 4096
"""Short texts whose reading is kept: each step that looks for headers and totals looks at the same cells again."""
SHORT = 100


def cell_text(cell: RawCell) -> str:
    """Return a cell as one line of text; "" for an empty one."""
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    if isinstance(cell, datetime) and not (cell.hour or cell.minute or cell.second):
        return cell.date().isoformat()
    text = str(cell)
    return _short_line(text) if len(text) <= SHORT else _one_line(text)


def _one_line(text: str) -> str:
    return " ".join(text.replace(SOFT_HYPHEN, "").split())


_short_line = lru_cache(MEMO)(_one_line)


def is_typed(cell: RawCell) -> bool:
    """Return whether a cell holds a number, date or the like, not words."""
    if cell is None:
        return False
    if not isinstance(cell, str):
        return True
    return _is_typed_short(cell) if len(cell) <= SHORT else _is_typed_text(cell)


def _is_typed_text(cell: str) -> bool:
    if not any(map(str.isdigit, cell)):
        return False
    text = without_marks(" ".join(cell.split()))
    if not text or len(text) > 40 or not any(map(str.isdigit, text)) or text.endswith(UNTIL_NOW):
        return False
    number = read_number(text)
    return bool((number and len(number.unit) <= 4) or read_date(text) or read_duration(text))


_is_typed_short = lru_cache(MEMO)(_is_typed_text)


def is_period(cell: RawCell) -> bool:
    """Return whether a cell names a year, quarter, month or day, as a column header may."""
    if isinstance(cell, (date, datetime)):
        return True
    if isinstance(cell, bool) or cell is None or isinstance(cell, Amount):
        return False
    text = REMARK.sub("", without_marks(cell_text(cell)))
    behind = UNIT_BEHIND.fullmatch(text)
    if behind and unit_in(behind["unit"]) != Unit():
        text = behind["period"]
    if PERIOD.fullmatch(text):
        return True
    found = read_date(text) if isinstance(cell, str) and len(text) <= 24 else None
    return bool(found and (found.month or found.swapped))


def is_words(cell: RawCell) -> bool:
    """Return whether a cell holds words, not a number or a mark for "no value"."""
    return isinstance(cell, str) and bool(cell.strip()) and not is_missing(cell_text(cell)) and not is_typed(cell)


def lone_text(row: Sequence[RawCell]) -> str:
    """Return the first text of a row; "" if it has none."""
    return next((text for text in map(cell_text, row) if text), "")
