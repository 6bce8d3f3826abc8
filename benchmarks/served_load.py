"""Measure a server while many threads ask at once, with a fake model that answers immediately.

    python -m benchmarks.served_load [--threads 50] [--turns 2] [--jobs 10]

Every thread asks for its own row, so that an answer in the wrong thread is noticed. Prints how many answers were lost
or mixed up, and the median and 95th percentile of the seconds from question to answer.
"""

import argparse
import asyncio
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

from tests.support.graph_server import ITEMS, MODEL, amount_of, fill_corpora, running_graph_server
from tests.support.model_server import ModelServer
from tests.support.model_thoughts import lookup


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


async def ask_at_once(url: str, threads: int, turns: int) -> list[Turn]:
    """Open all threads at once and ask their questions one after the other."""
    async with get_client(url=url) as client:
        asked = await asyncio.gather(*(_converse(client, thread, turns) for thread in range(threads)))
    return [turn for thread in asked for turn in thread]


async def _converse(client: LangGraphClient, number: int, turns: int) -> list[Turn]:
    thread = (await client.threads.create())["thread_id"]
    taken = []
    for turn in range(turns):
        item = (number * turns + turn) % ITEMS
        question = f"and of item {item}?" if turn else f"What is the amount of item {item}?"
        begun = time.perf_counter()
        context = {"model": MODEL, "corpus": "items"}
        asked = {"input": {"question": question}, "context": context}
        result = await client.runs.wait(thread, "tablerag", raise_error=False, **asked)
        seconds = time.perf_counter() - begun
        taken.append(Turn(str(amount_of(item)), str(result.get("value", result)), seconds))
    return taken


def report(turns: list[Turn]) -> str:
    """Return the figures as one line."""
    median, late = np.percentile([t.seconds for t in turns], (50, 95))
    counts = f"{len(turns)} answers, {sum(t.lost for t in turns)} lost, {sum(t.mixed for t in turns)} mixed"
    return f"{counts}; p50 {median:.2f} s, p95 {late:.2f} s, p95/p50 {late / median:.2f}"


def main() -> None:
    """Start the server and the fake model, ask, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=50)
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=10, help="runs that the server executes in parallel")
    args = parser.parse_args()
    model = ModelServer().start()
    model.responder = lookup
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fill_corpora(folder)
        with running_graph_server(folder, jobs=args.jobs, OPENAI_BASE_URL=model.url) as server:
            asyncio.run(ask_at_once(server.url, 1, 1))  # opens the stores
            turns = asyncio.run(ask_at_once(server.url, args.threads, args.turns))
    model.stop()
    print(f"{args.threads} threads at once, {args.turns} turns each, {args.jobs} jobs: {report(turns)}")
    for turn in [t for t in turns if t.lost or t.mixed][:5]:
        print(f"  expected {turn.expected}, got {turn.answer[:300]}")


if __name__ == "__main__":
    main()
