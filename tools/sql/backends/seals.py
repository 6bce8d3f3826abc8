"""A checksum in each table's file: neither Parquet's readers nor its compression notice every changed byte.

It is the value of a field of the file's own metadata, of the file with a blank value in its place.
"""

import mmap
import zlib
from pathlib import Path

__all__ = ["SEALED", "is_sound", "seal"]

MARK = b"tablerag-crc32:"
BLANK = b"--------"
SEALED = f"KV_METADATA {{seal: '{(MARK + BLANK).decode()}'}}"
"""The option of COPY that leaves room for the checksum."""


def seal(path: Path) -> None:
    """Write the checksum into a file that was copied with SEALED."""
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as content:
        place = _place(content)
        content[place : place + len(BLANK)] = _checksum(content, place)


def is_sound(path: Path) -> bool:
    """Return whether a file is as it was sealed; True for one without a seal, as earlier versions wrote it.

    Raises OSError if the file cannot be read.
    """
    if not path.is_file() or not path.stat().st_size:
        return False  # a folder, whose files the engine would read, or what mmap refuses
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        place = _place(content)
        return place < len(MARK) or content[place : place + len(BLANK)] == _checksum(content, place)


def _place(content: mmap.mmap) -> int:
    """Return where the checksum is; less than the length of MARK if there is none. Metadata are behind all cells."""
    return content.rfind(MARK) + len(MARK)


def _checksum(content: mmap.mmap, place: int) -> bytes:
    with memoryview(content) as view, view[:place] as before, view[place + len(BLANK) :] as after:
        return b"%08x" % zlib.crc32(after, zlib.crc32(BLANK, zlib.crc32(before)))
