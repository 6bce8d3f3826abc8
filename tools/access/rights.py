"""What an API key may see of the tables of its corpora: which tables, which columns, which rows.

Names are SQL names, as `tablerag tables` lists them, with ``*`` for any characters.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["FULL", "Rights", "read_rights"]

FIELDS = ("name", "corpora", "connections", "tables", "hidden", "rows")
MOST_NAME = 60


@dataclass(frozen=True, slots=True)
class Rights:
    """Which tables a key may see, and what of them."""

    connections: tuple[str, ...] = ("*",)
    """Connected databases, by name."""
    tables: tuple[str, ...] = ("*",)
    hidden: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Tables with the columns of them that are not shown."""
    rows: tuple[tuple[str, str], ...] = ()
    """Tables with a condition that shown rows meet."""


FULL = Rights()


def read_rights(given: Mapping[str, Any]) -> Rights:
    """Return what the value of a key says beside its corpora. Raises ValueError with what is wrong."""
    odd = next((name for name in given if name not in FIELDS), None)
    if odd is not None:
        raise ValueError(f"has an unknown field {odd[:40]!r}: expected {', '.join(FIELDS)}")
    if not _is_name(given.get("name", "key")):
        raise ValueError(f'name must be a text of 1 to {MOST_NAME} characters in one line, e.g. "EMEA desk"')
    for name in ("connections", "tables"):
        if not _is_list(given.get(name, [])):
            raise ValueError(f"{name} must be a list of names")
    hidden, rows = given.get("hidden", {}), given.get("rows", {})
    if not isinstance(hidden, dict) or not all(_is_list(v) and v for v in hidden.values()):
        raise ValueError('hidden must name the columns of tables, e.g. {"employees": ["salary"]}')
    if not isinstance(rows, dict) or not all(isinstance(v, str) for v in rows.values()):
        raise ValueError('rows must have a condition for tables, e.g. {"orders": "region = \'EMEA\'"}')
    for table, text in rows.items():
        from tablerag.tools.access.row_filters import condition  # slow to import, and few keys need it

        try:
            condition(text)
        except ValueError as error:
            raise ValueError(f"rows of {table[:40]!r}: {error}") from None
    return Rights(
        tuple(given.get("connections", ["*"])),
        tuple(given.get("tables", ["*"])),
        tuple((table, tuple(columns)) for table, columns in hidden.items()),
        tuple(rows.items()),
    )


def _is_name(value: object) -> bool:
    return isinstance(value, str) and value.isprintable() and 0 < len(value.strip()) <= len(value) <= MOST_NAME


def _is_list(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(v, str) and v for v in value)
