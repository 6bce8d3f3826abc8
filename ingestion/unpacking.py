"""Unpacks the documents in archives and mails into a folder; runs in a reader process, as archives may be hostile."""

import gzip
import os
import shutil
import stat
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import IO

from tablerag.ingestion.formats import no_reader
from tablerag.ingestion.manifest import readable
from tablerag.ingestion.readers import CONTAINERS, READERS, suffixes
from tablerag.ingestion.readers.archives import (
    BLOCK,
    DAMAGE,
    FREE_UNPACKED,
    MAX_RATIO,
    MAX_UNPACKED,
    check_archive_members,
    format_of,
    mismatch,
    unreadable,
)
from tablerag.ingestion.readers.ocr import using
from tablerag.tools.counting import counted
from tablerag.tools.errors import UnreadableDocument

__all__ = ["Member", "Room", "Unpacked", "unpack"]

SPARE = 200_000_000
"""Bytes of disk that unpacking leaves free."""
MAX_NAME_BYTES = 150
OFFICE = {"[Content_Types].xml": "an Office file", "META-INF/container.xml": "a book", "mimetype": "a document"}
"""What a ZIP archive with such a member is: one document, whose format is ZIP inside, not an archive of documents."""
IGNORED = ("__macosx", "thumbs.db", "desktop.ini", "winmail.dat", "smime.p7s")


@dataclass(slots=True)
class Room:
    """What may still be unpacked from one file of the user's, archives in archives included."""

    files: int = 10_000
    size: int = MAX_UNPACKED
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

    Raises UnreadableDocument for one that is encrypted, damaged or too large, and for an archive without files.
    """
    kind = path.suffix.lower()
    is_archive = kind in CONTAINERS
    target = _Target(path, folder, room, "archive" if is_archive else "mail")
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
    except (*DAMAGE, RuntimeError) as error:
        if not is_archive:
            raise unreadable("a mail") from error
        raise UnreadableDocument("is a damaged or truncated archive: save or fetch it again") from error
    except OSError as error:
        raise UnreadableDocument(f"cannot be unpacked: {error.strerror or 'it is damaged'}") from error
    target.add_refused()
    if is_archive and not target.found.members:
        raise UnreadableDocument("contains no files: remove it, or save it again")
    return target.found


class _Target:
    """The folder that an archive or mail is unpacked into; ``kind`` is what messages call it."""

    def __init__(self, path: Path, folder: Path, room: Room, kind: str) -> None:
        self._folder, self._room, self._kind = folder, room, kind
        self._time = path.stat().st_mtime_ns
        self._names: set[str] = set()
        self._refused: dict[tuple[str, str], list[str]] = {}
        """The names of members by why they are refused and what to do about it."""
        self.found = Unpacked()

    def take(self, name: str, opened: Callable[[], IO[bytes] | gzip.GzipFile]) -> None:
        """Write a member if there is a reader for it; note it otherwise."""
        shown = _safe(name)
        base = PurePosixPath(shown).name
        if not base or base.startswith((".", "~$")) or any(p.lower() in IGNORED for p in PurePosixPath(shown).parts):
            return
        if PurePosixPath(base).suffix.lower() not in suffixes(ocr=using.get().on):
            self.found.members.append(Member(shown, reason=no_reader(shown)))
            return
        if refusal := self._refusal(shown):
            self._refused.setdefault(refusal, []).append(shown)
            return
        self._names.add(shown)
        held = self._folder / str(len(self.found.members)) / base.encode()[-MAX_NAME_BYTES:].decode("utf-8", "ignore")
        held.parent.mkdir(parents=True)
        size = self._written(held, opened, shown)
        os.utime(held, ns=(self._time, self._time))  # an unchanged archive has unchanged members
        self.found.members.append(Member(shown, held, size))

    def _refusal(self, name: str) -> tuple[str, str] | None:
        """Return why a member is not read and what to do about it; None if it is read."""
        unpack_it = "unpack it" if self._kind == "archive" else "save it as a file"
        if name in self._names:
            return f"has the name of an earlier file in the {self._kind}", "rename it"
        if PurePosixPath(name).suffix.lower() in CONTAINERS and self._room.depth <= 1:
            return "is an archive nested too deep", unpack_it
        if len(self._names) >= self._room.files:
            return f"is beyond the first {self._room.files:,} files of the {self._kind}", unpack_it
        return None

    def add_refused(self) -> None:
        """Add the refused members, one for all that have the same reason: an archive can have thousands."""
        for (reason, advice), (first, *others) in self._refused.items():
            like = f", like {counted(len(others), 'other')}" if others else ""
            self.found.members.append(Member(first, reason=f"{reason}{like}: {advice}"))

    def _written(self, held: Path, opened: Callable[[], IO[bytes] | gzip.GzipFile], name: str) -> int:
        """Write a member; raise UnreadableDocument beyond the room, by what comes out, not by what is declared."""
        size = 0
        with opened() as source, held.open("xb") as target:
            while block := source.read(BLOCK):
                size += len(block)
                self._room.size -= len(block)
                if self._room.size < 0:
                    raise UnreadableDocument(
                        f"unpacks to more than {MAX_UNPACKED / 1e6:,.0f} MB (up to {name[:80]!r}), as a ZIP bomb does: "
                        "unpack it, and ingest the folder"
                    )
                if shutil.disk_usage(held.parent).free < SPARE:
                    raise UnreadableDocument("does not fit on the disk when unpacked: free space, or set TMPDIR")
                target.write(block)
        return size


def _safe(name: str) -> str:
    """Return a member's name without ways out of its archive and characters that cannot be shown."""
    parts = name.replace("\\", "/").replace("\0", "").split("/")
    return readable("/".join(p for p in parts if p not in ("", ".", "..")))


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
        self._most = max(FREE_UNPACKED, MAX_RATIO * path.stat().st_size)
        self._out = 0

    def read(self, size: int | None = -1) -> bytes:
        block = super().read(size)
        self._out += len(block)
        if self._out > self._most:
            raise UnreadableDocument(f"unpacks to more than {MAX_RATIO} times its size, as a ZIP bomb does: unpack it")
        return block
