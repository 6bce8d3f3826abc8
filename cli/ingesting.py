"""The command that reads documents."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tablerag.cli.common import ERROR_STATUS, FAILED_STATUS, CorpusOption, ModelOption, YesOption, client, err, out
from tablerag.tools.counting import counted
from tablerag.tools.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tablerag.client import TableRAG
    from tablerag.ingestion.pipeline import Entry, IngestReport
    from tablerag.tools.services import Services

__all__ = ["ingest"]

RAY = "Read the files on the Ray at HOST:PORT, ray://HOST:PORT or auto; without an address, on this machine"
SUMMARIES = "Summarise tables for HD-RAG: hrcl, rcl or table; --model offline: by template"
QUESTIONS = "Have a model write questions that each table answers, which improves retrieval"
PathsArgument = Annotated[
    list[str] | None, typer.Argument(help="Files, folders or URLs such as s3://BUCKET/FOLDER", show_default=False)
]
FailedOption = Annotated[bool, typer.Option("--retry-failed", help="Read only the files again that could not be read")]
ProfilesOption = Annotated[
    bool, typer.Option("--profiles", help="Have a model draft what columns and their codes mean")
]
ReportOption = Annotated[
    Path | None, typer.Option("--report", help="Write the report as FILE.json and FILE.html", metavar="FILE")
]


def ingest(
    paths: PathsArgument = None,
    corpus: CorpusOption = "",
    prune: Annotated[bool, typer.Option("--prune", help="Remove documents whose files are gone")] = False,
    questions: Annotated[bool, typer.Option("--questions", help=QUESTIONS)] = False,
    profiles: ProfilesOption = False,
    summaries: Annotated[str, typer.Option("--summaries", help=SUMMARIES, metavar="LEVEL")] = "",
    model: ModelOption = "",
    yes: YesOption = False,
    ray: Annotated[str, typer.Option("--ray", help=RAY, metavar="[ADDRESS]")] = "",
    only_failed: FailedOption = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show every document with its tables")] = False,
    report: ReportOption = None,
) -> None:
    """Read documents into the corpus; safe to repeat, only changed files are read again."""
    from tablerag.cli.ingest import check_has_model, check_level, write_summaries, write_table_texts

    if bool(paths) == only_failed:
        raise ConfigError("give PATH... or --retry-failed" + ", not both" * only_failed)
    rag = client(corpus)
    services, named = rag.services, model or rag.services.settings.resolved_model
    level = check_level(summaries) if summaries else None
    for option in ["--questions"] * questions + ["--profiles"] * profiles:
        check_has_model(named, option)
    entries = _read(rag, paths or [], prune, ray, only_failed).entries
    _show(entries, rag.corpus, verbose, report, services)
    if questions or profiles:
        of = services, rag.corpus, named, err
        said = write_table_texts(*of, asks=questions, profiles=profiles, ask_first=not yes)
        out.print("\n".join(said))
    if level:
        out.print(write_summaries(services, rag.corpus, level, named, err, ask_first=not yes))
    _tell_lacking(services, rag.corpus)
    failed = sum(e.status == "failed" for e in entries)
    if 0 < failed < len(entries):
        err.print("`tablerag ingest --retry-failed` reads only the failed files again")
    if failed:
        raise typer.Exit(ERROR_STATUS if failed == len(entries) else FAILED_STATUS)


def _show(entries: "Sequence[Entry]", corpus: str, verbose: bool, report: Path | None, services: "Services") -> None:
    """Print the report, and write it if that is wanted."""
    from tablerag.cli.report_views import report_view
    from tablerag.ingestion.pipeline import IngestReport

    out.print(report_view(entries, verbose=verbose))
    out.print(", ".join(f"{n:,} {status}" for status, n in IngestReport([*entries]).counts.items()))
    if report:
        from tablerag.ingestion.report import write_report

        written = write_report(report, corpus, entries, services)
        out.print(f"report written to {' and '.join(map(str, written))}", markup=False, soft_wrap=True)


def _tell_lacking(services: "Services", corpus: str) -> None:
    """Say how many documents have no summaries of a level that others have."""
    from tablerag.tools.summary_corpora import lacking

    for lacked, count in lacking(services.catalog.listed_documents(corpus)).items():
        err.print(
            f"{counted(count, 'document')} without {lacked} summaries, which HD-RAG cannot find: "
            f"use --summaries {lacked}"
        )


def _read(rag: "TableRAG", paths: list[str], prune: bool, ray: str, only_failed: bool) -> "IngestReport":
    """Ingest with a progress bar; raise ConfigError if there is no file."""
    from tablerag.cli.ingest import ingest_with_progress
    from tablerag.cli.printing import printable
    from tablerag.ingestion.readers import suffixes

    try:
        report = ingest_with_progress(rag, paths, err, prune=prune, ray=ray, only_failed=only_failed)
    except KeyboardInterrupt:
        err.print("interrupted: the documents stored so far are kept; run the command again to continue")
        raise
    unread = [e for e in report.entries if e.status == "skipped" and not e.rule]
    if only_failed and not report.entries:
        err.print("no file failed to be read")
    elif len(unread) == len(report.entries):
        expected = " ".join(suffixes(ocr=rag.services.settings.reads_pictures))
        such = f" ({printable(unread[0].source)}: {printable(unread[0].error)})" if unread else ""
        raise ConfigError(f"no files to read in {', '.join(map(str, paths))}{such}: expected {expected}")
    return report
