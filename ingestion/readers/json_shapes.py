"""Finds what is a table in a JSON value: lists of objects, objects of equal lists, keyed records; the rest is text."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from tablerag.ingestion.document import Block, Locator, TableBlock, TextBlock
from tablerag.ingestion.readers.grids import padded
from tablerag.ingestion.readers.records import cell_of, grid_block, is_scalar, record_blocks
from tablerag.tools.counting import counted

__all__ = ["value_blocks"]

MAX_DEPTH = 100
MOST_TABLES = 1000
LEAST_KEYED = 2
LEAST_ROWS = 3
"""The fewest values of equal lists that are columns; two are a pair, such as a place."""
LEAST_MAPPED = {"number": 5, "text": 10}
"""The fewest numbers and texts by name that are a table; fewer are facts."""
LEAST_LISTED = 20
"""The fewest values of a list that are a table of one column; fewer are a fact."""
ALIKE = 0.6
"""The least share of all their fields that keyed records have on average."""
ANONYMOUS = (
    "data",
    "features",
    "items",
    "results",
    "result",
    "records",
    "rows",
    "values",
    "value",
    "response",
    "hits",
    "d",
)
"""Names of wrappers, which do not name their table."""


def value_blocks(value: Any, title: str) -> tuple[list[Block], tuple[str, ...]]:
    """Return the tables of a JSON value and its other facts as text, in reading order, and what was left out."""
    found = _Finder(title)
    found.take(value, ())
    return found.blocks, tuple(found.left_out)


class _Finder:
    """One pass over a value."""

    def __init__(self, title: str) -> None:
        self._title = title
        self.blocks: list[Block] = []
        self.left_out: dict[str, None] = {}
        self._tables = 0

    def take(self, value: Any, path: tuple[str, ...]) -> None:
        """Take a value at a path of names."""
        if is_scalar(value):
            self._fact(path, value)
        elif value:
            if len(path) >= MAX_DEPTH:
                self.left_out[f"values nested more than {MAX_DEPTH} levels deep were left out"] = None
            elif self._tables >= MOST_TABLES:
                self.left_out[f"only the first {MOST_TABLES:,} tables are kept: split the file"] = None
            elif isinstance(value, list):
                self._take_list(value, path)
            else:
                self._take_object(value, path)

    def _name(self, path: Sequence[str]) -> str:
        named = [p for p in path if p.lower() not in ANONYMOUS and not p.isdigit()]
        return " ".join(named[-2:]) or self._title

    def _fact(self, path: tuple[str, ...], value: Any) -> None:
        if value is None or value == "":
            return
        text = str(cell_of(value))
        self.blocks.append(TextBlock(f"{'.'.join(path)}: {text}" if path else text, Locator(headings=path[:-1])))

    def _add(self, blocks: Sequence[Block]) -> None:
        self.blocks += blocks
        self._tables += len(blocks)

    def _take_list(self, values: list[Any], path: tuple[str, ...]) -> None:
        numbers = [i for i, v in enumerate(values, start=1) if isinstance(v, Mapping)]
        if len(numbers) * 2 > len(values):
            left = len(values) - len(numbers)
            noted = (f"{counted(left, 'element')} without fields left out",) if left else ()
            self._add(record_blocks(_taken(values), self._name(path), path, numbers, noted))
        elif all(map(is_scalar, values)):
            self._take_values(values, path)
        elif all(isinstance(v, list) for v in values) and all(is_scalar(c) for v in values for c in v):
            self._add_grid(values, path)
        elif all(isinstance(v, list) for v in values) and not _holds_objects(values):
            self.left_out[f"{'.'.join(path) or 'the file'}: lists nested in lists of lists were left out"] = None
        else:
            for i, value in enumerate(values, start=1):
                self.take(value, (*path, str(i)))

    def _take_values(self, values: list[Any], path: tuple[str, ...]) -> None:
        if len(values) < LEAST_LISTED:
            self._fact(path, ", ".join(str(cell_of(v)) for v in values))
        else:
            name = path[-1] if path else "value"
            self._add(record_blocks(({"no": i, name: v} for i, v in enumerate(values, 1)), self._name(path), path))

    def _add_grid(self, values: list[list[Any]], path: tuple[str, ...]) -> None:
        rows = [[cell_of(c) for c in v] for v in values]
        locator = Locator(rows=(1, len(rows)), headings=path)
        numbers = range(1, len(rows) + 1)
        # header_rows stays None, to be detected: the first row names the columns, or is data, as in coordinates.
        self._add([TableBlock(padded(rows, "the list"), locator, self._name(path), source_rows=numbers)])

    def _take_object(self, value: Mapping[str, Any], path: tuple[str, ...]) -> None:
        columns = _split_columns(value) or _equal_lists(value) or _indexed(value)
        if columns:
            names, rows, read = columns
            cells = [[cell_of(c) for c in row] for row in rows]
            numbers = range(1, len(cells) + 1)
            self._add([grid_block(list(map(str, names)), cells, self._name(path), path, numbers)])
            for name, inner in value.items():
                if name not in read:
                    self.take(inner, (*path, name))
        elif _is_keyed(value):
            self._add(record_blocks([_with_key(k, v) for k, v in value.items()], self._name(path), path))
        elif _is_mapping(value):
            self._add(record_blocks([{"key": k, "value": v} for k, v in value.items()], self._name(path), path))
        else:
            for name, inner in value.items():
                self.take(inner, (*path, name))


def _taken(values: list[Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the objects of a list and free them: their tree takes several times the memory of their table."""
    for i, value in enumerate(values):
        if isinstance(value, Mapping):
            values[i] = None
            yield value


