"""Ingestion: from files to SQL tables, Chroma and the lexical index, under one manifest row each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from ingestion import manifest
from ingestion.content import DocumentContent, read_content
from ingestion.manifest import SourceFile
from ingestion.readers import READERS
from ingestion.tables.storing import STAGING_PREFIX, drop_tables, stage_table, swap_in
from tools.catalog import DocumentRecord
from tools.errors import ConfigError, StoreUnavailable, TableRagError, UnreadableDocument
from tools.records import TableSchema
from tools.services import Services

__all__ = ["Entry", "IngestReport", "Progress", "ingest", "remove"]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a batch is: ``done`` of ``total`` files, and the one at work."""

    done: int
    total: int
    source: str


@dataclass(frozen=True, slots=True)
class Entry:
    """What became of one file."""

    source: str
    status: Literal["added", "replaced", "unchanged", "removed", "failed", "skipped"]
    tables: int = 0
    rows: int = 0
    chunks: int = 0
    warnings: tuple[str, ...] = ()
    error: str = ""


@dataclass(slots=True)
class IngestReport:
    """What became of every file, in the order they were read."""

    entries: list[Entry] = field(default_factory=list)


def ingest(
    paths: Sequence[Path],
    services: Services,
    corpus: str,
    *,
    prune: bool = False,
    on_progress: Callable[[Progress], None] | None = None,
) -> IngestReport:
    """Bring a corpus up to date with files and folders; safe to repeat.

    Unchanged files are left alone, changed ones replace their old selves, and with ``prune`` those
    no longer there are removed. A file that cannot be read is reported and its old version kept.
    Raises ConfigError for a path that does not exist and StoreUnavailable when a store is away.
    """
    services.catalog.create()
    known = services.catalog.documents(corpus)
    found, unread = manifest.find_files(paths, READERS)
    report = IngestReport(
        [Entry(f.source, "skipped", error=f"no reader for {f.path.suffix or 'this name'}") for f in unread]
    )
    files = manifest.unique_sources(found, known)
    for done, file in enumerate(files):
        if on_progress:
            on_progress(Progress(done, len(files), file.source))
        report.entries.append(_ingest_file(file, services, corpus))
    if on_progress:
        on_progress(Progress(len(files), len(files), ""))
    if prune:
        report.entries += [_remove(d, services) for d in manifest.gone(paths, known)]
    return report


def remove(target: str, services: Services, corpus: str) -> list[str]:
    """Remove the documents of that source, path or folder from every store; return their sources."""
    found = manifest.matching(target, services.catalog.documents(corpus))
    return [_remove(document, services).source for document in found]


def _ingest_file(file: SourceFile, services: Services, corpus: str) -> Entry:
    """Ingest one file; whatever is wrong with it becomes its entry."""
    try:
        return _bring_up_to_date(file, services, corpus)
    except (StoreUnavailable, ConfigError):
        raise
    except TableRagError as error:
        return Entry(file.source, "failed", error=str(error))
    except Exception as error:
        # The batch's edge: files are hostile, and their parsers fail in more ways than they document.
        return Entry(file.source, "failed", error=f"cannot be read: {type(error).__name__}: {error}")


def _bring_up_to_date(file: SourceFile, services: Services, corpus: str) -> Entry:
    old = services.catalog.document(corpus, file.source)
    try:
        size = file.path.stat().st_size
        if size > services.settings.max_file_mb * 1e6:
            raise UnreadableDocument(
                f"{size / 1e6:.0f} MB is above the limit of {services.settings.max_file_mb:.0f} MB: "
                "split the file, or raise TABLERAG_MAX_FILE_MB"
            )
        content = manifest.content_hash(file.path, services.settings)
    except OSError as error:
        raise UnreadableDocument(f"cannot be opened: {error.strerror}") from error
    document_id = manifest.document_id(corpus, file.path, content)
    if old and old.document_id == document_id:
        return Entry(file.source, "unchanged", old.table_count, 0, old.chunk_count, old.warnings)
    taken = services.catalog.table_names() - _table_names(old, services)
    read = read_content(file, document_id, taken, services.settings)
    _store(read, file, content, size, old, services, corpus)
    rows = sum(t.row_count for t in read.tables)
    status = "replaced" if old else "added"
    return Entry(file.source, status, len(read.tables), rows, len(read.chunks), read.warnings)


def _table_names(document: DocumentRecord | None, services: Services) -> set[str]:
    if document is None:
        return set()
    return {s.name for s in services.catalog.schemas_of_document(document.document_id)}


def _store(
    read: DocumentContent,
    file: SourceFile,
    content: str,
    size: int,
    old: DocumentRecord | None,
    services: Services,
    corpus: str,
) -> None:
    """Write the new version beside the old one, switch over in the catalog, then delete the old."""
    engine = services.database.engine
    staged = [(f"{STAGING_PREFIX}{read.document_id}_{i}", s.name) for i, s in enumerate(read.schemas)]
    try:
        for (staging, _), table in zip(staged, read.tables, strict=True):
            stage_table(engine, staging, table)
        services.vector_store(corpus).add(read.chunks)
        services.lexical_index(corpus).add(read.chunks)
    except Exception:
        _discard(read.document_id, [name for name, _ in staged], services, corpus)
        raise
    with engine.begin() as connection:
        swap_in(connection, sorted(_table_names(old, services)), staged)
    services.catalog.save_document(_record(read, file, content, size, corpus), read.schemas)
    if old:
        services.catalog.delete_document(old.document_id)
        _delete_chunks(old.document_id, services, corpus)


def _record(read: DocumentContent, file: SourceFile, content: str, size: int, corpus: str) -> DocumentRecord:
    return DocumentRecord(
        document_id=read.document_id,
        corpus=corpus,
        source=file.source,
        path=str(file.path),
        content_hash=content,
        status="ready",
        format=file.path.suffix.lower().lstrip("."),
        title=read.title,
        size_bytes=size,
        chunk_count=len(read.chunks),
        table_count=len(read.tables),
        warnings=read.warnings,
    )


def _discard(document_id: str, staging: list[str], services: Services, corpus: str) -> None:
    """Take back what a failed file has already written."""
    drop_tables(services.database.engine, staging)
    _delete_chunks(document_id, services, corpus)


def _delete_chunks(document_id: str, services: Services, corpus: str) -> None:
    services.vector_store(corpus).delete_document(document_id)
    services.lexical_index(corpus).delete_document(document_id)


def _remove(document: DocumentRecord, services: Services) -> Entry:
    """Remove a document everywhere; the catalog first, so that nothing half-removed is ever shown."""
    schemas: list[TableSchema] = services.catalog.schemas_of_document(document.document_id)
    services.catalog.delete_document(document.document_id)
    drop_tables(services.database.engine, [s.name for s in schemas])
    _delete_chunks(document.document_id, services, document.corpus)
    return Entry(document.source, "removed", len(schemas), sum(s.row_count for s in schemas), document.chunk_count)
