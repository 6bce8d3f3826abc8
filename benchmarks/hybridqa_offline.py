"""Measure the embedded reasoner on HybridQA, all tables and linked passages in one corpus.

    python -m benchmarks.hybridqa_offline --data DIR [--limit N] [--home FOLDER] [--out FILE]

Prints the share of questions answered, and of exact matches (normalised text, articles aside) among all.
"""

import argparse
import json
import re
import tempfile
from pathlib import Path

from rich.console import Console
from rich.progress import track

from agent.context import Context
from benchmarks.hybridqa_documents import write_documents
from evaluation.metrics import normalise
from graphs.tablerag import RECURSION_LIMIT, build
from ingestion.pipeline import ingest
from tools.services import Services
from tools.settings import Settings

CORPUS = "hybridqa"


def exact(answer: str, gold: str) -> bool:
    """Say whether two answers are the same text but for case, accents, punctuation and articles."""
    one, two = (re.sub(r"\b(a|an|the)\b|[^\w\s]", " ", normalise(t)).split() for t in (answer, gold))
    return one == two


def main() -> None:
    """Ingest, ask, report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="HybridQA's folder")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--home", type=Path, help="where the documents are ingested, to keep them for another run")
    parser.add_argument("--out", type=Path, help="write one JSON line per question")
    args = parser.parse_args()
    questions = json.loads((args.data / "released_data" / "dev.json").read_text(encoding="utf-8"))[: args.limit]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        services = Services(Settings(home=args.home or Path(folder), model="offline", _env_file=None))
        if not services.catalog.documents(CORPUS):
            documents = services.settings.home / "documents"
            write_documents(args.data, documents)
            ingest([documents], services, CORPUS)
        graph = build(services).compile().with_config(recursion_limit=RECURSION_LIMIT)
        for q in track(questions, "asking", console=Console(stderr=True)):
            outcome = graph.invoke({"question": q["question"]}, context=Context(corpus=CORPUS))
            row = {"question": q["question"], "gold": q["answer-text"], "answer": outcome["answer"]}
            rows.append(row | {"verdict": outcome["verdict"], "right": exact(outcome["answer"], q["answer-text"])})
        services.close()
    if args.out:
        args.out.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows), encoding="utf-8")
    answered = sum(r["verdict"] != "none" for r in rows)
    right = sum(r["right"] for r in rows)
    print(f"questions {len(rows)}  answered {answered}  exact match {right / len(rows):.1%} of all")


if __name__ == "__main__":
    main()
