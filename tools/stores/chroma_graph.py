"""The graph of vectors that Chroma maps into memory unchecked: a damaged one would crash the process.

A folder of Chroma has, for each collection, a folder with four files of hnswlib. Each number in them that leads to a
place in memory is compared with the others, which finds what would crash; vectors are not looked at.
"""

import sqlite3
import struct
from collections.abc import Iterator
from contextlib import closing
from math import log
from pathlib import Path
from pickletools import genops
from typing import Any, NamedTuple
from urllib.parse import quote

from tablerag.tools.errors import StoreDamaged
from tablerag.tools.stores.damage import REBUILD, Damage, folder_trouble

__all__ = ["FILE", "STORE", "check_files", "check_graph", "check_ids", "check_vectors", "segments", "vectors_in"]

STORE = "the vector index (Chroma)"
FILE = "chroma.sqlite3"
IDS = "index_metadata.pickle"
"""Chroma loads the other files of a folder only if this one is there, and else forgets what was in them."""
SEGMENT = (
    "SELECT s.id, c.dimension, max(coalesce(m.seq_id, 0)) FROM segments s JOIN collections c ON s.collection = c.id "
    "LEFT JOIN max_seq_id m ON m.segment_id = s.id WHERE c.name = ? AND s.scope = 'VECTOR' GROUP BY 1, 2"
)
"""Reads the folder of a collection, the dimension of its vectors, and the last change that is in its files; 0 for none,
as the first thousand windows are not."""
HEADER = struct.Struct("<iQQQQQQiIQQQdQ")
VERSION = 1
MOST_NEIGHBOURS = 1_000
MOST_TRIED = 100_000
MOST_SPARE = 1 << 20
"""Places for elements that are allocated beyond a multiple of those there are."""
COUNT = 0xFFFF
DELETED = 0x10000
"""The bits of the number before an element's neighbours that count them, and the one that marks a deleted element."""


class Header(NamedTuple):
    """The fields of header.bin, in their order."""

    version: int
    offset: int
    capacity: int
    count: int
    element_bytes: int
    label_at: int
    vector_at: int
    top_level: int
    entry: int
    upper_neighbours: int
    base_neighbours: int
    neighbours: int
    level_factor: float
    tried: int


def check_files(folder: Path, collection: str) -> None:
    """Raise StoreDamaged if the files of a collection evidently cannot be used."""
    try:
        check_vectors(folder, collection)
    except (sqlite3.Error, OSError, ValueError) as error:
        if (folder / FILE).exists():
            raise folder_trouble(STORE, folder, "read", error) from error
        raise StoreDamaged(f"{STORE} in {folder} is gone: {REBUILD}") from error


def check_vectors(folder: Path, collection: str) -> None:
    """Raise ValueError, OSError or sqlite3.Error if they cannot be used; takes milliseconds, as most is not read."""
    for segment, dimension in _graphs(folder, collection):
        check_graph(folder / segment, dimension)


def segments(folder: Path, collection: str) -> list[str]:
    """Return the names of the folders with the graphs of a collection."""
    return [segment for segment, _ in _graphs(folder, collection)]


def vectors_in(folder: Path, collection: str) -> int:
    """Return how many vectors the files of a collection hold, with those that are marked as deleted."""
    headers = (folder / segment / "header.bin" for segment in segments(folder, collection))
    return sum(Header._make(HEADER.unpack_from(file.read_bytes())).count for file in headers)


def _graphs(folder: Path, collection: str) -> list[tuple[str, int]]:
    """Return the folder and the dimension of each graph that a collection has written."""
    # rw: what a writer that was killed left to be undone cannot be read otherwise
    with closing(sqlite3.connect(f"file:{quote(str((folder / FILE).resolve()))}?mode=rw", uri=True)) as connection:
        found = connection.execute(SEGMENT, (collection,)).fetchall()
    return [(name, dimension) for name, dimension, change in found if change or (folder / name / IDS).exists()]


def check_ids(folder: Path, collection: str) -> None:
    """Raise ValueError or OSError if the ids of a collection are not those of its vectors; reads all of them."""
    for segment, _ in _graphs(folder, collection):
        if not _are_ids_sound(folder / segment):
            raise Damage(f"{segment}/{IDS} has changed")


def check_graph(folder: Path, dimension: int) -> None:
    """Raise ValueError or OSError if the graph in a folder cannot be loaded or searched without a crash."""
    for file, is_sound in _sound(folder, dimension):
        if not is_sound:
            raise Damage(f"{folder.name}/{file} has changed")


