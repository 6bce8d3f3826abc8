"""Calibrate the confidence of tables: ``python -m training.table_confidence --data DIR --icdar DIR`` (ten minutes).

DIR holds wikitq/, wikipages/ and tatqa/; the other one ICDAR 2013's PDFs with their truth, in competition-dataset-us
and -eu. Fits the chance that a table was read rightly to its signs by logistic regression, over sources that are not
measured, and prints how it does on the others. ``--plot FILE`` draws the reliability as an SVG.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.reliability import reliability
from benchmarks.spreadsheets import BOOKS, HELD_OUT, HELD_OUT_TWO
from benchmarks.wikipages import read_csv
from tablerag.ingestion.tables.confidence import DOUBTED, WEIGHTS, chance_of, saved
from training.printed_tables import styled
from training.table_labels import (
    Labelled,
    financial_grids,
    of_books,
    of_damaged,
    of_files,
    of_financial_reports,
    of_headless,
    of_pages,
    of_pdfs,
    of_printed,
    of_wikipedia,
)

__all__ = ["fitted", "held_out", "main", "reported", "taught"]

LEARNED, KEPT_APART = ("200", "201", "202"), ("203", "204")
"""Folders of Wikipedia's tables."""
ORDINARY = tuple(Path(__file__).parents[1] / name for name in ("examples/corpus", "training/folders"))
SHARES = {
    "icdar us": 1.0,
    "printed wikitq": 0.7,
    "damaged wikitq": 0.4,
    "headless wikitq": 0.15,
    "ordinary files": 0.4,
    "ordinary files, printed": 0.25,
    "books": 0.7,
    "wikitq": 1.0,
    "wikipages": 0.3,
}
"""The weight of all tables of a source together."""
RIDGE = 1.0
STEPS = 4000
LEAST_SCALE, LEAST_WEIGHT = 0.02, 1e-3
MAY_HELP = ("bias", "header_marked", "header_ruled_off", "sheet", "form", "ruled")
"""The signs that may speak for a table."""
LEAST_SEEN = 4
"""Signs of fewer tables get no weight."""
SURE = 0.9
SEED = 7


def taught(data: Path, icdar: Path) -> Iterator[Labelled]:
    """Yield the tables that the confidence learns from."""
    yield from of_pdfs(icdar / "competition-dataset-us", "icdar us")
    yield from of_printed(list(styled(_wikipedia(data, LEARNED), SEED)), "printed wikitq")
    yield from of_files(ORDINARY, "ordinary files")
    yield from of_damaged(data, LEARNED, "damaged wikitq")
    yield from of_headless(data, LEARNED, "headless wikitq")
    yield from of_books(BOOKS, "books")
    yield from of_wikipedia(data, LEARNED, "wikitq")
    yield from of_pages(data, LEARNED, "wikipages")


def held_out(data: Path, icdar: Path) -> Iterator[Labelled]:
    """Yield the tables that it is measured on: other documents, of other publishers but for Wikipedia."""
    yield from of_pdfs(icdar / "competition-dataset-eu", "icdar eu")
    grids = list(financial_grids(data).items())[::2]
    yield from of_printed(list(styled(_one_line(grids), SEED)), "printed financial reports")
    yield from of_financial_reports(data, "financial reports")
    yield from of_books(HELD_OUT, "books, first held out")
    yield from of_books(HELD_OUT_TWO, "books, second held out")
    yield from of_wikipedia(data, KEPT_APART, "wikitq, other pages", step=2)
    yield from of_pages(data, KEPT_APART, "wikipages, other pages")


def _wikipedia(data: Path, folders: Sequence[str]) -> Iterator[tuple[str, list[list[str]]]]:
    for folder in folders:
        files = sorted((data / "wikitq" / "csv" / f"{folder}-csv").glob("*.csv"))
        yield from _one_line([(f"{folder} {path.stem}", read_csv(path)) for path in files])


def _one_line(grids: Sequence[tuple[str, list[list[str]]]]) -> Iterator[tuple[str, list[list[str]]]]:
    """Yield grids with cells of one line and rows of one length."""
    for name, grid in grids:
        width = len(grid[0])
        yield name, [[" ".join(c.split()) for c in (row + [""] * width)[:width]] for row in grid]


