"""Records of nested values turned into tables: columns with dotted names, and child tables of the lists in them."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tablerag.ingestion.document import Block, Locator, RawCell, TableBlock
from tablerag.ingestion.readers.grids import MAX_CELLS, padded, too_large

__all__ = ["cell_of", "grid_block", "is_scalar", "record_blocks"]

MAX_DEPTH = 12
"""Objects nested deeper are left out, and so are child tables of child tables."""
MOST_JOINED = 20
"""The most values of a list that are joined in one cell; longer lists are child tables."""
MOST_LISTS = 30
MAX_COLUMNS = 20_000
WRAPPERS = ("properties", "attributes", "fields", "_source")
"""Names of objects that hold a record's fields in GeoJSON, JSON:API and search engines: not part of a column's name."""
KEYS = ("id", "_id", "key", "code", "number", "no", "uuid", "name", "title")
"""Names of columns that may identify a record, the likeliest first."""
GENERIC = {*KEYS, "row"}


@dataclass(slots=True)
class _Flat:
    """Records without nesting, by column, and the lists that were in them, by column and record."""

    rows: list[dict[str, RawCell]] = field(default_factory=list)
    columns: dict[str, None] = field(default_factory=dict)
    lists: dict[str, dict[int, list[Any]]] = field(default_factory=dict)
    too_deep: set[str] = field(default_factory=set)

    def add(self, record: Mapping[str, Any]) -> None:
        row: dict[str, RawCell] = {}
        for name, value in _fields(record, "", 0):
            if isinstance(value, Mapping):
                self.too_deep.add(name)
            elif isinstance(value, list):
                self.columns.setdefault(name)
                if value:
                    self.lists.setdefault(name, {})[len(self.rows)] = value
            else:
                self.columns.setdefault(name)
                row[name] = cell_of(value)
        self.rows.append(row)
        if len(self.columns) > MAX_COLUMNS:
            raise too_large("the records", len(self.rows), len(self.columns))


def _fields(record: Mapping[str, Any], prefix: str, depth: int) -> Iterator[tuple[str, Any]]:
    """Yield the dotted name and value of each field; objects only where they nest too deep."""
    for key, value in record.items():
        name = f"{prefix}{cell_of(key) or 'value'}"
        if not isinstance(value, Mapping) or depth >= MAX_DEPTH:
            yield name, value
        elif not depth and key in WRAPPERS:
            own = _fields(value, "", depth + 1)
            yield from ((f"{name}.{n}" if n in record else n, v) for n, v in own)
        else:
            yield from _fields(value, f"{name}.", depth + 1)


def is_scalar(value: object) -> bool:
    """Return whether a value fits into one cell."""
    return not isinstance(value, Mapping | list)


def cell_of(value: Any) -> RawCell:
    """Return a scalar as a cell: without what no database stores, such as NaN, NUL and lone surrogates."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str) and not value.isascii():
        return value.encode("utf-8", "replace").decode("utf-8").replace("\0", "")
    return value.replace("\0", "") if isinstance(value, str) else value


def record_blocks(
    records: Sequence[Mapping[str, Any]],
    title: str,
    headings: tuple[str, ...] = (),
    numbers: Sequence[int] | None = None,
    warnings: tuple[str, ...] = (),
    depth: int = 0,
) -> list[Block]:
    """Return the table of some records and the tables of the lists in them, whose first column is the record's key.

    ``numbers`` are the records' own numbers in the file, from 1; rows of child tables have those of their records.
    """
    numbers = numbers or range(1, len(records) + 1)
    flat = _Flat()
    for record in records:
        flat.add(record)
    children = {}
    noted = [f"{n}: objects that nest deeper than {MAX_DEPTH} were left out" for n in sorted(flat.too_deep)]
    for name, lists in flat.lists.items():
        if not _joined(flat, name, lists):
            flat.columns.pop(name)
            if depth >= MAX_DEPTH or len(children) >= MOST_LISTS or _is_nested(lists):
                noted.append(f"{name}: lists of lists were left out" if _is_nested(lists) else f"{name} was left out")
            else:
                children[name] = lists
    key = _key(flat) if children else ""
    if children and not key:
        key = "row" if "row" not in flat.columns else "row number"
        flat.columns = {key: None, **flat.columns}
        for number, row in zip(numbers, flat.rows, strict=True):
            row[key] = number
    block = grid_block(flat.columns, _rows(flat), title, headings, numbers, (*warnings, *noted))
    blocks: list[Block] = [block] if flat.columns else []
    for name, lists in children.items():
        header = _foreign(key, title)
        made = [({header: flat.rows[i].get(key), **_element(e, name)}, numbers[i]) for i, x in lists.items() for e in x]
        blocks += record_blocks(
            [r for r, _ in made], f"{title} {name.replace('.', ' ')}", headings, [n for _, n in made], (), depth + 1
        )
    return blocks


def _joined(flat: _Flat, name: str, lists: Mapping[int, list[Any]]) -> bool:
    """Put short lists of scalars into cells; return False for other lists."""
    if not all(len(x) <= MOST_JOINED and all(map(is_scalar, x)) for x in lists.values()):
        return False
    is_single = all(len(x) == 1 for x in lists.values())
    for i, values in lists.items():
        flat.rows[i][name] = (
            cell_of(values[0]) if is_single else ", ".join(str(cell_of(v)) for v in values if v is not None)
        )
    return True


def _is_nested(lists: Mapping[int, list[Any]]) -> bool:
    return any(isinstance(e, list) for values in lists.values() for e in values)


def _element(element: Any, name: str) -> Mapping[str, Any]:
    return element if isinstance(element, Mapping) else {name.rpartition(".")[2]: element}


def _key(flat: _Flat) -> str:
    """Return the column that identifies each record, "" if there is none."""

    def rank(name: str) -> int:
        last = name.rpartition(".")[2].lower()
        if last in KEYS:
            return KEYS.index(last)
        return len(KEYS) if last.endswith(("id", "_key", "_code", "_number", "_no")) else 2 * len(KEYS)

    for name in sorted(flat.columns, key=lambda n: (rank(n), n.count("."))):
        if rank(name) > len(KEYS):
            break
        values = [row.get(name) for row in flat.rows]
        if all(isinstance(v, str | int) and v != "" for v in values) and len(set(values)) == len(values):
            return name
    return ""


def _foreign(key: str, title: str) -> str:
    """Return what a child table calls its parent's key: "order id" for the id of orders."""
    last = title.split()[-1] if title.split() else "parent"
    singular = last[:-1] if last.endswith("s") and not last.endswith("ss") else last
    return f"{singular} {key}" if key.lower() in GENERIC else key


def _rows(flat: _Flat) -> list[list[RawCell]]:
    if len(flat.rows) * len(flat.columns) > MAX_CELLS:
        raise too_large("the table of records", len(flat.rows), len(flat.columns))
    return [[row.get(c) for c in flat.columns] for row in flat.rows]


def grid_block(
    columns: Sequence[str] | Mapping[str, None],
    rows: Sequence[list[RawCell]],
    title: str,
    headings: tuple[str, ...],
    numbers: Sequence[int],
    warnings: tuple[str, ...] = (),
) -> TableBlock:
    """Return a table of records under their names; the header row has the number of the first record."""
    first, last = (numbers[0], numbers[-1]) if numbers else (1, 1)
    return TableBlock(
        padded([list(columns), *rows], "the table of records"),
        Locator(rows=(first, last), headings=headings),
        title,
        header_rows=1,
        warnings=warnings,
        source_rows=[first, *numbers],
        is_records=True,
        is_header=not rows,
    )
