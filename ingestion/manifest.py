"""Which files have been ingested: finds what is new, changed, unchanged or gone, by content hash."""

import hashlib
import os
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tablerag.tools.catalog import DocumentRecord
from tablerag.tools.errors import ConfigError
from tablerag.tools.settings import Settings

__all__ = ["LeftOut", "SourceFile", "content_hash", "document_id", "find_files", "gone", "matching", "unique_sources"]

INGESTION_VERSION = "4"
"""Raised when reading, typing or chunking changes what is stored, so that a re-ingest renews all."""
JOINERS = "\u200c\u200d"
"""Not printable by themselves, but part of how Persian, Indic scripts and emoji are written."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to ingest: its absolute path, and the name under which answers cite it."""

    path: Path
    source: str
    folder: Path = Path()
    """The folder that was ingested, where the overrides stand."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something that stands among the files and is not read, and why."""

    path: Path
    source: str
    reason: str


def find_files(paths: Sequence[Path], suffixes: Iterable[str]) -> tuple[list[SourceFile], list[LeftOut]]:
    """Return the files to read, and what is left out, below the given paths.

    Folders are searched whole, hidden files and office lock files (``~$``) left out; a file that is
    named itself is always read. A link in a folder is read only if it leads to a file below one of the
    given paths that is not read under its own name: a folder that somebody else packed must not bring in
    files of this machine, and no table may count twice. Links to folders are not followed.
    Raises ConfigError for a path that does not exist.
    """
    known = set(suffixes)
    wanted: dict[Path, SourceFile] = {}
    others: dict[Path, SourceFile] = {}
    roots = [p.expanduser().resolve() for p in paths]
    for given, root in zip(paths, roots, strict=True):
        if root.is_file():
            found = SourceFile(root, _readable(root.name), root.parent)
            (wanted if _is_text(root) else others).setdefault(root, found)
        elif root.is_dir():
            for path in _files_below(root):
                found = SourceFile(path, _readable(path.relative_to(root).as_posix()), root)
                plain = path.suffix.lower() in known and path.is_file() and not path.is_symlink() and _is_text(path)
                (wanted if plain else others).setdefault(path, found)
        else:
            raise ConfigError(
                f"{given}: {'neither a file nor a folder' if root.exists() else 'no such file or folder'}"
            )
    left_out = []
    for path, file in others.items():
        if reason := _reason(path, known, roots, wanted):
            left_out.append(LeftOut(path, file.source, reason))
        else:
            wanted.setdefault(path, file)
    return list(wanted.values()), [f for f in left_out if f.path not in wanted]


def _reason(path: Path, known: set[str], roots: Sequence[Path], wanted: Collection[Path]) -> str:
    """Return why something is not read, "" if it is."""
    if not _is_text(path):
        return "has a path that is not UTF-8, which no store could name: rename it"
    try:
        target = path.resolve()
    except (OSError, RuntimeError):
        return "is a link that leads back to itself: remove it"
    if path.is_symlink() and target.is_dir():
        return "is a link to a folder, which is not followed: ingest that folder itself"
    if path.is_symlink() and not target.exists():
        return "is a link to nothing: mend or remove it"
    if not target.is_file():
        return "is no file that can be read (a pipe, socket or device): remove it"
    if path.suffix.lower() not in known:
        return f"no reader for {path.suffix or 'this name'}"
    if not any(target.is_relative_to(r) for r in roots):
        return "is a link out of the folder: copy the file here, or ingest the file itself"
    return "is a link to a file that is read itself" if target in wanted else ""


def _is_text(path: Path) -> bool:
    """Tell whether a path's bytes are text."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True


def _files_below(root: Path) -> list[Path]:
    """Return all that stands below a folder but folders; links to folders are among it."""
    found = []
    for folder, folders, names in os.walk(root):  # does not follow links, so a loop cannot trap it
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        links = [f for f in folders if Path(folder, f).is_symlink()]
        found += [Path(folder, n) for n in sorted([*names, *links]) if not n.startswith((".", "~$"))]
    return found


def _readable(name: str) -> str:
    """Return a file name without what cannot be stored or shown: surrogates and control characters."""
    text = name.encode("utf-8", "replace").decode("utf-8")
    return "".join(c if c.isprintable() or c in JOINERS else "?" for c in text)


def unique_sources(files: Sequence[SourceFile], known: Sequence[DocumentRecord]) -> list[SourceFile]:
    """Give each file a source that no other path has, keeping the one it was ingested under.

    Two files of the same relative name are told apart by as many parent folders as it takes, and those that
    only characters tell apart which cannot be shown, by a number.
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
        # Folders tell no two files of one folder apart.
        while taken.get(source, path) != path and depth < len(parents) and Path(taken[source]).parent != parents[0]:
            source = _readable(file.path.relative_to(parents[depth]).as_posix())
            depth += 1
        shown, number = source, 1
        while taken.get(source, path) != path:
            number += 1
            source = f"{shown} ({number})"
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
