"""Words of messages: counts (1 row, 1,234 rows), texts in one line, short names, and words read by OCR."""

__all__ = ["MOST_NAME_CHARS", "OCR_NOTE", "counted", "doubt", "one_line", "shortened"]

MOST_CHARS = 400
MOST_NAME_CHARS = 500
END_CHARS = 150
OCR_NOTE = "read by OCR; least sure"
"""How the note of a table that was read by OCR begins."""


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, which is in the plural for all numbers but 1."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def one_line(message: str) -> str:
    """Return a message in one line of at most 400 characters; what is left out is in the middle, before the advice."""
    line = " ".join(message.split())
    if len(line) <= MOST_CHARS:
        return line
    return f"{line[: MOST_CHARS - END_CHARS - 3]} … {line[-END_CHARS:]}"


def shortened(name: str) -> str:
    """Return a name of at most 500 characters: titles and headings are repeated with every chunk."""
    return name if len(name) <= MOST_NAME_CHARS else name[: MOST_NAME_CHARS - 1] + "…"


def doubt(word: str, percent: int) -> str:
    """Return a word that was read by OCR, with how sure that is."""
    return f"{word!r} ({percent}%)"
