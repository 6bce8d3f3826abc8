"""tablerag heteqa: build and annotate a benchmark of questions over tables and text."""

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from tablerag.tools.counting import counted
from tablerag.tools.errors import ConfigError, ModelUnavailable

if TYPE_CHECKING:
    from tablerag.evaluation.heteqa.building import Composer
    from tablerag.tools.settings import Settings

__all__ = ["heteqa_app"]

heteqa_app = typer.Typer(rich_markup_mode=None)
out = Console(highlight=False)
err = Console(stderr=True, highlight=False)

Folder = Annotated[Path, typer.Argument(help="Folder written by `tablerag heteqa build`", metavar="FOLDER")]


@heteqa_app.command()
def build(
    data: Annotated[
        Path, typer.Option("--data", help="Folder of tables and passages in OTT-QA's layout", metavar="DIR")
    ],
    to: Annotated[Path, typer.Option("--out", help="Folder for the benchmark", metavar="FOLDER")],
    model: Annotated[
        str,
        typer.Option(
            help="Composes the questions: PROVIDER:NAME, or grammar (templates, no model); default: TABLERAG_MODEL"
        ),
    ] = "",
    per_table: Annotated[int, typer.Option(min=1, max=40, help="Most questions per table")] = 4,
    tables: Annotated[int, typer.Option(min=0, help="Number of tables, drawn by the seed; 0: all")] = 0,
    seed: Annotated[int, typer.Option(help="Random seed; the same seed gives the same questions")] = 1,
) -> None:
    """Compose questions, keep those whose SQL and pandas programs agree, and log the others with the reason.

    Model replies are kept in calls.db in the folder, so that the same command can resume an interrupted build.
    """
    from tablerag.cli.ingest import bar
    from tablerag.evaluation.heteqa.agreement import REASONS
    from tablerag.evaluation.heteqa.building import build as build_benchmark
    from tablerag.tools.settings import get_settings

    named, compose = _composer(model, get_settings(), to)
    with bar("building", err) as show:
        try:
            report = build_benchmark(
                data,
                to,
                compose,
                composed_by=named,
                per_table=per_table,
                most_tables=tables or None,
                seed=seed,
                on_progress=lambda done, total, doing: show(done, total, doing[-60:]),
            )
        except ModelUnavailable as error:
            raise ModelUnavailable(
                f"{error}; the replies so far are kept, and the same command resumes the build"
            ) from error
    out.print(_counted("operation", report.operations))
    reasons = {REASONS[reason]: count for reason, count in report.rejected.items()}
    if reasons:
        out.print(_counted("reason for rejection", reasons))
    out.print(
        f"kept {counted(report.kept, 'question')} of {counted(report.candidates, 'candidate')} over "
        f"{counted(report.tables_used, 'table')}, "
        f"{report.with_text_hop} with a text hop; both programs agreed on {report.agreed}; {report.seconds:.0f} s",
        markup=False,
        soft_wrap=True,
    )
    out.print(f"next: tablerag heteqa annotate {to}", markup=False, soft_wrap=True)


def _composer(model: str, settings: "Settings", to: Path) -> "tuple[str, Composer]":
    """Return the composer: a named or configured model with cached replies, otherwise the grammar."""
    named = model or settings.resolved_model
    if named in ("offline", "grammar"):
        from tablerag.evaluation.heteqa.composing_by_grammar import compose_by_grammar

        return "grammar", compose_by_grammar
    from tablerag.evaluation.heteqa.composing_by_model import by_model
    from tablerag.tools.models import asker

    if not settings.llm_cache:
        to.mkdir(parents=True, exist_ok=True)
        settings = settings.model_copy(update={"llm_cache": f"sqlite:///{to / 'calls.db'}"})
    return named, by_model(named, asker(named, settings))


@heteqa_app.command()
def annotate(folder: Folder) -> None:
    """Accept, fix or discard questions one by one; the same command resumes where you stopped."""
    from tablerag.cli.heteqa_screen import annotate as annotate_folder
    from tablerag.cli.heteqa_screen import read_key
    from tablerag.evaluation.heteqa.building import DOCUMENTS

    annotate_folder(folder, folder / DOCUMENTS, out, read_key, _edited)


def _edited(prompt: str, text: str) -> str:
    """Ask for a line, prefilled with the current text; without a terminal, an empty line keeps it."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().strip() or text
    try:
        import readline
    except ImportError:  # Python without line editing
        return input(f"{prompt} [{text}]: ").strip() or text
    readline.set_startup_hook(lambda: readline.insert_text(text))
    try:
        return input(f"{prompt}: ")
    finally:
        readline.set_startup_hook()


@heteqa_app.command()
def stats(folder: Folder) -> None:
    """Count the questions by status, operation, number of steps, text hop and domain."""
    from tablerag.evaluation.heteqa.records import QUESTIONS, read_questions

    questions = read_questions(folder / QUESTIONS)
    if not questions:
        raise ConfigError(f"{folder / QUESTIONS}: contains no questions: build again with more tables")
    out.print(
        f"{counted(len(questions), 'question')} over {counted(len({q.tables[0].source for q in questions}), 'table')}",
        markup=False,
    )
    out.print(_counted("status", Counter(q.status for q in questions)))
    out.print(_counted("operation", Counter(o for q in questions for o in q.operations)))
    out.print(_counted("operations and text hop", Counter(str(q.hops) for q in questions)))
    out.print(_counted("text hop", Counter(q.bridge.direction if q.bridge else "none" for q in questions)))
    out.print(_counted("domain", Counter(q.domain for q in questions)))


def _counted(what: str, counts: "dict[str, int] | Counter[str]") -> Table:
    table = Table(header_style="bold")
    table.add_column(what, overflow="fold")
    table.add_column("questions", justify="right")
    for name, count in sorted(counts.items(), key=lambda c: (-c[1], c[0])):
        table.add_row(name, str(count))
    return table
