"""The types of DuckDB as those of a schema, and how columns are read."""

from tablerag.tools.records import ColumnType

__all__ = ["READS", "typed"]

READS = {
    "big": "CAST({} AS BIGINT)",
    "double": "CAST({} AS DOUBLE)",
    "text": "CAST({} AS VARCHAR)",
    "moment": "CAST({} AS TIMESTAMP)",
    "utc": "CAST(({} AT TIME ZONE 'UTC') AS TIMESTAMP)",
}
"""How columns are read, by word: integers have 64 bits as on MySQL, times are those of UTC."""
TYPES: dict[str, tuple[ColumnType, str]] = {
    "BIGINT": ("integer", ""),
    **dict.fromkeys("INTEGER SMALLINT TINYINT UINTEGER USMALLINT UTINYINT UBIGINT HUGEINT".split(), ("integer", "big")),
    "DOUBLE": ("decimal", ""),
    "FLOAT": ("decimal", "double"),
    "VARCHAR": ("text", ""),
    **dict.fromkeys(("UUID", "JSON", "TIME"), ("text", "text")),
    "DATE": ("date", ""),
    "TIMESTAMP": ("datetime", ""),
    **dict.fromkeys(("TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS"), ("datetime", "moment")),
    "TIMESTAMP WITH TIME ZONE": ("datetime", "utc"),
    "BOOLEAN": ("boolean", ""),
}


def typed(declared: str) -> tuple[ColumnType | None, str]:
    """Return the type of a column and how it is read; None for values that no schema holds."""
    if declared in TYPES:
        return TYPES[declared]
    if declared.startswith("DECIMAL("):
        return "decimal", ""
    if declared.startswith("ENUM("):
        return "text", "text"
    return None, ""
