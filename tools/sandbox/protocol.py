"""What the parent and its child process send each other, and what the parent accepts as a program's reply.

The child sends CONFINED or UNCONFINED first. A request is RUN with two descriptors, of the job to read and of the pipe
for the reply; the child sends ENDED when the program's process is gone. No program can reach this socket.

A reply is what that process wrote to its pipe: one JSON object in the only spelling that encoded() gives it:

- ``{"rows": [[cell, ...], ...]}``: the rows of the program's variable ``answer``;
- ``{"raised": [class, text]}``: the exception that ended it;
- ``{}``: it set no ``answer``.

The program can write to the pipe too, so a reply is what the program claims, and nothing else. decoded() accepts
exactly the bytes that some program could get by setting ``answer`` or raising, and no message of ours can be written
by it: what a program raised is always introduced as such. Whether the machine confines programs, and that one was
killed or wrote too much, is never read from a reply.
"""

import json
import math
from collections.abc import Mapping
from typing import Any

from tablerag.tools.errors import ProgramFailed
from tablerag.tools.records import Cell

__all__ = [
    "CONFINED",
    "ENDED",
    "MAX_NAME",
    "MAX_REPLY",
    "MAX_ROWS",
    "MAX_TEXT",
    "RUN",
    "Rows",
    "UNCONFINED",
    "decoded",
    "encoded",
]

CONFINED, UNCONFINED, RUN, ENDED = b"c", b"u", b"r", b"e"
MAX_REPLY = 2_000_000
"""Maximum bytes of a reply."""
MAX_ROWS = 1000
"""Rows of an answer; the rest is dropped."""
MAX_TEXT = 2000
"""Characters shown of what was raised."""
MAX_NAME = 100
"""Characters of its class."""
Rows = tuple[tuple[Cell, ...], ...]


def encoded(reply: Mapping[str, Any]) -> bytes:
    """Return a reply in its only spelling. Raises ValueError for NaN, infinity, a lone surrogate or a huge integer."""
    return json.dumps(reply, ensure_ascii=False, allow_nan=False).encode()


def decoded(reply: bytes) -> Rows:
    """Return the rows of a reply; raise ProgramFailed if it has none or is invalid."""
    try:
        found = json.loads(reply)
        if not _is_reply(found) or encoded(found) != reply:
            raise ValueError("not a reply in its only spelling")
    except (ValueError, RecursionError) as error:
        raise ProgramFailed("the program wrote an invalid reply: set the variable answer instead") from error
    if "raised" in found:
        name, text = (_line(t) for t in found["raised"])
        raise ProgramFailed(f"the program raised {name}: {text}".removesuffix(": "))
    if "rows" not in found:
        raise ProgramFailed("the program must set a variable named answer")
    return tuple(tuple(row) for row in found["rows"])


def _is_reply(found: object) -> bool:
    match found:
        case {"rows": list(rows), **other} if not other and len(rows) <= MAX_ROWS:
            return all(type(row) is list and all(map(_is_cell, row)) for row in rows)
        case {"raised": [str(name), str()], **other} if not other:
            return name.isidentifier() and len(name) <= MAX_NAME
    return found == {}


def _is_cell(value: object) -> bool:
    if type(value) is float:
        return math.isfinite(value)
    return value is None or type(value) in (bool, int, str)


def _line(text: str) -> str:
    """Return a text as one line without control characters, which a terminal would obey."""
    return " ".join("".join(c if c.isprintable() else " " for c in text[:MAX_TEXT]).split())
