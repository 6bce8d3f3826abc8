"""Why a question is not read as arithmetic."""

from dataclasses import dataclass

__all__ = ["Unread"]


@dataclass(frozen=True, slots=True)
class Unread:
    """What rules do not read of a question, as the end of a sentence: "no row of the tables is named"."""

    why: str
