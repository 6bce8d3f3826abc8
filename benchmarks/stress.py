"""Load a real server with everything at once for hours, restart and kill it meanwhile, and check every reply.

    python -m benchmarks.stress [--minutes 120] [--clients 20] [--seed 1] [--data FOLDER]

Each client has documents of its own, in a corpus that it shares with three others. It uploads, replaces and removes
them, asks questions whose answers are known, follows up, approves, edits and rejects statements, cancels runs and hangs
up on streams. Every few minutes the server is stopped or killed, and started again. It is started as `make serve` does,
with a stand-in for the model.

The exit status is 1 after a wrong answer, a document that was lost or came back, a run or upload that did not end, a
server that crashed or called itself unhealthy. Honest failures are counted. FOLDER keeps the home, the server's log,
odd.jsonl (each odd outcome, with what was asked and replied) and memory.jsonl.
"""

import argparse
import os
import random
import sys
import tempfile
import threading
import time
from pathlib import Path

import httpx
import numpy as np

from benchmarks.stress_clients import Client, started
from benchmarks.stress_connection import RUN_S, Cut, World
from benchmarks.stress_documents import names
from benchmarks.stress_model import started_model
from benchmarks.stress_outcomes import Outcomes
from benchmarks.stress_server import Life, lives, run_server, started_server
from benchmarks.stress_uploads import JOB_S

SHARING = 4
"""Clients of one corpus."""
AGES = (60, 120, 240, 480, 960, 1440, 1920, 2400)
"""Seconds after the start at which the memory of different lives is compared."""
LAST_CHECKS = 3
SHORTEST_S = 20.0


def made_clients(world: World, count: int, seed: int) -> list[Client]:
    """Return clients whose documents have different names within a corpus."""
    words = names(seed, 10**6)
    found = []
    for number in range(count):
        own = words[number % SHARING :: SHARING]
        found.append(Client(number, world, f"shared-{number // SHARING}", seed, words=own))
    return found


def load(world: World, folder: Path, clients: list[Client], args: argparse.Namespace, model_url: str) -> list[Life]:
    """Let the clients work until the time is over, on one server after the other."""
    threads = [started(client, world) for client in clients]
    until, lived = time.monotonic() + 60 * args.minutes, []
    for life, seconds in lives(random.Random(args.seed), args.minutes):
        left = until - time.monotonic()
        if left < SHORTEST_S:
            break
        try:
            run_server(world, folder, life, min(seconds, left), model_url)
        except AssertionError as error:  # it did not start: the documents are checked all the same
            world.outcomes.odd("server", "crashed", life=life.number, error=str(error))
            break
        lived.append(life)
        how = "killed" if life.kill else "stopped"
        times = f"ready after {life.ready_s:.1f} s, {how} after {life.lived_s:.0f} s, ended in {life.end_s:.1f} s"
        print(f"  life {life.number}: {times}", flush=True)
    world.over.set()
    for client, thread in zip(clients, threads, strict=True):
        thread.join(RUN_S + JOB_S)
        if thread.is_alive():
            client.odd("stuck", detail="the client did not come to its end")
    return lived


def check_at_the_end(world: World, folder: Path, clients: list[Client], model_url: str) -> None:
    """Start the server a last time, check all documents, and see that no run is left."""
    with started_server(folder, model_url) as server:
        world.url, world.lifetime = server.url, world.lifetime + 1
        world.up.set()
        for client in clients:
            check_client(client)
        deadline = time.monotonic() + RUN_S
        while busy := httpx.post(f"{server.url}/threads/search", json={"status": "busy"}, timeout=30).json():
            if time.monotonic() > deadline:
                world.outcomes.odd("end", "stuck", threads=busy)
                break
            time.sleep(1)


def check_client(client: Client) -> None:
    """Check a client's documents, again if one was not sure."""
    for _ in range(LAST_CHECKS):
        settled = all(document.is_sure for document in client.documents)
        try:
            client.do(client.check)
        except Cut:
            client.odd("crashed", detail="no reply to the last check")
        if settled:
            return


def show_progress(world: World, begun: float) -> None:
    """Print a line every minute."""
    while not world.over.wait(60):
        outcomes = world.outcomes
        counts = f"{outcomes.total('right')} right, {outcomes.total('unsure', 'failed')} unsure or failed"
        pace = f"pause {world.pause:.2f}, load {os.getloadavg()[0]:.1f}"
        failures = f"failures: {outcomes.failures or 'none'}"
        print(f"{(time.monotonic() - begun) / 60:.0f} min: {counts}, {pace}, {failures}", flush=True)


def table(outcomes: Outcomes, lived: list[Life], log: str) -> str:
    """Return the outcomes by action, the seconds of answers, and the memory at the same age of each life."""
    lines = [f"{action:12} {outcome:44} {n:7}" for (action, outcome), n in sorted(outcomes.counts.items())]
    if outcomes.seconds:
        quantiles = np.percentile(outcomes.seconds, (50, 95, 100))
        lines.append("an answer took p50 {:.2f} s, p95 {:.2f} s, at most {:.2f} s".format(*quantiles))
    errors = [line for line in log.splitlines() if "error    " in line or "Traceback" in line]
    lines.append(f"{len(errors)} errors in the server's log{f', the last: {errors[-1][:200]}' if errors else ''}")
    lines.append(f"MB by life, at {', '.join(f'{age // 60}' for age in AGES)} minutes, at most, and at its end:")
    for life in lived:
        if life.memory:
            most, last = max(mb for _, mb in life.memory), life.memory[-1][1]
            lines.append(f"{life.number:4} {' '.join(f'{life.at(age):>6}' for age in AGES)} {most:6.0f} {last:6.0f}")
    return "\n".join(lines)


def main() -> None:
    """Load, check, print the table, and exit with 1 if the test has failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--data", type=Path, help="a new folder; without it, a temporary one that is kept")
    args = parser.parse_args()
    folder = args.data or Path(tempfile.mkdtemp(prefix="stress-"))
    folder.mkdir(parents=True, exist_ok=True)
    print(f"seed {args.seed}, {args.clients} clients, {args.minutes:g} minutes, in {folder}", flush=True)
    world, model = World(Outcomes(folder)), started_model(args.seed)
    clients = made_clients(world, args.clients, args.seed)
    threading.Thread(target=show_progress, args=(world, time.monotonic()), daemon=True).start()
    lived = load(world, folder, clients, args, model.url)
    check_at_the_end(world, folder, clients, model.url)
    model.stop()
    print(table(world.outcomes, lived, (folder / "server.log").read_text(errors="replace")))
    print(
        f"{sum(len(c.documents) for c in clients)} documents at the end; failures: {world.outcomes.failures or 'none'}"
    )
    sys.exit(1 if world.outcomes.failures else 0)


if __name__ == "__main__":
    main()
