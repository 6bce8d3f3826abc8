"""Counts the commits of a catalog, inside it and in a file beside it: a log that lost its end looks whole to SQLite.

The file holds the count of the last run that ended; what a killed run wrote after it was never reported as stored.
"""

import sqlite3
import zlib
from contextlib import suppress
from pathlib import Path

__all__ = ["COUNT", "COUNT_END", "commits", "lost_commits", "note_commits"]

COUNT = "PRAGMA user_version"
COUNT_END = "-commits"
"""What follows the catalog's name in the name of the file."""


def commits(connection: sqlite3.Connection) -> int:
    """Return how many commits a catalog holds."""
    return connection.execute(COUNT).fetchone()[0]


def note_commits(catalog: Path, number: int) -> None:
    """Write the number of commits that the catalog will hold from now on, if the disk has room."""
    text = str(number)
    with suppress(OSError):
        _file(catalog).write_text(f"{text} {_checksum(text)}", encoding="ascii")


def lost_commits(catalog: Path, connection: sqlite3.Connection) -> bool:
    """Return whether a catalog holds fewer commits than it did when a run ended."""
    noted = _noted(catalog)  # first: meanwhile others may commit
    return noted > 0 and commits(connection) < noted


def _noted(catalog: Path) -> int:
    """Return the noted number; 0 if there is none, or a damaged one."""
    try:
        text, _, checksum = _file(catalog).read_text(encoding="ascii").partition(" ")
    except (OSError, UnicodeError):
        return 0
    return int(text) if text and checksum == _checksum(text) else 0


def _file(catalog: Path) -> Path:
    return catalog.with_name(catalog.name + COUNT_END)


def _checksum(text: str) -> str:
    return f"{zlib.crc32(text.encode()):08x}"
