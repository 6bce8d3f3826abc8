"""Damage the files of a small home at random: python -m benchmarks.store_damage --cases 200 [--seed 1] [--only GLOB]

Each case copies a home with the example corpus, as a killed server leaves it: with a log of the catalog, a graph of
vectors, a value index and saved threads, all of them small. It flips bits of a block of one of its files, zeroes it,
writes over it or cuts it off there. Then, in another process, questions are asked and the documents ingested again,
the doctor repairs, and the same is done once more. Until the repair, an answer must be the right one, or an error with
a remedy; after it, only the right one, and what the doctor finds once more is no more than what to ingest. Anything
else, such as another exception or a crash, is printed, and the exit status is 1. A home without damage is tried before
all others.
"""

import argparse
import asyncio
import importlib
import json
import multiprocessing
import os
import random
import re
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langgraph.checkpoint.memory import PersistentDict

import tablerag.ingestion.values
import tablerag.serving.checkpoints
import tablerag.tools.linking.indexing
import tablerag.tools.linking.values
import tablerag.tools.stores.chroma
from tablerag import Answer, TableRAG
from tablerag.cli.doctor import check, check_deeply
from tablerag.serving.saved_state import LISTS, guard_saved_state
from tablerag.tools.errors import TableRagError
from tablerag.tools.settings import Settings

__all__ = ["damaged", "main", "trial"]

CORPUS = Path(__file__).resolve().parent.parent / "examples" / "corpus"
QUESTIONS = (
    "What was the total revenue of 2025?",
    "Who manages Noordkade?",
    "How many orders has The Copper Kettle?",
    "Who founded Finca Alta Vista?",
)
SUMS = (
    "SELECT SUM(quantity_kg) FROM orders",
    "SELECT COUNT(*) FROM products",
    "SELECT SUM(cost_eur) FROM revenue_and_cost_by_quarter",
    "SELECT SUM(farms) FROM suppliers",
    "SELECT SUM(meals_per_day_eur) FROM travel",
    "SELECT SUM(stock_kg) FROM warehouses",
)
REMEDY = re.compile(r"tablerag (doctor|ingest|migrate)|check that|free space")
BLOCK = 4096
MOST_S = 240
MOST_VALUES = 20
"""Distinct values in memory; with more a column is in the value index."""
GRAPH = {"batch_size": 10, "sync_threshold": 20}
"""After how many vectors Chroma writes its graph."""
WAYS = ("flip", "zero", "random", "cut")


def damaged(file: Path, chance: random.Random) -> str:
    """Damage a random block of a file and return how."""
    data = bytearray(file.read_bytes())
    size = len(data)
    way = chance.choice(WAYS)
    start = chance.randrange(max(1, size))
    end = min(size, start + chance.choice((1, 16, BLOCK)))
    if way == "cut":
        del data[start:]
    elif way == "zero":
        data[start:end] = bytes(end - start)
    elif way == "random":
        data[start:end] = chance.randbytes(end - start)
    else:
        for place in range(start, end):
            data[place] ^= 1 << chance.randrange(8)
    file.write_bytes(data)
    return f"{way} at {start} of {size}" if way == "cut" else f"{way} {end - start} bytes at {start} of {size}"


def answers(rag: TableRAG) -> dict[str, str]:
    """Return what each question and statement gives; errors begin with "error: "."""
    found = {}
    for question in QUESTIONS:
        found[question] = _said(lambda question=question: _text(rag.ask(question)))
    for statement in SUMS:
        found[statement] = _said(lambda statement=statement: str(rag.sql(statement).rows))
    return found


def _text(answer: Answer) -> str:
    return f"error: {answer.text}" if answer.cause == "table_lost" else answer.text


def _numbers(said: str) -> list[str] | str:
    return re.findall(r"\d[\d,.]*", said) or said


def _said(act: Callable[[], str]) -> str:
    try:
        return act()
    except TableRagError as error:
        return f"error: {error}"


def trial(home: Path, right: dict[str, str]) -> list[str]:
    """Ask, ingest, repair and ask again in a damaged home; return what is wrong."""
    wrong = []
    with TableRAG(home, model="offline") as rag:
        for asked, said in answers(rag).items():
            is_right = _numbers(said) == _numbers(right[asked])  # those of a text, if the table is damaged
            if not is_right and not (said.startswith("error: ") and REMEDY.search(said)):
                wrong.append(f"damaged: {asked} {said}")
        list(check(rag.services))  # which may only find it, not raise
        said = _said(lambda: str(rag.ingest(CORPUS).counts))
        if said.startswith("error: ") and not REMEDY.search(said):
            wrong.append(f"ingest: {said}")
    with TableRAG(home, model="offline") as rag:
        findings = list(check_deeply(rag.services, "default", lambda _: True))
        wrong += [f"doctor again: {f.says}" for f in check_deeply(rag.services, "default") if f.state == "broken"]
        rag.ingest(CORPUS)
        left = answers(rag)
        wrong += [f"repaired: {asked} {said}" for asked, said in left.items() if said != right[asked]]
        wrong += _opened_by_the_server(home)
        if wrong and left != right:
            wrong += [f"doctor: {f.state} {f.says}" for f in findings]
    return wrong


