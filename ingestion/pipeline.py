"""Ingestion: from files to SQL tables, Chroma and the lexical index, under one manifest row each.

Documents are read on all cores and stored in groups. A group is noted as unfinished, written to all stores,
published in one transaction of the catalog, and what it replaced is deleted last (see tools/catalog.py).
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from tablerag.ingestion import manifest
from tablerag.ingestion.containers import opened
from tablerag.ingestion.document_content import DocumentContent
from tablerag.ingestion.failures import note_failures, waiting_again
from tablerag.ingestion.in_order import ReadAll
from tablerag.ingestion.manifest import LeftOut, SourceFile
from tablerag.ingestion.overrides import OVERRIDES_FILE, Overrides, load_overrides
from tablerag.ingestion.reader_pool import read_all
from tablerag.ingestion.reader_worker import Job, Outcome
from tablerag.ingestion.readers import suffixes
from tablerag.ingestion.restoring import check_indexes
from tablerag.ingestion.runs import Run
from tablerag.ingestion.tables.storing import write_table
from tablerag.ingestion.values import may_be_large
from tablerag.tools.catalog import DocumentRecord
from tablerag.tools.chunks import add_chunks
from tablerag.tools.errors import DiskFull, UnreadableDocument
from tablerag.tools.linking.indexing import index_values
from tablerag.tools.places import UrlPath
from tablerag.tools.records import TableSchema
from tablerag.tools.services import Services

if TYPE_CHECKING:
    import numpy as np

__all__ = ["IDENTICAL", "Entry", "IngestReport", "Progress", "ingest", "read_again", "remove", "retry_failed"]

Status = Literal["added", "replaced", "unchanged", "removed", "failed", "skipped"]
Stage = Literal["reading", "storing", "indexing", "done"]
IDENTICAL = "identical to "
"""How the note begins that a file is a copy of another."""
NAMING_TRIES = 5
GROUP_DOCUMENTS = 160
GROUP_CHUNKS = 1500
GROUP_CELLS = 2_000_000
GROUP_BYTES = 20_000_000
"""A group is stored at this size: large enough to share the stores' fixed costs, small enough for memory."""
GROUP_S = 15.0
"""And after this time: whoever interrupts a batch loses no more."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a batch: ``done`` of ``total`` files are read, the current one, and what is done with it."""

    done: int
    total: int
    source: str
    stage: Stage = "reading"
    page: int = 0
    """The page of the source that is being read by OCR; 0 for none."""
    pages: int = 0

    @property
    def doing(self) -> str:
        """What is read: "scan.pdf, page 3 of 40"."""
        return f"{self.source}, page {self.page} of {self.pages}" if self.page else self.source

    def __str__(self) -> str:
        return f"{self.done}/{self.total} {self.doing}".rstrip()


@dataclass(frozen=True, slots=True)
class Entry:
    """The result of one file."""

    source: str
    status: Status
    tables: int = 0
    rows: int = 0
    chunks: int = 0
    warnings: tuple[str, ...] = ()
    error: str = ""
    rule: bool = False
    """Whether it is due to a rule of an overrides file."""
    schemas: Sequence[TableSchema] = ()


class Later(Sequence[TableSchema]):
    """The schemas of a document that did not change, read from the catalog when they are looked at."""

    def __init__(self, read: Callable[[str], Sequence[TableSchema]], document_id: str) -> None:
        self._read, self._document_id = read, document_id

    @overload
    def __getitem__(self, place: int) -> TableSchema: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[TableSchema]: ...

    def __getitem__(self, place: int | slice) -> TableSchema | Sequence[TableSchema]:
        return self._read(self._document_id)[place]

    def __len__(self) -> int:
        return len(self._read(self._document_id))


@dataclass(slots=True)
class IngestReport:
    """The result of every file, in reading order."""

    entries: list[Entry] = field(default_factory=list)

    @property
    def counts(self) -> dict[Status, int]:
        """How many files have each status, in the order of the report."""
        return dict(Counter(e.status for e in self.entries))


def ingest(
    paths: Sequence[Path],
    services: Services,
    corpus: str,
    *,
    prune: bool = False,
    on_progress: Callable[[Progress], object] | None = None,
    read: ReadAll | None = None,
) -> IngestReport:
    """Bring a corpus up to date with files and folders; safe to repeat, interrupt and run concurrently.

    Unchanged files are skipped, changed ones replace their old version, and ``prune`` removes documents whose file is
    gone. An unreadable file is reported and its old version kept. Raises ConfigError for a path that does not exist or
    a mistake in the overrides, StoreUnavailable if a store cannot be reached, StoreDamaged if it cannot be used.
    ``on_progress`` is also called while a file takes long to read; what it raises ends the ingest, and documents that
    are not published yet are not. ``read`` is what reads the files: processes of this machine unless it is given.
    """
    on_disk, unread = manifest.find_files(paths, suffixes(ocr=services.settings.reads_pictures), services.settings.home)
    return _ingested(on_disk, unread, paths, services, corpus, prune, on_progress, read or read_all)


