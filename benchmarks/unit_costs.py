"""Measure what one more document costs a deployment over MariaDB and a Chroma server, and project it.

    python -m benchmarks.unit_costs [--documents 1000 2000] [--million-documents 1] [--chunks-per-document 100]

Two sizes are ingested, each into stores of its own, and the difference between them is what the further documents cost:
so what every deployment has anyway does not count. The projection multiplies it, chunks and documents apart.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from benchmarks.growth_corpus import write_corpus
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tests.support.chroma_server import running_chroma
from tests.support.mysql_server import MysqlServer, running_server

MB, GB = 1_000_000, 1_000_000_000
SQL_SIZE = (
    "SELECT COALESCE(SUM(data_length + index_length), 0) FROM information_schema.tables WHERE table_schema = DATABASE()"
)


class Cost(NamedTuple):
    """What a number of documents took; bytes and CPU seconds."""

    documents: int
    chunks: int
    sql: float
    vectors: float
    vectors_memory: float
    index: float
    """A host's own search indexes."""
    host_memory: float
    """Of a process that has answered a question."""
    cpu: float
    seconds: float

    def beyond(self, other: "Cost") -> "Cost":
        """Return what is more than another cost."""
        return Cost(*(a - b for a, b in zip(self, other, strict=True)))


def bytes_below(folder: Path) -> int:
    """Return the bytes of all files below a folder."""
    return sum(p.stat().st_size for p in folder.rglob("*") if p.is_file())


def memory_of(process: int) -> int:
    """Return the resident bytes of a process."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS"))


@contextmanager
def stores(mysql: MysqlServer) -> Iterator[tuple[Services, Path, int]]:
    """Yield the services of a new deployment, Chroma's folder, and the process of its server."""
    with ExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="tablerag-costs-")))
        (folder / "chroma").mkdir()
        port, server = opened.enter_context(running_chroma(folder / "chroma"))
        url = opened.enter_context(mysql.fresh_database())
        shared = {"database_url": url, "chroma_url": f"http://127.0.0.1:{port}", "home": folder / "home"}
        services = Services(Settings(**shared, _env_file=None))
        opened.callback(services.close)
        yield services, folder / "chroma", server.pid


ASK = "from tablerag import TableRAG; TableRAG(model='offline').ask('How many pumps are there?')"


def measured(mysql: MysqlServer, documents: int) -> Cost:
    """Ingest a generated corpus; return what it took."""
    with stores(mysql) as (services, chroma, server), tempfile.TemporaryDirectory() as corpus:
        write_corpus(Path(corpus), documents)
        before, begun = _cpu(), time.perf_counter()
        report = ingest([Path(corpus)], services, "default")
        seconds, cpu = time.perf_counter() - begun, _cpu() - before
        failed = [e for e in report.entries if e.status == "failed"]
        assert not failed, failed[:3]
        services.lexical_index("default")  # brings the host's own index up to date
        (row,) = services.database.engine.connect().exec_driver_sql(SQL_SIZE).all()
        chunks = sum(d.chunk_count for d in services.catalog.documents("default"))
        shared = services.settings
        asking = _asking(shared.database_url, shared.chroma_url, chroma.parent / "other")
        return Cost(
            documents, chunks, float(row[0]), bytes_below(chroma), memory_of(server), bytes_below(services.home),
            asking, cpu, seconds,
        )  # fmt: skip


def _asking(url: str, chroma_url: str, home: Path) -> int:
    """Return the resident bytes of another host after its first question."""
    where = [f"TABLERAG_DATABASE_URL={url}", f"TABLERAG_CHROMA_URL={chroma_url}", f"TABLERAG_HOME={home}"]
    program = ["env", *where, sys.executable, "-c", f"{ASK}\nprint(open('/proc/self/status').read())"]
    done = subprocess.run(program, stdout=subprocess.PIPE, text=True, check=True)
    return next(int(line.split()[1]) * 1024 for line in done.stdout.splitlines() if line.startswith("VmRSS"))


def _cpu() -> float:
    return sum(os.times()[:4])


def main() -> None:
    """Print the costs of one more document, and the projection."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, nargs=2, default=[1000, 2000])
    parser.add_argument("--million-documents", type=float, default=1.0)
    parser.add_argument("--chunks-per-document", type=float, default=100.0)
    given = parser.parse_args()
    with running_server() as mysql:
        small, large = (measured(mysql, n) for n in given.documents)
    more = large.beyond(small)
    unit = Table("of one more", "document", "chunk", title=f"{more.documents} documents, {more.chunks} chunks more")
    documents = given.million_documents * 1e6
    chunks = documents * given.chunks_per_document
    projected = Table("total", "GB", title=f"{documents:,.0f} documents, {chunks:,.0f} chunks")
    for what, size, of_chunks in (
        ("tables and catalog in SQL", more.sql, False),
        ("vectors and texts in Chroma, disk", more.vectors, True),
        ("Chroma's memory", more.vectors_memory, True),
        ("a host's own indexes, disk", more.index, True),
        ("a host's memory", more.host_memory, False),
    ):
        unit.add_row(what, f"{size / more.documents:,.0f} B", f"{size / more.chunks:,.0f} B")
        total = size / more.chunks * chunks if of_chunks else size / more.documents * documents
        projected.add_row(what, f"{total / GB:,.0f}")
    unit.add_row(
        "CPU of the ingest", f"{1000 * more.cpu / more.documents:.1f} ms", f"{1000 * more.cpu / more.chunks:.1f} ms"
    )
    projected.add_row("ingest, CPU days", f"{more.cpu / more.chunks * chunks / 86_400:,.1f} days")
    console = Console()
    console.print(unit, projected)


if __name__ == "__main__":
    main()