def _holds_objects(values: list[Any]) -> bool:
    """Return whether lists in lists hold an object somewhere."""
    pending: list[Any] = list(values)
    while pending:
        value = pending.pop()
        if isinstance(value, Mapping):
            return True
        pending += value if isinstance(value, list) else ()
    return False


Columns = tuple[Sequence[Any], Sequence[Sequence[Any]], Collection[str]]
"""The names of columns, the rows, and the fields of the object that they were in."""


def _split_columns(value: Mapping[str, Any]) -> Columns | None:
    """Return the columns of {"columns": [...], "data": [[...]]}, as pandas and web services write them.

    An "index" beside them labels the rows; pandas counts rows from 0 where they have no labels.
    """
    for names, rows in (("columns", "data"), ("columns", "rows"), ("header", "rows"), ("headers", "rows")):
        head, body = value.get(names), value.get(rows)
        if not (isinstance(head, list) and isinstance(body, list) and head and body):
            continue
        heads = [h.get("name") or h.get("label") if isinstance(h, Mapping) else h for h in head]
        if all(isinstance(h, str) for h in heads) and all(isinstance(r, list) and len(r) == len(head) for r in body):
            if not all(is_scalar(c) for r in body for c in r):
                return None
            labels = value.get("index")
            if not (isinstance(labels, list) and len(labels) == len(body) and all(map(is_scalar, labels))):
                return heads, body, (names, rows)
            if labels != list(range(len(body))):
                name = "index" if "index" not in heads else "row index"
                heads, body = [name, *heads], [[label, *r] for label, r in zip(labels, body, strict=True)]
            return heads, body, (names, rows, "index")
    return None


def _equal_lists(value: Mapping[str, Any]) -> Columns | None:
    """Return the columns of {"a": [1, 2], "b": [3, 4]}."""
    lists = {k: v for k, v in value.items() if isinstance(v, list)}
    lengths = {len(v) for v in lists.values()}
    if (
        len(lists) < 2
        or len(lengths) > 1
        or max(lengths) < LEAST_ROWS
        or any(isinstance(v, Mapping) for v in value.values())
    ):
        return None
    if not all(is_scalar(c) for v in lists.values() for c in v):
        return None
    return list(lists), list(zip(*lists.values(), strict=True)), lists


def _indexed(value: Mapping[str, Any]) -> Columns | None:
    """Return the columns of {"a": {"0": 1, "1": 2}, "b": {"0": 3, "1": 4}}, as pandas writes them."""
    if not all(isinstance(v, Mapping) for v in value.values()):
        return None
    index = next(iter(value.values())).keys()
    if len(index) < 2 or list(index) != [str(i) for i in range(len(index))]:
        return None
    if not all(v.keys() == index and all(map(is_scalar, v.values())) for v in value.values()):
        return None
    return list(value), list(zip(*(v.values() for v in value.values()), strict=True)), value


def _is_keyed(value: Mapping[str, Any]) -> bool:
    """Return whether an object holds records of the same kind by key."""
    records = list(value.values())
    if len(records) < LEAST_KEYED or not all(isinstance(r, Mapping) and r for r in records):
        return False
    fields = set().union(*records)
    return sum(map(len, records)) >= ALIKE * len(fields) * len(records)


def _with_key(key: str, record: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"key" if "key" not in record else "record key": key, **record}


def _is_mapping(value: Mapping[str, Any]) -> bool:
    """Return whether an object maps names to numbers or texts, such as rates by currency."""
    kinds = {"number" if type(v) in (int, float) else "text" if isinstance(v, str) else "" for v in value.values()}
    return len(kinds) == 1 and len(value) >= LEAST_MAPPED.get(kinds.pop(), len(value) + 1)
