"""Learn how likely a statement's answer is right, from the committed questions about texts.

    python -m training.text_answers [--out weights.json]

Every question of tests/cases/text_answers.txt and text_paraphrases.txt is asked of all passages of its half. The
weights are those of a logistic regression over all candidates (agent/offline/text/likely.py). It takes seconds.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.text_offline import CASES, HALVES, PARAPHRASES, outcome_of, pooled, read_passages
from tablerag.agent.offline.text.likely import FEATURES, candidates_of

__all__ = ["fitted", "main"]

OUT = Path(__file__).parents[1] / "agent" / "offline" / "text" / "weights.json"
PENALTY = 3.0
STEPS = 50


def fitted(features: np.ndarray, right: np.ndarray) -> dict[str, float]:
    """Return the weights by feature, and the constant as ""."""
    mean, spread = features.mean(axis=0), features.std(axis=0) + 1e-6
    inputs = np.c_[(features - mean) / spread, np.ones(len(features))]
    weights = np.zeros(inputs.shape[1])
    penalty = np.r_[np.full(len(weights) - 1, PENALTY), 1e-6]
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-inputs @ weights))
        slope = inputs.T @ (chance - right) + penalty * weights
        curve = (inputs.T * (chance * (1 - chance))) @ inputs + np.diag(penalty)
        weights -= np.linalg.solve(curve, slope)
    plain = weights[:-1] / spread
    return dict(zip(FEATURES, plain.tolist(), strict=True)) | {"": float(weights[-1] - plain @ mean)}


def main(arguments: Sequence[str] | None = None) -> None:
    """Learn and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args(arguments)
    features, right = [], []
    for path in (CASES, PARAPHRASES):
        passages = read_passages(path)
        for half in HALVES:
            for question, expected, chunks in pooled([p for p in passages if p.half == half]):
                for candidate in candidates_of(question, chunks):
                    features.append(candidate.features)
                    right.append(outcome_of(expected, candidate.answer.text) == "right")
    weights = fitted(np.array(features), np.array(right, dtype=float))
    rounded = {name: round(value, 4) for name, value in weights.items()}
    options.out.write_text(json.dumps(rounded, indent=1) + "\n", encoding="utf-8")
    print(f"{len(features):,} candidates, {sum(right):,} right, {options.out}")


if __name__ == "__main__":
    main()
