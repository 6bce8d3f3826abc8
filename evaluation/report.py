"""Writes the report on runs: Markdown, CSV, plots, and one HTML page with everything."""

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from tablerag.evaluation.comparison import (
    DIFFERENCE_COLUMNS,
    NOTE,
    Run,
    compared,
    differences,
    figure_columns,
    figure_rows,
    figures,
    with_distinct_titles,
)  # fmt: skip
from tablerag.evaluation.report_page import page
from tablerag.evaluation.report_plots import plots_of
from tablerag.tools.markdown import cell, inline

__all__ = ["csv_text", "markdown_table", "write_report"]


def markdown(runs: Sequence[Run]) -> str:
    """Return the report as Markdown."""
    parts = ["# Evaluation"]
    for group in compared(runs):
        s = group[0].settings
        parts.append(f"## {inline(f'{s.benchmark}, {s.split}, {s.questions} questions')}")
        parts.append(markdown_table(*figure_rows(group)))
        if rows := differences(group):
            parts.append(markdown_table(DIFFERENCE_COLUMNS, rows))
    return "\n\n".join([*parts, NOTE]) + "\n"


def markdown_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(map(cell, line)) + " |" for line in lines)


def figures_csv(runs: Sequence[Run]) -> str:
    """Return one line for each run."""
    columns = ["benchmark", "split", *figure_columns(runs)]
    lines = []
    for run in (r for group in compared(runs) for r in group):
        row = {"benchmark": run.settings.benchmark, "split": run.settings.split, **figures(run)}
        lines.append([row.get(c, "") for c in columns])
    return csv_text([columns, *lines])


def answers_csv(runs: Sequence[Run]) -> str:
    """Return one line for each answer; cells that a spreadsheet would run as a formula are marked as text."""
    about = ("benchmark", "split", "system", "model", "setting")
    lines: list[tuple[object, ...]] = [
        (*about, "id", "group", "question", "gold", "answer", "right", "failure", "seconds")
    ]
    for run in runs:
        s = run.settings
        for a in run.answers:
            cells = (a.id, a.group, a.question, "; ".join(a.gold), a.answer)
            safe = (f"'{c}" if c.startswith(("=", "+", "-", "@", "\t", "\r")) else c for c in cells)
            of_run = (s.benchmark, s.split, run.title, s.model, s.setting)
            lines.append((*of_run, *safe, int(a.right), a.failure, a.seconds))
    return csv_text(lines)


def csv_text(lines: Iterable[Iterable[object]]) -> str:
    """Return lines of cells as CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()


def write_report(runs: Sequence[Run], to: Path) -> list[Path]:
    """Write report.md, figures.csv, answers.csv, one SVG for each plot, and report.html; return their paths."""
    to.mkdir(parents=True, exist_ok=True)
    runs = with_distinct_titles(runs)
    files = {"report.md": markdown(runs), "figures.csv": figures_csv(runs), "answers.csv": answers_csv(runs)}
    groups = [(group, plots_of(group)) for group in compared(runs)]
    for group, plots in groups:
        s = group[0].settings
        files |= {f"{s.benchmark}-{s.split}-{s.digest[:6]}-{name}.svg": svg for name, svg in plots.items()}
    files["report.html"] = page(groups)
    for name, text in files.items():
        (to / name).write_text(text, encoding="utf-8")
    return [to / name for name in files]