def fitted(tables: Sequence[Labelled]) -> dict[str, float]:
    """Fit the chance that a table is right by weighted logistic regression.

    What tells against a table never counts for it, whatever a few examples say: only the signs of MAY_HELP do.
    """
    seen: dict[str, int] = {}
    for one in tables:
        for name in one.signs:
            seen[name] = seen.get(name, 0) + 1
    names = sorted(n for n, times in seen.items() if times >= LEAST_SEEN)
    signs = np.array([[t.signs.get(n, 0.0) for n in names] for t in tables])
    right = np.array([t.right for t in tables], dtype=float)
    count = {source: sum(t.source == source for t in tables) for source in SHARES}
    worth = np.array([SHARES[t.source] / count[t.source] for t in tables])
    worth /= worth.sum()
    scale = np.maximum(np.sqrt((signs**2).mean(axis=0)), LEAST_SCALE)
    ridge = RIDGE / len(tables) * np.array([n != "bias" for n in names])
    most = np.array([np.inf if n in MAY_HELP else 0.0 for n in names])
    scaled, weights = signs / scale, np.zeros(len(names))
    rate = 4 / np.linalg.norm(scaled * np.sqrt(worth)[:, None], 2) ** 2
    ahead, pace = weights, 1.0
    for _ in range(STEPS):  # accelerated projected gradient
        slope = scaled.T @ (worth * (1 / (1 + np.exp(-scaled @ ahead)) - right)) + ridge * ahead
        following = np.minimum(ahead - rate * slope / (1 + rate * ridge.max()), most)
        faster = (1 + np.sqrt(1 + 4 * pace**2)) / 2
        ahead, weights, pace = following + (pace - 1) / faster * (following - weights), following, faster
    return {n: float(w) for n, w in zip(names, weights / scale, strict=True) if abs(w) > LEAST_WEIGHT}


def reported(tables: Sequence[Labelled], weights: dict[str, float]) -> Iterator[str]:
    """Yield the lines of the report on some tables: the confidence of before and of now."""
    right = np.array([t.right for t in tables], dtype=float)
    now = np.array([chance_of(t.signs, weights) for t in tables])
    before = np.array([t.before for t in tables])
    for name, chances in (("of the header, as before", before), ("of the table", now)):
        sure, doubted = chances > SURE, chances < DOUBTED
        yield (
            f"confidence {name}: Brier {((chances - right) ** 2).mean():.3f}, ECE {_ece(chances, right):.3f}; "
            f"above {SURE}: {sure.sum()} of {len(tables)}, {right[sure].mean():.1%} right; "
            f"below {DOUBTED}: {doubted.sum()}" + (f", {right[doubted].mean():.1%} right" if doubted.any() else "")
        )
        yield reliability(list(chances), list(right))
    for source in dict.fromkeys(t.source for t in tables):
        own = np.array([t.source == source for t in tables])
        sure, doubted = own & (now > SURE), own & (now < DOUBTED)
        yield (
            f"  {source:28} {own.sum():4} tables, {right[own].mean():.0%} right; above {SURE}: {sure.sum():4}"
            f" ({right[sure].sum():.0f} right), below {DOUBTED}: {doubted.sum():4} ({right[doubted].sum():.0f} right)"
        )


def _ece(chances: np.ndarray, right: np.ndarray) -> float:
    """Return the expected calibration error over ten bands: |confidence - share of right ones|, by their tables."""
    bands = np.minimum((chances * 10).astype(int), 9)
    gaps = [abs((chances - right)[bands == b].sum()) for b in range(10)]
    return float(sum(gaps) / len(right))


def drawn(tables: Sequence[Labelled], weights: dict[str, float], path: Path) -> None:
    """Draw the share of right tables by confidence, of before and of now."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    plt.rcParams["svg.hashsalt"] = "tables"  # the same ids in every run
    figure, axes = plt.subplots(figsize=(5.2, 4.2))
    axes.plot([0, 1], [0, 1], color="0.7", linewidth=1, label="calibrated")
    right = np.array([t.right for t in tables], dtype=float)
    lines = (
        ("of the header alone (before)", np.array([t.before for t in tables]), "s--", "tab:orange"),
        ("of the table", np.array([chance_of(t.signs, weights) for t in tables]), "o-", "tab:blue"),
    )
    for name, chances, style, color in lines:
        bands = np.minimum((chances * 10).astype(int), 9)
        held = [bands == b for b in range(10) if (bands == b).any()]
        axes.plot([chances[h].mean() for h in held], [right[h].mean() for h in held], style, color=color, label=name)
        for h in held:
            place = (chances[h].mean(), right[h].mean())
            axes.annotate(str(h.sum()), place, (4, -11), textcoords="offset points", fontsize=7, color=color)
    axes.set(xlabel="confidence", ylabel="share of right tables", xlim=(0, 1.02), ylim=(0, 1.02))
    axes.legend(frameon=False, loc="upper left")
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the tables, fit, report, save."""
    parser = argparse.ArgumentParser(description="Calibrate the confidence of tables.")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--icdar", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--plot", type=Path)
    options = parser.parse_args(arguments)
    known = list(taught(options.data, options.icdar))
    weights = saved(fitted(known), options.out)
    print(f"learned from {len(known)} tables, {sum(t.right for t in known)} of them right; saved {options.out}")
    tables = list(held_out(options.data, options.icdar))
    print("\n".join(reported(tables, weights)))
    if options.plot:
        drawn(tables, weights, options.plot)


if __name__ == "__main__":
    main()
