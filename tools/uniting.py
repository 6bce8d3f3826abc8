"""Unions: sheets and files with the same schema as one logical table, with columns for the source of each row.

The catalog makes them when it publishes their members (tools/catalog_unions.py), and tools/sql expands them to the
stored tables of their members, so they are never out of date.
"""

import os
import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import groupby
from pathlib import PurePosixPath
from typing import NamedTuple, Protocol, TypeVar

from tablerag.tools.number_words import YEAR
from tablerag.tools.records import (
    HIDDEN,
    MEMBER,
    OCR,
    OCR_WORD,
    PAGE,
    ROW_ID,
    SOURCE_ROW,
    TOTAL,
    UNION_SOURCE,
    Column,
    ColumnType,
    Member,
    TableSchema,
)

__all__ = ["MOST_MEMBERS", "PREFIX", "belonging", "free_name", "stem_of", "union_of", "united"]

MOST_MEMBERS = 400
"""Each is read by a SELECT of its own in the statement that is run."""
LEAST_COMMON = 3
"""Least number of common letters in the names of files that belong together."""
VARYING = re.compile(
    r"\d+|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?|q[1-4]|[^\w]|_",
    re.IGNORECASE,
)
"""What differs between the names of files about different periods."""
DATED = re.compile(rf"(?<!\d){YEAR}(?!\d)|q[1-4]", re.IGNORECASE)
PREFIX = "all_"
"""How the name of a union begins."""
BESIDE = ("raw", "low", "high")
NUMBERS: frozenset[ColumnType] = frozenset({"integer", "decimal"})


class Sourced(Protocol):
    """What is in a document."""

    @property
    def source(self) -> str: ...


T = TypeVar("T", bound=Sourced)


class _Place(NamedTuple):
    """What the name of a file says about which others it belongs with."""

    folder: tuple[PurePosixPath, str]
    """With the suffix."""
    stem: str
    constant: str
    """The stem without what differs between periods."""

    @property
    def is_dated(self) -> bool:
        return bool(DATED.search(self.stem))


def united(schemas: Iterable[TableSchema], taken: Iterable[str] = ()) -> list[TableSchema]:
    """Return a union for each group of tables with the same schema that belong together.

    They are in one document, or in files of one folder whose names only differ in a period or in the last part.
    ``taken`` are names of tables that a union must not have.
    """
    names = {n.casefold() for n in taken}
    found = []
    by_kind = sorted(
        (s for s in schemas if s.header_rows and not (s.members or s.set_aside)), key=lambda s: (s.signature, s.source)
    )
    for _, alike in groupby(by_kind, key=lambda s: s.signature):
        for union in filter(None, map(union_of, belonging(list(alike)))):
            name = free_name(union.name, names)
            names.add(name.casefold())
            found.append(union.model_copy(update={"name": name}))
    return sorted(found, key=lambda s: s.name)


def union_of(group: Sequence[TableSchema]) -> TableSchema | None:
    """Return the union of tables that belong together, with a name that others may have; None if they do not fit."""
    ordered = _in_one_order(group)
    return _union(ordered) if 1 < len(ordered) <= MOST_MEMBERS and _agree(ordered) else None


def belonging(tables: Sequence[T]) -> list[list[T]]:
    """Return the groups of tables of the same schema that belong together, each by its first."""
    groups: list[list[T]] = []
    near: dict[object, list[int]] = {}
    for table in tables:
        alike = _alike(table.source)
        places = sorted({place for key in alike for place in near.get(key, ())})
        place = next((p for p in places if _together(groups[p][0].source, table.source)), len(groups))
        if place == len(groups):
            groups.append([])
            for key in alike:
                near.setdefault(key, []).append(place)
        groups[place].append(table)
    return groups


def _alike(source: str) -> set[object]:
    """Return keys of which two sources share one if they belong together."""
    own = _place(source)
    alike: set[object] = {source, (*own.folder, "begins", re.split(r"[_\- .]", own.stem)[0])}
    return alike | {(*own.folder, "constant", own.constant)} if own.constant or own.is_dated else alike


@lru_cache(MOST_MEMBERS)
def _place(source: str) -> _Place:
    path = PurePosixPath(source)
    stem = path.stem.casefold()
    return _Place((path.parent, path.suffix), stem, VARYING.sub("", stem))


def _together(a: str, b: str) -> bool:
    if a == b:
        return True
    one, other = _place(a), _place(b)
    if one.folder != other.folder:
        return False
    if one.constant == other.constant:
        # Files whose names are only numbers need not belong together, unless these are dates.
        return bool(one.constant) or (one.is_dated and other.is_dated)
    stems = one.stem, other.stem
    common = os.path.commonprefix(stems)
    letters = _letters(common)
    return letters >= LEAST_COMMON and common[-1:] in "_- ." and letters * 3 >= min(map(len, stems))


def _in_one_order(group: Sequence[TableSchema]) -> list[TableSchema]:
    """Return the tables with their columns in the order of the first; tables with ambiguous headers are left out."""
    first = [c.header.casefold() for c in group[0].columns]
    ordered = []
    for schema in group:
        headers = [c.header.casefold() for c in schema.columns]
        if headers == first:
            ordered.append(schema)
        elif len(set(headers)) == len(headers):
            columns = dict(zip(headers, schema.columns, strict=True))
            ordered.append(schema.model_copy(update={"columns": tuple(columns[h] for h in first)}))
    return ordered