def retry_failed(
    services: Services,
    corpus: str,
    *,
    on_progress: Callable[[Progress], object] | None = None,
    read: ReadAll | None = None,
) -> IngestReport:
    """Read the files again that an earlier ingest could not read, and no others, as ingest() does."""
    return _ingested(waiting_again(services, corpus), [], [], services, corpus, False, on_progress, read or read_all)


def read_again(record: DocumentRecord, services: Services) -> IngestReport:
    """Read the file of one document again, with the others in it if it is an archive, as ingest() does."""
    path = Path(record.path)
    holding = manifest.container_of(path)
    inner = len(str(path)) - len(str(holding))
    file = SourceFile(holding, record.source[: len(record.source) - inner], Path(record.folder))
    return _ingested([file], [], [], services, record.corpus, False, None, read_all)


def _ingested(
    on_disk: Sequence[SourceFile],
    unread: list[LeftOut],
    paths: Sequence[Path],
    services: Services,
    corpus: str,
    prune: bool,
    on_progress: Callable[[Progress], object] | None,
    read: ReadAll,
) -> IngestReport:
    with opened(on_disk, services.settings) as documents, Run.started(services) as run:
        if services.database.is_server:
            services.catalog.note_vectors(on_server="+" in services.settings.resolved_vector_store)
        found = documents.files
        entries: list[Entry] = []
        named: dict[str, SourceFile | LeftOut] = {f.source: f for f in documents.failed}
        for _ in range(NAMING_TRIES):
            known = services.catalog.documents(corpus)
            files = manifest.unique_sources(found, known)
            named |= {f.source: f for f in files}
            overrides = load_overrides(f.folder for f in files)
            batch = _Batch(services, corpus, run, overrides, known, len(files), on_progress, read)
            entries += batch.brought_up_to_date(files)
            # Two processes may choose the same name for two files: the later one tries again.
            found = batch.taken
            if not found:
                break
        entries += [
            Entry(f.source, "failed", error="another process keeps taking its name: ingest it again") for f in found
        ]
        entries += [Entry(f.source, "failed", error=f.reason) for f in documents.failed]
        # A mail that is not read is not left out, too.
        failed = {e.source: e.error for e in entries if e.status == "failed"}
        unread += [f for f in documents.left_out if f.source not in failed]
        skipped = [Entry(f.source, "skipped", error=f.reason) for f in unread if f.path.name != OVERRIDES_FILE]
        skipped += _unused_rules(overrides, files, paths)
        gone = manifest.gone(paths, known, documents.inside, _urls(on_disk, unread)) if prune else []
        failures = [(named[source], reason) for source, reason in failed.items()]
        note_failures(services, corpus, on_disk, failures, [p.expanduser().resolve() for p in paths])
        return IngestReport([*skipped, *entries, *(_removed(d, services, run) for d in gone)])


def _urls(on_disk: Sequence[SourceFile], unread: Sequence[LeftOut]) -> set[Path]:
    return {f.path for f in (*on_disk, *unread) if isinstance(f.path, UrlPath)}


def _unused_rules(overrides: Overrides, files: Sequence[SourceFile], paths: Sequence[Path]) -> list[Entry]:
    """Return an entry for each rule that matches no document, for folders that were ingested as a whole."""
    whole = {p.expanduser().resolve() for p in paths}
    return [
        Entry(OVERRIDES_FILE, "skipped", error=f"the rule for {pattern!r} matches no document in {folder}", rule=True)
        for folder, pattern in overrides.unused((f.source, f.folder) for f in files)
        if folder in whole
    ]


def remove(target: str, services: Services, corpus: str) -> list[str]:
    """Remove the documents of a source, path or folder from every store; return their sources."""
    found = manifest.matching(target, services.catalog.documents(corpus))
    if not found:
        return []
    with Run.started(services) as run:
        return [_removed(document, services, run).source for document in found]


def _removed(document: DocumentRecord, services: Services, run: Run) -> Entry:
    """Unpublish a document; the run deletes its data when it ends."""
    schemas = services.catalog.schemas_of_document(document.document_id)
    services.catalog.delete_document(document.document_id, run.id)
    rows = sum(s.row_count for s in schemas)
    return Entry(document.source, "removed", len(schemas), rows, document.chunk_count)


