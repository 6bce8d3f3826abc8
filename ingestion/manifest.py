"""Finds which files are new, changed, unchanged or gone, by content hash."""

import hashlib
import os
import time
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from tablerag.ingestion.formats import no_reader
from tablerag.ingestion.readers.ocr import installed
from tablerag.ingestion.source_files import LeftOut, RemoteFile, SourceFile, readable
from tablerag.tools.errors import ConfigError
from tablerag.tools.places import UrlPath, is_url, place

if TYPE_CHECKING:  # they bring libraries that a reader process does without
    from tablerag.tools.catalog import DocumentRecord
    from tablerag.tools.catalog_listing import ListedDocument
    from tablerag.tools.settings import Settings
    from tablerag.tools.sql.backends.tables import StoredTables

__all__ = [
    "ID_CHARS",
    "LeftOut",
    "RemoteFile",
    "SourceFile",
    "container_of",
    "content_hash",
    "document_id",
    "find_files",
    "gone",
    "is_same",
    "matching",
    "read_as",
    "readable",
    "stored_names",
    "telling_time",
    "unique_sources",
    "without_tables",
]

ID_CHARS = 12
"""Characters of a document's id in the stored names of its tables."""

Stored = TypeVar("Stored", "DocumentRecord", "ListedDocument")

INGESTION_VERSION = "6"
"""Increased when reading, typing or chunking changes what is stored, so that every file is ingested again."""
JUST_NOW_NS = 3_000_000_000
HOLDING_OTHERS = (".zip", ".gz", ".eml", ".msg")
"""Files that documents may be in."""


def find_files(
    paths: Sequence[Path], suffixes: Iterable[str], own: Path | None = None
) -> tuple[list[SourceFile], list[LeftOut]]:
    """Return the files to read and those left out below the given paths; ``own`` is the home, no folder of documents.

    Folders are searched recursively, without hidden files and office lock files (``~$``); a file given by name is
    always read. A link in a folder is read only if it leads to a file below one of the given paths that is not read
    under its own name: an untrusted folder must not import other files of this machine, and no table may be ingested
    twice. Links to folders are not followed. Raises ConfigError for a path that does not exist.
    """
    known = set(suffixes)
    wanted: dict[Path, SourceFile] = {}
    others: dict[Path, SourceFile] = {}
    left_out: list[LeftOut] = []
    roots = [p.expanduser().resolve() for p in paths]
    for given, root in zip(paths, roots, strict=True):
        if isinstance(root, UrlPath):
            from tablerag.ingestion import remote

            files, others_there = remote.find(root, known)
            wanted.update((f.path, f) for f in files if f.path not in wanted)
            left_out += others_there
        elif root.is_file():
            found = SourceFile(root, readable(root.name), root.parent)
            (wanted if _is_text(root) else others).setdefault(root, found)
        elif root.is_dir():
            for path in _files_below(root, own and own.resolve()):
                found = SourceFile(path, readable(path.relative_to(root).as_posix()), root)
                is_wanted = path.suffix.lower() in known and path.is_file() and not path.is_symlink() and _is_text(path)
                (wanted if is_wanted else others).setdefault(path, found)
        else:
            raise ConfigError(
                f"{given}: {'neither a file nor a folder' if root.exists() else 'no such file or folder'}"
            )
    for path, file in others.items():
        if reason := _reason(path, known, roots, wanted):
            left_out.append(LeftOut(path, file.source, reason))
        else:
            wanted.setdefault(path, file)
    return list(wanted.values()), [f for f in left_out if f.path not in wanted]


def _reason(path: Path, known: set[str], roots: Sequence[Path], wanted: Collection[Path]) -> str:
    """Return why a path is not read, "" if it is."""
    if not _is_text(path):
        return "path is not valid UTF-8: rename the file"
    try:
        target = path.resolve()
    except (OSError, RuntimeError):
        return "is a link to itself: remove it"
    if path.is_symlink() and target.is_dir():
        return "is a link to a folder, which is not followed: ingest the folder itself"
    if path.is_symlink() and not target.exists():
        return "is a broken link: fix or remove it"
    if not target.is_file():
        return "is not a regular file (a pipe, socket or device): remove it"
    if path.suffix.lower() not in known:
        return no_reader(path.name)
    if not any(target.is_relative_to(r) for r in roots):
        return "is a link to a file outside the folder: copy the file here, or ingest it directly"
    return "is a link to a file that is already ingested" if target in wanted else ""


def _is_text(path: Path) -> bool:
    """Return whether a path is valid UTF-8; other bytes become surrogates."""
    return not any("\ud800" <= c <= "\udfff" for c in str(path))


def _files_below(root: Path, own: Path | None) -> list[Path]:
    """Return everything below a folder except folders and our own files, including links to folders."""
    found = []
    for folder, folders, names in os.walk(root):  # does not follow links, so a loop cannot trap it
        folders[:] = sorted(f for f in folders if not f.startswith(".") and Path(folder, f) != own)
        links = [f for f in folders if Path(folder, f).is_symlink()]
        found += [Path(folder, n) for n in sorted([*names, *links]) if not n.startswith((".", "~$"))]
    return found


