"""What the command line does while documents are read and questions are written: bars, costs, reports."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from agent.cli_views import plain
from ingestion import pipeline, questions
from tools.errors import ConfigError
from tools.services import Services

__all__ = ["bar", "check_writes_questions", "ingest_with_progress", "write_questions"]


@contextmanager
def bar(doing: str, err: Console) -> Iterator[Callable[[int, int, str], None]]:
    """Yield a function that shows (done, total, source) on stderr; no bar before its first call, or after."""
    columns = (TextColumn(doing), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    progress = Progress(*columns, TextColumn("{task.fields[source]}", markup=False), console=err, transient=True)
    task = progress.add_task("", total=None, source="")

    def show(done: int, total: int, source: str = "") -> None:
        if err.is_terminal:
            progress.start()
        progress.update(task, completed=done, total=total, source=source)

    try:
        yield show
    finally:
        if progress.live.is_started:
            progress.stop()


def ingest_with_progress(
    paths: list[Path], services: Services, corpus: str, err: Console, *, prune: bool = False
) -> list[pipeline.Entry]:
    """Ingest while a bar shows how far it is; return the report's entries."""
    with bar("ingesting", err) as show:

        def on_progress(step: pipeline.Progress) -> None:
            show(step.done, step.total, plain(step.source)[-40:])

        return pipeline.ingest(paths, services, corpus, prune=prune, on_progress=on_progress).entries


def check_writes_questions(model: str) -> None:
    """Raise ConfigError unless a model can write questions."""
    if model == "offline":
        raise ConfigError(
            "questions are written by a model: set OPENAI_API_KEY or OPENAI_BASE_URL, or leave --questions out"
        )


def write_questions(services: Services, corpus: str, model: str, err: Console, *, ask_first: bool) -> str:
    """Have a model write the questions of all tables that have none; return what came of it.

    What it will cost is said first, and agreed to where somebody sits at the terminal.
    """
    from tools.models import asker

    lacking = [questions.partial_table(s, services) for s in questions.pending(services, corpus)]
    if not lacking:
        return "every table has its questions"
    cost = questions.estimate(lacking)
    err.print(
        f"{cost.tables} tables lack questions: about {cost.tables} calls of {model}, {cost.input_tokens:,} tokens in, "
        f"{cost.output_tokens:,} out at most",
        soft_wrap=True,
    )
    if ask_first and sys.stdin.isatty() and not typer.confirm("Go on?", err=True):
        return "no questions written"
    ask = asker(model, services.settings)
    with bar("writing questions", err) as show:
        run = questions.write_questions(services, corpus, lacking, model, ask, show)
    for table, reason in run.failed.items():
        err.print(f"no questions for {plain(table)}: {plain(reason)}", style="yellow", markup=False, soft_wrap=True)
    if run.failed:
        err.print("the same command asks again for those only")
    known = f", {run.cached} of them asked before" if run.cached else ""
    return f"{run.written} tables have new questions{known}"
