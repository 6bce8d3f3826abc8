"""A private MySQL-compatible server on loopback, in a temporary folder, for tests."""

import itertools
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mysql.connector
from mysql.connector import errors

__all__ = [
    "START_S",
    "MysqlServer",
    "connect",
    "create_data",
    "give_to_server",
    "killed",
    "program",
    "running_server",
    "started_again",
    "stop",
]

FOLDERS = ("/usr/sbin", "/usr/libexec", "/usr/local/sbin", "/opt/homebrew/bin")
START_S = 60.0
STOP_S = 20.0


@dataclass(frozen=True)
class MysqlServer:
    """A running server; its user root has no password and may do everything."""

    port: int
    folder: Path
    """Holds its data (``data``) and its temporary files (``tmp``)."""
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1), repr=False)

    def url(self, database: str = "", user: str = "root", password: str = "") -> str:
        """Return a SQLAlchemy URL of one of its databases."""
        login = f"{user}:{password}" if password else user
        return f"mysql+mysqlconnector://{login}@127.0.0.1:{self.port}/{database}"

    def execute(self, *statements: str) -> None:
        """Run statements as root, each on its own."""
        with closing(connect(self.port)) as connection, closing(connection.cursor()) as cursor:
            for statement in statements:
                cursor.execute(statement)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Return the rows of a SELECT of root."""
        with closing(connect(self.port)) as connection, closing(connection.cursor()) as cursor:
            cursor.execute(sql)
            return cursor.fetchall()

    @contextmanager
    def fresh_database(self, collation: str = "COLLATE utf8mb4_unicode_ci") -> Iterator[str]:
        """Give the URL of an empty database, dropped afterwards."""
        name = f"test_{next(self._numbers)}"
        self.execute(f"CREATE DATABASE `{name}` CHARACTER SET utf8mb4 {collation}")
        try:
            yield self.url(name)
        finally:
            self.execute(f"DROP DATABASE `{name}`")

    def select_only_url(self, url: str) -> str:
        """Create a user that may only SELECT in the database of a URL; return that user's URL."""
        database = url.rpartition("/")[2]
        user = f"reader_{database}"
        self.execute(
            f"CREATE USER IF NOT EXISTS `{user}`@`%` IDENTIFIED BY 'only-reads'",
            f"GRANT SELECT ON `{database}`.* TO `{user}`@`%`",
        )
        return self.url(database, user, "only-reads")


def connect(port: int) -> Any:
    """Connect as root."""
    return mysql.connector.connect(
        host="127.0.0.1",
        port=port,
        user="root",
        use_pure=True,
        autocommit=True,
        connection_timeout=5,
        collation="utf8mb4_unicode_ci",
    )


@contextmanager
def running_server() -> Iterator[MysqlServer]:
    """Start a server of its own and stop it afterwards.

    Raises RuntimeError when no server is installed or it does not come up.
    """
    server = program("mariadbd") or program("mysqld")
    if server is None:
        raise RuntimeError("neither mariadbd nor mysqld was found: install mariadb-server (or mysql-server)")
    # Not pytest's own temporary folder: as root the server runs as another user, who cannot enter that.
    folder = Path(tempfile.mkdtemp(prefix="tablerag-mysql-"))
    try:
        account = give_to_server(folder)
        create_data(server, folder, account)
        port = _free_port()
        process = _start(server, folder, account, port)
        try:
            _wait_until_ready(process, folder, port)
            yield MysqlServer(port, folder)
        finally:
            stop(process)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def killed(server: MysqlServer) -> None:
    """Kill a server in the middle of what it does."""
    os.kill(int((server.folder / "pid").read_text()), signal.SIGKILL)


@contextmanager
def started_again(server: MysqlServer) -> Iterator[None]:
    """Start a server that was killed, and stop it afterwards."""
    found = program("mariadbd") or program("mysqld")
    assert found is not None
    account = [] if os.geteuid() != 0 else ["--user=mysql"]
    process = _start(found, server.folder, account, server.port)
    try:
        _wait_until_ready(process, server.folder, server.port)
        yield
    finally:
        stop(process)


def program(name: str) -> str | None:
    """Return the path of a server's program; None if it is not installed."""
    return shutil.which(name) or shutil.which(name, path=os.pathsep.join(FOLDERS))


def give_to_server(folder: Path) -> list[str]:
    """Make the folder the server's, and return the option that names the account it runs as."""
    # In the common one, servers that start together take each other's temporary tables away.
    (folder / "tmp").mkdir()
    if os.geteuid() != 0:
        return []
    try:
        account = pwd.getpwnam("mysql")
    except KeyError:
        return ["--user=root"]
    for path in (folder, folder / "tmp"):
        os.chown(path, account.pw_uid, account.pw_gid)
    return ["--user=mysql"]


def create_data(server: str, folder: Path, account: list[str]) -> None:
    """Create an empty data folder (``data``)."""
    data = f"--datadir={folder / 'data'}"
    install = program("mariadb-install-db")
    if install:
        options = [
            data,
            f"--tmpdir={folder / 'tmp'}",
            *account,
            "--auth-root-authentication-method=normal",
            "--skip-test-db",
        ]
        command = [install, "--no-defaults", *options]
    else:
        command = [server, "--no-defaults", "--initialize-insecure", data, *account]
    made = subprocess.run(command, capture_output=True, text=True, timeout=START_S, check=False)
    if made.returncode:
        raise RuntimeError(f"{Path(command[0]).name} failed: {(made.stderr or made.stdout).strip()[-500:]}")


def _start(server: str, folder: Path, account: list[str], port: int) -> subprocess.Popen[bytes]:
    options = [
        *account,
        f"--datadir={folder / 'data'}",
        f"--tmpdir={folder / 'tmp'}",
        f"--socket={folder / 's'}",
        f"--pid-file={folder / 'pid'}",
        f"--port={port}",
        "--bind-address=127.0.0.1",
        "--character-set-server=utf8mb4",
        "--skip-log-bin",
        "--max-statement-time=120" if "mariadbd" in server else "--max-execution-time=120000",
        "--innodb-flush-log-at-trx-commit=0",
        "--innodb-buffer-pool-size=64M",
        "--performance-schema=OFF",
    ]
    with (folder / "log").open("wb") as log:
        return subprocess.Popen([server, "--no-defaults", *options], stdout=log, stderr=log)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_ready(process: subprocess.Popen[bytes], folder: Path, port: int) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline and process.poll() is None:
        try:
            connect(port).close()
        except errors.Error:
            time.sleep(0.05)
        else:
            return
    log = (folder / "log").read_text(errors="replace").strip()[-500:]
    raise RuntimeError(f"the SQL server for tests did not come up on port {port}: {log}")


def stop(process: subprocess.Popen[bytes]) -> None:
    """Ask a server to end, and kill it if it does not."""
    process.terminate()
    try:
        process.wait(STOP_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
