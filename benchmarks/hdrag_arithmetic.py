"""Measure HD-RAG's embedded reasoner, without a model, on all arithmetic questions of TAT-QA.

    python -m benchmarks.hdrag_arithmetic --data DIR

DIR contains tatqa/. Each question is asked of its own report, of the first report that the ensemble finds, and of the
one that the reasoner selects from the first five, if any. The rules were written while looking at the questions of
every second report, starting with the first; questions of the others, a few of which had been seen, are counted
separately.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import track

from benchmarks.hdrag_corpus import CORPUS, asked_of, prepared
from tablerag.agent.hd_rag.context import HdRagContext
from tablerag.agent.hd_rag.offline_reasoner import HdRagOffline
from tablerag.agent.hd_rag.reasoning import RecapTask, SelectTask
from tablerag.agent.hd_rag.rendering import recap_task
from tablerag.evaluation.datasets.tatqa import TatQaQuestion
from tablerag.evaluation.metrics.tatqa import score
from tablerag.graphs.hd_rag_deployment import HdRagDeployment
from tablerag.tools.document_search import FoundDocument
from tablerag.tools.whole_documents import WholeDocument


def outcome_of(question: TatQaQuestion, document: WholeDocument, reasoner: HdRagOffline) -> str:
    """Return abstained, right or wrong."""
    recap = reasoner.recap(recap_task(question.question, document)).value
    if not recap.answer:
        return "abstained"
    return "right" if score(question, recap.answer, recap.scale).exact else "wrong"


def outcome_of_selected(
    question: TatQaQuestion,
    found: Sequence[FoundDocument],
    read: Callable[[str], WholeDocument],
    reasoner: HdRagOffline,
) -> str:
    """Return the outcome with the selected candidate; "abstained" if none is selected."""

    def task(place: int) -> RecapTask:
        return recap_task(question.question, read(found[place].document_id))

    place = reasoner.select(SelectTask(question.question, tuple(found), task)).value.place
    return "abstained" if place is None else outcome_of(question, read(found[place].document_id), reasoner)


def shown(counts: Counter) -> str:
    """Return how many were asked, answered and right."""
    answered = counts["right"] + counts["wrong"]
    return (
        f"{counts.total()} asked, {answered} answered, {counts['right']} right "
        f"({100 * counts['right'] / max(answered, 1):.1f} % of those answered, "
        f"{100 * counts['right'] / max(counts.total(), 1):.1f} % of all), {counts['abstained']} abstained"
    )


def halves(of: str) -> tuple[str, str]:
    """Return separate counts for the reports that were seen and those that were not."""
    return f"{of}, looked at", f"{of}, not looked at"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with tatqa/")
    args = parser.parse_args()
    context, reasoner = HdRagContext(corpus=CORPUS), HdRagOffline()
    counts: dict[str, Counter] = {name: Counter() for of in ("own", "found", "selected") for name in (of, *halves(of))}
    others = Counter()
    with prepared(args.data, ("table", "hrcl")) as (services, reports):
        tools = HdRagDeployment(services)
        ids = {d.source: d.document_id for d in services.catalog.documents(CORPUS)}
        places = {source: place for place, source in enumerate(reports)}
        for question, source in track(asked_of(reports), "asking", console=Console(stderr=True)):

            def read(document_id: str, asked: str = question.question) -> WholeDocument:
                return tools.read(document_id, asked, context)

            own = outcome_of(question, read(ids[source]), reasoner)
            if question.answer_type != "arithmetic":
                others[own] += 1
                continue
            found = tools.find(question.question, context)
            outcomes = {
                "own": own,
                "found": outcome_of(question, read(found[0].document_id), reasoner),
                "selected": outcome_of_selected(question, found, read, reasoner),
            }
            for of, outcome in outcomes.items():
                counts[of][outcome] += 1
                counts[halves(of)[places[source] % 2]][outcome] += 1
    for name, count in counts.items():
        print(f"of the report {name}: {shown(count)}")
    print(f"questions without arithmetic, with their own report: {shown(others)}")


if __name__ == "__main__":
    main()
