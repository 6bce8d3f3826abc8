"""Products of vectors by one thread."""

import numpy as np

__all__ = ["products"]

MOST = 250_000
"""Multiplications that BLAS leaves to one thread: its further threads stay busy for 20 ms after each product."""


def products(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return ``one @ other.T``, (len(one), len(other)), computed in blocks of few multiplications."""
    rows = max(1, MOST // max(1, one.size))
    return np.hstack([one @ other[i : i + rows].T for i in range(0, len(other), rows)] or [one @ other.T])
