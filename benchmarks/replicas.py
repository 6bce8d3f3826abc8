"""Measure how a host follows a corpus that others write: a new host until its first search, and the staleness of one.

    python -m benchmarks.replicas [--chunks 100000] [--publishes 7]

One private MariaDB, one Chroma server and three homes on one machine. The chunks are synthetic (benchmarks/scale.py).
Staleness is the time from the moment a document is published until a search of another, running host finds it.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.scale import PER_DOCUMENT, make_chunks
from tablerag.ingestion.pipeline import ingest
from tablerag.ingestion.runs import Run
from tablerag.tools.catalog import DocumentRecord
from tablerag.tools.chunks import add_chunks
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tests.support.chroma_server import running_chroma
from tests.support.mysql_server import running_server

CORPUS = "default"


def fill(services: Services, chunks: int) -> None:
    """Publish documents of PER_DOCUMENT synthetic chunks each."""
    for first in track(range(0, chunks, PER_DOCUMENT), "publishing", transient=True, console=Console(stderr=True)):
        made = make_chunks(first, min(PER_DOCUMENT, chunks - first))
        with Run.started(services) as run:
            run.begin(services, CORPUS, {made[0].document_id: []})
            add_chunks(services, CORPUS, made)
            record = DocumentRecord(
                document_id=made[0].document_id, corpus=CORPUS, source=made[0].source, path=f"/{made[0].source}",
                content_hash=made[0].document_id, format="csv", size_bytes=1, chunk_count=len(made), table_count=0,
            )  # fmt: skip
            services.catalog.publish(run.id, [(record, [])])


def timed(work: Callable[[], Any]) -> float:
    """Return the seconds that a call takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def staleness(writer: Services, reader: Services, folder: Path, number: int) -> float:
    """Return the seconds from a document's publication until another host's search finds it."""
    word = f"zyxwv{number}"
    path = folder / f"{word}.csv"
    path.write_text(f"city,{word}\nOslo,1\nRome,2\n", encoding="utf-8")
    publish, published = writer.catalog.publish, [0.0]

    def publishing(*given: Any) -> Any:
        done = publish(*given)
        published[0] = time.perf_counter()
        return done

    writer.catalog.publish = publishing  # pyright: ignore[reportAttributeAccessIssue]
    ingest([path], writer, CORPUS)
    writer.catalog.publish = publish  # pyright: ignore[reportAttributeAccessIssue]
    while not any(c.source == path.name for c in reader.retriever(CORPUS).search(f"{word} of Oslo", 5)):
        assert time.perf_counter() < published[0] + 60, "the other host does not find it"
    return time.perf_counter() - published[0]


def main() -> None:
    """Print the times."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--publishes", type=int, default=7)
    given = parser.parse_args()
    with ExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="tablerag-replicas-")))
        (folder / "chroma").mkdir()
        port, _ = opened.enter_context(running_chroma(folder / "chroma"))
        url = opened.enter_context(opened.enter_context(running_server()).fresh_database())

        def host(name: str) -> Services:
            where = {"database_url": url, "chroma_url": f"http://127.0.0.1:{port}", "home": folder / name}
            services = Services(Settings(**where, _env_file=None))
            opened.callback(services.close)
            return services

        writer, new = host("writer"), host("new")
        fill(writer, given.chunks)
        rows = [("a new host: its own index, from SQL", timed(lambda: new.lexical_index(CORPUS)))]
        rows.append(("its first search after that", timed(lambda: new.retriever(CORPUS).search("stock in Oslo", 5))))
        older = host("older")
        older.chunk_texts.of_documents = lambda name, document_ids: []  # pyright: ignore[reportAttributeAccessIssue]
        rows.append(("a new host, from Chroma, as before", timed(lambda: older.lexical_index(CORPUS))))
        found = sorted(staleness(writer, new, folder, n) for n in range(given.publishes))
        rows.append((f"staleness, median of {len(found)} publications", statistics.median(found)))
        rows.append(("staleness, longest", found[-1]))
        rows.append(("a search of a host that is up to date", _searching(new)))
    table = Table("", "seconds", title=f"{given.chunks:,} chunks")
    for what, seconds in rows:
        table.add_row(what, f"{seconds:.2f}")
    Console(width=100 if not sys.stdout.isatty() else None).print(table)


def _searching(services: Services) -> float:
    return statistics.median(timed(lambda: services.retriever(CORPUS).search("stock in Oslo", 5)) for _ in range(20))


if __name__ == "__main__":
    main()
