"""Learn the embedded reasoner's ranker: ``python -m training.reasoner --data FOLDER`` (half an hour on two cores).

Data: WikiTableQuestions' random-split-1-train, by denotation only, and questions composed from templates over the same
tables; no other split is read. The product itself ingests the tables and generates the candidates. One table in ten is
held out to fit the confidence and for the report. On a shared machine ``OPENBLAS_NUM_THREADS=1`` is faster.
"""

import argparse
import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.reliability import reliability
from tablerag.agent.offline.confidence import SIGNS, signs_of
from tablerag.agent.offline.interpretation import likeliest
from tablerag.agent.offline.ranker import MODEL, Ranker
from tablerag.evaluation.datasets.wikitq import WikiTqQuestion, load_wikitq
from training.ranking import Settings, Vocabulary, fit, prepared
from training.table_questions import Example, composed_examples, examples_of, ingested

__all__ = ["by_table", "confidence_weights", "judged", "main"]

NETWORKS = 2
COMPOSED = 4
"""Most composed questions per table."""
KEPT_APART = 0.1
CALIBRATED = 4
"""One in so many held-out questions is asked of all tables, which takes longer."""
MISPLACED = 5
"""One in so many held-out questions is asked of another question's table, as a question without an answer."""
RIDGE = 1.0
NEWTON_STEPS = 30
FOLDS = 5


def main() -> None:
    """Make examples, fit, calibrate, report, save."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with wikitq/")
    parser.add_argument("--out", type=Path, default=MODEL)
    parser.add_argument("--limit", type=int, help="read only so many questions, for a trial")
    parser.add_argument("--composed", type=int, default=COMPOSED, help="most composed questions per table")
    options = parser.parse_args()
    questions = by_table(load_wikitq(options.data / "wikitq", "random-split-1-train"))[: options.limit]
    apart = questions[-round(len(questions) * KEPT_APART) :]
    learned = [q for q in questions if q.table not in {a.table for a in apart}]
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        ingested(options.data / "wikitq" / "csv", home).close()
        ranker = learned_from(learned, home, options.composed)
        ranker = replace(ranker, confidence=calibrated(ranker, apart, home))
    options.out.parent.mkdir(exist_ok=True)
    ranker.save(options.out)
    print(f"saved {options.out}, {options.out.stat().st_size / 1e6:.1f} MB")


def learned_from(questions: Sequence[WikiTqQuestion], home: Path, composed: int) -> Ranker:
    """Fit the networks on questions, and on those composed over their tables."""
    examples = list(examples_of(questions, home))
    report("candidates hold the answer", [e.right.any() for e in examples])
    made = list(composed_examples(tables_of(questions), home, composed))
    report("candidates hold what a composed question means", [e.right.any() for e in made])
    return fitted(examples + made, Settings())


def calibrated(ranker: Ranker, apart: Sequence[WikiTqQuestion], home: Path) -> np.ndarray:
    """Print a report on the held-out questions; return the weights of the confidence (2, signs)."""
    own = judged(ranker, list(examples_of(apart, home, tables="own")))
    report("kept apart: right, given the table", own[1])
    report("kept apart: right of the surer half", _surest(*own))
    made = judged(ranker, list(composed_examples(tables_of(apart), home, COMPOSED)))
    report("kept apart: composed ones right", made[1])
    others = judged(ranker, list(examples_of(apart[::MISPLACED], home, tables="other")))
    found = list(examples_of(apart[::CALIBRATED], home, tables="retrieved"))
    among = judged(ranker, found)
    report("kept apart: right, of the tables retrieved", among[1])
    alone = [np.concatenate(parts) for parts in zip(own, made, others, strict=True)]
    print(
        "accuracy by confidence, with one table:\n" + reliability(cross_fitted(*alone), alone[1]),
        flush=True,
    )
    print("with retrieved tables:\n" + reliability(cross_fitted(*among), among[1]), flush=True)
    return np.array([confidence_weights(*among), confidence_weights(*alone)])


def tables_of(questions: Sequence[WikiTqQuestion]) -> list[Path]:
    """Return the distinct tables of the questions, in order."""
    return list(dict.fromkeys(q.table for q in questions))


def by_table(questions: Sequence[WikiTqQuestion], seed: int = 5) -> list[WikiTqQuestion]:
    """Return questions grouped by table, the tables in random order, so that slices share no table."""
    tables = sorted({q.table for q in questions})
    random.Random(seed).shuffle(tables)
    place = {table: i for i, table in enumerate(tables)}
    return sorted(questions, key=lambda q: (place[q.table], q.id))


def fitted(examples: Sequence[Example], settings: Settings, networks: int = NETWORKS) -> Ranker:
    """Fit several networks with different random initial weights."""
    vocabulary = Vocabulary.of(examples, settings)
    ready = prepared(examples, vocabulary)
    found = []
    for seed in range(networks):
        found.append(fit(ready, vocabulary, settings, seed))
        print(f"network {seed + 1} of {networks} fitted", flush=True)
    return Ranker(vocabulary.phrases, vocabulary.tags, tuple(found), np.zeros((2, len(SIGNS))))


def judged(ranker: Ranker, examples: Sequence[Example]) -> tuple[np.ndarray, np.ndarray]:
    """Return the signs (n, d) of each question's most likely result, and whether it is right (n,)."""
    found = list(_judged(ranker, examples))
    return np.array([signs for signs, _ in found]), np.array([right for _, right in found], dtype=float)


def _judged(ranker: Ranker, examples: Sequence[Example]) -> Iterator[tuple[np.ndarray, bool]]:
    for example in examples:
        if not len(example.right):
            yield np.zeros(len(SIGNS)), False
            continue
        likely = ranker.probabilities(example.phrases, example.tags, example.numbers)
        best, groups = likeliest(likely, example.results)
        agreeing = example.results == example.results[best]
        numbers = example.numbers[best].astype(float)
        signs = signs_of(groups, float(likely[best]), int(agreeing.sum()), numbers, example.place)
        yield signs, bool(example.right[agreeing].any())


def confidence_weights(signs: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Fit the chance of being right by logistic regression (Newton's method)."""
    weights = np.zeros(signs.shape[1])
    for _ in range(NEWTON_STEPS):
        chance = 1 / (1 + np.exp(-signs @ weights))
        slope = signs.T @ (chance - right) + RIDGE * weights
        bend = (signs * (chance * (1 - chance))[:, None]).T @ signs + RIDGE * np.eye(len(weights))
        weights -= np.linalg.solve(bend, slope)
    return weights


def cross_fitted(signs: np.ndarray, right: np.ndarray, seed: int = 0) -> np.ndarray:
    """Return each question's chance of being right (n,) by weights fitted without its fold."""
    fold = np.random.default_rng(seed).integers(0, FOLDS, len(right))
    chances = np.zeros(len(right))
    for one in range(FOLDS):
        weights = confidence_weights(signs[fold != one], right[fold != one])
        chances[fold == one] = 1 / (1 + np.exp(-signs[fold == one] @ weights))
    return chances


def _surest(signs: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the accuracy of the more confident half."""
    return right[np.argsort(-signs[:, SIGNS.index("best")], kind="stable")[: len(right) // 2]]


def report(what: str, right: Sequence[float]) -> None:
    """Print a share."""
    print(f"{what}: {np.mean(right):.1%} of {len(right)}", flush=True)


if __name__ == "__main__":
    main()
