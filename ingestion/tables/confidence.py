"""The chance that a table was read rightly, from its signs; ``training.table_confidence`` learns the weights."""

import json
import math
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

__all__ = ["DOUBTED", "WEIGHTS", "chance_of", "saved"]

WEIGHTS = Path(__file__).parent / "confidence_weights.json"
DOUBTED = 0.5
"""Below this confidence a table is set aside."""


@lru_cache(maxsize=1)
def learned_weights() -> dict[str, float]:
    """Return the weights by sign; a sign without one does not count."""
    return json.loads(WEIGHTS.read_text(encoding="utf-8"))


def saved(weights: Mapping[str, float], path: Path) -> dict[str, float]:
    """Write weights, rounded, names sorted; return them."""
    rounded = {name: round(w, 3) for name, w in sorted(weights.items())}
    path.write_text(json.dumps(rounded, indent=1) + "\n", encoding="utf-8")
    return rounded


def chance_of(signs: Mapping[str, float], weights: Mapping[str, float] | None = None) -> float:
    """Return the chance that a table with these signs is right, from 0 to 1.

    It is at least DOUBTED where the format states the cells and which row is the header: that is not guessed.
    """
    known = weights if weights is not None else learned_weights()
    chance = 1 / (1 + math.exp(-sum(known.get(name, 0.0) * value for name, value in signs.items())))
    return max(chance, DOUBTED) if "header_marked" in signs else chance
