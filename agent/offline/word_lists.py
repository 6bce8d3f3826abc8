"""The word lists and patterns of words.toml."""

import tomllib
from functools import lru_cache
from pathlib import Path

__all__ = ["named_words", "pattern", "words"]


@lru_cache(maxsize=1)
def _sections() -> dict[str, dict[str, str]]:
    return tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))


def pattern(section: str, name: str) -> str:
    """Return a regular expression, its line breaks removed."""
    return "".join(line.strip() for line in _sections()[section][name].splitlines())


def words(name: str) -> frozenset[str]:
    """Return a list of [words]."""
    return frozenset(_sections()["words"][name].split())


def named_words(section: str) -> dict[str, tuple[str, ...]]:
    """Return all word lists of a section, in the file's order."""
    return {name: tuple(text.split()) for name, text in _sections()[section].items()}