def _agree(group: Sequence[TableSchema]) -> bool:
    """Return whether the columns of all members have the same units and scales."""
    return len({tuple((c.unit, c.scale) for c in s.columns) for s in group}) == 1


def _union(group: Sequence[TableSchema]) -> TableSchema:
    first = group[0]
    columns = tuple(_column(i, group) for i in range(len(first.columns)))
    sources = tuple(
        Column(name=name, header=name, type="text", examples=tuple(dict.fromkeys(values))[:3])
        for name, values in zip(UNION_SOURCE, ([s.source for s in group], [s.within for s in group]), strict=True)
    )
    names = ", ".join(s.name for s in group[:6]) + (f" and {len(group) - 6} more" if len(group) > 6 else "")
    several = len({s.source for s in group}) > 1
    hidden = {h for s in group for h in s.hidden_columns}
    return TableSchema(
        table_id=f"union:{first.table_id}",
        name=_name(group),
        columns=(*sources, *columns),
        row_count=sum(s.row_count for s in group),
        title=_common_title(group),
        source=_common_source(group) if several else first.source,
        locator=f"{len(group)} tables",
        warnings=(f"all rows of {names}, which have the same columns: use it for questions about all of them",),
        hidden_columns=tuple(h for h in (ROW_ID, SOURCE_ROW, PAGE, HIDDEN, TOTAL, OCR, OCR_WORD) if h in hidden)
        + (MEMBER,),
        row_path=first.row_path,
        header_rows=first.header_rows,
        confidence=min(s.confidence for s in group),
        profiled_by=first.profiled_by,
        members=tuple(_member(s, columns) for s in group),
    )


def _column(i: int, group: Sequence[TableSchema]) -> Column:
    """Return the column of the union for the i-th column of its members."""
    same = [s.columns[i] for s in group]
    first = same[0]
    type_ = _common_type({c.type for c in same})
    keeps = {name: getattr(first, name) if all(getattr(c, name) for c in same) else "" for name in BESIDE}
    ends = {c.ends for c in same}
    if len(ends) > 1:
        keeps |= {"low": "", "high": ""}
    return first.model_copy(
        update={
            "type": type_,
            "kind": first.kind if len({c.kind for c in same}) == 1 else "",
            "examples": tuple(dict.fromkeys(e for c in same for e in c.examples))[:5],
            "place": None,
            "ends": first.ends if keeps["low"] else None,
            **keeps,
            **{count: sum(getattr(c, count) for c in same) for count in ("coerced", "unfit", "missing")},
        }
    )


def _common_type(types: set[ColumnType]) -> ColumnType:
    if len(types) == 1:
        return next(iter(types))
    return "decimal" if types <= NUMBERS else "text"


def _member(schema: TableSchema, columns: Sequence[Column]) -> Member:
    """Return a member with its own names of the columns of the union and their companions."""
    names: dict[str, str] = {}
    as_text = []
    for united_column, own in zip(columns, schema.columns, strict=True):
        names[united_column.name] = own.name
        if united_column.type == "text" != own.type:
            as_text.append(united_column.name)
            names[united_column.name] = own.raw or own.name
        names |= {getattr(united_column, n): getattr(own, n) for n in BESIDE if getattr(united_column, n)}
    return Member(
        name=schema.name,
        stored_as=schema.stored_as or schema.name,
        source=schema.source,
        locator=schema.locator,
        within=schema.within,
        row_count=schema.row_count,
        columns=names,
        as_text=tuple(as_text),
        places={u.name: c.place for u, c in zip(columns, schema.columns, strict=True) if c.place is not None},
        hidden_columns=schema.hidden_columns,
    )


def _name(group: Sequence[TableSchema]) -> str:
    """Return "all_" with the common part of the names of the members."""
    common = os.path.commonprefix([s.name for s in group]).rstrip("0123456789_")
    if _letters(common) < LEAST_COMMON:
        source = PurePosixPath(os.path.commonprefix([s.source for s in group])).stem
        common = re.sub(r"\W+", "_", source).strip("_").lower()
    stem = common if _letters(common) >= LEAST_COMMON else group[0].name
    return f"{PREFIX}{stem[:50]}"


def free_name(wanted: str, taken: Collection[str]) -> str:
    """Return the name of a union with a number if another table has it; ``taken`` are casefolded."""
    name, number = wanted, 1
    while name.casefold() in taken:
        number += 1
        name = f"{wanted}_{number}"
    return name


def stem_of(name: str) -> str:
    """Return what unions have in common whose names can collide with that of a table."""
    return re.sub(r"(_\d+)+$", "", name.removeprefix(PREFIX).casefold())


def _letters(text: str) -> int:
    return sum(c.isalpha() for c in text)


def _common_title(group: Sequence[TableSchema]) -> str:
    titles = list(dict.fromkeys(s.title for s in group))
    if len(titles) == 1:
        return titles[0]
    common = os.path.commonprefix(titles).rstrip(" -–_0123456789")
    return common if len(common) >= LEAST_COMMON else f"{titles[0]} and {len(titles) - 1} more"


def _common_source(group: Sequence[TableSchema]) -> str:
    sources = list(dict.fromkeys(s.source for s in group))
    return f"{len(sources)} files: {sources[0]} … {sources[-1]}"
