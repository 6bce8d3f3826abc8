"""Learn how the embedded reasoner ranks candidate answers from tables and the passages linked to their cells.

    python -m training.hops --data HYBRIDQA [--out FILE] [--seed 7]

Learns from every second of the 113 questions, starting with the first; benchmarks/hybridqa_offline.py reports both
halves separately. A candidate is right if it is the gold answer in any row, since the intended row is not known. The
confidence is fitted on predictions of weights that were learned without the question.
"""

import argparse
import json
import random
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import track

from benchmarks.hybridqa_documents import write_documents
from tablerag.agent.offline.hops.answering import WEIGHTS, HopReader, chance_of_top, odds
from tablerag.agent.offline.hops.asked import read_asked
from tablerag.agent.offline.hops.candidates import NUMBERS, Candidate, candidates_over
from tablerag.evaluation.metrics.spans import span_scores
from tablerag.ingestion.pipeline import ingest
from tablerag.tools import evidence
from tablerag.tools.linked_passages import LinkedPassages
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tablerag.tools.table_rows import RowReader

CORPUS = "hybridqa"
STRENGTH = 0.1
"""Weight of the L2 penalty."""
STEPS = 600
RATE = 0.1
FOLDS = 5


@dataclass(frozen=True, slots=True)
class Example:
    """A question's candidates, their numbers (n, d), and which are right (n,)."""

    candidates: Sequence[Candidate]
    numbers: np.ndarray
    right: np.ndarray


def examples_of(questions: Sequence[dict], services: Services) -> list[Example]:
    """Return the candidate answers to questions from the tables that retrieval finds."""
    reader = HopReader(RowReader(services.database), LinkedPassages(services), services.embedding.embed)
    found = []
    for q in track(questions, "reading", console=Console(stderr=True)):
        text, gold = q["question"], (q["answer-text"],)
        _, schemas = evidence.overview(services, text, corpus=CORPUS, recall_n=30, top_k=3)
        candidates = candidates_over(read_asked(text), reader.tables(schemas), services.embedding.embed)
        if candidates:
            right = np.array([span_scores(gold, c.text)["em"] == 1.0 for c in candidates])
            found.append(Example(candidates, np.array([c.numbers for c in candidates]), right))
    return found


def learned(examples: Sequence[Example]) -> np.ndarray:
    """Return weights (d,) that make right candidates likely, by Adam over all examples at once."""
    everything = np.concatenate([e.numbers for e in examples])
    mean, spread = everything.mean(axis=0), everything.std(axis=0) + 1e-6
    usable = [((e.numbers - mean) / spread, e.right) for e in examples if e.right.any()]
    weights, first, second = (np.zeros(len(NUMBERS)) for _ in range(3))
    for step in range(1, STEPS + 1):
        slope = STRENGTH * weights
        for scaled, right in usable:
            likely = _softmax(scaled @ weights)
            wanted = likely * right
            slope -= scaled.T @ (wanted / (wanted.sum() + 1e-12) - likely) / len(usable)
        first, second = 0.9 * first + 0.1 * slope, 0.99 * second + 0.01 * slope**2
        weights -= RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
    return weights / spread


def calibrated(examples: Sequence[Example], seed: int) -> tuple[float, float]:
    """Return bias and factor of the confidence, from predictions of weights learned without the question."""
    order = list(range(len(examples)))
    random.Random(seed).shuffle(order)
    signs, right = [], []
    for fold in range(FOLDS):
        held = order[fold::FOLDS]
        weights = learned([examples[i] for i in order if i not in held])
        for i in held:
            place, chance, _ = chance_of_top(examples[i].candidates, examples[i].numbers @ weights)
            signs.append([1.0, odds(chance)])
            right.append(float(examples[i].right[place]))
    x, y, found = np.array(signs), np.array(right), np.zeros(2)
    for _ in range(4000):
        found += 0.05 * (x.T @ (y - 1 / (1 + np.exp(-(x @ found)))) / len(y) - 0.01 * found)
    return float(found[0]), float(found[1])


def _softmax(scores: np.ndarray) -> np.ndarray:
    likely = np.exp(scores - scores.max())
    return likely / likely.sum()


def main() -> None:
    """Ingest, learn, calibrate, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="HybridQA's folder")
    parser.add_argument("--home", type=Path, help="folder for the ingested documents, to keep them for another run")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    questions = json.loads((args.data / "released_data" / "dev.json").read_text(encoding="utf-8"))[::2]
    with tempfile.TemporaryDirectory() as folder:
        services = Services(Settings(home=args.home or Path(folder), model="offline", _env_file=None))
        if not services.catalog.documents(CORPUS):
            documents = services.settings.home / "documents"
            write_documents(args.data, documents)
            ingest([documents], services, CORPUS)
        examples = examples_of(questions, services)
        services.close()
    weights = {name: round(float(w), 4) for name, w in zip(NUMBERS, learned(examples), strict=True)}
    bias, factor = calibrated(examples, args.seed)
    stored = {"numbers": weights, "confidence": [round(bias, 4), round(factor, 4)]}
    args.out.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
    usable = sum(e.right.any() for e in examples)
    print(f"{len(questions)} questions, {usable} with a right candidate; written to {args.out}")


if __name__ == "__main__":
    main()
