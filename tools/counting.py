"""Words of messages: counts (1 row, 1,234 rows), and texts of any length in one line."""

__all__ = ["counted", "one_line"]

MOST_CHARS = 400
END_CHARS = 150


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, which is in the plural for all numbers but 1."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def one_line(message: str) -> str:
    """Return a message in one line of at most 400 characters; what is left out is in the middle, before the advice."""
    line = " ".join(message.split())
    if len(line) <= MOST_CHARS:
        return line
    return f"{line[: MOST_CHARS - END_CHARS - 3]} … {line[-END_CHARS:]}"
