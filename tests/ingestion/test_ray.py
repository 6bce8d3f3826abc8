"""Ingestion on a Ray cluster of three nodes, all on loopback."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tablerag.ingestion import ray_reading
from tablerag.ingestion.pipeline import Entry, IngestReport, Progress, ingest, retry_failed
from tablerag.ingestion.ray_reading import RayReaders
from tablerag.ingestion.ray_task import Installation, Sent, Task, read_sent
from tablerag.ingestion.reader_worker import Outcome
from tablerag.tools.errors import ConfigError
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tests.support import bad_files as bad
from tests.support.command_line import CommandLine
from tests.tools.stored import stored_rows

CSV = "Region,Amount\nNorth,{0}\nSouth,800\nEast,1000\n"
NODES = 3


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """Return the address of a cluster of three nodes; it fails, never skips, where Ray is not installed."""
    import ray
    from ray.cluster_utils import Cluster

    node: dict[str, Any] = {"num_cpus": 1, "node_ip_address": "127.0.0.1", "object_store_memory": 100_000_000}
    with ray_reading._loopback():
        started = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
        for _ in range(NODES - 1):
            started.add_node(wait=False, **node)
        started.wait_for_nodes(timeout=100)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ray_reading, "CONNECT_S", 60.0)  # the machine may be busy
        ray_reading._connected(started.address, Settings(_env_file=None))
    yield str(started.address)
    ray.shutdown()
    started.shutdown()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    (docs / "old").mkdir(parents=True)
    for i in range(12):
        (docs / f"sales{i}.csv").write_text(CSV.format(i), encoding="utf-8")
    (docs / "notes.md").write_text("# Notes\n\nThe northern region is led by Ada Birch.\n", encoding="utf-8")
    (docs / "old" / "page.html").write_text("<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>")
    (docs / "broken.xlsx").write_bytes(b"PK\3\4 no workbook")
    return docs


def opened(home: Path, **given: Any) -> Services:
    return Services(Settings(home=home, model="offline", _env_file=None, **given))


def stored(services: Services, report: IngestReport) -> dict[str, Any]:
    """Return all that an ingest wrote, without the ids, which have the run in them."""
    documents = {d.document_id: d.source for d in services.catalog.documents("default")}
    dense, lexical = services.vector_store("default"), services.lexical_index("default")

    def of_source(chunk_id: str) -> str:
        document, _, rest = chunk_id.partition(":")
        return f"{documents[document]}:{rest}"

    ids = sorted(dense.chunk_ids())
    assert sorted(lexical.chunk_ids()) == ids
    assert dense.misplaced(lexical.get(ids)) == [], "the vectors are those that the store would have made"
    schemas = services.catalog.schemas("default")
    return {
        "report": [replace(e, schemas=[s.name for s in e.schemas]) for e in report.entries],
        "chunks": sorted((of_source(c.id), c.text, c.kind, c.title, c.locator) for c in lexical.get(ids)),
        "windows": {of_source(i): n for i, n in dense.window_counts().items()},
        "columns": {s.name: s.columns for s in schemas},
        "rows": {s.name: stored_rows(services.database, s.stored_as, *s.stored_columns()) for s in schemas},
    }


def noting(notes: Path, kills: str = "", times: int = 0) -> Task:
    """Return the task of a node that notes what it reads where, and is killed for one file so many times."""

    def noted(sent: Sent, data: np.ndarray) -> tuple[Outcome | bytes, bool]:
        import ray

        source, node = sent.job.file.source, ray.get_runtime_context().get_node_id()
        tried = len([*notes.glob(f"{source.replace('/', '-')}~*")])
        (notes / f"{source.replace('/', '-')}~{node}~{time.time_ns()}").touch()
        if source == kills and tried < times:
            os.kill(os.getpid(), signal.SIGKILL)
        return read_sent(sent, data)

    return noted


def read_by(notes: Path) -> list[tuple[str, str]]:
    """Return which source was read by which node, in the order of their names."""
    return sorted((n.name.split("~")[0], n.name.split("~")[1]) for n in notes.iterdir())


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    (tmp_path / "notes").mkdir()
    return tmp_path / "notes"


def test_three_nodes_write_what_local_processes_write(folder: Path, tmp_path: Path, notes: Path, cluster: str) -> None:
    (folder / "all.zip").write_bytes(bad.archive({"inner.csv": CSV.format(99).encode()}))
    here, there = opened(tmp_path / "here"), opened(tmp_path / "there")
    try:
        local = stored(here, ingest([folder], here, "default"))
        told: list[Progress] = []
        with RayReaders(cluster, noting(notes, "sales5.csv", 1)) as read:
            report = ingest([folder], there, "default", on_progress=told.append, read=read)
        assert stored(there, report) == local
        assert report.counts == {"failed": 1, "added": 15}
        nodes = read_by(notes)
        assert [source for source, _ in nodes].count("sales5.csv") == 2, "its worker was killed the first time"
        assert len({node for _, node in nodes}) == NODES
        assert (told[-1].done, told[-1].total, told[-1].stage) == (16, 16, "done")
    finally:
        here.close()
        there.close()


def test_a_file_whose_task_keeps_failing_fails_alone_and_is_retried_alone(
    folder: Path,
    services: Services,
    notes: Path,
    cluster: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(ray_reading, "RETRIES", 1)
    (folder / "broken.xlsx").unlink()
    with RayReaders(cluster, noting(notes, "sales3.csv", 2)) as read:
        report = ingest([folder], services, "default", read=read)
    (failed,) = [e for e in report.entries if e.status == "failed"]
    assert (failed.source, failed.error) == (
        "sales3.csv",
        "was not read, as its Ray task was lost 2 times (WorkerCrashedError): run `tablerag ingest --retry-failed`",
    )
    (listed,) = services.failed_files.of("default")
    assert (listed.path, listed.reason) == (str(folder / "sales3.csv"), failed.error)
    again = retry_failed(services, "default")
    assert [(e.source, e.status) for e in again.entries] == [("sales3.csv", "added")]
    assert services.failed_files.of("default") == []
    assert retry_failed(services, "default").entries == []
    assert capfd.readouterr() == ("", ""), "Ray's own messages are for its log files"


DRIVER = """
import logging, os, signal, sys
from pathlib import Path
import ray
from tablerag.ingestion import pipeline
from tablerag.ingestion.ray_reading import RayReaders
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
pipeline.GROUP_DOCUMENTS, pipeline.GROUP_S = 4, 1e6

