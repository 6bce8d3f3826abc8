"""Which files have been ingested: finds what is new, changed, unchanged or gone, by content hash."""

import hashlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.catalog import DocumentRecord
from tools.errors import ConfigError
from tools.settings import Settings

__all__ = ["SourceFile", "content_hash", "document_id", "find_files", "gone", "matching", "unique_sources"]

INGESTION_VERSION = "3"
"""Raised when reading, typing or chunking changes what is stored, so that a re-ingest renews all."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to ingest: its absolute path, and the name under which answers cite it."""

    path: Path
    source: str
    folder: Path = Path()
    """The folder that was ingested, where the overrides stand."""


def find_files(paths: Sequence[Path], suffixes: Iterable[str]) -> tuple[list[SourceFile], list[SourceFile]]:
    """Return the files to read, and those skipped for their suffix, below the given paths.

    Folders are searched whole, hidden files and office lock files (``~$``) left out; a file that is
    named itself is always read. Raises ConfigError for a path that does not exist.
    """
    known = set(suffixes)
    wanted: dict[Path, SourceFile] = {}
    skipped: dict[Path, SourceFile] = {}
    for given in paths:
        root = given.expanduser().resolve()
        if root.is_file():
            wanted.setdefault(root, SourceFile(root, _readable(root.name), root.parent))
        elif root.is_dir():
            for path in _files_below(root):
                found = SourceFile(path, _readable(path.relative_to(root).as_posix()), root)
                (wanted if path.suffix.lower() in known else skipped).setdefault(path, found)
        else:
            raise ConfigError(f"{given}: no such file or folder")
    return list(wanted.values()), [f for p, f in skipped.items() if p not in wanted]


def _files_below(root: Path) -> list[Path]:
    found = []
    for folder, folders, names in os.walk(root):  # does not follow links, so a loop cannot trap it
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        found += [Path(folder, n) for n in sorted(names) if not n.startswith((".", "~$"))]
    return [p for p in found if p.is_file()]


def _readable(name: str) -> str:
    """Return a file name without what cannot be stored or shown: surrogates and control characters."""
    text = name.encode("utf-8", "replace").decode("utf-8")
    return "".join(c if c.isprintable() else "?" for c in text)


def unique_sources(files: Sequence[SourceFile], known: Sequence[DocumentRecord]) -> list[SourceFile]:
    """Give each file a source that no other path has, keeping the one it was ingested under.

    Two files of the same relative name are told apart by as many parent folders as it takes.
    """
    by_path = {d.path: d for d in known}
    taken = {d.source: d.path for d in known}
    named = []
    for file in files:
        path = str(file.path)
        before = by_path.get(path)
        source, folder = before.source if before else file.source, file.folder
        if before and before.folder and folder == file.path.parent:
            # Named by itself now, it stays a part of the folder it was ingested with.
            folder = Path(before.folder)
        parents = list(file.path.parents)
        depth = source.count("/") + 1
        while taken.get(source, path) != path and depth < len(parents):
            source = _readable(file.path.relative_to(parents[depth]).as_posix())
            depth += 1
        taken[source] = path
        named.append(SourceFile(file.path, source, folder))
    return named


def content_hash(path: Path, settings: Settings, wishes: object = None) -> str:
    """Hash a file's bytes with all else that decides what is stored of it."""
    said = f"{INGESTION_VERSION} {settings.chunk_tokens} {settings.chunk_overlap} {wishes or ''}"
    digest = hashlib.sha256(f"{said}\0".encode("utf-8", "replace"))
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def document_id(corpus: str, path: Path, content: str, run: str = "") -> str:
    """Return the id of one version of one document in one corpus, written by one run."""
    return hashlib.sha256(f"{corpus}\0{path}\0{content}\0{run}".encode("utf-8", "replace")).hexdigest()[:20]


def gone(paths: Sequence[Path], known: Sequence[DocumentRecord]) -> list[DocumentRecord]:
    """Return the ingested documents below the given folders whose files are no longer there."""
    roots = [p.expanduser().resolve() for p in paths]
    return [d for d in known if not Path(d.path).exists() and any(Path(d.path).is_relative_to(r) for r in roots)]


def matching(target: str, known: Sequence[DocumentRecord]) -> list[DocumentRecord]:
    """Return the documents that a user means by a source name, a path, or a folder of either."""
    path = Path(target).expanduser().resolve()
    folder = target.rstrip("/") + "/"
    return [d for d in known if d.source == target or d.source.startswith(folder) or Path(d.path).is_relative_to(path)]
