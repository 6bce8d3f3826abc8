"""Makes small Outlook mails: OLE files of property streams."""

import struct
from pathlib import Path

__all__ = ["properties", "write_msg"]

SECTOR = 512
LEAST = 4096
"""Smaller streams would be in a part of their own; they are filled up with NUL instead."""
FREE, END, FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD

Storage = dict[str, "bytes | str | Storage"]


def properties(ticks: int = 0, code_page: int = 0) -> bytes:
    """Return the stream of properties of fixed size: the time of sending and the encoding of texts."""
    return bytes(32) + struct.pack("<HHIQ", 0x40, 0x39, 6, ticks) + struct.pack("<HHIQ", 3, 0x3FFD, 6, code_page)


def write_msg(path: Path, storage: Storage) -> Path:
    """Write a file of streams and storages; texts are stored as UTF-16."""
    entries: list[list] = [["Root Entry", 5, FREE, FREE, 0, 0]]  # name, type, right, child, start, size
    data = bytearray()
    chains: list[int] = []

    def add(content: Storage, parent: int) -> None:
        last = -1
        for name, value in content.items():
            here = len(entries)
            entries.append([name, 1 if isinstance(value, dict) else 2, FREE, FREE, 0, 0])
            if last < 0:
                entries[parent][3] = here
            else:
                entries[last][2] = here
            last = here
            if isinstance(value, dict):
                add(value, here)
            else:
                store(here, value.encode("utf-16-le") if isinstance(value, str) else value)

    def store(entry: int, raw: bytes) -> None:
        raw = raw.ljust(LEAST, b"\0")
        first, count = len(chains), -(-len(raw) // SECTOR)
        entries[entry][4:] = [first, len(raw)]
        data.extend(raw.ljust(count * SECTOR, b"\0"))
        chains.extend([*range(first + 1, first + count), END])

    add(storage, 0)
    first = len(chains)
    table = b"".join(
        name.encode("utf-16-le").ljust(64, b"\0")
        + struct.pack("<HBBIII", 2 * len(name) + 2, kind, 1, FREE, right, child)
        + bytes(36)
        + struct.pack("<IQ", END if kind == 5 else start, size)
        for name, kind, right, child, start, size in entries
    )
    count = -(-len(table) // SECTOR)
    chains += [*range(first + 1, first + count), END]
    fats = 1
    while fats * SECTOR // 4 < len(chains) + fats:
        fats += 1
    places = list(range(len(chains), len(chains) + fats))
    chains += [FAT] * fats
    fat = struct.pack(f"<{len(chains)}I", *chains).ljust(fats * SECTOR, b"\xff")
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(10)
    head += struct.pack("<IIIIIIII", fats, first, 0, LEAST, END, 0, END, 0)
    head += struct.pack(f"<{fats}I", *places).ljust(436, b"\xff")
    path.write_bytes(head + bytes(data) + table.ljust(count * SECTOR, b"\0") + fat)
    return path
