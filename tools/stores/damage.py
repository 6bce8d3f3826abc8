"""What to do about a folder of an index that cannot be used: it is full, locked, not writable, or damaged."""

import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tablerag.tools.errors import DiskFull, StoreDamaged, StoreUnavailable
from tablerag.tools.full_disk import FREE_SPACE, is_full

__all__ = ["REBUILD", "Damage", "discard_content", "folder_trouble", "panics_as"]

REFUSED = ("permission denied", "readonly", "read-only", "not permitted", "unable to open database file")
BUSY = ("lockbusy", "database is locked", "failed to acquire lockfile")
REBUILD = "run `tablerag doctor --fix`, which builds it again"
MOST_REASON = 160


class Damage(ValueError):
    """Damage that a check of this package has found; its text may be shown, unlike that of a library."""


def folder_trouble(store: str, path: Path, doing: str, error: BaseException) -> StoreUnavailable:
    """Return the error for an index whose library failed, with the remedy."""
    said, reason = str(error).lower(), _reason(error)
    failed = f"cannot be {doing}{f' ({reason})' if reason else ''}"
    if is_full(error, path):
        return DiskFull(f"{store} in {path} {failed}: {FREE_SPACE}")
    if any(part in said for part in REFUSED):
        return StoreUnavailable(f"{store} in {path} {failed}: check that the folder can be written")
    if any(part in said for part in BUSY):
        return StoreUnavailable(f"{store} in {path} {failed}: another process holds it, try again")
    return StoreDamaged(f"{store} in {path} is damaged and {failed}: {REBUILD}")


def _reason(error: BaseException) -> str:
    """Return why an index failed, "" if only its library says: in types and source files of Rust, for developers."""
    if isinstance(error, OSError):
        words = error.strerror or ""
    else:
        words = str(error) if isinstance(error, (Damage, sqlite3.Error)) else ""
    return words.partition("\n")[0][:MOST_REASON]


def discard_content(path: Path, keep: Sequence[str] = ()) -> None:
    """Delete all that is in a folder, except files of these names; raise StoreUnavailable if that fails.

    Of a link only the link is deleted: whoever made the home may have it point to anything.
    """
    try:
        if path.is_file() or path.is_symlink():
            path.unlink()
        for entry in path.iterdir() if path.is_dir() else ():
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
            elif entry.name not in keep:
                entry.unlink()
    except OSError as error:
        raise StoreUnavailable(f"cannot delete {path} ({error.strerror}): check that it can be written") from error


@contextmanager
def panics_as(error: type[Exception]) -> Iterator[None]:
    """Turn a panic of a library in Rust, which is not an Exception, into one."""
    try:
        yield
    except BaseException as panic:
        if type(panic).__name__ != "PanicException":
            raise
        raise error(str(panic)) from panic
