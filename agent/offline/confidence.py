"""The chance that the best interpretation of a question is right, from the spread of the candidates' chances."""

import numpy as np

from tablerag.agent.offline.features import NUMBERS_OF

__all__ = ["SIGNS", "chance_of_right", "signs_of"]

NUMBERS = (
    "coverage", "left words", "left sure", "left numbers", "left mentions", "conditions", "least score", "said",
    "typed as asked", "no number", "shown cover", "shown embedded", "shown asked near", "measured cover",
    "ranked cover", "direction", "operator fits", "operator differs", "number fits", "grouped as said", "flags",
    "unnamed",
)  # fmt: skip
"""The best program's numbers that the confidence uses."""
SIGNS = (
    "bias", "best", "odds", "ahead", "over second", "program", "agreeing", "spread", "results", "second table",
    "third table", *NUMBERS,
)  # fmt: skip
PLACES = [NUMBERS_OF.index(name) for name in NUMBERS]


def signs_of(groups: np.ndarray, program: float, agreeing: int, numbers: np.ndarray, place: int) -> np.ndarray:
    """Return the inputs of the confidence, named by SIGNS.

    ``groups`` are the chances of the different results, the best first; ``program`` is the best program's own chance,
    ``numbers`` its numbers, ``agreeing`` how many programs share its result; ``place`` is the table's rank, from 0.
    """
    best, second = float(groups[0]), float(groups[1]) if len(groups) > 1 else 0.0
    spread = float(-(groups * np.log(groups + 1e-9)).sum())
    odds = float(np.log((best + 1e-3) / (1 - best + 1e-3)))
    over = float(np.log((best + 1e-3) / (second + 1e-3)))
    chances = [1.0, best, odds, best - second, over, program, np.log(agreeing) / 4, spread, np.log1p(len(groups)) / 5]
    return np.array([*chances, place == 1, place >= 2, *numbers[PLACES]], dtype=float)


def chance_of_right(signs: np.ndarray, weights: np.ndarray, *, alone: bool) -> float:
    """Return the calibrated chance, 0 to 1; ``alone`` selects the weights (2, signs) for a single table."""
    return float(1 / (1 + np.exp(-(signs @ weights[int(alone)]))))
