"""Measure HD-RAG's answers on TAT-QA with a model: documents found, document selected, exact match and F1.

    OPENAI_BASE_URL=... TABLERAG_MODEL=openai:NAME \\
    python -m benchmarks.hdrag_answers --data DIR [--limit 40] [--seed 7] [--parallel 40] [--out FILE]

DIR contains tatqa/. Questions are drawn at random and asked of all reports together. Every reply is scored twice: with
the calculator's number where the rule prefers it (agent/hd_rag/settling.py), and with the model's own.
"""

import argparse
import json
import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from langgraph.graph.state import CompiledStateGraph
from rich.console import Console
from rich.progress import track

from benchmarks.hdrag_corpus import CORPUS, asked_of, prepared
from tablerag.agent.hd_rag.context import HdRagContext
from tablerag.agent.hd_rag.settling import settle
from tablerag.agent.hd_rag.state import recap_of
from tablerag.evaluation.datasets.tatqa import TatQaQuestion
from tablerag.evaluation.metrics.tatqa import score
from tablerag.graphs.hd_rag import build
from tablerag.graphs.hd_rag_deployment import HdRagDeployment
from tablerag.tools.errors import TableRagError


def ask(asked: tuple[TatQaQuestion, str], graph: CompiledStateGraph) -> dict[str, Any]:
    """Ask one question and score both answers; a run that fails counts as no answer."""
    question, source = asked
    about = {"uid": question.uid, "question": question.question, "gold": question.answer, "scale": question.scale}
    line: dict[str, Any] = about | {"type": question.answer_type, "source": source}
    try:
        outcome = graph.invoke({"question": question.question}, context=HdRagContext(corpus=CORPUS))
    except TableRagError as error:
        return line | {"place": None, "selected": False, "error": str(error), "with": (0.0, 0.0), "without": (0.0, 0.0)}
    sources = [c["source"] for c in outcome["candidates"]]
    made = recap_of(outcome)
    own = settle(made, None).answer if made else ()
    given = {"with": outcome["spans"], "without": list(own)}
    scores = {name: score(question, spans, made.scale if made else "") for name, spans in given.items()}
    return line | {
        "place": sources.index(source) if source in sources else None,
        "selected": outcome["document"] == source,
        "answer": given,
        "given_scale": made.scale if made else "",
        "formula": made.formula if made else "",
        "by": outcome["answered_by"],
        **{name: (s.exact, s.f1) for name, s in scores.items()},
    }


def summary(lines: Sequence[dict[str, Any]], name: str) -> str:
    """Return exact match and F1 over all questions, those whose report was selected, and arithmetic ones."""

    def shown(some: Sequence[dict[str, Any]]) -> str:
        exact, f1 = (100 * sum(r[name][i] for r in some) / max(len(some), 1) for i in (0, 1))
        return f"EM {exact:.1f} F1 {f1:.1f} of {len(some)}"

    arithmetic = [r for r in lines if r["type"] == "arithmetic"]
    return f"all: {shown(lines)}; right report: {shown([r for r in lines if r['selected']])}; " + (
        f"arithmetic: {shown(arithmetic)}"
    )


def main() -> None:
    """Run the measurement and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with tatqa/")
    parser.add_argument("--limit", type=int, default=40)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--parallel", type=int, default=40, help="questions asked in parallel")
    parser.add_argument("--out", type=Path, help="write one JSON line per question")
    args = parser.parse_args()
    with prepared(args.data, ("table", "hrcl")) as (services, reports):
        questions = asked_of(reports)
        sample = random.Random(args.seed).sample(questions, min(args.limit, len(questions)))
        graph = build(HdRagDeployment(services)).compile()
        with ThreadPoolExecutor(args.parallel) as pool:
            done = pool.map(partial(ask, graph=graph), sample)
            lines = list(track(done, "asking", total=len(sample), console=Console(stderr=True)))
    if args.out:
        args.out.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in lines), encoding="utf-8")
    for depth in (1, 3, 5):
        found = sum(r["place"] is not None and r["place"] < depth for r in lines)
        print(f"Hit@{depth} of the ensemble {100 * found / len(lines):.1f}")
    print(f"Hit@1 after selection {100 * sum(r['selected'] for r in lines) / len(lines):.1f}")
    print(f"with the calculator: {summary(lines, 'with')}")
    print(f"without: {summary(lines, 'without')}")
    print(f"failed runs: {sum('error' in r for r in lines)}")


if __name__ == "__main__":
    main()
