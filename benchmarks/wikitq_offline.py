"""Measure the embedded reasoner on WikiTableQuestions, each question with its own table or with all tables.

    python -m benchmarks.wikitq_offline --data DIR [--open] [--limit 300] [--split random-split-1-dev] [--plot FILE]

Every question is answered at any confidence, and the SQL passes the guard. Prints the share of right answers by the
official rule: of all, of the most confident, by confidence, and by kind of question; and the time per question. With
``--open`` questions go through the complete graph, over one corpus of all tables of the split.
"""

import argparse
import json
import random
import re
import shutil
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import track

from benchmarks.reliability import reliability
from tablerag.agent.context import Context
from tablerag.agent.offline.reasoner import OfflineReasoner
from tablerag.agent.reasoning import SqlTask
from tablerag.evaluation.datasets.wikitq import WikiTqQuestion, load_wikitq
from tablerag.evaluation.metrics.denotation import denotations_match
from tablerag.graphs.deployment import Deployment
from tablerag.graphs.tablerag import RECURSION_LIMIT, build
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.errors import SqlProblem
from tablerag.tools.evidence import result_of, run_sql
from tablerag.tools.records import Cell, SqlResult, TableSchema
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tablerag.tools.table_rows import RowReader

CORPUS = "wikitq"
KINDS = (
    ("yes or no", r"^(is|are|was|were|do|does|did|has|have|had)\b"),
    ("difference", r"\b(difference|how (many|much) (more|less|fewer|longer)|how long)\b"),
    ("count", r"\b(how many|number of)\b"),
    ("next or previous", r"\b(next|previous|before|after|prior|above|below|follow\w*)\b"),
    ("superlative", r"\b(\w+est|most|least|first|last|top|best|worst)\b"),
    ("sum or average", r"\b(total|average|sum|combined)\b"),
    ("comparison", r"\b(or|than)\b"),
)


def kind_of(question: str) -> str:
    """Return the first kind whose words are in a question, or "lookup"."""
    return next((kind for kind, pattern in KINDS if re.search(pattern, question.casefold())), "lookup")


def key_of(table: Path) -> str:
    """Return the source name of a table of the benchmark."""
    return "/".join(table.parts[-2:])


def copied(tables: Iterable[Path], folder: Path) -> Path:
    """Copy a split's tables to one folder, under their names in the benchmark."""
    for table in tables:
        target = folder / key_of(table)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(table, target)
    return folder


def shown(cells: Sequence[Cell]) -> list[str]:
    """Return a result's first column as the values of an answer."""
    return [str(c) for c in cells if c is not None]


def own_table(services: Services) -> Callable[[WikiTqQuestion], tuple[list[str], float]]:
    """Answer a question from its own table; return the values and the confidence."""

    def run(sql: str, schemas: Sequence[TableSchema]) -> SqlResult:
        return result_of(services, sql, schemas)

    reasoner = OfflineReasoner(RowReader(services.database), services.embedding.embed, run=run)
    schemas = {s.source: s for s in services.catalog.schemas(CORPUS)}

    def answer(question: WikiTqQuestion) -> tuple[list[str], float]:
        own = [schemas[key_of(question.table)]]
        hints = tuple(services.value_linker.hints(question.question, own))
        choice = reasoner.choose(SqlTask(question.question, question.question, tuple(own), hints))
        try:
            result, _ = run_sql(services, choice.sql, own) if choice else (None, ())
        except SqlProblem:
            result = None
        return shown([row[0] for row in result.rows]) if result else [], choice.confidence if choice else 0.0

    return answer


def whole_corpus(services: Services) -> Callable[[WikiTqQuestion], tuple[list[str], float]]:
    """Answer a question through the graph, from a corpus of many tables."""
    reasoner = OfflineReasoner(RowReader(services.database), services.embedding.embed, least_confidence=0.0)
    graph = build(Deployment(services), lambda context: reasoner).compile().with_config(recursion_limit=RECURSION_LIMIT)

    def answer(question: WikiTqQuestion) -> tuple[list[str], float]:
        outcome = graph.invoke({"question": question.question}, context=Context(corpus=CORPUS))
        steps = [s for s in outcome["steps"] if s["verdict"] != "none"]
        if steps and steps[-1]["rows"]:
            return shown([row[0] for row in steps[-1]["rows"]]), 0.0
        return [outcome["raw"]], 0.0

    return answer


