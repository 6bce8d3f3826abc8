"""How many rows the joins of a statement would make, by the plan of DuckDB."""

import json
from collections.abc import Mapping
from math import prod
from typing import Any

__all__ = ["joined_estimate"]

PAIRS = ("CROSS_PRODUCT", "NESTED_LOOP_JOIN", "BLOCKWISE_NL_JOIN", "PIECEWISE_MERGE_JOIN", "IE_JOIN")
"""Joins without an equal column: each row may meet each, whatever the plan says."""


def joined_estimate(plan: str) -> float:
    """Return the rows that all joins make together, from the JSON of EXPLAIN; scans are not counted: they are fast."""
    return sum(_made(part)[1] for part in json.loads(plan))


def _made(plan: Mapping[str, Any]) -> tuple[float, float]:
    """Return how many rows a part of a plan returns, and how many the joins in it make."""
    parts = [_made(part) for part in plan.get("children") or ()]
    name = str(plan.get("name", "")).strip().removeprefix("LEFT_DELIM_").removeprefix("RIGHT_DELIM_")
    said = (plan.get("extra_info") or {}).get("Estimated Cardinality")
    returned = float(said) if said is not None else max((rows for rows, _ in parts), default=1.0)
    if name in PAIRS:
        returned = prod(rows for rows, _ in parts)
    below = sum(made for _, made in parts)
    return returned, below + (returned if name in PAIRS or name.endswith("JOIN") else 0.0)
