"""Measure how well HD-RAG finds a question's report among all of TAT-QA's, by the question alone, without a model.

    python -m benchmarks.hdrag_retrieval --data DIR [--every 1] [--tablerag]

DIR contains tatqa/. Prints Hit@1 / @3 / @5 / @10 in percent (the share of questions whose report is among the first K)
for BM25, the embedding, and both together, with tables as table-level, RCL and H-RCL texts; with --tablerag also for
TableRAG's own retrieval, without and with H-RCL summaries.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import track

from benchmarks.hdrag_corpus import CORPUS, asked_of, prepared
from tablerag.tools.document_search import FoundDocument, merged
from tablerag.tools.evidence import search
from tablerag.tools.records import Chunk
from tablerag.tools.summary_corpora import LEVELS, summary_corpus

DEPTHS = (1, 3, 5, 10)
RECALLED = 50
NAMES = {"table": "table-level", "rcl": "RCL", "hrcl": "H-RCL"}
Hits = dict[str, list[list[bool]]]


def rankings(lexical: dict[str, list[Chunk]], dense: dict[str, list[Chunk]]) -> dict[str, list[FoundDocument]]:
    """Return the documents found by each method, best first."""
    methods: dict[str, list[FoundDocument]] = {}
    for level in reversed(LEVELS):
        methods[f"BM25, {NAMES[level]}"] = merged(lexical[level], [])
    for level in reversed(LEVELS):
        methods[f"dense, {NAMES[level]}"] = merged([], dense[level])
    for level in reversed(LEVELS):
        methods[f"ensemble: BM25 table-level, dense {NAMES[level]}"] = merged(lexical["table"], dense[level])
    return methods


def shown(hits: Sequence[Sequence[bool]]) -> str:
    """Return the share at each depth in percent."""
    return " / ".join(f"{100 * sum(column) / len(hits):.1f}" for column in zip(*hits, strict=True))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with tatqa/")
    parser.add_argument("--every", type=int, default=1, help="ask only every n-th question")
    parser.add_argument("--tablerag", action="store_true", help="measure TableRAG's retrieval too")
    args = parser.parse_args()
    console, hits = Console(stderr=True), Hits()
    with prepared(args.data, LEVELS) as (services, reports):
        questions = asked_of(reports)[:: args.every]
        for question, source in track(questions, "asking", console=console):
            names = {level: summary_corpus(CORPUS, level) for level in LEVELS}
            lexical = {v: services.lexical_index(n).search(question.question, RECALLED) for v, n in names.items()}
            dense = {v: services.vector_store(n).search(question.question, RECALLED) for v, n in names.items()}
            sources = {m: [d.source for d in found] for m, found in rankings(lexical, dense).items()}
            for summaries in (False, True) if args.tablerag else ():
                about = {"corpus": CORPUS, "recall_n": 30, "top_k": 20, "summaries": summaries}
                chunks, _ = search(services, question.question, **about)
                name = f"TableRAG, {'with' if summaries else 'without'} H-RCL summaries"
                sources[name] = list(dict.fromkeys(c.source for c in chunks))
            for method, found in sources.items():
                place = found.index(source) if source in found else DEPTHS[-1]
                hits.setdefault(method, []).append([place < depth for depth in DEPTHS])
    print(f"{len(questions)} questions, {len(reports)} reports: Hit@1 / @3 / @5 / @10")
    for method, rows in hits.items():
        print(f"{shown(rows)}  {method}")


if __name__ == "__main__":
    main()
