"""Text of documents as a terminal may show it."""

import unicodedata

__all__ = ["cell_text", "printable"]

CELL_CHARS = 60


def printable(value: object) -> str:
    """Return text with control characters replaced: a document could control the terminal by them."""
    text = str(value)
    if text.isprintable():
        return text
    return "".join(c if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cf", "Cs") else "�" for c in text)


def cell_text(value: object) -> str:
    """Return what is shown of a value in a cell, in one line; "" for None."""
    text = "" if value is None else " ".join(printable(value).split())
    return text if len(text) <= CELL_CHARS else text[: CELL_CHARS - 1] + "…"
