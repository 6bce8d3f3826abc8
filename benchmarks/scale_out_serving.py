"""Measure what more server processes bring: questions per second with 1, 2 and 3 processes on Aegra.

    python -m benchmarks.scale_out_serving [--processes 1 2 3] [--questions 90] [--clients 24]

All run on this machine over one MariaDB, one Chroma server and one PostgreSQL, with a stand-in for the model that takes
300 ms. Every question asks for its own row, so that a wrong answer is noticed. Compare the ratios, and only up to the
number of cores: the databases, the model's stand-in and the clients need some, too.
"""

import argparse
import asyncio
import os
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from langgraph_sdk import get_client
from rich.console import Console
from rich.table import Table

from tablerag.ingestion.pipeline import ingest
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tests.support.aegra import AegraProcess, empty_database, running_aegra
from tests.support.chroma_server import running_chroma
from tests.support.graph_server import CORPORA, ITEMS, MODEL, amount_of
from tests.support.model_server import ModelServer, Reply
from tests.support.model_thoughts import lookup
from tests.support.mysql_server import running_server
from tests.support.postgres_server import running_postgres

THOUGHT_S = 0.3


class Measured(NamedTuple):
    """The questions of one number of processes."""

    seconds: float
    waits: list[float]
    """Seconds of each question."""
    wrong: int
    server_cpu: float
    """CPU seconds of the server processes."""
    sent: int
    """Bytes over loopback: between clients, servers, databases and the model."""


def slow_model() -> ModelServer:
    """Return a running stand-in that takes its time, and keeps no requests."""
    model = ModelServer().start()

    def respond(request: dict[str, Any]) -> Reply:
        model.requests.clear()
        return replace(lookup(request), delay_s=THOUGHT_S)

    model.responder = respond
    return model


async def ask(urls: Sequence[str], questions: int, clients: int) -> tuple[list[float], int]:
    """Ask all questions from some clients, each of a process in turn; return their seconds, and how many were wrong."""
    items, waits, wrong = iter(range(questions)), [], 0

    async def work(url: str) -> None:
        nonlocal wrong
        async with get_client(url=url) as client:
            for i in items:
                begun, item = time.perf_counter(), i % ITEMS
                thread = (await client.threads.create())["thread_id"]
                asked = {"question": f"What is the amount of item {item}?"}
                result: Any = await client.runs.wait(thread, "tablerag", input=asked, context={"model": MODEL})
                waits.append(time.perf_counter() - begun)
                wrong += str(result.get("value")) != str(amount_of(item))

    await asyncio.gather(*(work(urls[n % len(urls)]) for n in range(clients)))
    return waits, wrong


def cpu_of(server: AegraProcess) -> float:
    """Return the CPU seconds of a process, without those of its children."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def sent() -> int:
    """Return the bytes that loopback has carried."""
    lines = Path("/proc/net/dev").read_text().splitlines()
    return next(int(line.split(":")[1].split()[0]) for line in lines if line.strip().startswith("lo:"))


def measured(servers: Sequence[AegraProcess], questions: int, clients: int) -> Measured:
    """Ask the questions of the servers, after a few that make them load what they need."""
    urls = [s.url for s in servers]
    asyncio.run(ask(urls, 2 * len(urls), len(urls)))
    begun, before, sent_before = time.perf_counter(), sum(map(cpu_of, servers)), sent()
    waits, wrong = asyncio.run(ask(urls, questions, clients))
    seconds, cpu = time.perf_counter() - begun, sum(map(cpu_of, servers)) - before
    return Measured(seconds, waits, wrong, cpu, sent() - sent_before)


def main() -> None:
    """Print a row for each number of processes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--questions", type=int, default=90)
    parser.add_argument("--clients", type=int, default=24)
    given = parser.parse_args()
    table = Table("processes", "questions a second", "times one's", "median", "wrong", "CPU of one", "bytes of one")
    with ExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        mysql = opened.enter_context(running_server())
        chroma, _ = opened.enter_context(running_chroma(folder))
        postgres = opened.enter_context(running_postgres(folder))
        model = slow_model()
        opened.callback(model.stop)
        tables = opened.enter_context(mysql.fresh_database())
        threads = opened.enter_context(empty_database(postgres))
        shared = {"TABLERAG_DATABASE_URL": tables, "TABLERAG_CHROMA_URL": f"http://127.0.0.1:{chroma}"}
        _fill(folder, tables, shared["TABLERAG_CHROMA_URL"])
        shared |= {"OPENAI_BASE_URL": model.url, "OPENAI_API_KEY": "none"}
        first = 0.0
        for count in given.processes:
            with ExitStack() as running:
                servers = [
                    running.enter_context(running_aegra(folder / f"{count}-{i}", threads, **shared))
                    for i in range(count)
                ]
                found = measured(servers, given.questions, given.clients)
            rate = given.questions / found.seconds
            first = first or rate
            cpu = f"{1000 * found.server_cpu / given.questions:.0f} ms"
            wait, carried = f"{median(found.waits):.2f} s", f"{found.sent / given.questions / 1000:,.0f} kB"
            table.add_row(str(count), f"{rate:.1f}", f"{rate / first:.2f}", wait, str(found.wrong), cpu, carried)
    Console().print(table)


def _fill(folder: Path, database_url: str, chroma_url: str) -> None:
    """Ingest the table that the questions are about."""
    file = folder / "items.csv"
    file.write_text(CORPORA["items"]["items.csv"], encoding="utf-8")
    settings = Settings(home=folder / "first", database_url=database_url, chroma_url=chroma_url, _env_file=None)
    services = Services(settings)
    ingest([file], services, "default")
    services.close()


if __name__ == "__main__":
    main()
