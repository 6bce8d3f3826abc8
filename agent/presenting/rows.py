"""What explanations call the rows of a table: "41 shipments", "1 row", '3 rows of "Staff"'."""

import re

from tablerag.tools.records import TableSchema

__all__ = ["ROWS", "in_rows", "noun_of", "row_words", "singular", "with_count"]

ROWS = "rows"
LONGEST_TITLE = 40
MEASURED = frozenset(
    """amounts balances capacities counts details earnings expenses figures goods hours indicators kilometres
    levels lines minutes news numbers pieces premises prices quantities rates readings results returns revenues
    salaries sales savings series spendings statistics stocks tonnes totals turnovers units values volumes wages works
    """.split()
)
"""Plurals that say what a table measures, not what its rows are."""
LINKING = frozenset("and by of per to und nach pro von et par de des du".split())
"""Words of a file name after which its last word is no name of the rows."""
OVER = " over "


def _words(text: str) -> list[str]:
    """Return the words of a title or file name, also of "PurchaseOrders2024"."""
    return re.findall(r"[^\W\d_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text))


def noun_of(schema: TableSchema) -> str:
    """Return what a table calls its rows: the last plural of its title, else "rows"."""
    words = [w for w in _words(schema.title) if len(w) > len("xxs")]
    plurals = [w for w in words if w.endswith("s") and not w.endswith(("ss", "us", "is"))]
    return plurals[-1] if plurals else ROWS


def row_words(schema: TableSchema, noun: str) -> str:
    """Return what to call a table's rows: its noun, the plural that ends its file's name, or 'rows of "Staff"'."""
    if noun != ROWS and noun.casefold() not in MEASURED:
        return noun
    stem = schema.source.rpartition("/")[2].rpartition(".")[0]
    words = [w for w in _words(stem) if len(w) > 1]
    last = words[-1].casefold() if words else ""
    plural = len(last) > len("xxs") and last.endswith("s") and not last.endswith(("ss", "us", "is"))
    if noun == ROWS and plural and last not in MEASURED and not LINKING & {w.casefold() for w in words}:
        return last
    title = " ".join((schema.title or schema.source).split())
    return f'{ROWS} of "{title if len(title) <= LONGEST_TITLE else title[: LONGEST_TITLE - 1].rstrip() + "…"}"'


def in_rows(rows: str) -> str:
    """Return what follows the columns of a list: "of the orders", 'in "Staff"'."""
    return f"in {rows.removeprefix(f'{ROWS} of ')}" if rows.startswith(f"{ROWS} of ") else f"of the {rows}"


def singular(rows: str) -> str:
    """Return what one of the rows is called."""
    noun, blank, rest = rows.partition(" ")
    if noun.endswith("ies") and len(noun) > len("ties"):
        noun = f"{noun[:-3]}y"
    elif noun.endswith(("sses", "xes", "ches", "shes")):
        noun = noun[:-2]
    else:
        noun = noun.removesuffix("s")
    return f"{noun}{blank}{rest}"


def with_count(meaning: str, count: int) -> str:
    """Return a meaning that says over how many rows, as in "over 41 shipments"; unchanged if it names no rows.

    Of two sides that are compared, the count is neither's.
    """
    before, over, rows = meaning.partition(OVER)
    if not over or OVER in rows:
        return meaning
    return f"{before}{OVER}{count:,} {singular(rows) if count == 1 else rows}"
