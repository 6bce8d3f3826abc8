"""kill -9 at random moments of an ingest: every document is seen in its old or its new version, never in a mix."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from tablerag.ingestion.auditing import audit
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tests.tools.stored import stored_names, stored_rows

KILLS, KILLS_EXHAUSTIVE = 5, 30
MOST_ROUNDS = 100
"""An ingest may end before the moment comes to kill it."""
DOCUMENTS = 3
ROOT = Path(__file__).parents[2]


class Zygote:
    """Starts ingests, and waits for their end or kills them."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.support.ingest_zygote"]
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ingest(self, home: Path, folder: Path, killed_after_s: float | None = None) -> tuple[int, float]:
        """Run an ingest, return its wait status and how long it took."""
        self._process.stdin.write(f"{home}\t{folder}\n")
        self._process.stdin.flush()
        started = time.monotonic()
        child = int(self._process.stdout.readline().split()[1])
        if killed_after_s is not None:
            time.sleep(max(0.0, killed_after_s - (time.monotonic() - started)))
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        status = int(self._process.stdout.readline().split()[1])
        return status, time.monotonic() - started

    def close(self) -> None:
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


@pytest.fixture
def zygote() -> Iterator[Zygote]:
    made = Zygote()
    yield made
    made.close()


def write(folder: Path, version: int) -> None:
    """Write all documents anew: every cell and the text around them tell the version."""
    folder.mkdir(exist_ok=True)
    for number in range(DOCUMENTS):
        rows = "".join(f"<tr><td>item {i}</td><td>{version}</td></tr>" for i in range(30 + version % 5))
        page = f"<h1>List {number}</h1><p>This is version v{version}v of the list {number}.</p>"
        page += f"<table><tr><th>Item</th><th>Version</th></tr>{rows}</table>"
        (folder / f"list{number}.html").write_text(page, encoding="utf-8")


def versions_seen(home: Path) -> dict[str, int]:
    """Return the version of each document that is seen; fail where stores tell different ones."""
    services = Services(Settings(home=home, _env_file=None))
    try:
        found = {}
        for document in services.catalog.documents("default"):
            (schema,) = services.catalog.schemas_of_document(document.document_id)
            rows = stored_rows(services.database, schema.stored_as, "version")
            (version,) = {row[0] for row in rows}
            assert len(rows) == schema.row_count == 30 + version % 5
            found[document.source] = version
        for chunk in services.retriever("default").search("version of the list item", 50):
            version = found[chunk.source]
            assert f"v{version}v" in chunk.text or f"| {version} |" in chunk.text, "text and table are of one version"
        return found
    finally:
        services.close()


def test_killed_at_any_moment(zygote: Zygote, tmp_path: Path, exhaustive: bool) -> None:
    kills = KILLS_EXHAUSTIVE if exhaustive else KILLS
    home, folder = tmp_path / "home", tmp_path / "docs"
    write(folder, 1)
    status, _ = zygote.ingest(home, folder)
    assert status == 0
    write(folder, 2)
    status, took = zygote.ingest(home, folder)
    assert status == 0
    chance = random.Random(20)
    old, killed = versions_seen(home), 0
    version = 2
    while killed < kills and version < MOST_ROUNDS:
        version += 1
        write(folder, version)
        status, _ = zygote.ingest(home, folder, killed_after_s=chance.uniform(0.02, 0.9 * took))
        killed += os.WIFSIGNALED(status)
        seen = versions_seen(home)
        assert seen.keys() == old.keys(), "no document is lost and none comes twice"
        assert all(seen[d] in (old[d], version) for d in seen), (version, old, seen)
        old = seen
    assert killed == kills
    status, _ = zygote.ingest(home, folder)
    assert status == 0
    assert set(versions_seen(home).values()) == {version}
    services = Services(Settings(home=home, _env_file=None))
    assert services.catalog.unfinished() == []
    assert audit(services).flaws == []
    assert stored_names(services.database) == services.catalog.stored_tables()
    services.close()


def test_two_ingests_at_once(zygote: Zygote, tmp_path: Path) -> None:
    """Other files of the same names, the same files, and files under other names: each is there once."""
    home, folder, own = tmp_path / "home", tmp_path / "docs", tmp_path / "own"
    other = Zygote()
    try:
        for version, seconds in enumerate((own, folder, tmp_path), start=1):
            write(folder, version)
            write(own, version + 5)
            with ThreadPoolExecutor(2) as pool:
                runs = [pool.submit(zygote.ingest, home, folder), pool.submit(other.ingest, home, seconds)]
                assert [run.result()[0] for run in runs] == [0, 0]
    finally:
        other.close()
    services = Services(Settings(home=home, _env_file=None))
    documents = services.catalog.documents("default")
    assert len(documents) == len({d.source for d in documents})
    assert {Path(d.path) for d in documents} == {*folder.glob("*.html"), *own.glob("*.html")}
    assert len({s.name for s in services.catalog.schemas("default")}) == len(documents)
    assert services.catalog.unfinished() == []
    assert audit(services).flaws == []
    services.close()
