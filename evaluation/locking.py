"""Locks between processes: a file that a process holds while it works in a folder, freed when the process dies."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tablerag.tools.errors import ConfigError

try:
    import fcntl
except ImportError:  # not a POSIX system: nothing is locked there
    fcntl = None

__all__ = ["held", "waited_for"]


@contextmanager
def held(path: Path, doing: str) -> Iterator[None]:
    """Hold a lock's file, made with its folder where it is not there; raise ConfigError while another holds it.

    ``doing`` says who holds it: "another process judges in this folder".
    """
    with _opened(path) as file:
        try:
            _lock(file, wait=False)
        except BlockingIOError as error:
            raise ConfigError(f"{path.parent}: {doing}: wait for it, or end it") from error
        yield


@contextmanager
def waited_for(path: Path) -> Iterator[None]:
    """Hold a lock's file, made with its folder where it is not there, as soon as no other holds it."""
    with _opened(path) as file:
        _lock(file, wait=True)
        yield


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    """Open a file that stays where it is: one that was removed could be held twice."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        yield file.fileno()


def _lock(file: int, *, wait: bool) -> None:
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
