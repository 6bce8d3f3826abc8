"""Measure a server under load, with a fake model that answers immediately.

    python -m benchmarks.served_load [--questions 40] [--many 2000] [--at-once 60] [--jobs 10]

Every question asks for its own row, so that an answer in the wrong thread is noticed. Prints, in one run: the median of
a question in this process beside one through the server, questions per second of ten clients, the longest wait of /ok
meanwhile, questions about other tables while a file of 33 MB is uploaded, the server's memory after each 500 of many
questions, and how runs end that start at the same moment.
"""

import argparse
import asyncio
import os
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

from benchmarks.throughput import write_csv
from tablerag import TableRAG
from tests.support.graph_server import ITEMS, MODEL, GraphServer, amount_of, fill_corpora, running_graph_server
from tests.support.model_server import ModelServer
from tests.support.model_thoughts import lookup

CLIENTS = 10
BLOCK = 500
UPLOADED_ROWS = 560_000
PROBED_S = 0.02
"""Seconds between two requests of /ok."""
STILL_S = 15.0
"""Seconds without load before memory is read: the server saves its list of threads every 10 s."""


@dataclass(frozen=True)
class Turn:
    """One question: the right answer, the answer received, and the seconds it took."""

    expected: str
    answer: str
    seconds: float

    @property
    def lost(self) -> bool:
        """Whether there is no answer."""
        return not self.answer.isdigit()

    @property
    def mixed(self) -> bool:
        """Whether it is the answer to another thread."""
        return not self.lost and self.answer != self.expected


@dataclass
class Waits:
    """The seconds that /ok took, in the order of the requests."""

    seconds: list[float] = field(default_factory=list)


async def ask_at_once(url: str, threads: int, turns: int) -> list[Turn]:
    """Open all threads at once and ask their questions one after the other."""
    async with get_client(url=url) as client:
        asked = await asyncio.gather(*(_converse(client, thread, turns) for thread in range(threads)))
    return [turn for thread in asked for turn in thread]


async def _converse(client: LangGraphClient, number: int, turns: int) -> list[Turn]:
    """Ask the questions of one thread; all but the first refer to the one before."""
    thread = (await client.threads.create())["thread_id"]
    taken = []
    for turn in range(turns):
        item = (number * turns + turn) % ITEMS
        question = f"and of item {item}?" if turn else f"What is the amount of item {item}?"
        taken.append(await _ask(client, thread, question, item))
    return taken


async def _ask(client: LangGraphClient, thread: str, question: str, item: int) -> Turn:
    context = {"model": MODEL, "corpus": "items"}
    begun = time.perf_counter()
    asked = {"input": {"question": question}, "context": context}
    result: Any = await client.runs.wait(thread, "tablerag", raise_error=False, **asked)
    return Turn(str(amount_of(item)), str(result.get("value", result)), time.perf_counter() - begun)


async def ask_in_turn(url: str, clients: int, questions: int) -> list[Turn]:
    """Ask questions from some clients, each in a new thread, as soon as a client is free."""
    items = iter(range(questions))

    async def work(client: LangGraphClient) -> list[Turn]:
        taken = []
        for i in items:
            thread = (await client.threads.create())["thread_id"]
            taken.append(await _ask(client, thread, f"What is the amount of item {i % ITEMS}?", i % ITEMS))
        return taken

    async with get_client(url=url) as client:
        asked = await asyncio.gather(*(work(client) for _ in range(clients)))
    return [turn for one in asked for turn in one]


async def start_at_once(url: str, runs: int, *, stateless: bool = False, model: str = MODEL) -> Counter[str]:
    """Start all runs at the same moment, each in a thread of its own or ``stateless``; count how they ended."""
    async with get_client(url=url) as sdk, httpx.AsyncClient(base_url=url, timeout=300, limits=_UNLIMITED) as client:
        paths = ["/runs/wait"] * runs
        if not stateless:
            paths = [f"/threads/{(await sdk.threads.create())['thread_id']}/runs/wait" for _ in range(runs)]
        ends = await asyncio.gather(*(_end_of(client, path, i % ITEMS, model) for i, path in enumerate(paths)))
    return Counter(ends)


_UNLIMITED = httpx.Limits(max_connections=None)


async def _end_of(client: httpx.AsyncClient, path: str, item: int, model: str) -> str:
    """Return how one run ended: right, wrong, the HTTP status with Retry-After, or what was sent in its place."""
    asked = {"input": {"question": f"What is the amount of item {item}?"}, "assistant_id": "tablerag"}
    asked |= {"context": {"model": model, "corpus": "items"}}
    try:
        reply = await client.post(path, json=asked)
    except httpx.TransportError as error:
        return type(error).__name__
    if reply.status_code != 200:
        later = reply.headers.get("retry-after")
        return f"{reply.status_code} {f'Retry-After {later}' if later else 'without Retry-After'}"
    body = reply.json()
    if "__error__" in body:
        return f"error: {body['__error__'].get('error')}: {str(body['__error__'].get('message'))[:80]}"
    if str(body.get("value")) == str(amount_of(item)):
        return "right"
    return f"{body.get('verdict')} ({body.get('cause')}): {str(body.get('answer'))[:60]}"


@contextmanager
def probed(url: str) -> Iterator[Waits]:
    """Ask for /ok all the time, and note how long each reply takes."""
    waits, over = Waits(), threading.Event()

    def probe() -> None:
        with httpx.Client(base_url=url, timeout=60) as client:
            while not over.wait(PROBED_S):
                begun = time.perf_counter()
                client.get("/ok")
                waits.seconds.append(time.perf_counter() - begun)

    thread = threading.Thread(target=probe)
    thread.start()
    try:
        yield waits
    finally:
        over.set()
        thread.join()