@dataclass(slots=True)
class _Batch:
    """The files of one ingest."""

    services: Services
    corpus: str
    run: Run
    overrides: Overrides
    known: Sequence[DocumentRecord]
    total: int
    on_progress: Callable[[Progress], object] | None
    read_all: ReadAll
    entries: dict[str, Entry] = field(default_factory=dict)
    taken: list[SourceFile] = field(default_factory=list)
    """Files whose source another process has taken in the meantime."""
    unread: list[str] = field(default_factory=list)
    """Unchanged documents whose schemas nobody asked for yet."""
    read_schemas: dict[str, list[TableSchema]] = field(default_factory=dict)
    read_of: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What to record of the files of new versions, by document id."""
    first_with: dict[str, str] = field(default_factory=dict)
    """The first source of each content in the corpus."""
    settled: int = 0
    """Files that need no reading."""
    read: int = 0
    source: str = ""
    """The file that was told of last."""
    pages: dict[str, tuple[int, int]] = field(default_factory=dict)
    """The page that is read by OCR, and how many there are, by source."""

    def brought_up_to_date(self, files: Sequence[SourceFile]) -> list[Entry]:
        """Read and store all files that changed; return an entry for each file, in order."""
        self._tell("")
        jobs = list(self._jobs(files))
        read = {j.file.source for j in jobs}
        held = [(d.content_hash, d.source) for d in self.known if d.source not in read]
        for content, source in (*held, *((j.content, j.file.source) for j in jobs)):
            self.first_with.setdefault(content, source)
        if not jobs and self.known:
            check_indexes(self.services, self.corpus)
        self.settled = len(files) - len(jobs)
        group: list[tuple[Job, DocumentContent]] = []
        stored = time.monotonic()
        # In order: the file that is waited for comes after those that are read.
        for job, outcome in self.read_all(
            jobs, self.services.settings, lambda: self._tell_read(jobs[self.read].file.source), self._tell_page
        ):
            self.run.check()
            self.read += 1
            self._tell(job.file.source)
            if not isinstance(outcome, DocumentContent):
                self._fail(job.file, outcome)
                continue
            group.append((job, outcome))
            if _is_full(group) or time.monotonic() > stored + GROUP_S:
                self._store(group)
                group, stored = [], time.monotonic()
            del outcome  # the next files are read meanwhile
        if group:
            self._store(group)
        self._tell("", "done")
        return [self.entries[f.source] for f in files if f.source in self.entries]

    def _jobs(self, files: Sequence[SourceFile]) -> Iterator[Job]:
        """Yield a job for each file whose content or rules changed."""
        by_source = {d.source: d for d in self.known}
        sources = {f.source for f in files}
        known = [d for d in self.known if d.source in sources]
        tables = self.services.database.tables
        whole = tables.whole(manifest.stored_names(known, tables))
        lost = {d.document_id for d in manifest.without_tables(known, whole)}
        if lost:
            self.services.catalog.doubt(list(lost))
        times: dict[str, dict[str, int | str]] = {}
        for file in files:
            wishes = self.overrides.for_document(file.source, file.folder)
            old = by_source.get(file.source)
            if wishes.skips_document:
                if old:
                    _removed(old, self.services, self.run)
                self.entries[file.source] = Entry(
                    file.source, "removed" if old else "skipped", error=f"skipped by {OVERRIDES_FILE}", rule=True
                )
                continue
            reading = manifest.read_as(file.on_disk, self.services.settings, wishes)
            try:
                status = None if file.remote else file.on_disk.stat()
                size = _checked(file.size() if status is None else status.st_size, self.services.settings.max_file_mb)
                if old and old.document_id not in lost and status and manifest.is_same(old, status, reading):
                    self.entries[file.source] = self._unchanged(old)
                    continue
                content = manifest.content_hash(file, self.services.settings, wishes)
            except OSError as error:
                self._fail(file, UnreadableDocument(f"cannot be opened: {error.strerror}"))
                continue
            except UnreadableDocument as error:
                self._fail(file, error)
                continue
            if old and old.document_id not in lost and old.content_hash == content:
                self.entries[file.source] = self._unchanged(old)
                if when := manifest.telling_time(status):
                    times[old.document_id] = {"mtime_ns": when, "read_as": reading, "size_bytes": size}
            else:
                document_id = manifest.document_id(self.corpus, file.path, content, self.run.id)
                self.read_of[document_id] = {"mtime_ns": manifest.telling_time(status), "read_as": reading}
                yield Job(file, document_id, size, content, wishes)
        self.services.catalog.note_times(times)

    def _unchanged(self, old: DocumentRecord) -> Entry:
        self.unread.append(old.document_id)
        schemas = Later(self._schemas_of, old.document_id)
        rows = sum(s.row_count for s in schemas) if old.row_count is None else old.row_count
        return Entry(old.source, "unchanged", old.table_count, rows, old.chunk_count, old.warnings, schemas=schemas)

    def _schemas_of(self, document_id: str) -> Sequence[TableSchema]:
        """Return the schemas of an unchanged document; the first call reads those of all."""
        if self.unread:
            self.read_schemas |= self.services.catalog.schemas_by_document(self.unread)
            self.unread = []
        return self.read_schemas[document_id]

    def _fail(self, file: SourceFile, error: Outcome) -> None:
        self.entries[file.source] = Entry(file.source, "failed", error=str(error))

    def _tell(self, source: str, stage: Stage = "reading", page: int = 0, pages: int = 0) -> None:
        self.source = source
        if self.on_progress:
            done = min(self.total, self.settled + self.read)
            self.on_progress(Progress(done, self.total, source, stage, page, pages))

    def _tell_page(self, job: Job, page: int, pages: int) -> None:
        self.pages[job.file.source] = (page, pages)
        self._tell_read(job.file.source)

    def _tell_read(self, source: str) -> None:
        page, pages = self.pages.get(source, (0, 0))
        self._tell(source, page=page, pages=pages)

    def _store(self, group: list[tuple[Job, DocumentContent]]) -> None:
        """Write a group to all stores and publish it; a document whose table does not fit fails on its own."""
        catalog = self.services.catalog
        versions = {c.document_id: [t.schema.stored_as for t in c.tables] for _, c in group}
        self.run.begin(self.services, self.corpus, versions)
        written = [(job, content) for job, content in group if self._tables_written(job, content)]
        chunks = [chunk for _, content in written for chunk in content.chunks]
        self._tell(self.source, "indexing")
        add_chunks(self.services, self.corpus, chunks, self._vectors([content for _, content in written]))
        records = [(self._record(job, content), [t.schema for t in content.tables]) for job, content in written]
        published = catalog.publish(self.run.id, records)
        known = {d.source for d in self.known}
        for (job, content), found in zip(written, published, strict=True):
            if found.outcome == "source taken":
                self.taken.append(job.file)
                continue
            new: Status = "replaced" if job.file.source in known else "added"
            self.entries[job.file.source] = Entry(
                job.file.source,
                new if found.outcome == "published" else "unchanged",
                len(content.tables),
                content.row_count,
                len(content.chunks),
                (*self._copied(job), *content.warnings),
                schemas=found.schemas,
            )

    def _vectors(self, contents: Sequence[DocumentContent]) -> "dict[str, np.ndarray]":
        """Return the vectors of the chunks that were embedded where they were read, by the same embedding."""
        made = [(c, c.vectors) for c in contents if c.vectors]
        mine = self.services.chunk_embedding.version if made else ""
        return {i: v for c, own in made if own.version == mine for i, v in own.by_chunk(c.chunks).items()}

    def _copied(self, job: Job) -> tuple[str, ...]:
        """Note a copy of another document. It is kept: its name may say what its content does not, such as the year."""
        first = self.first_with[job.content]
        return () if first == job.file.source else (f"{IDENTICAL}{first}",)

    def _tables_written(self, job: Job, content: DocumentContent) -> bool:
        large = {place for stored in content.tables for place in may_be_large(stored)}
        try:
            for stored in content.tables:
                self._tell(job.file.source, "storing")
                write_table(self.services.database, stored.schema.stored_as, stored.table, stored.companions)
            index_values(self.services, content.document_id, [t.schema for t in content.tables], large)
        except (UnreadableDocument, DiskFull) as error:
            # Now, not when the run ends: the other documents may fit into the room that these tables take.
            self.services.database.tables.drop([t.schema.stored_as for t in content.tables])
            self._fail(job.file, error)
            return False
        return True

    def _record(self, job: Job, content: DocumentContent) -> DocumentRecord:
        return DocumentRecord(
            document_id=content.document_id,
            corpus=self.corpus,
            source=job.file.source,
            path=str(job.file.path),
            folder=str(job.file.folder),
            content_hash=job.content,
            format=job.file.on_disk.suffix.lower().lstrip("."),
            title=content.title,
            size_bytes=job.size,
            row_count=content.row_count,
            **self.read_of[job.document_id],
            chunk_count=len(content.chunks),
            table_count=len(content.tables),
            warnings=content.warnings,
        )


def _is_full(group: Sequence[tuple[Job, DocumentContent]]) -> bool:
    contents = [c for _, c in group]
    cells = sum(t.table.row_count * len(t.table.columns) for c in contents for t in c.tables)
    sizes = (
        (len(group), GROUP_DOCUMENTS),
        (sum(len(c.chunks) for c in contents), GROUP_CHUNKS),
        (cells, GROUP_CELLS),
        (sum(c.packed for c in contents), GROUP_BYTES),
    )
    return any(size >= most for size, most in sizes)


def _checked(size: int, max_mb: float) -> int:
    if size > max_mb * 1e6:
        raise UnreadableDocument(
            f"{size / 1e6:.0f} MB exceeds the limit of {max_mb:.0f} MB: split the file, or raise TABLERAG_MAX_FILE_MB"
        )
    return size
