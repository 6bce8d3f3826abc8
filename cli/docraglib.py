"""tablerag docraglib: build a corpus like HD-RAG's DocRAGLib from public sets."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from tablerag.cli.common import YesOption
from tablerag.tools.counting import counted
from tablerag.tools.errors import ConfigError, ModelUnavailable

if TYPE_CHECKING:
    from tablerag.evaluation.docraglib.building import Build, Filter
    from tablerag.evaluation.docraglib.records import LibSource, Manifest

__all__ = ["docraglib_app"]

docraglib_app = typer.Typer(rich_markup_mode=None)
out = Console(highlight=False)
err = Console(stderr=True, highlight=False)

FILTER = "Keeps questions that say which document they are about: rule, none, or a model as PROVIDER:NAME"
Folder = Annotated[Path | None, typer.Option(help="Folder of the set, in its native layout", metavar="DIR")]


@docraglib_app.callback()
def group() -> None:
    """Build a corpus like DocRAGLib: documents of text and hierarchical tables, with questions."""


@docraglib_app.command()
def build(
    to: Annotated[Path, typer.Option("--out", help="Folder for the corpus", metavar="FOLDER")],
    multihiertt: Folder = None,
    hitab: Folder = None,
    tatqa: Folder = None,
    splits: Annotated[str, typer.Option(help="Native splits to read, separated by commas")] = "train,dev",
    documents: Annotated[int, typer.Option(min=0, help="Number of documents, drawn by the seed; 0: all")] = 2178,
    seed: Annotated[int, typer.Option(help="Random seed; the same seed draws the same documents")] = 7,
    filtered_by: Annotated[str, typer.Option("--filter", help=FILTER)] = "rule",
    workers: Annotated[int, typer.Option(min=1, max=64, help="Questions that a model decides on in parallel")] = 8,
    yes: YesOption = False,
) -> None:
    """Write documents, questions and a manifest; the same command resumes an interrupted build.

    A model's cost is stated first.
    """
    from tablerag.cli.ingest import bar
    from tablerag.evaluation.docraglib.building import Build
    from tablerag.evaluation.docraglib.records import Built

    given: dict[LibSource, Path | None] = {"multihiertt": multihiertt, "hitab": hitab, "tatqa": tatqa}
    folders: dict[LibSource, str] = {name: str(folder.resolve()) for name, folder in given.items() if folder}
    if not folders:
        raise ConfigError("no set given: use --multihiertt, --hitab or --tatqa")
    names = tuple(s.strip() for s in splits.split(",") if s.strip())
    if not names:
        raise ConfigError(f"--splits {splits!r}: expected names separated by commas, e.g. train,dev")
    made = Built(sources=folders, splits=names, documents=documents, seed=seed, filtered_by=filtered_by)
    started = Build(made, to)
    decide = _filter(filtered_by, started, ask_first=not yes)
    with bar("building", err) as show:
        try:
            manifest = started.run(decide, workers=workers if ":" in filtered_by else 1, on_progress=show)
        except ModelUnavailable as error:
            raise ModelUnavailable(f"{error}; the decisions so far are kept: run the same command again") from error
    _show(manifest)
    out.print(
        f"next: tablerag eval docraglib --data {to} --split test --system documents_hrcl", markup=False, soft_wrap=True
    )


def _filter(named: str, started: "Build", *, ask_first: bool) -> "Filter":
    """Return the filter of a name; state a model's cost and ask for confirmation."""
    from tablerag.evaluation.docraglib.ambiguity import RuleFilter, estimate, model_filter
    from tablerag.evaluation.docraglib.records import Decision

    if named == "none":
        return lambda candidate: Decision(id=candidate.id, kept=True)
    if named == "rule":
        return RuleFilter(started.pages())
    if ":" not in named:
        raise ConfigError(f"--filter {named!r}: expected rule, none, or a model as PROVIDER:NAME")
    from tablerag.cli.ingest import agreed
    from tablerag.tools.models import asker
    from tablerag.tools.settings import get_settings

    open_ = started.undecided()
    cost = (counted(len(open_), "undecided question"), estimate(open_))
    if open_ and not agreed([cost], named, err, ask_first):
        raise typer.Exit
    return model_filter(asker(named, get_settings()))


def _show(manifest: "Manifest") -> None:
    """Print what was built."""
    for what, counts in (
        ("documents from", manifest.documents_by_source),
        ("questions from", manifest.questions_by_source),
        ("split", manifest.questions_by_split),
        ("reason for rejection", manifest.rejected),
    ):
        if not counts:
            continue
        table = Table(what, header_style="bold")
        table.add_column("count", justify="right")
        for name, count in sorted(counts.items(), key=lambda c: (-c[1], c[0])):
            table.add_row(name, f"{count:,}")
        out.print(table)
    out.print(
        f"kept {counted(manifest.questions, 'question')} of {manifest.candidates:,} over "
        f"{counted(manifest.documents, 'document')}",
        markup=False,
        soft_wrap=True,
    )
