"""Aegra processes on loopback over one private PostgreSQL database, and a proxy that takes turns between them."""

import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

import httpx
import psycopg
import pytest

__all__ = ["AegraProcess", "aegra_database", "empty_database", "running_aegra", "running_proxy"]

ROOT = Path(__file__).resolve().parents[2]
READY_S = 60.0
UUID_CONTROL = "comment = 'a stand-in for the function that Aegra uses'\ndefault_version = '1.1'\ntrusted = true\n"
UUID_SQL = "CREATE FUNCTION uuid_generate_v4() RETURNS uuid LANGUAGE SQL AS 'SELECT gen_random_uuid()';\n"


@pytest.fixture
def aegra_database(postgres_url: str) -> Iterator[str]:
    """Return the URL of an empty database for Aegra, dropped after the test."""
    with empty_database(postgres_url) as url:
        yield url


@contextmanager
def empty_database(postgres_url: str) -> Iterator[str]:
    """Yield the URL of a database in which uuid-ossp can be created, which the tests' server comes without."""
    name = f"aegra_{uuid.uuid4().hex[:12]}"
    with tempfile.TemporaryDirectory(prefix="tablerag-extension-") as folder:
        extension = Path(folder) / "extension"
        extension.mkdir()
        (extension / "uuid-ossp.control").write_text(UUID_CONTROL)
        (extension / "uuid-ossp--1.1.sql").write_text(UUID_SQL)
        Path(folder).chmod(0o755)  # the server runs as another user
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            connection.execute(f"ALTER SYSTEM SET extension_control_path = '{folder}:$system'")
            connection.execute("SELECT pg_reload_conf()")
            connection.execute(f"CREATE DATABASE {name}")
            yield postgres_url.replace("/postgres?", f"/{name}?")
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
            connection.execute("ALTER SYSTEM RESET extension_control_path")


@dataclass(frozen=True)
class AegraProcess:
    """A running process."""

    url: str
    folder: Path
    process: subprocess.Popen[bytes]

    def kill(self) -> None:
        """End it as a crash does."""
        self.process.kill()
        self.process.wait()


@contextmanager
def running_aegra(folder: Path, database_url: str, **settings: str) -> Iterator[AegraProcess]:
    """Start a process with its home in the folder, and stop it afterwards; ``settings`` go to its environment."""
    port = _free_port()
    own = {"DATABASE_URL": database_url, "TABLERAG_HOME": str(folder / "home"), "TABLERAG_MODEL": "offline"}
    quiet = {"LANGSMITH_TRACING": "false", "LOG_LEVEL": "WARNING", "PYTHONPATH": str(ROOT)}
    folder.mkdir(exist_ok=True)
    with (folder / "log").open("wb") as log:
        command = [sys.executable, "-m", "tablerag.serving.aegra", "--port", str(port)]
        process = subprocess.Popen(command, cwd=folder, env=os.environ | own | quiet | settings, stdout=log, stderr=log)
    server = AegraProcess(f"http://127.0.0.1:{port}", folder, process)
    try:
        _wait_until_ready(server)
        yield server
    finally:
        process.terminate()
        process.wait()


def _wait_until_ready(server: AegraProcess) -> None:
    until = time.monotonic() + READY_S
    with httpx.Client(timeout=2) as probe:
        while time.monotonic() < until and server.process.poll() is None:
            with suppress(httpx.HTTPError):
                if probe.get(f"{server.url}/live").status_code == 200:
                    return
            time.sleep(0.1)
    raise AssertionError((server.folder / "log").read_text(errors="replace")[-3000:])


@contextmanager
def running_proxy(*urls: str) -> Iterator[str]:
    """Forward each connection to the next of the servers that takes it; yield the proxy's URL."""
    turns = cycle([int(url.rpartition(":")[2]) for url in urls])
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                client, _ = listening.accept()
            except OSError:
                return
            for _ in urls:
                with suppress(ConnectionRefusedError):
                    server = socket.create_connection(("127.0.0.1", next(turns)))
                    threading.Thread(target=_joined, args=(client, server), daemon=True).start()
                    break
            else:
                client.close()

    threading.Thread(target=serve, daemon=True).start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    listening.shutdown(socket.SHUT_RDWR)
    listening.close()


def _joined(client: socket.socket, server: socket.socket) -> None:
    """Forward in both directions until both have ended."""
    with client, server:
        back = threading.Thread(target=_pump, args=(server, client), daemon=True)
        back.start()
        _pump(client, server)
        back.join()


def _pump(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while part := source.recv(65536):
            target.sendall(part)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]
