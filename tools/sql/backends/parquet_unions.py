"""The rows of several tables as one: Parquet files of the same columns are read by one scan."""

import re
from collections.abc import Callable, Sequence

from tablerag.tools.records import MEMBER, OCR, OCR_WORD, PAGE, ROW_ID, SOURCE_ROW, UNION_SOURCE, Member, TableSchema

__all__ = ["escaped", "files_of", "identifier", "literal", "united_rows"]


GLOB = re.compile(r"[\[*?]")


def escaped(path: str) -> str:
    """Return a path as DuckDB takes it, which would read some characters as a pattern."""
    return GLOB.sub(lambda found: f"[{found[0]}]", path)


def identifier(name: str) -> str:
    """Return a quoted name."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Return a quoted text."""
    return "'" + text.replace("'", "''") + "'"


def files_of(paths: Sequence[str]) -> str:
    """Return what reads files, with the wider type where they differ; file_index is the place of a row's file."""
    return f"read_parquet([{', '.join(map(literal, paths))}], union_by_name = true, hive_partitioning = false)"


def united_rows(schema: TableSchema, path: Callable[[str], str]) -> str:
    """Return the query of a union's rows: those of all members under its names, each with its source.

    ``path`` returns the file of a stored table.
    """
    alike: dict[object, list[Member]] = {}
    for member in schema.members:
        key = (tuple(member.columns.items()), member.as_text, member.hidden_columns)
        alike.setdefault(key, []).append(member)
    return " UNION ALL ".join(_rows(schema, members, path) for members in alike.values())


def _rows(schema: TableSchema, members: Sequence[Member], path: Callable[[str], str]) -> str:
    """Return the query of the rows of members whose columns have the same names."""
    first = members[0]
    told: dict[str, list[str]] = dict(
        zip(UNION_SOURCE, ([m.source for m in members], [m.within for m in members]), strict=True)
    )
    projections = []
    for name in (n for c in schema.columns for n in c.all_names()):
        if name in first.columns:
            own = identifier(first.columns[name])
            value = f"CAST({own} AS VARCHAR)" if name in first.as_text else own
        else:
            value = _by_file(told[name])
        projections.append(f"{value} AS {identifier(name)}")
    for hidden in schema.hidden_columns:
        if hidden == MEMBER:
            value = _by_file([m.name for m in members])
        elif hidden in first.hidden_columns:
            value = identifier(hidden)
        else:
            value = "NULL" if hidden in (ROW_ID, SOURCE_ROW, PAGE, OCR, OCR_WORD) else "FALSE"
        projections.append(f"{value} AS {identifier(hidden)}")
    return f"SELECT {', '.join(projections)} FROM {files_of([path(m.stored_as) for m in members])}"


def _by_file(texts: Sequence[str]) -> str:
    """Return the text of a row's file."""
    if len(set(texts)) == 1:
        return literal(texts[0])
    return f"([{', '.join(map(literal, texts))}])[CAST(file_index AS BIGINT) + 1]"
