"""Which files of an ingest failed, as they are listed to be read again alone."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from tablerag.ingestion.source_files import LeftOut, SourceFile
from tablerag.tools.failed_files import FailedFile
from tablerag.tools.places import UrlPath, place, still_there
from tablerag.tools.services import Services

__all__ = ["note_failures", "waiting_again"]


def note_failures(
    services: Services,
    corpus: str,
    found: Sequence[SourceFile],
    failed: Iterable[tuple[SourceFile | LeftOut, str]],
    roots: Collection[Path],
) -> None:
    """Bring the list of a corpus up to date with what was found below paths, and what of it failed for which reason.

    A document in an archive or mail is listed as the file that it is in.
    """
    tops = {f.path: f for f in found}
    listed: dict[Path, FailedFile] = {}
    for file, reason in failed:
        top = next((tops[p] for p in (file.path, *file.path.parents) if p in tops), None)
        if top is not None:
            listed[top.path] = _listed(top, reason)
    paths = {str(p) for p in tops}
    folders = [r for r in roots if r not in tops]

    def is_settled(path: str) -> bool:
        below = any(place(path).is_relative_to(folder) for folder in folders)
        return path in paths or below or not still_there(path)

    services.failed_files.note(corpus, list(listed.values()), is_settled)


def _listed(file: SourceFile, reason: str) -> FailedFile:
    return FailedFile(path=str(file.path), source=file.source, folder=str(file.folder), reason=reason)


def waiting_again(services: Services, corpus: str) -> list[SourceFile]:
    """Return the failed files of a corpus that are still there; raise ConfigError if a store cannot be reached."""
    found = []
    for listed in services.failed_files.of(corpus):
        path, folder = place(listed.path), place(listed.folder)
        if isinstance(path, UrlPath):
            from tablerag.ingestion.remote import find_one

            remote = find_one(path)
            found += [replace(remote, folder=folder)] if remote else []
        elif path.is_file():
            found.append(SourceFile(path, listed.source, folder))
    return found
