"""Writes a measured table: the published figure beside ours, and the paired tests, as Markdown and CSV."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tablerag.evaluation.papers.curves import curve_of
from tablerag.evaluation.papers.measuring import Measured, row_differences
from tablerag.evaluation.papers.paper import Figure, Paper
from tablerag.evaluation.report import csv_text, markdown_table
from tablerag.tools.counting import counted

__all__ = ["Made", "difference_rows", "figure_table", "published_columns", "shown_cells", "write_figure"]

DIFFERENCES = ("column", "row", "against", "gain in points (95 %)", "only one right", "p (McNemar)")
Row = tuple[str, ...]


class Made(NamedTuple):
    """How a table was measured."""

    model: str
    questions: str
    """"all questions", or how many were drawn by which seed."""
    date: str
    """ISO 8601."""


def published_columns(figure: Figure) -> list[tuple[str, str]]:
    """Return what the published values were obtained with, and the header of each one's column."""
    labels = list(dict.fromkeys(label for c in figure.cells for label in c.published)) or [""]
    return [(label, f"published ({label})" if label else "published") for label in labels]


def figure_table(figure: Figure, cells: Sequence[Measured]) -> tuple[Row, list[Row]]:
    """Return the columns and a row for each cell; values are in percent, or in seconds."""
    published = published_columns(figure)
    columns = ("row", "column", *(header for _, header in published), "ours", "95 % interval", "n", "why")
    return columns, [_row(m, [label for label, _ in published]) for m in cells]


def _row(m: Measured, labels: Sequence[str]) -> Row:
    known = [f"{m.cell.published[label]:g}" if label in m.cell.published else "" for label in labels]
    if not m.values:
        return (m.cell.row, m.column, *known, "", "", "", m.why)
    low, high = m.interval
    return (m.cell.row, m.column, *known, f"{m.mean:.1f}", f"{low:.1f} to {high:.1f}", str(len(m.values)), m.why)


def difference_rows(figure: Figure, cells: Sequence[Measured]) -> tuple[Row, list[Row]]:
    """Return the columns and a row for each paired comparison."""
    rows = []
    for found in row_differences(figure, cells):
        d = found.difference
        gain = f"{_points(d.mean)} ({_points(d.low)} to {_points(d.high)})"
        uneven = f"{d.second_only} : {d.first_only}"
        # Where no answer can be wholly right, as with three tables at depth 1, there is nothing to test.
        p = f"{d.p:.3g}" if d.second_only or d.first_only else ""
        rows.append((found.column, found.row, found.against, gain, uneven, p))
    return DIFFERENCES, rows


def _points(share: float) -> str:
    return f"{round(100 * share, 1) + 0.0:+.1f}"  # + 0.0: no minus before a zero


def shown_cells(cells: Sequence[Measured]) -> tuple[list[Measured], list[str]]:
    """Return the cells with a value, ours or published, and a line for each reason why others have none."""
    shown = [m for m in cells if m.values or m.cell.published]
    left_out = Counter(m.why for m in cells if not m.values and not m.cell.published)
    return shown, [f"{counted(count, 'cell')} not measured: {why}" for why, count in left_out.items()]


def write_figure(paper: Paper, figure: Figure, cells: Sequence[Measured], made: Made, to: Path) -> list[Path]:
    """Write PAPER-FIGURE.md and .csv, of a curve .svg too, and return their paths."""
    to.mkdir(parents=True, exist_ok=True)
    shown, left_out = shown_cells(cells)
    columns, rows = figure_table(figure, shown)
    told = f"Model: {made.model}; {made.questions}; {made.date}. Values in percent or seconds; intervals are 95 % "
    parts = [f"# {paper.title}: {figure.title}", f"{told}bootstrap percentiles.", markdown_table(columns, rows)]
    against, differences = difference_rows(figure, cells)
    parts += [markdown_table(against, differences)] if differences else []
    parts += ["\n".join(f"- {line}" for line in left_out)] if left_out else []
    parts += ["\n".join(f"- {note}" for note in figure.notes)] if figure.notes else []
    every = zip(
        figure_table(figure, cells)[1], (made._replace(model=m.model or made.model) for m in cells), strict=True
    )
    lines = [(*columns, *Made._fields), *((*row, *how) for row, how in every)]
    stem = to / f"{paper.name}-{figure.name}"
    files = {stem.with_suffix(".md"): "\n\n".join(parts) + "\n", stem.with_suffix(".csv"): csv_text(lines)}
    files |= {stem.with_suffix(".svg"): curve_of(figure, cells)} if figure.curve else {}
    for path, text in files.items():
        path.write_text(text, encoding="utf-8")
    return list(files)
