"""Measure HD-RAG's embedded reasoner on all arithmetic questions of TAT-QA: answered, right, abstained. No model.

    python -m benchmarks.hdrag_arithmetic --data DIR

DIR holds tatqa/. Each question is asked of its own report, and of the report that the ensemble finds first by the
question alone. The rules were written while looking at the questions of every second report, the first among them:
those of the others, which nobody looked at, are counted apart.
"""

import argparse
from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.progress import track

from agent.hd_rag.context import HdRagContext
from agent.hd_rag.offline_reasoner import HdRagOffline
from agent.hd_rag.reasoning import RecapTask
from agent.hd_rag.rendering import passages_of
from benchmarks.hdrag_corpus import CORPUS, asked_of, prepared
from evaluation.datasets.tatqa import TatQaQuestion
from evaluation.tatqa import score
from graphs.hd_rag_deployment import HdRagDeployment
from tools.whole_documents import WholeDocument


def outcome_of(question: TatQaQuestion, document: WholeDocument, reasoner: HdRagOffline) -> str:
    """Return abstained, right or wrong."""
    recap = reasoner.recap(RecapTask(question.question, document.tables, passages_of(document))).value
    if not recap.answer:
        return "abstained"
    return "right" if score(question, recap.answer, recap.scale).exact else "wrong"


def shown(counts: Counter) -> str:
    """Write how many were asked, answered and right."""
    answered = counts["right"] + counts["wrong"]
    return (
        f"{counts.total()} asked, {answered} answered, {counts['right']} right "
        f"({100 * counts['right'] / max(answered, 1):.1f} % of those answered, "
        f"{100 * counts['right'] / max(counts.total(), 1):.1f} % of all), {counts['abstained']} abstained"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder that holds tatqa/")
    args = parser.parse_args()
    context, reasoner = HdRagContext(corpus=CORPUS, documents_k=1), HdRagOffline()
    counts = {name: Counter() for name in ("own, looked at", "own, not looked at", "own", "found")}
    others = Counter()
    with prepared(args.data, ("table", "hrcl")) as (services, reports):
        tools = HdRagDeployment(services)
        ids = {d.source: d.document_id for d in services.catalog.documents(CORPUS)}
        places = {source: place for place, source in enumerate(reports)}
        for question, source in track(asked_of(reports), "asking", console=Console(stderr=True)):
            own = tools.read(ids[source], question.question, context)
            outcome = outcome_of(question, own, reasoner)
            if question.answer_type != "arithmetic":
                others[outcome] += 1
                continue
            counts["own, not looked at" if places[source] % 2 else "own, looked at"][outcome] += 1
            counts["own"][outcome] += 1
            first = tools.find(question.question, context)[0]
            found = own if first.source == source else tools.read(first.document_id, question.question, context)
            counts["found"][outcome_of(question, found, reasoner)] += 1
    for name, count in counts.items():
        print(f"of the report {name}: {shown(count)}")
    print(f"questions that are no arithmetic, of their own report: {shown(others)}")


if __name__ == "__main__":
    main()
