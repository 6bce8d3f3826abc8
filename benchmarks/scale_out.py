"""Measure what more machines bring: ingestion on 1, 2 and 3 nodes of a Ray cluster.

    python -m benchmarks.scale_out [--documents 60] [--rows 1500] [--nodes 1 2 3] [--part ingest]

All nodes run on this machine, with one CPU each, and ingest the same generated folder one after another, so compare the
ratios, and only up to the number of its cores: the coordinator (the process that stores and publishes) needs one, too.
Its share is its CPU seconds by the seconds of the ingest; the most that further nodes can bring is one by that share.
"""

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from openpyxl import Workbook
from rich.console import Console
from rich.table import Table

from tablerag.ingestion import ray_reading
from tablerag.ingestion.pipeline import ingest
from tablerag.ingestion.ray_reading import RayReaders
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings

HEADER = ("Order", "Date", "Customer", "Region", "Quantity", "Price", "Note")
REGIONS = ("North", "South", "East", "West")
WARMING = 3
"""Documents for each node that are ingested before, as its processes start with the first ones."""


class Measured(NamedTuple):
    """One ingest."""

    seconds: float
    coordinator: float
    """CPU seconds of the process that stores."""


def rows_of(count: int, seed: int) -> Iterator[tuple[object, ...]]:
    """Yield rows of orders."""
    chance = random.Random(seed)
    for i in range(1, count + 1):
        day = f"{2020 + chance.randrange(6)}-{chance.randrange(1, 13):02d}-{chance.randrange(1, 29):02d}"
        price, note = round(chance.random() * 1000, 2), f"note {chance.randrange(10**6)}"
        yield i, day, f"Customer {chance.randrange(500)}", chance.choice(REGIONS), chance.randrange(1, 500), price, note


def write_folder(folder: Path, documents: int, rows: int) -> Path:
    """Write workbooks, CSV files and notes in turn; return the folder."""
    folder.mkdir()
    for i in range(documents):
        if i % 3 == 0:
            book = Workbook(write_only=True)
            sheet = book.create_sheet("Orders")
            for row in (HEADER, *rows_of(rows, i)):
                sheet.append(row)
            book.save(folder / f"orders{i}.xlsx")
        elif i % 3 == 1:
            lines = [",".join(map(str, row)) for row in (HEADER, *rows_of(rows, i))]
            (folder / f"orders{i}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        else:
            said = (f"Order {r[0]} of {r[2]} was delivered to the {r[3]} on {r[1]}." for r in rows_of(rows, i))
            (folder / f"notes{i}.md").write_text(f"# Notes {i}\n\n" + "\n\n".join(said) + "\n", encoding="utf-8")
    return folder


@contextmanager
def cluster(nodes: int) -> Iterator[str]:
    """Yield the address of a cluster of nodes with one CPU each, on loopback; this process is connected to it."""
    import ray
    from ray.cluster_utils import Cluster

    node = {"num_cpus": 1, "node_ip_address": "127.0.0.1", "object_store_memory": 200_000_000}
    with ray_reading._loopback():
        started = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
        for _ in range(nodes - 1):
            started.add_node(wait=False, **node)
        started.wait_for_nodes()
    try:
        ray_reading._connected(str(started.address), Settings(_env_file=None))
        yield str(started.address)
    finally:
        ray.shutdown()
        started.shutdown()


def measured(folder: Path, home: Path, address: str) -> Measured:
    """Ingest a folder on a cluster into an empty home."""
    services = Services(Settings(home=home, model="offline", _env_file=None))
    with RayReaders(address) as read:
        began, cpu = time.perf_counter(), time.process_time()
        entries = ingest([folder], services, "default", read=read).entries
        found = Measured(time.perf_counter() - began, time.process_time() - cpu)
    services.close()
    assert {e.status for e in entries} == {"added"}, entries
    return found


def ingesting(console: Console, options: argparse.Namespace) -> None:
    """Print the throughput on each number of nodes."""
    table = Table("nodes", "s", "documents/s", "by that of the first", "coordinator CPU s", "its share of the time")
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        folder = write_folder(place / "docs", options.documents, options.rows)
        first = 0.0
        for nodes in options.nodes:
            warming = write_folder(place / f"warming{nodes}", WARMING * nodes, 50)
            with cluster(nodes) as address:
                measured(warming, place / f"warmed{nodes}", address)
                found = measured(folder, place / f"home{nodes}", address)
            rate = options.documents / found.seconds
            first = first or rate
            share = f"{found.coordinator / found.seconds:.0%}"
            shown = (f"{found.seconds:.1f}", f"{rate:.1f}", f"{rate / first:.2f}", f"{found.coordinator:.1f}", share)
            table.add_row(str(nodes), *shown)
    console.print(f"{options.documents} documents of {options.rows:,} rows; this machine has {os.cpu_count()} cores")
    console.print(table)


PARTS: dict[str, Callable[[Console, argparse.Namespace], None]] = {"ingest": ingesting}
"""What is measured, by name."""


def main() -> None:
    """Measure the named parts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--documents", type=int, default=60)
    parser.add_argument("--rows", type=int, default=1500, help="rows of each document")
    parser.add_argument("--nodes", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--part", nargs="+", choices=list(PARTS), default=list(PARTS))
    options = parser.parse_args()
    if ray_reading.find_spec("ray") is None:
        sys.exit('Ray is not installed: pip install "tablerag[ray]"')
    for part in options.part:
        PARTS[part](Console(), options)


if __name__ == "__main__":
    main()
