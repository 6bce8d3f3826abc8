"""Cells cleaned before reading: control characters, marks for "no value", footnote marks."""

import math
import re
from collections.abc import Collection, Sequence
from datetime import date, datetime, time

from tablerag.ingestion.document import SOFT_HYPHEN, RawCell
from tablerag.tools.number_words import SIGNS

__all__ = ["MISSING", "are_clean", "cleaned", "is_missing", "may_be_missing", "text_of_cell", "without_marks"]

CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
MISSING = frozenset(
    "- – — -- --- − ‒ .. : ~ n/a na n.a. n.a null none nan ... … ? ?? nil #n/a #value! #ref! #div/0! tba tbd tbc n/r "
    "n/k unknown unk. . × ¨ dns dnf dnq dsq dq dnp ** ***".split()
) | {"not available", "not applicable", "- -", "– –", "— —", "no data"}
LONGEST_MISSING = 16
NO_AMOUNT = re.compile(rf"[{SIGNS}]\s*[-–—−]{{1,2}}|[-–—−](?: [-–—−])?\s?%")
"""A dash in place of an amount or a percentage."""
MARKS = re.compile(
    r"(?:(?<=\d)\s\(?=?(?:PB|SB|WR|OR|CR|GR|NR|AR|WL|ER|MR)\)?"
    r"|\s*(?:\[(?:\d{1,3}|[a-z]{1,2}|(?:note|nb|n|fn)\.?\s*\d*|citation needed)\]|[*†‡§¶#^]"
    r"|(?<=[\d)%\s.,⁰¹²³⁴⁵⁶⁷⁸⁹])[⁰¹²³⁴⁵⁶⁷⁸⁹]))+$",
    re.IGNORECASE,
)
"""Footnote marks, and marks of records after a time or distance."""
LONGEST_MARKS = 80
POWER = re.compile(r"(?:.*[×x·*]\s?)?-?10[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
MARK_ENDS = "]*†‡§¶#^⁰¹²³⁴⁵⁶⁷⁸⁹"
MARK_SET = frozenset(MARK_ENDS)
NO_AMOUNT_SET = frozenset(f"{SIGNS}-–—−")
"""First characters of what NO_AMOUNT matches."""


def cleaned(cell: RawCell) -> RawCell:
    """Return a cell without surrounding space, control characters and soft hyphens; None if empty."""
    if isinstance(cell, str):
        if cell.isalnum() or (cell.isprintable() and "  " not in cell and cell and " " not in (cell[0], cell[-1])):
            return cell
        return " ".join(CONTROL.sub(" ", cell.replace(SOFT_HYPHEN, "")).split()) or None
    if isinstance(cell, float) and not math.isfinite(cell):
        return None
    return cell


def are_clean(cells: Sequence[RawCell]) -> bool:
    """Return whether all cells are texts that ``cleaned`` does not change, without a look at each."""
    try:
        joined = "\n".join(cells)  # pyright: ignore[reportArgumentType, reportCallIssue]
    except TypeError:
        return False
    if not joined or joined.count("\n") != len(cells) - 1 or not joined.replace("\n", "").isprintable():
        return False
    ends = joined[0] in " \n" or joined[-1] in " \n"
    return not ends and not any(mark in joined for mark in ("  ", "\n ", " \n", "\n\n"))


def may_be_missing(texts: Collection[str]) -> bool:
    """Return whether any of some clean texts may be a mark for "no value", without a look at each."""
    short = [t for t in texts if len(t) <= LONGEST_MISSING]
    if not MISSING.isdisjoint(map(str.casefold, short)):
        return True
    return not MARK_SET.isdisjoint([t[-1] for t in short]) or not NO_AMOUNT_SET.isdisjoint([t[0] for t in short])


def is_missing(cell: RawCell) -> bool:
    """Return whether a cell is a mark for "no value"."""
    if not isinstance(cell, str) or len(cell) > LONGEST_MISSING:
        return False
    if cell.casefold() in MISSING or (cell[-1:] in MARK_ENDS and without_marks(cell).casefold() in MISSING):
        return True
    return bool(NO_AMOUNT.fullmatch(cell))


def without_marks(text: str) -> str:
    """Return a text without footnote marks at its end; a text of marks only is kept."""
    # Marks are at the end: only that part of a long text is searched.
    if text[-1:] in "⁰¹²³⁴⁵⁶⁷⁸⁹" and len(text) < LONGEST_MARKS and POWER.fullmatch(text):
        return text  # a power of ten, not a ten with a footnote
    head, tail = text[:-LONGEST_MARKS], text[-LONGEST_MARKS:]
    return head + MARKS.sub("", tail) or text


def text_of_cell(cell: RawCell) -> str:
    """Return a cell as stored in a text column."""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    if isinstance(cell, datetime):
        return cell.date().isoformat() if cell.time() == time() else cell.isoformat(" ")
    if isinstance(cell, date):
        return cell.isoformat()
    return str(cell)
