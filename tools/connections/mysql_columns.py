"""The columns of MySQL and MariaDB as those of a schema, and how they are read."""

import re

from tablerag.tools.connections.engine import FoundColumn
from tablerag.tools.records import ColumnType

__all__ = ["column_of", "reads_for"]

NATIVE = re.compile(r"utf8(?:mb[34])?_(?:general|unicode|unicode_520|0900_ai|uca1400_ai|uca1400_nopad_ai)_ci$")
"""Collations of columns that are compared as they are: without case and accents."""
TYPES: dict[str, tuple[ColumnType, str]] = {
    **dict.fromkeys("tinyint smallint mediumint int integer bigint".split(), ("integer", "")),
    **{"year": ("integer", "signed"), "bit": ("integer", "unsigned")},
    **dict.fromkeys("decimal numeric float double real".split(), ("decimal", "")),
    **dict.fromkeys("char varchar tinytext text mediumtext longtext".split(), ("text", "")),
    **dict.fromkeys("enum set time json uuid inet4 inet6".split(), ("text", "cast")),
    **{"date": ("date", ""), "datetime": ("datetime", ""), "timestamp": ("datetime", "")},
}


def column_of(name: str, data_type: str, column_type: str, about: str, collation: str | None) -> FoundColumn:
    """Return a column of information_schema; without a type if it holds neither numbers, texts nor dates."""
    type_, reads = TYPES.get(data_type.lower(), (None, ""))
    if column_type.lower() == "tinyint(1)":
        type_ = "boolean"
    if type_ == "text" and not reads and not NATIVE.match(collation or ""):
        reads = "fold"
    return FoundColumn(str(name), str(column_type), type_, reads, str(about or ""))


def reads_for(collation: str) -> dict[str, str]:
    """Return how columns are read, by word, on a server with this collation for texts without case and accents."""
    return {
        "signed": "CAST({} AS SIGNED)",
        "unsigned": "CAST({} AS UNSIGNED)",
        "fold": f"CONVERT({{}} USING utf8mb4) COLLATE {collation}",
        "cast": f"CONVERT(CAST({{}} AS CHAR) USING utf8mb4) COLLATE {collation}",
    }
