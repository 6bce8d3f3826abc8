"""Records of nested values turned into tables: columns with dotted names, and child tables of the lists in them."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, time
from decimal import Decimal
from types import NoneType
from typing import Any

from tablerag.ingestion.document import Block, Locator, RawCell, TableBlock
from tablerag.ingestion.readers.grids import MAX_CELLS, too_large
from tablerag.tools.counting import shortened
from tablerag.tools.text import singular

__all__ = ["cell_of", "grid_block", "is_scalar", "record_blocks"]

MAX_DEPTH = 12
"""Objects nested deeper are left out, and so are child tables of child tables."""
MOST_JOINED = 20
"""The most values of a list that are joined in one cell; longer lists are child tables."""
MOST_LISTS = 30
MAX_COLUMNS = 20_000
SHORT = 60
MOST_SHARED = 200_000
WRAPPERS = ("properties", "attributes", "fields", "_source")
"""Names of objects that hold a record's fields in GeoJSON, JSON:API and search engines: not part of a column's name."""
KEYS = ("id", "_id", "key", "code", "number", "no", "uuid", "name", "title")
"""Names of columns that may identify a record, the likeliest first."""
GENERIC = {*KEYS, "row"}


class _Flat:
    """Records without nesting: their cells by column, and the lists that were in them, by column and record."""

    def __init__(self) -> None:
        self.rows: list[list[RawCell]] = []
        self.columns: dict[str, int] = {}
        """The place of each column; rows are shorter if later records brought more columns."""
        self.lists: dict[str, dict[int, list[Any]]] = {}
        self.too_deep: dict[str, None] = {}
        self._texts: dict[str, str] = {}

    def add(self, record: Mapping[str, Any]) -> None:
        row: list[RawCell] = [None] * len(self.columns)
        for name, value in _fields(record, "", 0):
            if isinstance(value, Mapping):
                self.too_deep[name] = None
                continue
            place = self.columns.setdefault(name, len(self.columns))
            row += [None] * (place + 1 - len(row))
            if isinstance(value, list):
                if value:
                    self.lists.setdefault(name, {})[len(self.rows)] = value
            elif isinstance(value, str) and len(value) < SHORT:
                row[place] = self._shared(cell_of(value))
            else:
                row[place] = cell_of(value)
        self.rows.append(row)
        if len(self.columns) > MAX_COLUMNS or len(self.rows) * len(self.columns) > MAX_CELLS:
            raise too_large("the table of records", len(self.rows), len(self.columns))

    def _shared(self, text: RawCell) -> RawCell:
        """Return an equal text seen before, as values repeat: they are most of the memory that records take."""
        if len(self._texts) > MOST_SHARED or not isinstance(text, str):
            return text
        return self._texts.setdefault(text, text)

    def set(self, record: int, name: str, cell: RawCell) -> None:
        self.rows[record][self.columns[name]] = cell

    def of(self, name: str) -> list[RawCell]:
        """Return the cells of a column."""
        place = self.columns[name]
        return [row[place] if place < len(row) else None for row in self.rows]

    def grid(self, names: Sequence[str]) -> list[list[RawCell]]:
        """Return the rows of some columns; the rows are moved, not copied, if these are all columns."""
        width = len(self.columns)
        for row in self.rows:
            row += [None] * (width - len(row))
        if list(names) == list(self.columns):
            return self.rows
        places = [self.columns[n] for n in names]
        return [[row[i] for i in places] for row in self.rows]


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
    """Return a scalar as a cell: None if it is blank or no number, without NUL and lone surrogates."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, int | Decimal | date | time | NoneType) and getattr(value, "tzinfo", None) is None:
        return value
    if not isinstance(value, str):
        value = "" if isinstance(value, bytes | bytearray) else str(value)
    if not value.isascii():
        value = value.encode("utf-8", "replace").decode("utf-8")
    return value.replace("\0", "") if value and not value.isspace() else None