def dies(step):
    if step.done == 10:
        os.kill(os.getpid(), signal.SIGKILL)

services = Services(Settings(home=Path(sys.argv[2]), model="offline", _env_file=None))
with RayReaders(sys.argv[3]) as read:
    pipeline.ingest([Path(sys.argv[1])], services, "default", on_progress=dies, read=read)
"""


def test_after_the_driver_was_killed_the_rest_is_read(
    folder: Path, services: Services, notes: Path, cluster: str
) -> None:
    command = [sys.executable, "-c", DRIVER, str(folder), str(services.settings.home), cluster]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=folder.parent)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    before = {d.source for d in services.catalog.documents("default")}
    assert len(before) == 8
    with RayReaders(cluster, noting(notes)) as read:
        report = ingest([folder], services, "default", read=read)
    assert report.counts == {"failed": 1, "unchanged": 8, "added": 6}
    assert before.isdisjoint({source.replace("old-", "old/") for source, _ in read_by(notes)})
    assert len(read_by(notes)) == 7


def test_a_hostile_file_fails_alone_by_the_limits_of_its_reader(tmp_path: Path, cluster: str) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "bomb.xlsx").write_bytes(bad.zip_bomb(1000))
    (folder / "bomb.pdf").write_bytes(bad.pdf_bomb(500))
    (folder / "sales.csv").write_text(CSV.format(1), encoding="utf-8")
    services = opened(tmp_path / "home", read_memory_mb=200)
    try:
        with RayReaders(cluster) as read:
            entries = {e.source: e for e in ingest([folder], services, "default", read=read).entries}
        assert "looks like a ZIP bomb" in entries.pop("bomb.xlsx").error
        assert "takes more than 200 MB of memory to read" in entries.pop("bomb.pdf").error
        assert {s: e.status for s, e in entries.items()} == {"sales.csv": "added"}
    finally:
        services.close()


def test_a_node_with_another_version_is_refused(folder: Path, services: Services, cluster: str) -> None:
    def older(sent: Sent, data: np.ndarray) -> tuple[Outcome | bytes, bool]:
        return read_sent(replace(sent, expected=replace(sent.expected, tablerag="0.0.1")), data)

    with RayReaders(cluster, older) as read, pytest.raises(ConfigError, match="expected tablerag 0.0.1 .*: install"):
        ingest([folder], services, "default", read=read)


def test_few_bytes_are_on_their_way(
    folder: Path, services: Services, cluster: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = 2 * len(CSV)
    monkeypatch.setattr(ray_reading, "MOST_SENT", most)
    sizes: list[int] = []
    ran = ray_reading._Tasks._ran

    def counting(self: ray_reading._Tasks, sent: Sent, data: Any) -> tuple[Outcome | bytes, bool]:
        sizes.append(self._sent)
        return ran(self, sent, data)

    monkeypatch.setattr(ray_reading._Tasks, "_ran", counting)
    with RayReaders(cluster) as read:
        assert ingest([folder], services, "default", read=read).counts["added"] == 14
    assert max(sizes) <= most + max(f.stat().st_size for f in folder.rglob("*")), "the next file is always sent"


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("127.0.0.1:9", "no Ray answers at 127.0.0.1:9 (Connection refused): check the address"),
        ("ray://127.0.0.1:9", "no Ray answers at ray://127.0.0.1:9 (Connection refused)"),
        ("reports", "invalid Ray address 'reports': expected HOST:PORT, ray://HOST:PORT or auto"),
    ],
)
def test_an_address_that_is_none_or_does_not_answer_is_one_line(address: str, says: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(says)):
        RayReaders(address)
        ray_reading._reached(address)


def test_what_listens_and_is_no_ray_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def answers(listener: socket.socket, said: bytes) -> None:
        connection, _ = listener.accept()
        with connection:
            connection.recv(9)
            connection.sendall(said)
            connection.recv(99)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        web = threading.Thread(target=answers, args=(listener, b"HTTP/1.1 400 Bad Request\r\n\r\n"))
        web.start()
        with pytest.raises(ConfigError, match=f"what answers at {address} is not Ray: check the address"):
            ray_reading._reached(address)
        web.join()
        monkeypatch.setattr(ray_reading, "REACH_S", 0.1)
        with pytest.raises(ConfigError, match=rf"no Ray answers at {address} \(timed out\)"):
            ray_reading._reached(address)


def test_a_ray_that_does_not_let_in_is_given_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_reading, "CONNECT_S", 0.05)
    assert "did not answer within 0 s" in (ray_reading._begun(lambda: time.sleep(1)) or "")


def test_without_the_extra_one_line_says_what_to_install(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    monkeypatch.setattr(ray_reading, "find_spec", lambda _: None)
    for option in (["--ray"], ["--ray", "auto"], ["--ray=ray://127.0.0.1:10001"]):
        status, out, err = command_line("ingest", str(folder), *option, TABLERAG_HOME="home")
        assert (status, out) == (2, "")
        assert err == 'error: ingesting on Ray needs ray: pip install "tablerag[ray]"\n'


def test_the_option_takes_an_address_or_none(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    given: list[tuple[list[str], str]] = []

    def noted(rag: object, paths: list[str], *_: object, ray: str, **__: object) -> IngestReport:
        given.append((paths, ray))
        return IngestReport([Entry("a.csv", "added")])

    monkeypatch.setattr("tablerag.cli.ingest.ingest_with_progress", noted)
    docs = str(folder)
    for option in (["--ray", docs], [docs, "--ray"], [docs, "--ray", "auto"], ["--ray", "10.0.0.7:6379", docs], [docs]):
        assert command_line("ingest", *option, TABLERAG_HOME="home")[0] == 0
    assert given == [([docs], ray) for ray in ("local", "local", "auto", "10.0.0.7:6379", "")]
    status, _, err = command_line("ingest")
    assert (status, err) == (2, "error: give PATH... or --retry-failed\n")
    assert command_line("ingest", docs, "--retry-failed")[2] == "error: give PATH... or --retry-failed, not both\n"


def test_pages_are_told_of_once() -> None:
    pages = ray_reading.PagesRead()
    pages.tell("a", 1, 9)
    pages.tell("a", 2, 9)
    assert (pages.taken(), pages.taken()) == ({"a": (2, 9)}, {})
    assert "no OCR" in str(Installation("1", "5", "no OCR"))
