"""The documents in archives and mails: unpacked by reader processes into a folder that lives as long as the ingest."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from tablerag.ingestion.formats import no_reader
from tablerag.ingestion.manifest import LeftOut, SourceFile
from tablerag.ingestion.reader_pool import read_all
from tablerag.ingestion.reader_worker import Outcome, UnpackJob
from tablerag.ingestion.readers import CONTAINERS, READERS, suffixes
from tablerag.ingestion.unpacking import Room, Unpacked
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

    def add(self, other: "Opened") -> None:
        """Add what was found in another file."""
        self.files += other.files
        self.left_out += other.left_out
        self.failed += other.failed
        self.inside |= other.inside


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
        sources = [_Source(file) for file in files]
        # Archives in one archive are unpacked one after another, as each has the room that those before it left.
        while jobs := [(s, job) for s in sources if (job := s.next_job(places, settings))]:
            outcomes = read_all([job for _, job in jobs], settings)
            for (source, _), (job, outcome) in zip(jobs, outcomes, strict=True):
                source.take(job, outcome)
        for source in sources:
            found.add(source.found)
        yield found


def _holds_others(file: SourceFile) -> bool:
    return _suffix(file) in (*CONTAINERS, *WITH_ATTACHMENTS)


def _suffix(file: SourceFile) -> str:
    return file.on_disk.suffix.lower()


class _Source:
    """One file of the user's and what is in it; archives in archives share its room."""

    def __init__(self, file: SourceFile) -> None:
        self.found = Opened()
        self._room = Room()
        self._waiting = [(file, self._room.depth)]
        """Files to open, the next one last, and how deep archives may nest in each."""

    def next_job(self, places: Iterator[Path], settings: Settings) -> UnpackJob | None:
        """Add documents up to the next archive or mail and return the job to unpack it; None if none is left."""
        while self._waiting:
            file, depth = self._waiting.pop()
            if _suffix(file) in READERS:
                self.found.files.append(file)
            if not _holds_others(file) or not depth:
                continue
            # Before its size: one without a reader is skipped, however large.
            inner = file.on_disk.with_suffix("").suffix.lower()
            if _suffix(file) == ".gz" and inner not in suffixes(ocr=settings.reads_pictures):
                self.found.left_out.append(LeftOut(file.path, file.source, no_reader(file.on_disk.name)))
                continue
            try:
                size = file.size()
            except OSError as error:
                self._fail(file, f"cannot be opened: {error.strerror}")
                continue
            if size > settings.max_file_mb * 1e6:
                limit = f"the limit of {settings.max_file_mb:.0f} MB"
                self._fail(file, f"{size / 1e6:.0f} MB exceeds {limit}: unpack it, or raise TABLERAG_MAX_FILE_MB")
                continue
            folder = next(places)
            folder.mkdir()
            return UnpackJob(file, folder, replace(self._room, depth=depth), size)
        return None

    def _fail(self, file: SourceFile, reason: str) -> None:
        self.found.inside.add(file.path)
        if _suffix(file) in READERS:
            self.found.left_out.append(
                LeftOut(file.path, file.source, f"its attachments were not read, as it {reason}")
            )
        else:
            self.found.failed.append(LeftOut(file.path, file.source, reason))

    def take(self, job: UnpackJob, outcome: Outcome) -> None:
        """Take what a job unpacked, or why it could not."""
        file = job.file
        if not isinstance(outcome, Unpacked):
            self._fail(file, str(outcome))
            return
        self._room.files -= sum(m.held is not None for m in outcome.members)
        self._room.size -= sum(m.size for m in outcome.members)
        is_alone = _suffix(file) == ".gz"  # such a file is its document
        inner = []
        for member in outcome.members:
            path = file.path if is_alone else file.path / member.name
            source = file.source if is_alone else f"{file.source}/{member.name}"
            if member.held is None:
                self.found.left_out.append(LeftOut(path, source, member.reason))
                continue
            self.found.inside.add(path)
            inner.append((SourceFile(path, source, file.folder, member.held), job.room.depth - 1))
        self._waiting += reversed(inner)