def record_blocks(
    records: Iterable[Mapping[str, Any]],
    title: str,
    headings: tuple[str, ...] = (),
    numbers: Sequence[int] | None = None,
    warnings: tuple[str, ...] = (),
    depth: int = 0,
) -> list[Block]:
    """Return the table of some records and the tables of the lists in them, whose first column is the record's key.

    ``numbers`` are the records' own numbers in the file, from 1; rows of child tables have those of their records. The
    records are read before their numbers.
    """
    flat = _Flat()
    for record in records:
        flat.add(record)
    numbers = numbers if numbers is not None else range(1, len(flat.rows) + 1)
    children = {}
    noted = [f"{n}: objects that nest deeper than {MAX_DEPTH} were left out" for n in flat.too_deep]
    names = list(flat.columns)
    for name, lists in flat.lists.items():
        if not _joined(flat, name, lists):
            names.remove(name)
            if depth >= MAX_DEPTH or len(children) >= MOST_LISTS or _is_nested(lists):
                noted.append(f"{name}: lists of lists were left out" if _is_nested(lists) else f"{name} was left out")
            else:
                children[name] = lists
    key = _key(flat, names) if children else ""
    keys: Sequence[RawCell] = flat.of(key) if key else list(numbers)
    rows = flat.grid(names)
    if children and not key:
        key = "row" if "row" not in names else "row number"
        names, rows = [key, *names], [[n, *row] for n, row in zip(numbers, rows, strict=True)]
    blocks: list[Block] = [grid_block(names, rows, title, headings, numbers, (*warnings, *noted))] if names else []
    header = _foreign(key, title)
    for name, lists in children.items():
        blocks += record_blocks(
            ({header: keys[i], **_element(e, name)} for i, x in lists.items() for e in x),
            f"{title} {name.replace('.', ' ')}",
            headings,
            [numbers[i] for i, x in lists.items() for _ in x],
            (),
            depth + 1,
        )
    return blocks


def _joined(flat: _Flat, name: str, lists: Mapping[int, list[Any]]) -> bool:
    """Put short lists of scalars into cells; return False for other lists."""
    if not all(len(x) <= MOST_JOINED and all(map(is_scalar, x)) for x in lists.values()):
        return False
    is_single = all(len(x) == 1 for x in lists.values())
    for i, values in lists.items():
        joined = ", ".join(str(cell_of(v)) for v in values if cell_of(v) is not None)
        flat.set(i, name, cell_of(values[0] if is_single else joined))
    return True


def _is_nested(lists: Mapping[int, list[Any]]) -> bool:
    return any(isinstance(e, list) for values in lists.values() for e in values)


def _element(element: Any, name: str) -> Mapping[str, Any]:
    return element if isinstance(element, Mapping) else {name.rpartition(".")[2]: element}


def _key(flat: _Flat, names: Sequence[str]) -> str:
    """Return the column that identifies each record, "" if there is none."""
    for name in sorted((n for n in names if _rank(n) <= len(KEYS)), key=lambda n: (_rank(n), n.count("."))):
        values = flat.of(name)
        if all(isinstance(v, str | int) for v in values) and len(set(values)) == len(values):
            return name
    return ""


def _rank(name: str) -> int:
    """Return how unlikely a column's name is that of a key."""
    last = name.rpartition(".")[2].lower()
    if last in KEYS:
        return KEYS.index(last)
    return len(KEYS) + (not last.endswith(("id", "_key", "_code", "_number", "_no")))


def _foreign(key: str, title: str) -> str:
    """Return what a child table calls its parent's key: "order id" for the id of orders."""
    last = title.split()[-1] if title.split() else "parent"
    return f"{singular(last)} {key}" if key.lower() in GENERIC else key


def grid_block(
    columns: Sequence[str],
    rows: list[list[RawCell]],
    title: str,
    headings: tuple[str, ...],
    numbers: Sequence[int],
    warnings: tuple[str, ...] = (),
) -> TableBlock:
    """Return a table of records under their names; the header row has the number of the first record."""
    first, last = (numbers[0], numbers[-1]) if numbers else (1, 1)
    return TableBlock(
        [list(columns), *rows],
        Locator(rows=(first, last), headings=tuple(map(shortened, headings))),
        title,
        header_rows=1,
        warnings=warnings,
        source_rows=[first, *numbers],
        is_records=True,
        is_header=not rows,
    )