def _opened_by_the_server(home: Path) -> list[str]:
    """Open what a server saved, as it does when it starts; return what is wrong."""

    settings = Settings(home=home, _env_file=None)  # type: ignore[call-arg]
    tablerag.serving.checkpoints.get_settings = lambda: settings

    async def threads() -> None:
        async with tablerag.serving.checkpoints.checkpointer() as saver:
            async for _ in saver.alist(None):
                pass

    try:
        PersistentDict(dict, filename=str(home / LISTS)).load()
    except FileNotFoundError:
        return ["the lists of the server are gone"]
    asyncio.run(threads())
    return []


def _apart(home: Path, right: dict[str, str]) -> list[str]:
    """Run a trial in a fork, which damage may crash."""

    def tried() -> list[str]:
        signal.alarm(MOST_S)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            return trial(home, right)
        except BaseException:
            return [traceback.format_exc()]

    said, status = _forked(tried)
    return [f"the process ended with {status}"] if said is None else said


def _forked(act: Callable[[], Any]) -> tuple[Any, int]:
    """Return what a function returns in a fork, as JSON has it, and the status of the process; None if it crashed."""
    inbox, outbox = os.pipe()
    if (child := os.fork()) == 0:
        with suppress(BaseException), os.fdopen(outbox, "w") as stream:
            stream.write(json.dumps(act()))
            stream.flush()
        os._exit(0)
    os.close(outbox)
    with os.fdopen(inbox, "rb") as stream:
        said = stream.read()
    _, status = os.waitpid(child, 0)
    return (json.loads(said) if said else None), status


@dataclass(frozen=True)
class Cases:
    """What the cases of one run share."""

    whole: Path
    files: Sequence[Path]
    right: dict[str, str]
    seed: int

    def tried(self, number: int) -> tuple[str, list[str]]:
        """Damage a copy of the home in a folder of its own; return how, and what is wrong."""
        chance = random.Random(f"{self.seed} {number}")
        file = self.files[number % len(self.files)]
        with tempfile.TemporaryDirectory() as folder:
            home = shutil.copytree(self.whole, Path(folder) / "home")
            how = damaged(home / file, chance)
            return f"case {number}, {file}: {how}", _apart(home, self.right)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the cases and print a line for each that went wrong."""
    parser = argparse.ArgumentParser(description="Damage the files of a home at random.")
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="the case to begin with")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="cases to run at once")
    parser.add_argument("--only", default="**/*", help="which files of the home, as a glob")
    given = parser.parse_args(arguments)
    failed, began = 0, time.monotonic()
    _make_small()
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole"
        right = _prepared(whole)
        files = sorted(f.relative_to(whole) for f in whole.glob(given.only) if f.is_file() and f.stat().st_size)
        cases, numbers = Cases(whole, files, right, given.seed), range(given.first, given.cases)
        with multiprocessing.get_context("fork").Pool(given.jobs) as pool:
            for number, (how, wrong) in zip(numbers, pool.imap(cases.tried, numbers), strict=True):
                if wrong:
                    failed += 1
                    print(f"{how}\n  " + "\n  ".join(wrong), flush=True)
                print(f"case {number} is done, {failed} wrong", end="\r", file=sys.stderr, flush=True)
    print(f"{len(numbers)} cases of {len(files)} files, {failed} wrong, {time.monotonic() - began:.0f} s")
    return 1 if failed else 0


def _make_small() -> None:
    """Have a few documents use what otherwise only many do."""
    tablerag.tools.stores.chroma.HNSW |= GRAPH
    tablerag.tools.linking.values.MAX_DISTINCT = tablerag.ingestion.values.MAX_DISTINCT = MOST_VALUES
    tablerag.tools.linking.indexing.MAX_DISTINCT = MOST_VALUES
    guard_saved_state()


def _prepared(whole: Path) -> dict[str, str]:
    """Make a whole home and try it, in a process of its own; import what that needed, and return the right answers."""

    def made() -> tuple[dict[str, str], list[str], list[str]]:
        home = whole.with_name("home")
        home.mkdir()
        with TableRAG(home, model="offline") as rag, closing(sqlite3.connect(home / "tables.db")) as reader:
            rag.ingest(CORPUS / "orders.csv")
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM sqlite_master").fetchone()  # leaves what follows in the log
            rag.ingest(CORPUS)
            right = answers(rag)
            saved = PersistentDict(dict, filename=str(home / LISTS))
            saved |= {name: [] for name in ("threads", "runs", "assistants", "assistant_versions", "crons")}
            saved.sync()
            _opened_by_the_server(home)
            shutil.copytree(home, whole)
        wrong = trial(home, right) + [f"{asked} {said}" for asked, said in right.items() if said.startswith("error")]
        return right, wrong, [name for name in sys.modules if name != "__main__"]

    found, _ = _forked(made)
    if found is None or found[1]:
        raise SystemExit(f"the home is wrong before any damage: {found and found[1]}")
    for module in found[2]:  # once, and not in every case
        with suppress(ImportError):
            importlib.import_module(module)
    return found[0]


if __name__ == "__main__":
    sys.exit(main())