def asked(
    questions: Sequence[WikiTqQuestion], answer: Callable[[WikiTqQuestion], tuple[list[str], float]]
) -> Iterator[dict]:
    """Yield the outcome of each question."""
    for question in track(questions, "asking", console=Console(stderr=True)):
        started = time.perf_counter()
        values, confidence = answer(question)
        yield {
            "id": question.id, "question": question.question, "kind": kind_of(question.question), "gold": question.gold,
            "predicted": values, "right": denotations_match(question.gold, values), "confidence": confidence,
            "seconds": time.perf_counter() - started,
        }  # fmt: skip


def report(rows: Sequence[dict]) -> None:
    """Print shares and times."""
    print(f"questions {len(rows)}  right of all {_share(rows):.1%}")
    surest = sorted(rows, key=lambda r: -r["confidence"])
    if surest[0]["confidence"]:
        points = ", ".join(f"{c:.0%}: {_share(surest[: round(c * len(rows))]):.1%}" for c in (0.25, 0.5, 0.75, 1))
        print(f"right of the most confident {points}")
        print(reliability([r["confidence"] for r in rows], [r["right"] for r in rows]))
    kinds: dict[str, list[dict]] = defaultdict(list)
    for row in rows:
        kinds[row["kind"]].append(row)
    for kind, of in sorted(kinds.items(), key=lambda k: -len(k[1])):
        print(f"  {kind:18} {len(of):5}  right {_share(of):.1%}")
    times = sorted(r["seconds"] for r in rows)
    print(f"milliseconds per question: median {times[len(times) // 2] * 1000:.0f}, ", end="")
    print(f"95 % below {times[int(len(times) * 0.95)] * 1000:.0f}")


def _share(rows: Sequence[dict]) -> float:
    return sum(r["right"] for r in rows) / max(1, len(rows))


def plot(rows: Sequence[dict], path: Path) -> None:
    """Plot the share of right answers over the share of questions answered, most confident first."""
    from matplotlib import pyplot as plt

    surest = sorted(rows, key=lambda r: -r["confidence"])
    right = 0
    curve = [(right := right + r["right"]) / (i + 1) for i, r in enumerate(surest)]
    figure, axes = plt.subplots(figsize=(6, 4))
    axes.plot([100 * (i + 1) / len(rows) for i in range(len(rows))][20:], [100 * c for c in curve][20:])
    axes.set(xlabel="answered, % of questions", ylabel="right, % of answered", ylim=(0, 100), xlim=(0, 100))
    axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(path)


def main() -> None:
    """Run the measurement and print it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="WikiTableQuestions' folder")
    parser.add_argument("--split", default="random-split-1-dev")
    parser.add_argument("--limit", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--open", action="store_true", help="ask one corpus of all tables of the split")
    parser.add_argument("--home", type=Path, help="folder for the ingested tables, to keep them for another run")
    parser.add_argument("--out", type=Path, help="write one JSON line per question")
    parser.add_argument("--plot", type=Path, help="plot accuracy by confidence to this file")
    args = parser.parse_args()
    questions = load_wikitq(args.data, args.split)
    sample = random.Random(args.seed).sample(questions, min(args.limit, len(questions)))
    with tempfile.TemporaryDirectory() as home:
        services = Services(Settings(home=args.home or Path(home), model="offline", _env_file=None))
        if not services.catalog.documents(CORPUS):
            ingest([copied({q.table for q in questions}, services.settings.home / "tables")], services, CORPUS)
        rows = list(asked(sample, whole_corpus(services) if args.open else own_table(services)))
        services.close()
    if args.out:
        args.out.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows), encoding="utf-8")
    report(rows)
    if args.plot:
        plot(rows, args.plot)


if __name__ == "__main__":
    main()
