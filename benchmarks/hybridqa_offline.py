"""Measure the embedded reasoner on HybridQA, all tables and linked passages in one corpus.

    python -m benchmarks.hybridqa_offline --data DIR [--abstain] [--limit N] [--home FOLDER] [--out FILE]

Every question is answered at any confidence; with ``--abstain`` only those above the reasoner's threshold. Prints how
many are answered and the share of exact matches among all, by the official rule. training/hops.py learned from every
second question, starting with the first; the others are counted separately.
"""

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import track

from benchmarks.hybridqa_documents import write_documents
from tablerag.agent.context import Context
from tablerag.agent.offline.reasoner import OfflineReasoner
from tablerag.agent.ports import ReasonerFor
from tablerag.agent.reasoners import reasoners
from tablerag.evaluation.metrics.spans import span_scores
from tablerag.graphs.deployment import Deployment
from tablerag.graphs.tablerag import RECURSION_LIMIT, build
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.evidence import result_of
from tablerag.tools.linked_passages import LinkedPassages
from tablerag.tools.records import SqlResult, TableSchema
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tablerag.tools.table_rows import RowReader

CORPUS = "hybridqa"


def shown(name: str, rows: Sequence[dict]) -> str:
    """Return how many of the questions are answered and right."""
    answered, right = sum(r["verdict"] != "none" for r in rows), sum(r["right"] for r in rows)
    return f"{name}: questions {len(rows)}  answered {answered}  right {right}, {right / max(len(rows), 1):.1%} of all"


def reasoner_for(services: Services, *, abstain: bool) -> ReasonerFor:
    """Return the embedded reasoner as deployed, or one that always answers."""
    if abstain:
        return reasoners(services)

    def run(sql: str, schemas: Sequence[TableSchema]) -> SqlResult:
        return result_of(services, sql, schemas)

    known = {"least_confidence": 0.0, "linked": LinkedPassages(services), "run": run}
    always = OfflineReasoner(RowReader(services.database), services.embedding.embed, **known)
    return lambda context: always


def main() -> None:
    """Ingest, ask, report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="HybridQA's folder")
    parser.add_argument("--abstain", action="store_true", help="answer only above the threshold, as for users")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--home", type=Path, help="folder for the ingested documents, to keep them for another run")
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
        graph = (
            build(Deployment(services), reasoner_for(services, abstain=args.abstain))
            .compile()
            .with_config(recursion_limit=RECURSION_LIMIT)
        )
        for q in track(questions, "asking", console=Console(stderr=True)):
            started = time.perf_counter()
            outcome = graph.invoke({"question": q["question"]}, context=Context(corpus=CORPUS))
            row = {"question": q["question"], "gold": q["answer-text"], "answer": outcome["raw"]}
            right = span_scores([q["answer-text"]], outcome["raw"])["em"] == 1.0
            told = {"verdict": outcome["verdict"], "explanation": outcome["explanation"], "sql": outcome["sql"]}
            rows.append(row | told | {"right": right, "seconds": time.perf_counter() - started})
        services.close()
    if args.out:
        args.out.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows), encoding="utf-8")
    for name, some in (("all", rows), ("learned from", rows[::2]), ("not learned from", rows[1::2])):
        print(shown(name, some))
    print(f"milliseconds per question: median {1000 * statistics.median(r['seconds'] for r in rows):.0f}")


if __name__ == "__main__":
    main()
