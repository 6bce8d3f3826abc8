"""Measure the embedded reasoner on WikiTableQuestions, each question against its own table.

    python -m benchmarks.wikitq_offline --data DIR [--limit 300] [--seed 7] [--split random-split-1-dev] [--out FILE]

Prints how many questions were answered, right, and abstained from, and the share of right answers.
"""

import argparse
import json
import random
import tempfile
from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.progress import track

from agent.context import Context
from evaluation.datasets.wikitq import WikiTqQuestion, load_wikitq
from evaluation.metrics import denotations_match
from graphs.tablerag import build
from ingestion.pipeline import ingest
from tools.services import Services
from tools.settings import Settings


def predicted_values(outcome: dict) -> list[str]:
    """Return the answer as a set of values: the column that SQL gave, else the answer's text."""
    answered = [s for s in outcome["steps"] if s["verdict"] != "none"]
    if answered and answered[-1]["rows"] and len(answered[-1]["columns"]) == 1 and not answered[-1]["error"]:
        values = [str(row[0]) for row in answered[-1]["rows"] if row[0] is not None]
        if outcome["answer"] != values[0] and len(values) == 1:
            return [outcome["answer"]]
        return values
    return [outcome["answer"]]


def ask_each(questions: list[WikiTqQuestion], console: Console) -> list[dict]:
    """Ingest each question's table into a corpus of its own and ask the offline reasoner."""
    rows = []
    with tempfile.TemporaryDirectory() as home:
        services = Services(Settings(home=Path(home), model="offline"))
        graph = build(services).compile()
        for q in track(questions, "asking", console=console):
            corpus = "-".join(q.table.parts[-2:])
            ingest([q.table], services, corpus)
            outcome = graph.invoke({"question": q.question}, context=Context(corpus=corpus))
            answered = outcome["verdict"] != "none"
            values = predicted_values(outcome) if answered else []
            right = answered and denotations_match(q.gold, values)
            rows.append(
                {"id": q.id, "question": q.question, "gold": q.gold, "predicted": values, "sql": outcome["sql"]}
                | {"outcome": "right" if right else "wrong" if answered else "abstained"}
            )
        services.close()
    return rows


def main() -> None:
    """Run the measurement and print its counts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="WikiTableQuestions' folder")
    parser.add_argument("--split", default="random-split-1-dev")
    parser.add_argument("--limit", type=int, default=300)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path, help="write one JSON line per question")
    args = parser.parse_args()
    questions = load_wikitq(args.data, args.split)
    sample = random.Random(args.seed).sample(questions, min(args.limit, len(questions)))
    rows = ask_each(sample, Console(stderr=True))
    if args.out:
        args.out.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows), encoding="utf-8")
    counts = Counter(r["outcome"] for r in rows)
    answered = counts["right"] + counts["wrong"]
    print(f"questions {len(rows)}  answered {answered}  right {counts['right']}  abstained {counts['abstained']}")
    print(f"right of all {counts['right'] / len(rows):.1%}  right of answered {counts['right'] / max(answered, 1):.1%}")


if __name__ == "__main__":
    main()
