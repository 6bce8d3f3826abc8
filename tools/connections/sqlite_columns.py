"""What the columns of a SQLite table hold: its types are only declared, so that values are looked at."""

from collections.abc import Sequence
from typing import Any

from tablerag.tools.connections.engine import FoundColumn
from tablerag.tools.connections.relations import quoter
from tablerag.tools.records import ColumnType

__all__ = ["READS", "TYPED_ROWS", "column_of", "typing_query"]

quoted = quoter('"')
TYPED_ROWS = 200_000
"""Rows of a table whose values are looked at."""
READS = {
    "fold": "{} COLLATE m_ci",
    "ascii": "{} COLLATE NOCASE",
    "cast": "CAST({} AS TEXT) COLLATE m_ci",
    "iso": "replace({}, 'T', ' ')",
    "real": "CAST({} AS REAL)",
}
"""How columns are read, by word. Texts ignore case and accents as on MySQL, faster if all of them are ASCII."""
DAY = "[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]"
MOMENT = f"{DAY}[ T][0-2][0-9]:[0-5][0-9]:[0-5][0-9]"
COUNTS = (
    "sum(typeof({c}) = 'integer')",
    "sum(typeof({c}) = 'real')",
    "sum(typeof({c}) = 'text')",
    "sum(typeof({c}) = 'blob')",
    f"sum(typeof({{c}}) = 'text' AND {{c}} GLOB '{DAY}' AND date({{c}}) = {{c}})",
    f"sum(typeof({{c}}) = 'text' AND {{c}} GLOB '{MOMENT}' AND julianday({{c}}) IS NOT NULL)",
    "sum(typeof({c}) = 'text' AND {c} GLOB '*T*')",
    "sum(typeof({c}) = 'text' AND {c} GLOB '*[^ -~]*')",
    "min(CASE WHEN typeof({c}) = 'integer' THEN {c} END)",
    "max(CASE WHEN typeof({c}) = 'integer' THEN {c} END)",
)


def typing_query(names: Sequence[str], source: str) -> str:
    """Return the statement that counts the kinds of values of columns, in the first rows of a table."""
    wanted = ", ".join(count.replace("{c}", quoted(name)) for name in names for count in COUNTS)
    inner = ", ".join(map(quoted, names))
    return f"SELECT {wanted} FROM (SELECT {inner} FROM {source} LIMIT {TYPED_ROWS})"


def column_of(column: FoundColumn, counts: Sequence[Any]) -> FoundColumn:
    """Return a column with the type of its values; without one if they are binary."""
    integers, reals, texts, blobs, days, moments, with_t, beyond_ascii = (n or 0 for n in counts[:8])
    type_, reads = _typed(column.declared, integers, reals, texts, blobs, (days, moments, with_t, beyond_ascii))
    if type_ == "integer" and "BOOL" in column.declared.upper() and 0 <= counts[8] <= counts[9] <= 1:
        type_ = "boolean"
    return FoundColumn(column.name, column.declared, type_, reads, column.about)


def _typed(
    declared: str, integers: int, reals: int, texts: int, blobs: int, of_texts: tuple[int, int, int, int]
) -> tuple[ColumnType | None, str]:
    days, moments, with_t, beyond_ascii = of_texts
    if not integers + reals + texts:
        return (None, "") if blobs or "BLOB" in declared.upper() else _declared(declared)
    if blobs or (texts and integers + reals):
        return "text", "cast"
    if texts:
        if days == texts:
            return "date", ""
        if moments == texts:
            return "datetime", "iso" if with_t else ""
        return "text", "fold" if beyond_ascii else "ascii"
    return ("decimal", "real" if integers else "") if reals else ("integer", "")


def _declared(declared: str) -> tuple[ColumnType, str]:
    """Return the type of a column without values."""
    upper = declared.upper()
    if "INT" in upper:
        return "integer", ""
    if any(part in upper for part in ("REAL", "FLOA", "DOUB", "NUM", "DEC")):
        return "decimal", "real"
    if "DATE" in upper and "TIME" not in upper:
        return "date", ""
    return "text", "fold"
