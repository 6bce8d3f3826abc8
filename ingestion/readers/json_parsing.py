"""Parses JSON with bounds: what is no JSON number becomes empty, and repeated names are counted."""

import json
from typing import Any

from tablerag.tools.counting import counted
from tablerag.tools.errors import UnreadableDocument

__all__ = ["DEEP", "Parser"]

DEEP = UnreadableDocument("nests too many objects or lists in each other: save it with less nesting")
MAX_DIGITS = 300
LARGE = 2**63


class Parser:
    """A parser that remembers what it changed."""

    def __init__(self) -> None:
        self._repeated = self._no_numbers = 0
        self._decoder = json.JSONDecoder(
            object_pairs_hook=self._object, parse_int=self._integer, parse_constant=self._constant
        )

    def value(self, text: str) -> Any:
        """Return the value of a JSON text; raises JSONDecodeError and RecursionError."""
        return self._decoder.decode(text)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was changed so far."""
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
        """Return an integer; as text if it has more digits than a number of a database."""
        if len(digits) < 19:
            return int(digits)
        return digits[:MAX_DIGITS] if len(digits) > MAX_DIGITS or abs(int(digits)) >= LARGE else int(digits)
