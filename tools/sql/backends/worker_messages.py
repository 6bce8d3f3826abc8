"""What the program and its query workers tell each other.

Named tuples: dataclasses would import the inspect module, a tenth of the time that a worker takes to start.
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

__all__ = ["PLANNED", "Chunk", "Refusal", "Setup"]

PLANNED = "EXPLAIN (FORMAT JSON) "
"""Before a SELECT, to get its plan."""


class Setup(NamedTuple):
    """What a worker may use; nothing can be changed afterwards."""

    folders: tuple[str, ...]
    """The only folders whose files statements may read."""
    statements: tuple[str, ...]
    """Run before the settings are locked."""
    macros: str
    """Statements that create the macros, of which a statement gets those that it calls."""
    locked: Mapping[str, str]
    memory_bytes: int
    """Of the engine; a statement that needs more is refused, or ends the worker."""


class Chunk(NamedTuple):
    """Some rows of a result."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    last: bool


class Refusal(NamedTuple):
    """Why a statement has no result."""

    why: Literal["timed out", "memory", "died", "not one SELECT", "file", "refused"]
    says: str
