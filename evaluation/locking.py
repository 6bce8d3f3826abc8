"""Locks between processes: a process holds a file while it works in a folder, and frees it when it ends."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from tablerag.tools.errors import ConfigError

__all__ = ["held"]


@contextmanager
def held(path: Path, doing: str) -> Iterator[None]:
    """Hold a lock file, created with its folder if missing; raise ConfigError while another process holds it.

    ``doing`` describes the other process: "another process is judging in this folder".
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(path, timeout=0)
    try:
        lock.acquire()
    except Timeout as error:
        raise ConfigError(f"{path.parent}: {doing}: wait for it to finish, or stop it") from error
    try:
        yield
    finally:
        lock.release()
