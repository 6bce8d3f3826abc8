"""A private Chroma server on loopback, for tests."""

import gc
import socket
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import chromadb
import pytest
from chromadb.api import ServerAPI
from chromadb.api.shared_system_client import SharedSystemClient

__all__ = ["chroma_server", "chroma_url", "running_chroma"]

SERVE = "import sys; from chromadb.cli.cli import app; sys.argv[0] = 'chroma'; app()"
READY_S = 30


@pytest.fixture(scope="session")
def chroma_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Return the port of a private server, shared by the whole run."""
    with running_chroma(tmp_path_factory.mktemp("chroma-server")) as (port, _):
        yield port


@contextmanager
def running_chroma(folder: Path) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """Run a server that keeps its files in a folder; yield its port and its process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    where = ("--path", str(folder), "--host", "127.0.0.1", "--port", str(port))
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen([sys.executable, "-c", SERVE, "run", *where], stdout=log, stderr=log)
    until = time.monotonic() + READY_S
    while not _listens(port):
        assert server.poll() is None and time.monotonic() < until, (folder / "log").read_text()
        time.sleep(0.1)
    yield port, server
    server.terminate()
    server.wait(READY_S)


@pytest.fixture
def chroma_url(chroma_server: int) -> Iterator[str]:
    """Return the URL of a private server without collections."""
    yield f"http://127.0.0.1:{chroma_server}"
    client = chromadb.HttpClient("127.0.0.1", chroma_server)
    for collection in client.list_collections():
        client.delete_collection(collection.name)
    del client
    _close_clients()


def _close_clients() -> None:
    """Collect Chroma's clients: they leave connections open to the collector, which would warn in a later test."""
    for system in list(SharedSystemClient._identifier_to_system.values()):
        if session := getattr(system.instance(ServerAPI), "_session", None):
            session.close()
        system.stop()
    SharedSystemClient.clear_system_cache()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


def _listens(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0
