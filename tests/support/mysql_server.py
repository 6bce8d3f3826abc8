"""A private MySQL-compatible server on a free loopback port, in a folder of its own."""

import getpass
import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

__all__ = ["MysqlServer"]

PLACES = os.pathsep.join(
    [os.environ.get("PATH", ""), "/usr/sbin", "/usr/libexec", "/usr/local/sbin", "/usr/local/mysql/bin"]
)
START_S = 60


def _program(*names: str) -> str | None:
    return next((found for n in names if (found := shutil.which(n, path=PLACES))), None)


class MysqlServer:
    """Starts mariadbd or mysqld; ``url(name)`` gives the URL of a fresh database."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="tablerag-mysql-"))
        self._folder.chmod(0o755)  # the server's own user must reach it
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> "MysqlServer":
        """Create the data folder, start the server, and wait until it answers."""
        mariadb, mysql = _program("mariadbd"), _program("mysqld")
        if not mariadb and not mysql:
            raise RuntimeError("neither mariadbd nor mysqld is installed: install mariadb-server (or MySQL 8)")
        self._create(mariadb is not None, mysql)
        as_root = ["--user=mysql"] if getpass.getuser() == "root" else []
        command = [
            mariadb or mysql,
            "--no-defaults",
            *as_root,
            f"--datadir={self._folder / 'data'}",
            f"--socket={self._folder / 's'}",
            f"--pid-file={self._folder / 'pid'}",
            f"--port={self.port}",
            "--bind-address=127.0.0.1",
            "--character-set-server=utf8mb4",
            "--skip-log-bin",
            "--innodb-flush-log-at-trx-commit=0",
        ]
        if not mariadb:
            command.append("--mysqlx=OFF")
        log = (self._folder / "log").open("wb")
        self._process = subprocess.Popen(command, stdout=log, stderr=log)
        log.close()
        self._wait()
        return self

    def _create(self, mariadb: bool, mysqld: str | None) -> None:
        data = self._folder / "data"
        as_root = ["--user=mysql"] if getpass.getuser() == "root" else []
        if mariadb:
            install = _program("mariadb-install-db", "mysql_install_db")
            if not install:
                raise RuntimeError("mariadb-install-db is missing: install mariadb-server")
            command = [install, "--no-defaults", f"--datadir={data}", *as_root]
            command += ["--auth-root-authentication-method=normal", "--skip-test-db"]
        else:
            command = [mysqld, "--no-defaults", "--initialize-insecure", f"--datadir={data}", *as_root]
        if as_root:
            shutil.chown(self._folder, "mysql")
        made = subprocess.run(command, capture_output=True, text=True)
        if made.returncode:
            raise RuntimeError(f"the private SQL server could not be created: {made.stderr or made.stdout}")

    def _wait(self) -> None:
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                break
            try:
                self.connect().close()
                return
            except Exception:  # noqa: BLE001 - whatever the driver says while the server comes up
                time.sleep(0.1)
        raise RuntimeError(f"the private SQL server did not start: {(self._folder / 'log').read_text()[-2000:]}")

    def connect(self, **options: object):
        """Open a plain driver connection as root."""
        import mysql.connector

        settings = {"host": "127.0.0.1", "port": self.port, "user": "root", "use_pure": True} | options
        return mysql.connector.connect(collation="utf8mb4_unicode_ci", charset="utf8mb4", **settings)

    def execute(self, *statements: str) -> None:
        """Run statements as root."""
        connection = self.connect(autocommit=True)
        cursor = connection.cursor()
        for statement in statements:
            cursor.execute(statement)
        connection.close()

    def url(self, database: str, user: str = "root") -> str:
        """Return the URL of a database on this server."""
        return f"mysql+mysqlconnector://{user}@127.0.0.1:{self.port}/{database}"

    def stop(self) -> None:
        """End the server by its own process and remove its folder."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(timeout=30)
        shutil.rmtree(self._folder, ignore_errors=True)
