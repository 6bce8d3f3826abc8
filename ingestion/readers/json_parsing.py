"""Parses JSON within bounds: NaN and Infinity become empty, long integers text, and repeated names are counted."""

import json
from typing import Any

from tablerag.tools.counting import counted
from tablerag.tools.errors import UnreadableDocument

__all__ = ["Parser"]

MAX_DIGITS = 300
LARGE = 2**63


class Parser:
    """A parser of one file's JSON texts, which counts the values that it changes."""

    def __init__(self) -> None:
        self._repeated = self._no_numbers = 0
        self._decoder = json.JSONDecoder(
            object_pairs_hook=self._object, parse_int=self._integer, parse_constant=self._constant
        )

    def value(self, text: str) -> Any:
        """Parse one JSON text; raise JSONDecodeError if it is invalid, UnreadableDocument if it is nested too deep."""
        try:
            return self._decoder.decode(text)
        except RecursionError as error:
            raise UnreadableDocument("nests objects or lists too deep: save it with less nesting") from error

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was changed in the texts so far, a line each; empty if nothing was."""
        found = []
        if self._repeated:
            found.append(f"{counted(self._repeated, 'repeated name')} in objects: the last value was kept")
        if self._no_numbers:
            found.append(f"{counted(self._no_numbers, 'value')} NaN or Infinity read as empty")
        return tuple(found)

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        self._repeated += len(pairs) - len(made)
        return made

    def _constant(self, name: str) -> None:
        self._no_numbers += 1

    @staticmethod
    def _integer(digits: str) -> int | str:
        """Return an integer; as text, of at most 300 digits, if it does not fit into 64 bits, as those of databases."""
        if len(digits) < 19:
            return int(digits)
        return digits[:MAX_DIGITS] if len(digits) > MAX_DIGITS or abs(int(digits)) >= LARGE else int(digits)
