"""Unpacks the documents in archives and mails into a folder; runs in a reader process, as archives may be hostile."""

import gzip
import os
import shutil
import stat
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import IO

from tablerag.ingestion.formats import no_reader
from tablerag.ingestion.readers import READERS, suffixes
from tablerag.ingestion.readers.archives import check_archive_members, format_of, mismatch
from tablerag.ingestion.readers.ocr import using
from tablerag.tools.errors import UnreadableDocument

__all__ = ["Member", "Room", "Unpacked", "unpack"]

BLOCK = 1 << 20
MAX_RATIO = 200
"""The largest compression ratio of gzip files that unpack to more than FREE bytes."""
FREE = 50_000_000
SPARE = 200_000_000
"""Bytes of disk that unpacking leaves free."""
MAX_NAME_BYTES = 150
OFFICE = {"[Content_Types].xml": "an Office file", "META-INF/container.xml": "a book", "mimetype": "a document"}
"""Members that tell a document whose format is a ZIP archive."""
IGNORED = ("__macosx", "thumbs.db", "desktop.ini", "winmail.dat", "smime.p7s")


@dataclass(slots=True)
class Room:
    """What may still be unpacked from one file of the user's, archives in archives included."""

    files: int = 10_000
    size: int = 1_000_000_000
    """In bytes."""
    depth: int = 3


@dataclass(frozen=True, slots=True)
class Member:
    """A document in an archive: its name there, and its file; or why it is not read."""

    name: str
    held: Path | None = None
    size: int = 0
    reason: str = ""


@dataclass(slots=True)
class Unpacked:
    """The members of an archive."""

    members: list[Member] = field(default_factory=list)


def unpack(path: Path, name: str, folder: Path, room: Room) -> Unpacked:
    """Unpack the documents in an archive or mail called ``name`` into a folder.

    Raises UnreadableDocument for an archive that is encrypted, damaged, too large or has no documents.
    """
    target = _Target(path, folder, room)
    kind = path.suffix.lower()
    try:
        if kind == ".gz":
            _unpack_gzip(path, name, target)
        elif kind == ".zip":
            _unpack_zip(path, target)
        else:
            for inner, data in import_module(f"tablerag.ingestion.readers.{READERS[kind]}").attachments(path):
                target.take(inner, partial(BytesIO, data))
    except UnreadableDocument:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise UnreadableDocument("is a damaged or truncated archive: save or fetch it again") from error
    except OSError as error:
        raise UnreadableDocument(f"cannot be unpacked: {error.strerror or 'it is damaged'}") from error
    if kind in (".gz", ".zip") and not target.found.members:
        raise UnreadableDocument("contains no files: remove it, or save it again")
    return target.found


class _Target:
    """The folder that an archive is unpacked into."""

    def __init__(self, path: Path, folder: Path, room: Room) -> None:
        self._folder, self._room = folder, room
        self._time = path.stat().st_mtime_ns
        self._names: set[str] = set()
        self.found = Unpacked()

    def take(self, name: str, opened: Callable[[], IO[bytes] | gzip.GzipFile]) -> None:
        """Write a member if there is a reader for it; note it otherwise."""
        shown = _clean(name)
        base = PurePosixPath(shown).name
        if not base or base.startswith((".", "~$")) or any(p.lower() in IGNORED for p in PurePosixPath(shown).parts):
            return
        if reason := self._reason(shown):
            self.found.members.append(Member(shown, reason=reason))
            return
        self._names.add(shown)
        held = self._folder / str(len(self.found.members)) / base.encode()[-MAX_NAME_BYTES:].decode("utf-8", "ignore")
        held.parent.mkdir(parents=True)
        size = self._written(held, opened, shown)
        os.utime(held, ns=(self._time, self._time))  # an unchanged archive has unchanged members
        self.found.members.append(Member(shown, held, size))

    def _reason(self, name: str) -> str:
        if name in self._names:
            return "is twice in the archive: only the first is read"
        kind = PurePosixPath(name).suffix.lower()
        if kind not in suffixes(ocr=using.get().on):
            return no_reader(name)
        if kind in (".zip", ".gz") and self._room.depth <= 1:
            return "is an archive in archives, nested too deep: unpack it"
        if len(self._names) >= self._room.files:
            return f"is beyond the first {self._room.files:,} files of the archive: unpack it"
        return ""

    def _written(self, held: Path, opened: Callable[[], IO[bytes] | gzip.GzipFile], name: str) -> int:
        """Write a member; raise UnreadableDocument beyond the room, by what comes out, not by what is declared."""
        size = 0
        with opened() as source, held.open("xb") as target:
            while block := source.read(BLOCK):
                size += len(block)
                self._room.size -= len(block)
                if self._room.size < 0:
                    raise UnreadableDocument(f"unpacks to too much at {name[:80]!r}, as a ZIP bomb does: unpack it")
                if shutil.disk_usage(held.parent).free < SPARE:
                    raise UnreadableDocument("does not fit on the disk when unpacked: free space, or set TMPDIR")
                target.write(block)
        return size


def _clean(name: str) -> str:
    """Return a member's name without ways out of its archive and characters that cannot be shown."""
    parts = name.replace("\\", "/").replace("\0", "").split("/")
    kept = "/".join(p for p in parts if p not in ("", ".", ".."))
    return "".join(c if c.isprintable() else "?" for c in kept.encode("utf-8", "replace").decode("utf-8"))


def _unpack_zip(path: Path, target: _Target) -> None:
    found = format_of(path)
    if not found.startswith("a ZIP"):
        raise mismatch(found, "a ZIP archive")
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        for name, kind in OFFICE.items():
            if any(m.filename == name for m in members):
                raise UnreadableDocument(f"is {kind}, not an archive of documents: use the right suffix")
        check_archive_members(members, max(1, path.stat().st_size))
        for member in members:
            if stat.S_ISLNK(member.external_attr >> 16) or member.is_dir():
                continue
            target.take(_zip_name(member), partial(archive.open, member))


def _zip_name(member: zipfile.ZipInfo) -> str:
    """Return a member's name; old programs write UTF-8 without saying so, and zipfile takes it for CP437."""
    if member.flag_bits & 0x800:
        return member.filename
    try:
        return member.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return member.filename


def _unpack_gzip(path: Path, name: str, target: _Target) -> None:
    if not format_of(path).startswith("a gzip"):
        raise mismatch(format_of(path), "a gzip file")
    target.take(PurePosixPath(name).stem, partial(_Bounded, path))


class _Bounded(gzip.GzipFile):
    """A gzip file that raises UnreadableDocument where it unpacks to far more than it holds."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "rb")
        self._most = max(FREE, MAX_RATIO * path.stat().st_size)
        self._out = 0

    def read(self, size: int | None = -1) -> bytes:
        block = super().read(size)
        self._out += len(block)
        if self._out > self._most:
            raise UnreadableDocument(f"unpacks to more than {MAX_RATIO} times its size, as a bomb does: unpack it")
        return block
