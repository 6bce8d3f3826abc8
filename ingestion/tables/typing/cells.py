"""Cells before they are read: control characters, marks of no value and footnote marks taken off."""

import math
import re
from datetime import date, datetime, time

from ingestion.document import RawCell

__all__ = ["cleaned", "is_missing", "text_of_cell", "without_marks"]

CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
MISSING = frozenset(
    "- – — -- --- − ‒ n/a na n.a. n.a null none nan ... … ? ?? nil #n/a #value! #ref! #div/0! tba tbd tbc n/r n/k "
    "unknown unk. . × ¨".split()
) | {"not available", "not applicable", "- -", "– –", "— —", "no data"}
MARKS = re.compile(
    r"(?:\s*(?:\[(?:\d{1,3}|[a-z]{1,2}|(?:note|nb|n|fn)\.?\s*\d*|citation needed)\]|[*†‡§¶#^]|[¹²³⁴⁵⁶⁷⁸⁹]))+$",
    re.IGNORECASE,
)


def cleaned(cell: RawCell) -> RawCell:
    """Return a cell without surrounding space and control characters; None when it is empty."""
    if isinstance(cell, str):
        return " ".join(CONTROL.sub(" ", cell).split()) or None
    if isinstance(cell, float) and not math.isfinite(cell):
        return None
    return cell


def is_missing(cell: RawCell) -> bool:
    """Tell whether a cell says that there is no value."""
    return isinstance(cell, str) and len(cell) < 16 and cell.casefold() in MISSING


def without_marks(text: str) -> str:
    """Return a text without the footnote marks at its end; a text of marks alone is left as it is."""
    return MARKS.sub("", text) or text


def text_of_cell(cell: RawCell) -> str:
    """Return a cell as it is stored in a column of text."""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    if isinstance(cell, datetime):
        return cell.date().isoformat() if cell.time() == time() else cell.isoformat(" ")
    if isinstance(cell, date):
        return cell.isoformat()
    return str(cell)
