"""Measure a model's SQL on WikiTableQuestions: statements are written, repaired and run as in the graph.

    OPENAI_BASE_URL=... TABLERAG_MODEL=openai:NAME \\
    python -m benchmarks.nl2sql --data DIR (--own | --all) [--limit 30] [--seed 3] [--parallel 10] [--out FILE]

DIR contains wikitq/. With --own a question is asked of its own table; with --all the tables of the dev split are one
corpus, in which the question's schemas must be found first. A result is right if the values of one of its columns, or
of its only row, are the gold answers: statements may also select what identifies their rows. Prints how many
questions were right at once, right after a repair, wrong, declined, and without a statement that runs.
"""

import argparse
import json
import random
import tempfile
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import track

from tablerag.agent.context import Context
from tablerag.agent.reasoning import CannotAnswer, Reasoner, SqlAttempt, SqlTask
from tablerag.evaluation.datasets.wikitq import WikiTqQuestion, load_wikitq
from tablerag.evaluation.metrics.denotation import denotations_match
from tablerag.graphs.deployment import Deployment
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.errors import ReplyInvalid, SqlProblem
from tablerag.tools.records import SqlResult, TableSchema
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings

RECALL_N, TOP_K = 30, 3
REPAIRS = 2
OUTCOMES = ("right", "right after repair", "wrong", "cannot answer", "failed")
TOGETHER = "dev"
"""The corpus of all tables."""


@dataclass(frozen=True, slots=True)
class Written:
    """The outcome of one question: its attempts, and the result of the final statement, if there is one."""

    attempts: tuple[SqlAttempt, ...]
    result: SqlResult | None = None
    declined: str = ""
    invalid: str = ""


def corpus_of(table: Path) -> str:
    """Return the name of the corpus of a single table."""
    return "-".join(table.parts[-2:])


def write_and_run(question: str, schemas: Sequence[TableSchema], tools: Deployment, reasoner: Reasoner) -> Written:
    """Write and run a statement, with as many repairs as the graph allows."""
    attempts: list[SqlAttempt] = []
    missed = False
    while len(attempts) <= REPAIRS:
        hints, joins = tuple(tools.hints(question, schemas)), tuple(tools.joins(schemas))
        task = SqlTask(question, question, tuple(schemas), hints, tuple(attempts), joins)
        try:
            thought = reasoner.write_sql(task).value
        except ReplyInvalid as error:
            return Written(tuple(attempts), invalid=str(error))
        if isinstance(thought, CannotAnswer):
            return Written(tuple(attempts), declined=thought.reason)
        try:
            result, _ = tools.run_sql(thought.sql, schemas)
        except SqlProblem as problem:
            attempts.append(SqlAttempt(thought.sql, str(problem)))
            continue
        if result.empty is None or not result.empty.missing or missed or len(attempts) >= REPAIRS:
            return Written(tuple(attempts), result)
        missed = True
        attempts.append(SqlAttempt(thought.sql, f"it found nothing: {result.empty.says}"))
    return Written(tuple(attempts))


def is_right(gold: Sequence[str], result: SqlResult) -> bool:
    """Return whether the values of one column, or of the only row, are the gold answers."""
    answers = [[row[i] for row in result.rows] for i in range(len(result.columns))]
    if len(result.rows) == 1:
        answers.append(list(result.rows[0]))
    return any(denotations_match(gold, [str(v) for v in cells if v is not None]) for cells in answers)


def outcome_of(gold: Sequence[str], written: Written) -> str:
    """Return one of OUTCOMES."""
    if written.declined:
        return "cannot answer"
    if written.result is None:
        return "failed"
    if not is_right(gold, written.result):
        return "wrong"
    return "right after repair" if written.attempts else "right"


def schemas_of(q: WikiTqQuestion, tools: Deployment, together: bool) -> tuple[Sequence[TableSchema], bool]:
    """Return the schemas for a question, and whether its own table is among them."""
    if not together:
        return tools.services.catalog.schemas(corpus_of(q.table)), True
    context = Context(corpus=TOGETHER, recall_n=RECALL_N, top_k=TOP_K)
    schemas = tools.search(q.question, context)[1]
    paths = {d.source: Path(d.path) for d in tools.services.catalog.documents(TOGETHER)}
    sources = {s.source for s in schemas} | {m.source for s in schemas for m in s.members}
    return schemas, q.table.resolve() in {paths[s].resolve() for s in sources if s in paths}


def ask(q: WikiTqQuestion, tools: Deployment, together: bool) -> dict:
    """Ask one question and return its output line."""
    schemas, has_own = schemas_of(q, tools, together)
    reasoner = tools.reasoner_for(Context())
    written = write_and_run(q.question, schemas, tools, reasoner) if schemas else Written((), declined="no table found")
    result = written.result
    return {
        "id": q.id,
        "question": q.question,
        "gold": q.gold,
        "outcome": outcome_of(q.gold, written),
        "own": has_own,
        "tables": [s.name for s in schemas],
        "sql": result.sql if result else None,
        "columns": result.columns if result else [],
        "rows": result.model_dump(mode="json")["rows"] if result else [],
        "empty": result.empty.says if result and result.empty else None,
        "reason": written.declined or written.invalid,
        "attempts": [{"sql": a.sql, "error": a.error} for a in written.attempts],
    }


def measure(
    sample: Sequence[WikiTqQuestion], tables: Sequence[Path], parallel: int, console: Console, *, together: bool
) -> list[dict]:
    """Ingest the tables and ask the questions in parallel."""
    with tempfile.TemporaryDirectory() as home:
        services = Services(Settings(home=Path(home)))
        if together:
            console.print(f"ingesting {len(tables)} tables in one corpus")
            ingest(tables, services, TOGETHER)
        else:
            for table in track(list(dict.fromkeys(q.table for q in sample)), "ingesting", console=console):
                ingest([table], services, corpus_of(table))
        tools = Deployment(services)
        asked = partial(ask, tools=tools, together=together)
        with ThreadPoolExecutor(parallel) as pool:
            rows = list(track(pool.map(asked, sample), "asking", total=len(sample), console=console))
        services.close()
    return rows


def main() -> None:
    """Run the measurement and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with wikitq/")
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--own", action="store_true", help="ask each question of its own table")
    mode.add_argument("--all", action="store_true", help="ask each question of the dev split's tables")
    parser.add_argument("--split", default="random-split-1-dev")
    parser.add_argument("--limit", type=int, default=30)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--parallel", type=int, default=10, help="questions asked in parallel")
    parser.add_argument("--out", type=Path, help="write one JSON line per question")
    args = parser.parse_args()
    questions = load_wikitq(args.data / "wikitq", args.split)
    sample = random.Random(args.seed).sample(questions, min(args.limit, len(questions)))
    tables = list(dict.fromkeys(q.table for q in questions))
    rows = measure(sample, tables, args.parallel, Console(stderr=True), together=args.all)
    if args.out:
        args.out.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows), encoding="utf-8")
    counts = Counter(r["outcome"] for r in rows)
    print(f"questions {len(rows)}  " + "  ".join(f"{o} {counts[o]}" for o in OUTCOMES))
    print(f"right of all {(counts['right'] + counts['right after repair']) / len(rows):.1%}")
    if args.all:
        print(f"own table not among the schemas {sum(not r['own'] for r in rows)}")


if __name__ == "__main__":
    main()
