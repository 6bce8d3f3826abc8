"""Tables whose header row a page writes as a table of its own, directly above."""

from itertools import pairwise

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]
from lxml.etree import _Element

from tablerag.ingestion.readers.html_cleaning import text_of
from tablerag.ingestion.readers.html_tables import own_rows
from tablerag.ingestion.tables.cells import is_typed, is_words

__all__ = ["join_headers"]

LEAST_NAMES = 3


def join_headers(root: _Element) -> None:
    """Move, in place, each row of names that is a table of its own into the table below that it names."""
    tables = list(root.iter("table"))
    for above, below in pairwise(tables):
        if _follows(above, below) and _names(above, below):
            head = etree.Element("thead")
            head.extend(own_rows(above))
            below.insert(0, head)
            parent = above.getparent()
            if parent is not None:
                parent.remove(above)


def _follows(above: _Element, below: _Element) -> bool:
    """Return whether nothing but breaks is between two tables."""
    at: _Element | None = above
    while at is not None and at is not below:
        if (at.tail or "").strip() or (at is not above and at.tag not in ("br", "hr")):
            return False
        at = at.getnext()
    return at is below


def _names(above: _Element, below: _Element) -> bool:
    """Return whether a table is one row of words, as many as the columns of a table of records without a header."""
    heads, rows = own_rows(above), own_rows(below)
    others = (next(below.iter("th", "thead"), None), next(above.iterdescendants("table"), None))
    if len(heads) != 1 or not rows or others != (None, None):
        return False
    names, first = (_texts(heads[0]), _texts(rows[0]))
    if len(names) < LEAST_NAMES or len(set(names)) < len(names) or len(first) != len(names):
        return False
    return all(map(is_words, names)) and sum(map(is_typed, first)) > 1


def _texts(row: _Element) -> list[str]:
    """Return the text of each cell; nothing for a row with cells over several columns."""
    cells = [c for c in row if c.tag in ("td", "th")]
    return [] if any(c.get("colspan", "1") != "1" for c in cells) else [text_of(c) for c in cells]
