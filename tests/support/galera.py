"""A private MariaDB Galera cluster of three nodes on loopback, in a temporary folder, for tests."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from mysql.connector import errors

from tests.support.mysql_server import START_S, connect, create_data, give_to_server, program, stop

__all__ = ["Cluster", "Node", "galera", "running_cluster"]

PROVIDERS = ("/usr/lib/galera/libgalera_smm.so", "/usr/lib64/galera-4/libgalera_smm.so")
NAMES = ("n1", "n2", "n3")
WAIT_S = 0.05
PROVIDER_OPTIONS = {
    "gcache.size": "32M",
    "gcache.page_size": "32M",
    # A node that was killed is left out after three seconds.
    "evs.keepalive_period": "PT0.5S",
    "evs.inactive_check_period": "PT0.5S",
    "evs.suspect_timeout": "PT3S",
    "evs.inactive_timeout": "PT6S",
    "pc.recovery": "false",
    # Writers do not wait for a node that a test makes slow.
    "gcs.fc_limit": "10000",
}


@dataclass
class Node:
    """One server of a cluster; its user root has no password and may do everything."""

    name: str
    folder: Path
    port: int
    group_port: int
    ist_port: int
    sst_port: int
    account: list[str] = field(default_factory=list)
    """The option that names the account it runs as."""
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def is_running(self) -> bool:
        """Whether its process has not ended."""
        return self.process is not None and self.process.poll() is None

    def make_folders(self) -> None:
        """Make the server's folders."""
        self.account = give_to_server(self.folder)
        data = self.folder / "data"
        data.mkdir()
        owner = self.folder.stat()
        os.chown(data, owner.st_uid, owner.st_gid)

    def kill(self) -> None:
        """End it with SIGKILL, in the middle of what it does."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    @contextmanager
    def behind(self, seconds: float) -> Iterator[None]:
        """Let it apply nothing that the others commit, until so many seconds after the block."""
        with closing(connect(self.port)) as connection, closing(connection.cursor()) as cursor:
            cursor.execute("FLUSH TABLES WITH READ LOCK")
            later = threading.Timer(seconds, cursor.execute, ["UNLOCK TABLES"])
            yield
            later.start()
            later.join()

    def execute(self, *statements: str) -> None:
        """Run statements as root, each on its own."""
        with closing(connect(self.port)) as connection, closing(connection.cursor()) as cursor:
            for statement in statements:
                cursor.execute(statement)

    def value(self, sql: str) -> str:
        """Return the last value of the first row of a statement."""
        with closing(connect(self.port)) as connection, closing(connection.cursor()) as cursor:
            cursor.execute(sql)
            return str(cursor.fetchall()[0][-1])

    def is_ready(self, members: int = 0) -> bool:
        """Tell whether it takes statements and has all that the others have committed, in a cluster of so many."""
        with suppress(errors.Error, IndexError):
            size = int(self.value("SHOW STATUS LIKE 'wsrep_cluster_size'"))
            synced = self.value("SHOW STATUS LIKE 'wsrep_local_state_comment'") == "Synced"
            return synced and size == (members or size)
        return False

    def log_end(self) -> str:
        """Return the last lines of its log."""
        return (self.folder / "log").read_text(errors="replace").strip()[-1500:]


class Cluster:
    """Three nodes, of which any may be killed and started again."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self.nodes = tuple(nodes)
        self._numbers = iter(range(1, 1_000_000))

    def url(self, database: str, *nodes: Node, user: str = "root", password: str = "") -> str:
        """Return a database URL that names these nodes, or all in order."""
        hosts = ",".join(f"127.0.0.1:{n.port}" for n in nodes or self.nodes)
        login = f"{user}:{password}" if password else user
        return f"mysql+mysqlconnector://{login}@{hosts}/{database}"

    def new_database(self) -> str:
        """Create an empty database; return its name."""
        name = f"test_{next(self._numbers)}"
        self.ready()[0].execute(f"CREATE DATABASE `{name}` CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci")
        return name

    @contextmanager
    def fresh_database(self) -> Iterator[str]:
        """Give the name of an empty database, dropped afterwards."""
        name = self.new_database()
        try:
            yield name
        finally:
            self.ready()[0].execute(f"DROP DATABASE `{name}`")

    def ready(self) -> list[Node]:
        """Return the nodes that take statements."""
        return [n for n in self.nodes if n.is_running and n.is_ready()]

    def start(self, node: Node) -> None:
        """Start a node that was killed, and wait until it has caught up with the others."""
        others = [n for n in self.nodes if n is not node and n.is_running]
        # One that comes back before the others have agreed that it was gone may leave all without a majority.
        for other in others:
            _wait_until(other, lambda other=other: other.is_ready(members=len(others)))
        _start(node, others, position=_recovered(node))
        _wait_until_synced(node)

    def heal(self) -> None:
        """Start every node that does not run, and wait until each has caught up."""
        for node in self.nodes:
            if not node.is_running:
                self.start(node)
            _wait_until_synced(node)


