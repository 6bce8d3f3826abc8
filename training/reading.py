"""Calibrate the reader's confidence: ``python -m training.reading`` (a quarter of an hour on two cores).

Asks the folders of training/folders, whose questions were written by people who had not seen the program, and corpora
of business tables with questions that training.business generates; fits the chance that the likeliest reading is right
to its signs. Domains are held out whole when the chance is measured.
"""

import argparse
import tempfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from benchmarks.reliability import reliability
from tablerag.agent.offline.reading.learned import WEIGHTS, saved
from training.business.__main__ import main as write_corpora
from training.reading_examples import Example, examples_of, questions_in, sampled
from training.reasoner import report

__all__ = ["chance_by", "fitted_chance", "main"]

Weights = Mapping[str, float]
CORPORA, DOMAINS_EACH, QUESTIONS_EACH, MISPLACED_EACH, TEXTS_EACH = 16, 4, 40, 5, 4
FOLDERS = Path(__file__).parent / "folders"
SHARES = {"generated": 0.3, "written": 1.0}
"""The weight of all questions of a source together."""
FOLDS = 5
RIDGE = 1.0
NEWTON_STEPS = 30
LEAST_SEEN = 15
"""Signs of fewer questions get no weight."""
MOST_WRONG = 0.04
"""Of all questions, at the threshold that is proposed."""


def fitted_chance(found: Sequence[Example]) -> dict[str, float]:
    """Fit the chance that the likeliest reading is right by weighted logistic regression (Newton's method)."""
    read = [e for e in found if e.signs]
    seen: dict[str, int] = {}
    for one in read:
        for name, value in one.signs.items():
            seen[name] = seen.get(name, 0) + bool(value)
    names = sorted(n for n, times in seen.items() if times >= LEAST_SEEN)
    signs = np.array([[e.signs.get(n, 0.0) for n in names] for e in read])
    right = np.array([e.right for e in read], dtype=float)
    worth = _worth(read)
    scale = np.maximum(np.sqrt((signs**2).mean(axis=0)), 1e-6)
    scaled, weights = signs / scale, np.zeros(len(names))
    ridge = RIDGE * np.array([n != "bias" for n in names])
    for _ in range(NEWTON_STEPS):
        chance = 1 / (1 + np.exp(-scaled @ weights))
        slope = scaled.T @ (worth * (chance - right)) + ridge * weights
        bend = (scaled * (worth * chance * (1 - chance))[:, None]).T @ scaled + np.diag(ridge + 1e-6)
        weights -= np.linalg.solve(bend, slope)
    return dict(zip(names, map(float, weights / scale), strict=True))


def _worth(read: Sequence[Example]) -> np.ndarray:
    """Return the weights of questions (n,), 1 on average: each source has its share."""
    count = {s: sum(e.source == s for e in read) for s in SHARES}
    worth = np.array([SHARES[e.source] / count[e.source] for e in read])
    return worth * len(read) / worth.sum()


def chance_by(weights: Weights, signs: Mapping[str, float]) -> float:
    """Return the chance by some weights; 0 if the question was not read."""
    odds = sum(weights.get(name, 0.0) * value for name, value in signs.items())
    return float(1 / (1 + np.exp(-odds))) if signs else 0.0


def cross_fitted(examples: Sequence[Example]) -> list[float]:
    """Return the chances of each domain's questions by weights that were fitted on other domains."""
    fold = [zlib.crc32(e.domain.encode()) % FOLDS for e in examples]
    by_fold = [fitted_chance([e for e, f in zip(examples, fold, strict=True) if f != one]) for one in range(FOLDS)]
    return [0.0 if e.vetoed else chance_by(by_fold[f], e.signs) for e, f in zip(examples, fold, strict=True)]


def measured(examples: Sequence[Example]) -> None:
    """Print how the chance does on domains that it was not fitted on, for each source."""
    chances = cross_fitted(examples)
    for source in SHARES:
        own = [(c, float(e.right), e) for c, e in zip(chances, examples, strict=True) if e.source == source]
        if own:
            report(f"{source}: the likeliest reading is right", [r for _, r, _ in own])
            report(f"{source}: among the three likeliest", [float(e.offered) for *_, e in own])
            print(reliability([c for c, *_ in own], [r for _, r, _ in own]), flush=True)
            print("\n".join(_thresholds([c for c, *_ in own], [r for _, r, _ in own])))


def _thresholds(chances: Sequence[float], right: Sequence[float]) -> list[str]:
    """Return the shares of right and wrong answers, of all questions, at some least chances."""
    lines, best = [], (0.0, 0.0)
    for percent in range(30, 96, 5):
        answered = [r for c, r in zip(chances, right, strict=True) if c >= percent / 100]
        good, bad = sum(answered) / len(right), (len(answered) - sum(answered)) / len(right)
        precision = sum(answered) / max(1, len(answered))
        lines.append(f"  from {percent / 100:.2f}: right {good:.1%}, wrong {bad:.1%}, precision {precision:.1%}")
        if bad <= MOST_WRONG and good > best[0]:
            best = (good, percent / 100)
    return [*lines, f"at most {MOST_WRONG:.0%} wrong from {best[1]:.2f} on"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Write corpora, ask, fit, report, save."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--corpora", type=int, default=CORPORA, help=f"of {DOMAINS_EACH} domains each")
    parser.add_argument("--folders", type=Path, default=FOLDERS, help="holds folders of documents with questions")
    parser.add_argument("--seed", type=int, default=11)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        made, home = Path(folder) / "corpora", Path(folder) / "home"
        sizes = ["--domains", str(options.corpora), "--together", str(DOMAINS_EACH), "--questions", "84"]
        write_corpora(["--out", str(made), *sizes, "--seed", str(options.seed)])
        corpora = sorted(f for f in made.iterdir() if f.is_dir())
        questions = list(sampled(corpora, QUESTIONS_EACH, MISPLACED_EACH, TEXTS_EACH))
        examples = list(examples_of(questions, home, "generated"))
        for written in sorted(f for f in options.folders.iterdir() if f.is_dir()):
            examples += examples_of(questions_in(written), home, "written")
    measured(examples)
    saved(fitted_chance(examples), options.out)
    print(f"saved {options.out}")


if __name__ == "__main__":
    main()