def _sound(folder: Path, dimension: int) -> Iterator[tuple[str, bool]]:
    """Yield each file and whether it fits those before it."""
    yield IDS, (folder / IDS).is_file()
    read = (folder / "header.bin").read_bytes()
    yield "header.bin", len(read) >= HEADER.size
    header = Header._make(HEADER.unpack_from(read))
    yield "header.bin", _is_header(header, dimension)
    for name, size in (("data_level0.bin", header.element_bytes), ("length.bin", 4)):
        yield name, (folder / name).stat().st_size >= header.count * size
    levels = list(_levels(folder / "link_lists.bin", header))
    yield "link_lists.bin", len(levels) == header.count
    if header.count:
        yield "header.bin", header.top_level == max(levels) == levels[header.entry]
        yield "link_lists.bin", _leads_within(folder / "link_lists.bin", header, levels)
        yield "data_level0.bin", _is_base(folder / "data_level0.bin", header)


def _is_header(header: Header, dimension: int) -> bool:
    of = header.neighbours
    if not (header.version == VERSION and 1 < of <= MOST_NEIGHBOURS and 0 < header.tried <= MOST_TRIED):
        return False
    links = (2 * of + 1) * 4
    fits = (0, links, links + dimension * 4, links + dimension * 4 + 8, of, 2 * of)
    found = (
        header.offset,
        header.vector_at,
        header.label_at,
        header.element_bytes,
        header.upper_neighbours,
        header.base_neighbours,
    )
    return (
        found == fits
        and header.count <= header.capacity <= 4 * header.count + MOST_SPARE
        and (header.count == 0 or header.entry < header.count)
        and abs(header.level_factor * log(of) - 1) < 1e-6
    )


def _levels(file: Path, header: Header) -> Iterator[int]:
    """Yield the level of each element, as long as the file has them; -1 for one that cannot be."""
    words = memoryview(file.read_bytes())
    words = words[: len(words) // 4 * 4].cast("I")
    level_words = header.upper_neighbours + 1
    at = 0
    for _ in range(header.count):
        if at >= len(words):
            return
        size = words[at]
        level, rest = divmod(size, level_words * 4)
        at += 1 + size // 4
        if rest or at > len(words):
            return
        yield level


def _leads_within(file: Path, header: Header, levels: list[int]) -> bool:
    """Return whether the upper levels lead only to elements that are on the same level."""
    words = memoryview(file.read_bytes())
    words = words[: len(words) // 4 * 4].cast("I")
    at = 0
    for reached in levels:
        at += 1
        for level in range(1, reached + 1):
            count = words[at] & COUNT
            linked = words[at + 1 : at + 1 + count]
            at += header.upper_neighbours + 1
            if count > header.upper_neighbours or any(i >= header.count or levels[i] < level for i in linked):
                return False
    return True


def _is_base(file: Path, header: Header) -> bool:
    """Return whether the lowest level leads only to elements that there are."""
    import numpy as np

    elements = _elements(file, header)
    counts = elements["count"] & COUNT
    is_used = np.arange(header.base_neighbours) < counts[:, None]
    return bool(counts.max() <= header.base_neighbours and (elements["linked"] < header.count)[is_used].all())


def _elements(file: Path, header: Header) -> Any:
    """Return the count of neighbours, the neighbours and the label of each element."""
    import numpy as np

    described: Any = {
        "names": ["count", "linked", "label"],
        "formats": ["<u4", ("<u4", (header.base_neighbours,)), "<u8"],
        "offsets": [0, 4, header.label_at],
        "itemsize": header.element_bytes,
    }
    return np.memmap(file, dtype=np.dtype(described), mode="r", shape=(header.count,))


def _are_ids_sound(folder: Path) -> bool:
    """Return whether each label has one id in both directions, and is that of one element."""
    header = Header._make(HEADER.unpack_from((folder / "header.bin").read_bytes()))
    # Unpickling damaged bytes may allocate without end.
    read = [arg for _, arg, _ in genops((folder / IDS).read_bytes()) if isinstance(arg, int | str)]
    to_label, to_id, end = (read.index(name) for name in ("id_to_label", "label_to_id", "id_to_seq_id"))
    label_of = dict(zip(read[to_label + 1 : to_id : 2], read[to_label + 2 : to_id : 2], strict=True))
    id_of = dict(zip(read[to_id + 1 : end : 2], read[to_id + 2 : end : 2], strict=True))
    labels = []
    if header.count:
        elements = _elements(folder / "data_level0.bin", header)
        labels = elements["label"][elements["count"] & DELETED == 0].tolist()
    return {label: i for i, label in label_of.items()} == id_of and sorted(labels) == sorted(id_of)
