"""The server of the stress test: it is started, watched, and stopped or killed, again and again."""

import json
import os
import random
import subprocess
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from benchmarks.served_load import cpu_of, memory_of
from benchmarks.stress_connection import World
from tests.support.graph_server import GraphServer, running_graph_server

__all__ = ["Life", "lives", "run_server", "started_server"]

SAMPLED_S = 10.0
START_S, STOP_S, LEFT_S = 300.0, 120.0, 10.0
"""Seconds in which the server is ready, ends after SIGTERM, and its children after it."""
CPU_AIM = 1.1
"""Cores that the server and its clients are to use: the clients' pauses are adapted to it."""
LOAD_AIM = 2.0
"""Load average per core above which they pause longer in any case."""
LONG_EVERY = 7
LIFE_S, LONG_LIFE_S = (100.0, 300.0), (2400.0, 2700.0)


@dataclass
class Life:
    """What was seen of the server from one start to its end."""

    number: int
    kill: bool
    ready_s: float = 0.0
    lived_s: float = 0.0
    end_s: float = 0.0
    memory: list[tuple[float, float]] = field(default_factory=list)
    """Its age in seconds, and the resident MB of the server with its processes."""

    def at(self, age: float) -> str:
        """Return the MB at an age, or "" if it did not get as old."""
        return next((f"{mb:.0f}" for found, mb in self.memory if found >= age), "")


def lives(chance: random.Random, minutes: float) -> Iterator[tuple[Life, float]]:
    """Yield lives and their seconds: every second one ends by a kill, every seventh is long.

    A short test has shorter ones.
    """
    scale = min(1.0, minutes / 30)
    for number in range(1, 10_000):
        shortest, longest = LONG_LIFE_S if number % LONG_EVERY == 0 else LIFE_S
        yield Life(number, kill=number % 2 == 0), scale * chance.uniform(shortest, longest)


def run_server(world: World, folder: Path, life: Life, seconds: float, model_url: str) -> None:
    """Run the server for a while, then stop or kill it, and note what is wrong about it."""
    begun = time.monotonic()
    with started_server(folder, model_url) as server:
        life.ready_s = time.monotonic() - begun
        over = threading.Event()
        watching = threading.Thread(target=_watch, args=(server, world, folder, life, over))
        world.url, world.lifetime = server.url, life.number
        world.up.set()
        watching.start()
        until = time.monotonic() + seconds
        while time.monotonic() < until and server.process.poll() is None:
            time.sleep(0.2)
        if server.process.poll() is not None:
            world.outcomes.odd("server", "crashed", status=server.process.returncode, log=server.log[-3000:])
        world.up.clear()
        over.set()
        life.lived_s = time.monotonic() - begun
        children = _tree(server.process.pid)[1:]
        _end(server, world, life)
    watching.join()
    _see_ended(children, world, life)


def started_server(folder: Path, model_url: str) -> AbstractContextManager[GraphServer]:
    """Return a server as `make serve` starts it, to be entered; a busy machine takes its time."""
    return running_graph_server(folder, start_s=START_S, OPENAI_BASE_URL=model_url)


def _end(server: GraphServer, world: World, life: Life) -> None:
    begun = time.monotonic()
    if life.kill:
        server.process.kill()
    else:
        server.process.terminate()
    try:
        server.process.wait(STOP_S)
    except subprocess.TimeoutExpired:
        world.outcomes.odd("server", "stuck", detail=f"SIGTERM did not end it in {STOP_S:g} s", life=life.number)
        server.process.kill()
        server.process.wait()
    life.end_s = time.monotonic() - begun
    world.outcomes.count("server", "killed" if life.kill else f"stopped: {server.process.returncode}")


def _see_ended(children: list[int], world: World, life: Life) -> None:
    """Write down the children that outlive the server."""
    deadline = time.monotonic() + LEFT_S
    while (left := [p for p in children if Path(f"/proc/{p}").exists()]) and time.monotonic() < deadline:
        time.sleep(0.2)
    if left:
        world.outcomes.odd("server", "processes left", pids=left, life=life.number, kill=life.kill)


def _watch(server: GraphServer, world: World, folder: Path, life: Life, over: threading.Event) -> None:
    """Sample memory and health, and adapt the clients' pauses to the load."""
    begun, last = time.monotonic(), None
    with (folder / "memory.jsonl").open("a", encoding="utf-8") as file, httpx.Client(timeout=10) as http:
        while not over.wait(SAMPLED_S):
            pids, now = _tree(server.process.pid), time.monotonic()
            mb, cpu = _used(pids)
            cpu += time.process_time()
            if last:
                cores = (cpu - last[1]) / (now - last[0])
                world.pause = _adapted(world.pause, cores, os.getloadavg()[0] / (os.cpu_count() or 1))
                line = {"life": life.number, "age_s": round(now - begun), "mb": round(mb), "processes": len(pids)}
                line |= {"cores": round(cores, 2), "pause": round(world.pause, 2)}
                file.write(json.dumps(line) + "\n")
                file.flush()
            life.memory.append((now - begun, mb))
            last = (now, cpu)
            _probe(http, server.url, world, over)


def _adapted(pause: float, cores: float, load: float) -> float:
    """Return a pause that brings the load nearer to what is aimed at."""
    return min(20.0, max(0.2, pause * min(1.5, max(0.7, cores / CPU_AIM, load / LOAD_AIM))))


def _probe(http: httpx.Client, url: str, world: World, over: threading.Event) -> None:
    """See that the health route says that all is well."""
    begun = time.monotonic()
    try:
        reply = http.get(f"{url}/ok")
        wrong = "" if reply.status_code == 200 and reply.json()["ok"] is True else f"{reply.status_code} {reply.text}"
    except httpx.TransportError as error:
        wrong = repr(error)
    if not wrong:
        world.outcomes.count("health", "ok")
    elif not over.is_set():
        took = round(time.monotonic() - begun, 1)
        world.outcomes.odd("health", "unhealthy", detail=wrong, life=world.lifetime, took_s=took)


def _tree(pid: int) -> list[int]:
    """Return a process and its descendants."""
    children = defaultdict[int, list[int]](list)
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            children[int(stat.read_text().rpartition(")")[2].split()[1])].append(int(stat.parent.name))
        except OSError:
            continue
    found = [pid]
    for one in found:
        found += children[one]
    return found


def _used(pids: list[int]) -> tuple[float, float]:
    """Return the resident MB and the processor seconds of processes, 0 for one that has ended."""
    mb = cpu = 0.0
    for pid in pids:
        try:
            mb += memory_of(pid)
            cpu += cpu_of(pid)
        except OSError:
            continue
    return mb, cpu
