"""Bootstrap confidence intervals, and paired comparisons of two systems over the same questions."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

__all__ = ["Difference", "bootstrap_interval", "paired_difference"]

RESAMPLES = 10_000
SEED = 20_250_610
CONFIDENCE = 0.95
BLOCK = 1_000
"""Resamples drawn at a time, to limit memory."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference between two systems over the same questions."""

    mean: float
    """The second minus the first; from -1 to 1 for metrics from 0 to 1."""
    low: float
    high: float
    """Bounds of the 95 % bootstrap interval."""
    first_only: int
    """The number of questions that only the first got right."""
    second_only: int
    p: float
    """Two-sided exact McNemar test over those questions."""


def bootstrap_interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % percentile interval of the mean, deterministically; (0, 0) for no values."""
    if not len(values):
        return 0.0, 0.0
    data = np.asarray(values, dtype=float)
    generator = np.random.default_rng(SEED)
    blocks = (generator.integers(0, len(data), size=(BLOCK, len(data))) for _ in range(RESAMPLES // BLOCK))
    means = np.concatenate([data[block].mean(axis=1) for block in blocks])
    tail = 100 * (1 - CONFIDENCE) / 2
    low, high = np.percentile(means, [tail, 100 - tail])
    return float(low), float(high)


def paired_difference(first: Sequence[float], second: Sequence[float]) -> Difference:
    """Compare two systems question by question, in the same order; raise ValueError for unequal lengths."""
    if len(first) != len(second):
        raise ValueError(f"first and second must have the same length, got {len(first)} and {len(second)}")
    differences = [b - a for a, b in zip(first, second, strict=True)]
    first_only = sum(a == 1 != b for a, b in zip(first, second, strict=True))
    second_only = sum(b == 1 != a for a, b in zip(first, second, strict=True))
    mean = sum(differences) / len(differences) if differences else 0.0
    low, high = bootstrap_interval(differences)
    return Difference(mean, low, high, first_only, second_only, _mcnemar(first_only, second_only))


def _mcnemar(first_only: int, second_only: int) -> float:
    uneven = first_only + second_only
    tail = sum(comb(uneven, k) for k in range(min(first_only, second_only) + 1))
    return min(1.0, 2 * tail / 2**uneven)
