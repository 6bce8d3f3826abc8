"""tablerag eval: run systems over benchmarks and write reports."""

import os
import re
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from tablerag.cli.confirm import replay
from tablerag.evaluation.benchmarks import BENCHMARKS, load_benchmark

if TYPE_CHECKING:
    from tablerag.evaluation.records import RunSettings
    from tablerag.tools.services import Services
    from tablerag.tools.settings import Settings

__all__ = ["eval_app"]

INTERRUPTED_STATUS = 130
MOST_UNREAD = 10

eval_app = typer.Typer(rich_markup_mode=None)
out = Console(highlight=False)
err = Console(stderr=True, highlight=False)

SYSTEMS = (
    "tablerag, hd_rag, direct, naive_rag, table_retrieval, self_rag, react, text2sql, sql_agent, program_of_thought, "
    "document_direct, document_cot, document_eedp, document_pot; documents_hrcl and others find documents alone; "
    "retrieval for the qgpt sets"
)
SystemName = Annotated[str, typer.Option(help=SYSTEMS)]
NoContext = Annotated[bool, typer.Option("--no-context", help="Ablation: decompose without retrieved tables")]
NoSql = Annotated[bool, typer.Option("--no-sql", help="Ablation: read tables as Markdown, without SQL")]
Price = Annotated[
    str, typer.Option(help="US dollars per million input and output tokens, e.g. 0.15,0.60", metavar="IN,OUT")
]
Runs = Annotated[Path, typer.Option("--out", help="Folder for the runs and their stores", metavar="DIR")]
NoText = Annotated[bool, typer.Option("--no-text", help="Ablation: retrieve only tables")]


def evaluate(
    command: typer.Context,
    data: Annotated[Path, typer.Option("--data", help="Folder of the benchmark, in its native layout", metavar="DIR")],
    system: SystemName = "tablerag",
    model: Annotated[str, typer.Option(help="PROVIDER:NAME, gguf:PATH or offline; default: TABLERAG_MODEL")] = "",
    split: Annotated[str, typer.Option(help="Split, as in the names of its files")] = "dev",
    limit: Annotated[int, typer.Option(min=0, help="Number of questions, drawn by the seed; 0: all")] = 0,
    group: Annotated[str, typer.Option(help="Ask only the questions of this group, e.g. arithmetic in tatqa")] = "",
    seed: Annotated[int, typer.Option(help="Random seed; the same seed draws the same questions for every system")] = 7,
    closed: Annotated[bool, typer.Option("--closed", help="Give each question only its own documents")] = False,
    top_k: Annotated[int, typer.Option(min=1, max=20, help="Chunks kept after reranking")] = 3,
    no_context: NoContext = False,
    no_sql: NoSql = False,
    no_text: NoText = False,
    judge: Annotated[str, typer.Option(help="Model that also judges the answers, as PROVIDER:NAME")] = "",
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Ask questions that ended in an error again, without cached replies")
    ] = False,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Questions asked in parallel")] = 1,
    calls_per_minute: Annotated[int, typer.Option(min=0, help="Limit of model calls per minute; 0: none")] = 0,
    price: Price = "",
    to: Runs = Path("evaluation-runs"),
) -> None:
    """Run a system on the benchmark's questions; the same command resumes a stopped run."""
    from tablerag.agent.context import Context
    from tablerag.evaluation.corpora import corpora_of, unread
    from tablerag.evaluation.document_retrieval import FINDERS, as_retrieval
    from tablerag.evaluation.progress import Prices, RunProgress
    from tablerag.evaluation.runner import drawn, run, settings_of
    from tablerag.evaluation.systems import check_fits, open_system
    from tablerag.tools.services import Services
    from tablerag.tools.settings import get_settings

    prices, benchmark = Prices.read(price), load_benchmark(command.info_name or "", data, split)
    if system in FINDERS:
        benchmark = as_retrieval(benchmark)
    chosen = drawn(benchmark, limit, seed, group)
    named = model or get_settings().resolved_model
    switches = {"context_sensitive": not no_context, "sql_execution": not no_sql, "text_retrieval": not no_text}
    context = Context.model_validate({"model": named, "top_k": top_k, **switches})
    about = {"system": system, "split": split, "closed": closed, "limit": limit, "seed": seed, "group": group}
    settings = settings_of(benchmark, chosen, context, **about)
    check_fits(benchmark, settings)
    folder = to / _folder_name(settings)
    own = _own_settings(get_settings(), to, folder, calls_per_minute)
    services = Services(own.model_copy(update={"llm_cache": ""}) if retry_failed else own)
    try:
        asked = open_system(system, services, named)
        with RunProgress("ingesting", err) as bar:
            corpora = corpora_of(benchmark, chosen, services, closed=closed, on_progress=bar.ingested)
        _tell_unread(unread(corpora.values(), services))
        for corpus in set(corpora.values()):
            asked.prepare(corpus)
        with _left_at_once():
            about_run = {"workers": workers, "retry_failed": retry_failed}
            with RunProgress(settings.title, err, total=len(chosen), prices=prices) as bar:
                run(benchmark, chosen, asked, context, corpora, folder, settings, **about_run, on_answer=bar.answered)
            if judge:
                _judge(folder, judge, services, workers)
    finally:
        services.close()
    _summary(folder)


