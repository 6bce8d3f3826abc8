"""tablerag eval: run systems over benchmarks and write reports."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from tablerag.cli.confirm import replay
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
)
from tablerag.cli.paper import paper
from tablerag.evaluation.benchmarks import BENCHMARKS

__all__ = ["eval_app"]

eval_app = typer.Typer(rich_markup_mode=None)
out = Console(highlight=False)

SYSTEMS = (
    "tablerag, hd_rag, direct, naive_rag, table_retrieval, self_rag, react, table_gpt, text2sql, sql_agent, "
    "program_of_thought, document_direct, document_cot, document_eedp, document_pot; documents_hrcl and others find "
    "documents alone; for the qgpt sets retrieval, reranked_retrieval, decomposed_retrieval"
)
SystemName = Annotated[str, typer.Option(help=SYSTEMS)]
Variant = Annotated[str, typer.Option(help="Variant of the benchmark's documents or questions")]
NoContext = Annotated[bool, typer.Option("--no-context", help="Ablation: decompose without retrieved tables")]
NoSql = Annotated[bool, typer.Option("--no-sql", help="Ablation: read tables as Markdown, without SQL")]
NoText = Annotated[bool, typer.Option("--no-text", help="Ablation: retrieve only tables")]


def evaluate(
    command: typer.Context,
    data: Annotated[Path, typer.Option("--data", help="Folder of the benchmark, in its native layout", metavar="DIR")],
    system: SystemName = "tablerag",
    model: Model = "",
    split: Annotated[str, typer.Option(help="Split, as in the names of its files")] = "dev",
    variant: Variant = "",
    limit: Annotated[int, typer.Option(min=0, help="Number of questions, drawn by the seed; 0: all")] = 0,
    group: Annotated[str, typer.Option(help="Ask only the questions of this group, e.g. arithmetic in tatqa")] = "",
    seed: Annotated[int, typer.Option(help="Random seed; the same seed draws the same questions for every system")] = 7,
    closed: Annotated[bool, typer.Option("--closed", help="Give each question only its own documents")] = False,
    top_k: Annotated[int, typer.Option(min=1, max=20, help="Chunks kept after reranking")] = 3,
    no_context: NoContext = False,
    no_sql: NoSql = False,
    no_text: NoText = False,
    judge: JudgeModel = "",
    retry_failed: RetryFailed = False,
    workers: Workers = 1,
    calls_per_minute: CallsPerMinute = 0,
    price: Price = "",
    to: Runs = Path("evaluation-runs"),
) -> None:
    """Run a system on the benchmark's questions; the same command resumes a stopped run."""
    from tablerag.evaluation.progress import Prices
    from tablerag.evaluation.trial import Sample, Trial, plan_of

    way = Way(Prices.read(price), judge, retry_failed, workers, calls_per_minute)
    switches = {"context_sensitive": not no_context, "sql_execution": not no_sql, "text_retrieval": not no_text}
    asked = Trial(command.info_name or "", split, variant, system, group, closed, (("top_k", top_k), *switches.items()))
    plan = plan_of(asked, Sample(data, to, model, limit, seed))
    carry_out(plan, way, to)
    _summary(plan.folder)


def _summary(folder: Path) -> None:
    from tablerag.evaluation.comparison import load_runs, summary_lines

    for line in summary_lines(load_runs([folder])):
        out.print(line, markup=False, soft_wrap=True)
    out.print(
        f"written to {folder}; to compare runs: `tablerag eval report {folder.parent}`", markup=False, soft_wrap=True
    )


eval_app.command()(replay)
eval_app.command()(paper)


@eval_app.command()
def report(
    folders: Annotated[list[Path], typer.Argument(help="Runs, or folders with runs", metavar="DIR...")],
    to: Annotated[Path, typer.Option("--out", help="Folder for the report", metavar="DIR")] = Path("evaluation-report"),
) -> None:
    """Compare runs in Markdown, CSV, plots and one self-contained HTML page."""
    from tablerag.evaluation.comparison import load_runs
    from tablerag.evaluation.report import write_report

    for path in write_report(load_runs(folders), to):
        out.print(f"wrote {path}", markup=False, soft_wrap=True)


for _name, _listed in BENCHMARKS.items():
    eval_app.command(_name, help=f"Run a system on {_listed.title}; the same command resumes a stopped run.")(evaluate)
