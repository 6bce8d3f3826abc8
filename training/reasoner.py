"""Learn the embedded reasoner's ranker: ``python -m training.reasoner --data FOLDER`` (half an hour on two cores).

Data: WikiTableQuestions' random-split-1-train, by denotation alone; no other split is read. The tables are ingested by
the product itself, the candidates are its own. One table in ten is kept apart to fit the confidence and to report.
"""

import argparse
import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from agent.offline.confidence import SIGNS, signs_of
from agent.offline.ranker import MODEL, Ranker
from agent.offline.reading import likeliest
from evaluation.datasets.wikitq import WikiTqQuestion, load_wikitq
from training.ranking import Settings, Vocabulary, fit, prepared
from training.table_questions import Example, examples_of, ingested

__all__ = ["by_table", "confidence_weights", "judged", "main"]

NETWORKS = 2
KEPT_APART = 0.1
CALIBRATED = 4
"""One question in so many of those kept apart is asked of all tables, which takes longer."""
RIDGE = 1.0
NEWTON_STEPS = 30


def main() -> None:
    """Make examples, fit, calibrate, report, save."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder that holds wikitq/")
    parser.add_argument("--out", type=Path, default=MODEL)
    parser.add_argument("--limit", type=int, help="read so many questions only, to try it out")
    options = parser.parse_args()
    questions = by_table(load_wikitq(options.data / "wikitq", "random-split-1-train"))[: options.limit]
    last = round(len(questions) * KEPT_APART)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        ingested(options.data / "wikitq" / "csv", home).close()
        examples = list(examples_of(questions, home))
        report("candidates hold the answer", [e.right.any() for e in examples])
        ranker = fitted(examples[:-last], Settings())
        _, right = judged(ranker, examples[-last:])
        report("kept apart: right, given the table", right)
        retrieved = list(examples_of(questions[-last::CALIBRATED], home, retrieved=True))
    signs, right = judged(ranker, retrieved)
    report("kept apart: right, of the tables retrieved", right)
    ranker = replace(ranker, confidence=confidence_weights(signs, right))
    options.out.parent.mkdir(exist_ok=True)
    ranker.save(options.out)
    print(f"saved {options.out}, {options.out.stat().st_size / 1e6:.1f} MB")


def by_table(questions: Sequence[WikiTqQuestion], seed: int = 5) -> list[WikiTqQuestion]:
    """Return questions table by table, the tables in random order: a slice shares no table with another."""
    tables = sorted({q.table for q in questions})
    random.Random(seed).shuffle(tables)
    place = {table: i for i, table in enumerate(tables)}
    return sorted(questions, key=lambda q: (place[q.table], q.id))


def fitted(examples: Sequence[Example], settings: Settings, networks: int = NETWORKS) -> Ranker:
    """Fit several networks that differ in their random beginnings."""
    vocabulary = Vocabulary.of(examples, settings)
    ready = prepared(examples, vocabulary)
    found = []
    for seed in range(networks):
        found.append(fit(ready, vocabulary, settings, seed))
        print(f"network {seed + 1} of {networks} fitted", flush=True)
    return Ranker(vocabulary.phrases, vocabulary.tags, tuple(found), np.zeros(len(SIGNS)))


def judged(ranker: Ranker, examples: Sequence[Example]) -> tuple[np.ndarray, np.ndarray]:
    """Return the signs (n, d) of each question's likeliest result, and whether it is right (n,)."""
    found = list(_judged(ranker, examples))
    return np.array([signs for signs, _ in found]), np.array([right for _, right in found], dtype=float)


def _judged(ranker: Ranker, examples: Sequence[Example]) -> Iterator[tuple[np.ndarray, bool]]:
    for example in examples:
        if not len(example.right):
            yield np.zeros(len(SIGNS)), False
            continue
        likely = ranker.probabilities(example.phrases, example.tags, example.numbers)
        best, groups = likeliest(likely, example.results)[0]
        said = example.by_rules
        rules = "nothing" if said is None else "the same" if said == example.results[best] else "otherwise"
        numbers = example.numbers[best].astype(float)
        yield signs_of(groups, float(likely[best]), numbers, example.place, rules), bool(example.right[best])


def confidence_weights(signs: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Fit the chance of being right by logistic regression (Newton's method)."""
    weights = np.zeros(signs.shape[1])
    for _ in range(NEWTON_STEPS):
        chance = 1 / (1 + np.exp(-signs @ weights))
        slope = signs.T @ (chance - right) + RIDGE * weights
        bend = (signs * (chance * (1 - chance))[:, None]).T @ signs + RIDGE * np.eye(len(weights))
        weights -= np.linalg.solve(bend, slope)
    return weights


def report(what: str, right: Sequence[float]) -> None:
    """Print a share."""
    print(f"{what}: {np.mean(right):.1%} of {len(right)}", flush=True)


if __name__ == "__main__":
    main()
