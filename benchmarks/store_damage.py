"""Damage the files of a small home at random: python -m benchmarks.store_damage --cases 200 [--seed 1] [--only GLOB]

Each case copies a home with the example corpus and flips bits of a block of one of its files, zeroes it, writes over
it or cuts it off there. Then, in another process, questions are asked and the documents ingested again, the doctor
repairs, and the same is done once more. Until the repair, an answer must be the right one, or an error with a remedy;
after it, only the right one. Anything else, such as another exception or a crash, is printed, and the exit status is 1.
"""

import argparse
import json
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from tablerag import TableRAG
from tablerag.cli.doctor import check_deeply
from tablerag.tools.errors import TableRagError

__all__ = ["damaged", "main", "trial"]

CORPUS = Path(__file__).resolve().parent.parent / "examples" / "corpus"
QUESTIONS = ("What was the total revenue of 2025?", "Who manages Noordkade?")
SUMS = ("SELECT SUM(quantity) FROM orders", "SELECT COUNT(*) FROM suppliers")
REMEDY = re.compile(r"tablerag (doctor|ingest|migrate)|check that|free space")
BLOCK = 4096
MOST_S = 120
WAYS = ("flip", "zero", "random", "cut")


def damaged(file: Path, chance: random.Random) -> str:
    """Damage a random block of a file and return how."""
    data = bytearray(file.read_bytes())
    way = chance.choice(WAYS)
    start = chance.randrange(max(1, len(data)))
    end = min(len(data), start + chance.choice((1, 16, BLOCK)))
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
    return f"{way} {end - start} bytes at {start} of {len(data)}"


def answers(rag: TableRAG) -> dict[str, str]:
    """Return what each question and statement gives; errors begin with "error: "."""
    found = {}
    for question in QUESTIONS:
        found[question] = _said(lambda question=question: rag.ask(question).text)
    for statement in SUMS:
        found[statement] = _said(lambda statement=statement: str(rag.sql(statement).rows))
    return found


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
        said = _said(lambda: str(rag.ingest(CORPUS).counts))
        if said.startswith("error: ") and not REMEDY.search(said):
            wrong.append(f"ingest: {said}")
    with TableRAG(home, model="offline") as rag:
        findings = list(check_deeply(rag.services, "default"))
        rag.ingest(CORPUS)
        left = answers(rag)
        wrong += [f"repaired: {asked} {said}" for asked, said in left.items() if said != right[asked]]
        if wrong and left != right:
            wrong += [f"doctor: {f.state} {f.says}" for f in findings]
    return wrong


def _apart(home: Path, right: dict[str, str]) -> list[str]:
    """Run a trial in a fork, which damage may crash."""
    inbox, outbox = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(MOST_S)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            said = trial(home, right)
        except BaseException:
            said = [traceback.format_exc()]
        os.write(outbox, json.dumps(said).encode()[:60_000])
        os._exit(0)
    os.close(outbox)
    with os.fdopen(inbox, "rb") as stream:
        said = stream.read()
    _, status = os.waitpid(child, 0)
    return json.loads(said) if said else [f"the process ended with {status}"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the cases and print a line for each that went wrong."""
    parser = argparse.ArgumentParser(description="Damage the files of a home at random.")
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="**/*", help="which files of the home, as a glob")
    given = parser.parse_args(arguments)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        whole, home = Path(folder) / "whole", Path(folder) / "home"
        right = _prepared(whole)
        files = sorted(f.relative_to(whole) for f in whole.glob(given.only) if f.is_file() and f.stat().st_size)
        for case in range(given.cases):
            chance = random.Random(f"{given.seed} {case}")
            file = files[case % len(files)]
            shutil.rmtree(home, ignore_errors=True)
            shutil.copytree(whole, home)
            how = damaged(home / file, chance)
            wrong = _apart(home, right)
            if wrong:
                failed += 1
                print(f"case {case}, {file}: {how}\n  " + "\n  ".join(wrong), flush=True)
    print(f"{given.cases} cases, {failed} wrong")
    return 1 if failed else 0


def _prepared(home: Path) -> dict[str, str]:
    """Make a whole home, in a process of its own, and return the right answers."""
    inbox, outbox = os.pipe()
    if (child := os.fork()) == 0:
        with TableRAG(home, model="offline") as rag:
            rag.ingest(CORPUS)
            os.write(outbox, json.dumps(answers(rag)).encode())
        os._exit(0)
    os.close(outbox)
    with os.fdopen(inbox, "rb") as stream:
        right = json.load(stream)
    os.waitpid(child, 0)
    return right


if __name__ == "__main__":
    sys.exit(main())
