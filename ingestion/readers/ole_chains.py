"""The chains of sectors that an OLE file (an old Office format) is made of."""

import struct
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path

from tablerag.ingestion.readers.archives import OLE, format_of, unreadable

__all__ = ["check_chains"]

HEADER = struct.Struct("<30xHH6x9I109I")
ENTRY_BYTES = 128
STREAMS = (2, 5)
"""The kinds of directory entries that have sectors."""
SPECIAL = 0xFFFFFFFA
"""The first of the numbers that are no sector, such as the end of a chain."""


def check_chains(path: Path) -> None:
    """Raise UnreadableDocument for an OLE file with a chain that never ends, leads out of it or is too long.

    python-calamine follows such a chain until there is no memory left, and that ends its process.
    """
    if format_of(path) != OLE:
        return
    data = path.read_bytes()
    try:
        _Chains(data).check()
    except (struct.error, ValueError, IndexError) as error:
        raise unreadable("a workbook") from error


class _Chains:
    def __init__(self, data: bytes) -> None:
        self._data = data
        fields = HEADER.unpack_from(data)
        self._sector = 1 << (fields[0] if 9 <= fields[0] <= 12 else 9)
        self._directory, self._minis = fields[4], fields[7]
        lists = [s for s in fields[11:] if s < SPECIAL]
        further, more = fields[9], 0
        while further < SPECIAL:
            if more > len(data) // self._sector:
                raise ValueError
            *sectors, further = self._numbers(further)
            lists += [s for s in sectors if s < SPECIAL]
            more += 1
        self._next = array("I")
        for sector in lists:
            self._next.extend(self._numbers(sector))

    def check(self) -> None:
        entries = b"".join(self._content(s) for s in self._chain(self._directory))
        for start in range(0, len(entries) - ENTRY_BYTES + 1, ENTRY_BYTES):
            kind = entries[start + 66]
            first, size = struct.unpack_from("<II", entries, start + 116)
            if kind in STREAMS and size > len(self._data):
                raise ValueError
        _check_ends(self._next)
        minis = array("I")
        for sector in self._chain(self._minis):
            minis.extend(self._numbers(sector))
        _check_ends(minis)

    def _content(self, sector: int) -> bytes:
        start = (sector + 1) * self._sector
        if start >= len(self._data):
            raise ValueError
        return self._data[start : start + self._sector]

    def _numbers(self, sector: int) -> Sequence[int]:
        content = self._content(sector)
        return struct.unpack(f"<{len(content) // 4}I", content[: len(content) // 4 * 4])

    def _chain(self, sector: int) -> Iterator[int]:
        for _ in range(len(self._next) + 1):
            if sector >= SPECIAL:
                return
            yield sector
            sector = self._next[sector]
        raise ValueError


def _check_ends(following: Sequence[int]) -> None:
    """Raise ValueError if a chain comes back to a sector that it had."""
    seen = bytearray(len(following))
    for start in range(len(following)):
        sector, round_ = start, []
        while sector < len(following) and not seen[sector]:
            seen[sector] = 1
            round_.append(sector)
            sector = following[sector]
        if sector < len(following) and seen[sector] == 1:
            raise ValueError
        for one in round_:
            seen[one] = 2
