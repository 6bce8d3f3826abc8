"""Learn the embedded reasoner's ranker: ``python -m training.reasoner --data FOLDER`` (half an hour on two cores).

Data: WikiTableQuestions' random-split-1-train, by denotation alone; no other split is read. The tables are ingested by
the product itself, the candidates are its own. One table in ten is kept apart to fit the confidence and to report.
"""

import argparse
import pickle
import random
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from agent.offline.confidence import SIGNS, signs_of
from agent.offline.ranker import MODEL, Ranker
from agent.offline.reading import likeliest
from evaluation.datasets.wikitq import WikiTqQuestion, load_wikitq
from training.ranking import Settings, Vocabulary, fit, prepared
from training.table_questions import Example, examples_of, ingested

__all__ = ["by_table", "confidence_weights", "judged", "main"]

NETWORKS = 4
KEPT_APART = 0.1
RIDGE = 1.0
NEWTON_STEPS = 30


def main() -> None:
    """Make examples, fit, calibrate, report, save."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder that holds wikitq/")
    parser.add_argument("--out", type=Path, default=MODEL)
    parser.add_argument("--keep", type=Path, help="keep the examples in this file, and read them from it when there")
    options = parser.parse_args()
    examples = _kept(options.keep) or _made(options.data)
    if options.keep and not options.keep.exists():
        options.keep.write_bytes(pickle.dumps(examples, protocol=5))
    report("candidates hold the answer", [e.right.any() for e in examples])
    apart = round(len(examples) * KEPT_APART)
    ranker = fitted(examples[:-apart], Settings())
    signs, right = judged(ranker, examples[-apart:])
    ranker = Ranker(ranker.phrases, ranker.tags, ranker.networks, confidence_weights(signs, right))
    report("kept apart: right", right)
    sure = np.argsort(-(signs @ ranker.confidence))
    report("kept apart: right of the surer half", right[sure[: len(sure) // 2]])
    options.out.parent.mkdir(exist_ok=True)
    ranker.save(options.out)
    print(f"saved {options.out}, {options.out.stat().st_size / 1e6:.1f} MB")


def by_table(questions: Sequence[WikiTqQuestion], seed: int = 5) -> list[WikiTqQuestion]:
    """Return questions table by table, the tables in random order: a slice shares no table with another."""
    tables = sorted({q.table for q in questions})
    random.Random(seed).shuffle(tables)
    place = {table: i for i, table in enumerate(tables)}
    return sorted(questions, key=lambda q: (place[q.table], q.id))


def _made(data: Path) -> list[Example]:
    questions = by_table(load_wikitq(data / "wikitq", "random-split-1-train"))
    with tempfile.TemporaryDirectory() as folder:
        ingested(data / "wikitq" / "csv", Path(folder)).close()
        return list(examples_of(questions, Path(folder)))


def _kept(path: Path | None) -> list[Example] | None:
    """Read the examples that an earlier run kept; the file is one's own."""
    return pickle.loads(path.read_bytes()) if path and path.exists() else None


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
