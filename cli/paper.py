"""tablerag eval paper: repeat the tables and figures of the papers, with the published figures beside ours."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from tablerag.cli.evaluating import (
    CallsPerMinute,
    JudgeModel,
    Model,
    Price,
    RetryFailed,
    Runs,
    Way,
    Workers,
    carry_out,
    err,
)
from tablerag.tools.errors import ConfigError

if TYPE_CHECKING:
    from tablerag.evaluation.datasets.benchmark import Benchmark
    from tablerag.evaluation.papers.measuring import Measured
    from tablerag.evaluation.papers.paper import Figure, Paper
    from tablerag.evaluation.trial import Plan, Sample, Trial

__all__ = ["paper"]

TABLES = "papers"
"""The folder below --out that the tables are written to."""
MOST_NAME = 100
"""Characters of a model's name in the name of a folder."""
PaperName = Annotated[str, typer.Argument(help="tablerag, qgpt or hd_rag", metavar="PAPER")]
Data = Annotated[
    Path | None,
    typer.Option("--data", help="Folder with the benchmarks' folders, in their native layouts", metavar="DIR"),
]
Plans = dict["Trial", "Plan | str"]
"""The plan of each trial, or why it cannot be made."""
out = Console(highlight=False)


def paper(
    name: PaperName,
    table: Annotated[str, typer.Option("--table", help="Table or figure to repeat; without it they are listed")] = "",
    data: Data = None,
    model: Model = "",
    limit: Annotated[int, typer.Option(min=0, help="Number of questions of each run, drawn by the seed; 0: all")] = 0,
    seed: Annotated[int, typer.Option(help="Random seed; the same seed draws the same questions for every system")] = 7,
    estimate: Annotated[bool, typer.Option("--estimate", help="Say what it would cost, and start nothing")] = False,
    judge: JudgeModel = "",
    retry_failed: RetryFailed = False,
    workers: Workers = 1,
    calls_per_minute: CallsPerMinute = 0,
    price: Price = "",
    to: Runs = Path("evaluation-runs"),
) -> None:
    """Repeat a table or figure of a paper, or list them; the same command resumes what was stopped."""
    from tablerag.evaluation.papers.listing import figure_of, paper_of
    from tablerag.evaluation.progress import Prices
    from tablerag.evaluation.trial import Sample

    found, way = paper_of(name), Way(Prices.read(price), judge, retry_failed, workers, calls_per_minute)
    if not table:
        _list(found)
        return
    figure = figure_of(found, table)
    if data is None:
        raise ConfigError("--data is missing: give the folder with the benchmarks' folders")
    sample = Sample(data, to, model, limit, seed)
    plans = _planned(figure, sample)
    _tell_cost(plans, way, figure)
    if estimate:
        return
    for plan in _each_once(plans):
        carry_out(plan, way, to)
    _show(found, figure, _cells(figure, plans, way.judge), sample, plans)


def _list(found: "Paper") -> None:
    """Print the tables and figures of a paper with their states."""
    shown = Table("table", "title", "runs", "state", title=f"{found.title} (arXiv {found.arxiv})", box=box.MARKDOWN)
    for figure in found.figures:
        shown.add_row(figure.name, figure.title, str(len(figure.trials)), figure.state)
    out.print(shown)


def _planned(figure: "Figure", sample: "Sample") -> Plans:
    """Plan every trial; print why one cannot be made, and raise ConfigError if none can."""
    from tablerag.evaluation.systems import check_model
    from tablerag.evaluation.trial import plan_of
    from tablerag.tools.settings import get_settings

    plans: Plans = {}
    loaded: dict[tuple[str, str, str], Benchmark] = {}
    for trial in figure.trials:
        try:
            plan = plan_of(trial, sample, loaded)
            check_model(plan.settings.system, plan.settings.model, get_settings())
            plans[trial] = plan
        except ConfigError as error:
            plans[trial] = str(error)
    reasons = list(dict.fromkeys(p for p in plans.values() if isinstance(p, str)))
    if len(reasons) and not _each_once(plans):
        raise ConfigError(reasons[0])
    for reason in reasons:
        err.print(f"not run: {reason}", markup=False, soft_wrap=True)
    return plans


def _each_once(plans: Plans) -> "list[Plan]":
    """Return the runs to make: trials that differ in nothing share one."""
    return list({plan.folder: plan for plan in plans.values() if not isinstance(plan, str)}.values())


def _tell_cost(plans: Plans, way: Way, figure: "Figure") -> None:
    from tablerag.evaluation.papers.estimate import estimated

    line = estimated(_each_once(plans), judged=bool(way.judge)).line(way.prices)
    err.print(f"{figure.name}: {line}", markup=False, soft_wrap=True)
    if figure.judged and not way.judge:
        line = "the paper has a model judge the answers, as --judge does; without it, the benchmark's metric counts"
        err.print(line, soft_wrap=True)


def _cells(figure: "Figure", plans: Plans, judge: str) -> "list[Measured]":
    """Take the value of every cell from its run."""
    from tablerag.evaluation.comparison import load_runs
    from tablerag.evaluation.papers.measuring import Measured, measured

    runs = {plan.folder: load_runs([plan.folder])[0] for plan in _each_once(plans)}
    cells: list[Measured] = []
    for cell in figure.cells:
        plan = plans.get(cell.trial, "") if cell.trial else cell.why
        if isinstance(plan, str):
            cells.append(Measured(cell, cell.column, {}, plan))
        else:
            cells += measured(cell, plan, runs[plan.folder], judge if figure.judged else "")
    return cells


def _show(found: "Paper", figure: "Figure", cells: "Sequence[Measured]", sample: "Sample", plans: Plans) -> None:
    """Print the table and its paired tests, and write them as files."""
    from tablerag.evaluation.papers.written import Made, difference_rows, figure_table, shown_cells, write_figure
    from tablerag.evaluation.trial import safe_name

    seen, left_out = shown_cells(cells)
    for columns, rows in (figure_table(figure, seen), difference_rows(figure, cells)):
        if not rows:
            continue
        shown = Table(*columns, box=box.MARKDOWN)
        for row in rows:
            shown.add_row(*row)
        out.print(shown, markup=False)
    for line in left_out:
        out.print(line, markup=False, soft_wrap=True)
    models = "; ".join(sorted({plan.settings.asked for plan in _each_once(plans)}))
    drawn = f"at most {sample.limit} questions a run, drawn by seed {sample.seed}" if sample.limit else "all questions"
    made = Made(models, drawn, datetime.now(UTC).date().isoformat())
    # Another model, embedding or number of questions makes another table.
    limited = f"-{sample.limit}of{sample.seed}" if sample.limit else ""
    to = sample.out / TABLES / f"{safe_name(models)[:MOST_NAME]}{limited}"
    for path in write_figure(found, figure, cells, made, to):
        out.print(f"wrote {path}", markup=False, soft_wrap=True)