def _tell_unread(lines: Sequence[str]) -> None:
    """Print the documents that no system can answer from."""
    for line in lines[:MOST_UNREAD]:
        err.print(f"not read: {line}", markup=False, soft_wrap=True)
    if len(lines) > MOST_UNREAD:
        err.print(f"not read: {len(lines) - MOST_UNREAD} more documents", markup=False)


@contextmanager
def _left_at_once() -> Iterator[None]:
    """Exit at once on Ctrl-C: Python would wait for threads that wait for a model."""
    try:
        yield
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        err.print("stopped; the answers so far are kept, and the same command resumes the run")
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(INTERRUPTED_STATUS)


def _folder_name(settings: "RunSettings") -> str:
    """Return the name of a run's folder, which distinguishes it from other runs under the same --out."""
    changed = "".join(f"-{'no-' * (v is False)}{k}{'' if v is False else v}" for k, v in settings.context.items())
    group = "".join(f"-{c}" for c in re.findall(r"\w+", settings.group))
    drawn = f"-{settings.limit}of{settings.seed}" if settings.limit else ""
    model = "".join(c if c.isalnum() or c in "._" else "-" for c in settings.model)
    setting = "closed" if settings.closed else "open"
    return f"{settings.benchmark}-{settings.split}{group}{drawn}-{setting}-{settings.system}{changed}-{model}"


def _own_settings(settings: "Settings", to: Path, folder: Path, calls_per_minute: int) -> "Settings":
    """Return settings with separate embedded stores, and with a cache of model replies in the run's folder."""
    own = {"home": to / "stores", "database_url": "", "query_database_url": "", "chroma_url": ""}
    # A question that was interrupted is asked again, but its cached calls are free.
    calls = settings.llm_cache or f"sqlite:///{folder / 'calls.db'}"
    limits = {"llm_calls_per_minute": calls_per_minute} if calls_per_minute else {}
    return settings.model_copy(update=own | limits | {"llm_cache": calls})


def _judge(folder: Path, model: str, services: "Services", workers: int) -> None:
    from tablerag.evaluation.judge import Judge, judge_run
    from tablerag.evaluation.progress import RunProgress
    from tablerag.evaluation.runner import read_run

    settings, _ = read_run(folder)
    with RunProgress(f"judging {settings.title}", err, total=settings.questions) as bar:
        judge_run(folder, Judge(model, services.settings), workers=workers, on_judged=bar.answered)


def _summary(folder: Path) -> None:
    from tablerag.evaluation.comparison import load_runs, summary_lines

    for line in summary_lines(load_runs([folder])):
        out.print(line, markup=False, soft_wrap=True)
    out.print(
        f"written to {folder}; to compare runs: `tablerag eval report {folder.parent}`", markup=False, soft_wrap=True
    )


eval_app.command()(replay)


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
