"""Writes confirmed answers into a knowledge file, and leaves the rest of it as a person wrote it."""

from collections.abc import Sequence

import yaml

from tablerag.tools.errors import ConfigError
from tablerag.tools.knowledge.entries import ConfirmedEntry

__all__ = ["with_confirmed"]

SECTION = "confirmed"


def with_confirmed(text: str, entries: Sequence[ConfirmedEntry], file: str) -> str:
    """Return a file with these confirmed answers at its end, in place of those that it has.

    All other lines keep their numbers, which answers cite: those of the file that was imported.

    Raises ConfigError for a file whose sections cannot be told apart by line: one that is a single flow mapping.
    """
    root = yaml.compose(text, Loader=yaml.SafeLoader) if text.strip() else None
    lines = text.splitlines(keepends=True)
    if isinstance(root, yaml.MappingNode):
        if root.flow_style:
            raise ConfigError(f"cannot add to {file}: write its sections on lines of their own, without outer braces")
        for key, value in root.value:
            if key.value == SECTION:
                first, last = key.start_mark.line, value.end_mark.line + (value.end_mark.column > 0)
                follows = any(line.strip() for line in lines[last:])
                lines[first:last] = ["\n"] * (last - first) if follows else []
    kept = "".join(lines)
    if not entries:
        return kept
    if kept and not kept.endswith("\n"):
        kept += "\n"
    listed = [e.model_dump(exclude={"line"}, exclude_defaults=True) for e in entries]
    return kept + yaml.safe_dump({SECTION: listed}, allow_unicode=True, sort_keys=False, width=120)
