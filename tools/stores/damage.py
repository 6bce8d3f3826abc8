"""What to do about a folder of an index that cannot be used: it is full, locked, not writable, or damaged."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tablerag.tools.errors import DiskFull, StoreDamaged, StoreUnavailable
from tablerag.tools.full_disk import FREE_SPACE, is_full

__all__ = ["REBUILD", "discard_content", "folder_trouble", "panics_as"]

REFUSED = ("permission denied", "readonly", "read-only", "not permitted", "unable to open database file")
BUSY = ("lockbusy", "database is locked", "failed to acquire lockfile")
REBUILD = "run `tablerag doctor --fix`, which builds it again"
MOST_REASON = 160


def folder_trouble(store: str, path: Path, doing: str, error: BaseException) -> StoreUnavailable:
    """Return the error for an index whose library failed, with the remedy."""
    words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    reason = (words.splitlines() or [""])[0][:MOST_REASON] or "no reason given"
    said = str(error).lower()
    if is_full(error, path):
        return DiskFull(f"{store} in {path} cannot be {doing} ({reason}): {FREE_SPACE}")
    if any(part in said for part in REFUSED):
        return StoreUnavailable(f"{store} in {path} cannot be {doing} ({reason}): check that the folder can be written")
    if any(part in said for part in BUSY):
        return StoreUnavailable(f"{store} in {path} cannot be {doing} ({reason}): another process holds it, try again")
    return StoreDamaged(f"{store} in {path} is damaged and cannot be {doing} ({reason}): {REBUILD}")


def discard_content(path: Path, keep: Sequence[str] = ()) -> None:
    """Delete all that is in a folder, except files of these names; raise StoreUnavailable if that fails."""
    try:
        if path.is_file():
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
