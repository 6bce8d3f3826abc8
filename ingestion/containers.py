"""The documents in archives and mails: unpacked by reader processes into a folder that lives as long as the ingest."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from tablerag.ingestion.formats import no_reader
from tablerag.ingestion.manifest import LeftOut, SourceFile
from tablerag.ingestion.reader_pool import read_all
from tablerag.ingestion.reader_worker import UnpackJob
from tablerag.ingestion.readers import CONTAINERS, READERS, suffixes
from tablerag.ingestion.unpacking import Room, Unpacked
from tablerag.tools.errors import UnreadableDocument
from tablerag.tools.settings import Settings

__all__ = ["Opened", "opened"]

WITH_ATTACHMENTS = (".eml", ".msg")
"""Documents that hold others."""


@dataclass(slots=True)
class Opened:
    """The documents to read, those in archives included."""

    files: list[SourceFile] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    failed: list[LeftOut] = field(default_factory=list)
    """Archives that cannot be unpacked."""
    inside: set[Path] = field(default_factory=set)
    """The paths of documents in archives, and those of failed archives, whose documents may still be there."""


@contextmanager
def opened(files: Sequence[SourceFile], settings: Settings) -> Iterator[Opened]:
    """Yield the documents of files and archives; what was unpacked is deleted at the end."""
    found = Opened()
    if not any(_holds_others(f) for f in files):
        found.files = list(files)
        yield found
        return
    with TemporaryDirectory(prefix="tablerag-") as folder:
        places = (Path(folder, str(i)) for i in count())
        for file in files:
            _open(file, Room(), found, places, settings)
        yield found


def _holds_others(file: SourceFile) -> bool:
    return _suffix(file) in (*CONTAINERS, *WITH_ATTACHMENTS)


def _suffix(file: SourceFile) -> str:
    return file.on_disk.suffix.lower()


def _open(file: SourceFile, room: Room, found: Opened, places: Iterator[Path], settings: Settings) -> None:
    """Add a document, or the documents of an archive; archives in archives share its room."""
    if _suffix(file) in READERS:
        found.files.append(file)
    if not _holds_others(file) or not room.depth:
        return
    inner = file.on_disk.with_suffix("").suffix.lower()
    if _suffix(file) == ".gz" and inner not in suffixes(ocr=settings.ocr == "auto"):
        found.left_out.append(LeftOut(file.path, file.source, no_reader(file.on_disk.name)))
        return
    folder = next(places)
    folder.mkdir()
    try:
        size = file.on_disk.stat().st_size
        if size > settings.max_file_mb * 1e6:
            raise UnreadableDocument(
                f"{size / 1e6:.0f} MB exceeds the limit of {settings.max_file_mb:.0f} MB: unpack it, or raise "
                "TABLERAG_MAX_FILE_MB"
            )
        ((_, outcome),) = read_all([UnpackJob(file, folder, room, size)], settings)
    except OSError as error:
        outcome = UnreadableDocument(f"cannot be opened: {error.strerror}")
    except UnreadableDocument as error:
        outcome = error
    if not isinstance(outcome, Unpacked):
        found.inside.add(file.path)
        if _suffix(file) not in READERS:  # else its reader says why
            found.failed.append(LeftOut(file.path, file.source, str(outcome)))
        return
    room.files -= sum(m.held is not None for m in outcome.members)
    room.size -= sum(m.size for m in outcome.members)
    for member in outcome.members:
        is_alone = _suffix(file) == ".gz"  # such a file is its document
        path = file.path if is_alone else file.path / member.name
        source = file.source if is_alone else f"{file.source}/{member.name}"
        if member.held is None:
            found.left_out.append(LeftOut(path, source, member.reason))
            continue
        found.inside.add(path)
        inner = SourceFile(path, source, file.folder, member.held)
        inner_room = Room(room.files, room.size, room.depth - 1)
        _open(inner, inner_room, found, places, settings)
        room.files, room.size = inner_room.files, inner_room.size
