"""Regular expressions over cells, each search bounded in time: a pattern that a model wrote may backtrack for ever."""

from functools import lru_cache

import regex

__all__ = ["found", "matches", "position", "replaced"]

MAX_TEXT = 10_000
"""Characters that a pattern sees."""
MAX_PATTERN = 500
SEARCH_S = 0.05
"""Seconds for one cell; a statement ends at the first cell that takes longer."""
CLASSES = {"alpha": "a-zA-Z", "digit": "0-9", "alnum": "a-zA-Z0-9", "space": r"\s", "punct": r"\W_"}


@lru_cache(maxsize=128)
def _compiled(pattern: str) -> regex.Pattern[str]:
    """Compile a pattern; raise ValueError for one that is none, which answers NULL."""
    if len(pattern) > MAX_PATTERN:
        raise ValueError("the pattern is too long")
    for name, chars in CLASSES.items():
        pattern = pattern.replace(f"[:{name}:]", chars)
    try:
        return regex.compile(pattern, regex.IGNORECASE)
    except (regex.error, RecursionError) as error:
        raise ValueError("no pattern") from error


def _search(text: str, pattern: str) -> "regex.Match[str] | None":
    return _compiled(pattern).search(text[:MAX_TEXT], timeout=SEARCH_S)


def matches(text: str, pattern: str) -> bool:
    """Tell whether the pattern is found anywhere, without regard to case; raise TimeoutError when it takes too long."""
    return _search(text, pattern) is not None


def replaced(text: str, pattern: str, new: str) -> str:
    """Return the text with every match replaced; ``$1`` in what is new stands for the first group."""
    if len(new) > MAX_PATTERN:
        raise ValueError("what replaces is too long")
    return _compiled(pattern).sub(new.replace("$", "\\"), text[:MAX_TEXT], timeout=SEARCH_S)


def found(text: str, pattern: str) -> str | None:
    """Return the first match."""
    match = _search(text, pattern)
    return match.group() if match else None


def position(text: str, pattern: str) -> int:
    """Return where the first match begins, counted from 1, or 0."""
    match = _search(text, pattern)
    return match.start() + 1 if match else 0