def cpu_of(pid: int) -> float:
    """Return the processor seconds of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_of(pid: int) -> float:
    """Return the resident memory of a process in MB."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def report(turns: list[Turn]) -> str:
    """Return the figures as one line."""
    median, late = np.percentile([t.seconds for t in turns], (50, 95))
    counts = f"{len(turns)} answers, {sum(t.lost for t in turns)} lost, {sum(t.mixed for t in turns)} mixed"
    return f"{counts}; p50 {median:.3f} s, p95 {late:.3f} s, p95/p50 {late / median:.2f}"


def compare(server: GraphServer, questions: int, model_url: str) -> None:
    """Ask each question in this process and then the server, so that other work on the machine slows both."""
    alone, served, pid = [], [], server.process.pid
    own = of_server = 0.0
    with TableRAG(server.folder / "home", corpus="items", model=MODEL, openai_base_url=model_url) as rag:
        rag.ask("What is the amount of item 0?")  # opens the stores
        for i in range(questions):
            begun, before = time.perf_counter(), time.process_time()
            answer = rag.ask(f"What is the amount of item {i % ITEMS}?")
            alone.append(Turn(str(amount_of(i % ITEMS)), str(answer.value), time.perf_counter() - begun))
            own, before = own + time.process_time() - before, cpu_of(pid)
            served += asyncio.run(ask_in_turn(server.url, 1, 1))
            of_server += cpu_of(pid) - before
    medians = [float(np.median([t.seconds for t in turns])) for turns in (alone, served)]
    print(f"in this process: {report(alone)}; {own / questions:.3f} s CPU each, with the fake model's")
    print(f"one client: {report(served)}; {of_server / questions:.3f} s CPU each of the server")
    print(f"p50 of the server / in this process: {medians[1] / medians[0]:.2f}", flush=True)


def ask_during_upload(server: GraphServer) -> None:
    """Ask one question after the other while a long CSV file is uploaded; print their times beside those before."""
    path = server.folder / "uploaded.csv"
    write_csv(path, UPLOADED_ROWS)
    before, meanwhile = asyncio.run(ask_in_turn(server.url, 1, 10)), []
    with probed(server.url) as waits, httpx.Client(base_url=server.url, timeout=300) as client, path.open("rb") as file:
        begun, state = time.perf_counter(), "running"
        sent = client.post("/app/api/uploads", params={"corpus": "items"}, files={"files": ("uploaded.csv", file)})
        while state == "running":
            meanwhile += asyncio.run(ask_in_turn(server.url, 1, 1))
            state = client.get(f"/app/api/uploads/{sent.json()['job']}").json()["state"]
        took = time.perf_counter() - begun
    print(f"an upload of {path.stat().st_size / 1e6:.0f} MB: {state} after {took:.1f} s")
    print(f"questions before: {report(before)}; meanwhile: {report(meanwhile)}")
    print(f"/ok meanwhile: longest {max(waits.seconds) * 1000:.0f} ms", flush=True)


def measure(server: GraphServer, args: argparse.Namespace, model_url: str) -> None:
    """Print the figures of a running server."""
    pid = server.process.pid
    asyncio.run(ask_in_turn(server.url, CLIENTS, 2 * CLIENTS))  # opens the stores, in all threads of the server
    compare(server, args.questions, model_url)
    before, begun = cpu_of(pid), time.perf_counter()
    with probed(server.url) as waits:
        turns = asyncio.run(ask_in_turn(server.url, CLIENTS, 5 * args.questions))
    took, spent = time.perf_counter() - begun, (cpu_of(pid) - before) / len(turns)
    print(f"{CLIENTS} clients: {len(turns) / took:.1f} questions/s; {report(turns)}; {spent:.3f} s CPU each")
    longest, late = max(waits.seconds) * 1000, float(np.percentile(waits.seconds, 99)) * 1000
    print(f"/ok meanwhile: longest {longest:.0f} ms, 99 in 100 below {late:.0f} ms", flush=True)
    for stateless, where in ((False, "in threads"), (True, "without threads")):
        ends = asyncio.run(start_at_once(server.url, args.at_once, stateless=stateless))
        print(f"{args.at_once} runs at once, {where}: {dict(ends)}", flush=True)
    ask_during_upload(server)
    kept = [memory_of(pid)]
    for _ in range(args.many // BLOCK):
        asked = asyncio.run(ask_in_turn(server.url, CLIENTS, BLOCK))
        time.sleep(STILL_S)
        kept.append(memory_of(pid))
        print(f"  {report(asked)}; server {kept[-1]:.0f} MB", flush=True)
    print(f"MB of the server before and after each {BLOCK} questions: {', '.join(f'{m:.0f}' for m in kept)}")


def main() -> None:
    """Start the server and the fake model, ask, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--questions", type=int, default=40)
    parser.add_argument("--many", type=int, default=2000)
    parser.add_argument("--at-once", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=10, help="runs that the server executes in parallel")
    args = parser.parse_args()
    model = ModelServer().start()
    model.responder = lookup
    print(f"load average before: {', '.join(f'{load:.1f}' for load in os.getloadavg())}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fill_corpora(folder)
        with running_graph_server(folder, jobs=args.jobs, OPENAI_BASE_URL=model.url) as server:
            measure(server, args, model.url)
            log = [line for line in server.log.splitlines() if "rror" in line]
    model.stop()
    if log:
        print(f"{len(log)} lines of the server's log have an error, the last: {log[-1][:300]}")


if __name__ == "__main__":
    main()