@pytest.fixture(scope="module")
def galera() -> Iterator[Cluster]:
    """Return a private cluster of a test module; on Linux, which Galera is made for, it fails where it is missing."""
    if sys.platform != "linux":
        pytest.skip("Galera runs on Linux only")
    with running_cluster() as cluster:
        yield cluster


@contextmanager
def running_cluster() -> Iterator[Cluster]:
    """Start three nodes and stop them afterwards; raise RuntimeError when they do not come up."""
    if not (program("mariadbd") and _provider()):
        raise RuntimeError("mariadbd or its Galera library was not found: install mariadb-server and galera-4")
    folder = Path(tempfile.mkdtemp(prefix="tablerag-galera-"))
    folder.chmod(0o755)
    nodes: list[Node] = []
    try:
        for name, ports in zip(NAMES, _free_ports(len(NAMES)), strict=True):
            (folder / name).mkdir()
            nodes.append(Node(name, folder / name, *ports))
            nodes[-1].make_folders()
        # The others get a copy of the first one's data from the cluster.
        create_data(program("mariadbd") or "", nodes[0].folder, nodes[0].account)
        for number, node in enumerate(nodes):
            _start(node, nodes[:number])
            _wait_until_synced(node)
        yield Cluster(nodes)
    finally:
        _stop_all(nodes)
        shutil.rmtree(folder, ignore_errors=True)


def _stop_all(nodes: Sequence[Node]) -> None:
    running = [n.process for n in nodes if n.process is not None and n.is_running]
    stopping = [threading.Thread(target=stop, args=(process,)) for process in running]
    for thread in stopping:
        thread.start()
    for thread in stopping:
        thread.join()


def _provider() -> str:
    return next((p for p in PROVIDERS if Path(p).is_file()), "")


def _free_ports(nodes: int) -> list[list[int]]:
    """Return four ports for each node; all are held until the last is known, so that no two are the same."""
    with ExitStack() as held:
        probes = [[held.enter_context(socket.socket()) for _ in range(4)] for _ in range(nodes)]
        for probe in (p for of_node in probes for p in of_node):
            probe.bind(("127.0.0.1", 0))
        return [[int(probe.getsockname()[1]) for probe in of_node] for of_node in probes]


def _options(node: Node, others: Sequence[Node], position: str) -> list[str]:
    here = f"127.0.0.1:{node.group_port}"
    provider = PROVIDER_OPTIONS | {
        "base_host": "127.0.0.1",
        "base_port": str(node.group_port),
        "gmcast.listen_addr": f"tcp://{here}",
        "ist.recv_addr": f"127.0.0.1:{node.ist_port}",
    }
    members = ",".join(f"127.0.0.1:{n.group_port}" for n in others)
    return [
        *node.account,
        f"--datadir={node.folder / 'data'}",
        f"--tmpdir={node.folder / 'tmp'}",
        f"--socket={node.folder / 's'}",
        f"--pid-file={node.folder / 'pid'}",
        f"--port={node.port}",
        "--bind-address=127.0.0.1",
        "--character-set-server=utf8mb4",
        "--max-statement-time=120",
        "--binlog-format=ROW",
        "--innodb-autoinc-lock-mode=2",
        "--innodb-flush-log-at-trx-commit=0",
        "--innodb-buffer-pool-size=48M",
        "--innodb-log-file-size=32M",
        "--performance-schema=OFF",
        "--skip-log-bin",
        "--wsrep-on=ON",
        f"--wsrep-provider={_provider()}",
        f"--wsrep-provider-options={';'.join(f'{k}={v}' for k, v in provider.items())}",
        "--wsrep-cluster-name=tablerag-tests",
        f"--wsrep-cluster-address=gcomm://{members}",
        f"--wsrep-node-name={node.name}",
        f"--wsrep-node-address={here}",
        f"--wsrep-sst-receive-address=127.0.0.1:{node.sst_port}",
        "--wsrep-sst-method=rsync",
        *(["--wsrep-new-cluster"] if not others else []),
        *([f"--wsrep-start-position={position}"] if position else []),
    ]


def _start(node: Node, others: Sequence[Node], position: str = "") -> None:
    server = program("mariadbd")
    assert server is not None
    with (node.folder / "log").open("ab") as log:
        node.process = subprocess.Popen(
            [server, "--no-defaults", *_options(node, others, position)], stdout=log, stderr=log
        )


def _recovered(node: Node) -> str:
    """Return the position in the cluster's history up to which a killed node's data goes."""
    server = program("mariadbd")
    assert server is not None
    log = node.folder / "recovery.log"
    options = [*_options(node, (), ""), "--wsrep-recover", f"--log-error={log}"]
    with suppress(OSError):
        log.unlink()
    subprocess.run([server, "--no-defaults", *options], capture_output=True, timeout=START_S, check=False)
    found = [line.rpartition("Recovered position:")[2].strip() for line in log.read_text().splitlines()]
    return next((p for p in reversed(found) if not p.endswith(":-1")), "")


def _wait_until_synced(node: Node) -> None:
    _wait_until(node, node.is_ready)


def _wait_until(node: Node, is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline and node.is_running:
        if is_so():
            return
        time.sleep(WAIT_S)
    raise RuntimeError(f"the node {node.name} of the cluster for tests did not come up: {node.log_end()}")
