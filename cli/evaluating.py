"""Carries out one evaluation run on the terminal: ingest, questions, judge; for `eval DATASET` and `eval paper`."""

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

if TYPE_CHECKING:
    from tablerag.evaluation.progress import Prices
    from tablerag.evaluation.trial import Plan
    from tablerag.tools.services import Services
    from tablerag.tools.settings import Settings

__all__ = ["CallsPerMinute", "JudgeModel", "Model", "Price", "RetryFailed", "Runs", "Way", "Workers", "carry_out"]

INTERRUPTED_STATUS = 130
MOST_UNREAD = 10
err = Console(stderr=True, highlight=False)

Model = Annotated[str, typer.Option(help="PROVIDER:NAME, gguf:PATH or offline; default: TABLERAG_MODEL")]
JudgeModel = Annotated[str, typer.Option(help="Model that also judges the answers, as PROVIDER:NAME")]
RetryFailed = Annotated[
    bool, typer.Option("--retry-failed", help="Ask questions that ended in an error again, without cached replies")
]
Workers = Annotated[int, typer.Option(min=1, max=64, help="Questions asked in parallel")]
CallsPerMinute = Annotated[int, typer.Option(min=0, help="Limit of model calls per minute; 0: none")]
Price = Annotated[
    str, typer.Option(help="US dollars per million input and output tokens, e.g. 0.15,0.60", metavar="IN,OUT")
]
Runs = Annotated[Path, typer.Option("--out", help="Folder for the runs and their stores", metavar="DIR")]


@dataclass(frozen=True, slots=True)
class Way:
    """How runs are made; it changes none of their figures."""

    prices: "Prices"
    judge: str = ""
    retry_failed: bool = False
    workers: int = 1
    calls_per_minute: int = 0


def carry_out(plan: "Plan", way: Way, out: Path) -> None:
    """Make a planned run, or what is missing of it; raise ConfigError, ModelUnavailable and StoreUnavailable.

    Ctrl-C ends the process.
    """
    from tablerag.evaluation.corpora import corpora_of, unread
    from tablerag.evaluation.progress import RunProgress
    from tablerag.evaluation.runner import run
    from tablerag.evaluation.systems import open_system
    from tablerag.tools.services import Services
    from tablerag.tools.settings import get_settings

    settings = plan.settings
    own = _own_settings(get_settings(), out, plan.folder, way.calls_per_minute)
    services = Services(own.model_copy(update={"llm_cache": ""}) if way.retry_failed else own)
    try:
        services.chunk_embedding  # noqa: B018  # refuses a wrong name before anything is read
        asked = open_system(settings.system, services, settings.model)
        with RunProgress("ingesting", err) as bar:
            corpora = corpora_of(
                plan.benchmark, plan.questions, services, closed=settings.closed, on_progress=bar.ingested
            )
        _tell_unread(unread(corpora.values(), services))
        for corpus in set(corpora.values()):
            asked.prepare(corpus)
        with _left_at_once():
            about_run = {"workers": way.workers, "retry_failed": way.retry_failed}
            with RunProgress(
                f"{settings.benchmark}, {settings.title}", err, total=len(plan.questions), prices=way.prices
            ) as bar:
                run(
                    plan.benchmark, plan.questions, asked, plan.context, corpora, plan.folder, settings,
                    **about_run, on_answer=bar.answered,
                )  # fmt: skip
            if way.judge:
                _judge(plan.folder, way.judge, services, way.workers)
    finally:
        services.close()


def _own_settings(settings: "Settings", to: Path, folder: Path, calls_per_minute: int) -> "Settings":
    """Return settings with separate embedded stores, and with a cache of model replies in the run's folder."""
    from tablerag.evaluation.trial import safe_name

    stores = "stores" if settings.embedding == "embedded" else f"stores-{safe_name(settings.embedding)}"
    own = {"home": to / stores, "database_url": "", "query_database_url": "", "chroma_url": ""}
    # A question that was interrupted is asked again, but its cached calls are free.
    calls = settings.llm_cache or f"sqlite:///{folder / 'calls.db'}"
    limits = {"llm_calls_per_minute": calls_per_minute} if calls_per_minute else {}
    return settings.model_copy(update=own | limits | {"llm_cache": calls})


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


def _judge(folder: Path, model: str, services: "Services", workers: int) -> None:
    from tablerag.evaluation.judge import Judge, judge_run
    from tablerag.evaluation.progress import RunProgress
    from tablerag.evaluation.runner import read_run

    settings, _ = read_run(folder)
    with RunProgress(f"judging {settings.title}", err, total=settings.questions) as bar:
        judge_run(folder, Judge(model, services.settings), workers=workers, on_judged=bar.answered)