def unique_sources(files: Sequence[SourceFile], known: "Sequence[DocumentRecord]") -> list[SourceFile]:
    """Give each file a unique source, keeping the one it was ingested under.

    Files of the same relative name are distinguished by as many parent folders as needed, and those that differ only
    in characters that cannot be shown, by a number.
    """
    by_path = {d.path: d for d in known}
    taken = {d.source: d.path for d in known}
    named = []
    for file in files:
        path = str(file.path)
        before = by_path.get(path)
        source, folder = before.source if before else file.source, file.folder
        if before and before.folder and folder == container_of(file.path).parent:
            # Given by name now, but still part of the folder it was ingested with.
            folder = place(before.folder)
        parents = list(file.path.parents)
        depth = source.count("/") + 1
        # Folders cannot distinguish files of the same folder.
        while taken.get(source, path) != path and depth < len(parents) and Path(taken[source]).parent != parents[0]:
            source = readable(file.path.relative_to(parents[depth]).as_posix())
            depth += 1
        shown, number = source, 1
        while taken.get(source, path) != path:
            number += 1
            source = f"{shown} ({number})"
        taken[source] = path
        named.append(replace(file, source=source, folder=folder))
    return named


def read_as(path: Path, settings: "Settings", wishes: object = None) -> str:
    """Return a hash of the settings that decide what is stored of a file."""
    return hashlib.sha256(_salt(path, settings, wishes).encode("utf-8", "replace")).hexdigest()[:16]


def _salt(path: Path, settings: "Settings", wishes: object) -> str:
    # A PDF with scanned pages is read again once there is an engine for them.
    engine = f" {installed()}" if path.suffix.lower() == ".pdf" and settings.reads_pictures and installed() else ""
    return f"{INGESTION_VERSION} {settings.chunk_tokens} {settings.chunk_overlap} {wishes or ''}{engine}"


def content_hash(file: SourceFile, settings: "Settings", wishes: object = None) -> str:
    """Hash a file's bytes, or the mark of a remote one, together with the settings that decide what is stored."""
    digest = hashlib.sha256(f"{_salt(file.on_disk, settings, wishes)}\0".encode("utf-8", "replace"))
    if file.remote and file.remote.mark:
        digest.update(f"{file.remote.size} {file.remote.mark}".encode())
        return digest.hexdigest()
    from tablerag.ingestion.remote import near

    with near(file) as here, here.on_disk.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def telling_time(status: os.stat_result | None) -> int:
    """Return when a file was modified, in ns; 0 if that was just now, or if it is remote.

    A file system may give the same time to two changes within its resolution, which can be two seconds.
    """
    return status.st_mtime_ns if status and time.time_ns() - status.st_mtime_ns > JUST_NOW_NS else 0


def is_same(old: "DocumentRecord", status: os.stat_result, reading: str) -> bool:
    """Return whether a file needs no reading: it was read like this, with this size and time."""
    known = old.mtime_ns and old.content_hash and old.read_as == reading
    return bool(known) and (old.size_bytes, old.mtime_ns) == (status.st_size, status.st_mtime_ns)


def document_id(corpus: str, path: Path, content: str, run: str = "") -> str:
    """Return the id of one version of one document in one corpus, written by one run."""
    return hashlib.sha256(f"{corpus}\0{path}\0{content}\0{run}".encode("utf-8", "replace")).hexdigest()[:20]


def stored_names(documents: Sequence[Stored], tables: "StoredTables") -> list[str]:
    """Return the names of the stored tables of documents."""
    ids = {d.document_id[:ID_CHARS] for d in documents if d.table_count}
    return [name for name in tables.names() if _id_in(name) in ids] if ids else []


def without_tables(documents: Sequence[Stored], whole: Iterable[str]) -> list[Stored]:
    """Return the documents that have more tables than are whole."""
    there = Counter(map(_id_in, whole))
    return [d for d in documents if there[d.document_id[:ID_CHARS]] < d.table_count]


def _id_in(stored: str) -> str:
    """Return the part of a stored table's name that is of its document's id."""
    return stored.rpartition("__")[2].partition("_")[0]


def container_of(path: Path) -> Path:
    """Return the file that a document is in: an archive or mail, or its own, which may be gone."""
    if isinstance(path, UrlPath):
        return next((p for p in reversed(path.parents) if p.suffix.lower() in HOLDING_OTHERS), path)
    return next((p for p in (path, *path.parents) if p.is_file()), path)


def gone(
    paths: Sequence[Path],
    known: "Sequence[DocumentRecord]",
    there: set[Path],
    listed: Collection[Path] = (),
) -> "list[DocumentRecord]":
    """Return the ingested documents below the given folders that are no longer there.

    ``there`` are the documents that were found in archives, and archives that could not be read now; ``listed`` are the
    URLs that were found.
    """
    roots = [p.expanduser().resolve() for p in paths]
    urls = {str(p) for p in listed}
    missing = [
        d
        for d in known
        if not (d.path in urls if is_url(d.path) else Path(d.path).exists())
        and any(Path(d.path).is_relative_to(r) for r in roots)
    ]
    return [d for d in missing if there.isdisjoint((place(d.path), *place(d.path).parents))]


def matching(target: str, known: "Sequence[DocumentRecord]") -> "list[DocumentRecord]":
    """Return the documents that match a source name, a path, or a folder of either."""
    path = place(target).expanduser().resolve()
    folder = target.rstrip("/") + "/"
    return [d for d in known if d.source == target or d.source.startswith(folder) or Path(d.path).is_relative_to(path)]
