"""The weights of the signs of the reader's confidence, which training.reading writes."""

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

__all__ = ["WEIGHTS", "learned_weights", "saved"]

WEIGHTS = Path(__file__).parent / "weights.json"


@lru_cache(maxsize=1)
def learned_weights() -> dict[str, float]:
    """Return the weights by name; a sign without one counts for nothing."""
    return json.loads(WEIGHTS.read_text(encoding="utf-8"))


def saved(weights: Mapping[str, float], path: Path) -> None:
    """Write weights, rounded, names sorted."""
    rounded = {name: round(w, 3) for name, w in weights.items()}
    path.write_text(json.dumps(rounded, indent=1, sort_keys=True) + "\n", encoding="utf-8")
