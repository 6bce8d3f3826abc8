"""The command line: a thin layer over the library. Answers go to stdout, progress and errors to stderr.

Exit status: 0 answered, 1 a self-test or a verification failed, 2 usage or configuration error, 3 no answer found.
"""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from agent.cli_eval import eval_app
from agent.cli_heteqa import heteqa_app
from tools.errors import ConfigError, TableRagError

if TYPE_CHECKING:
    from tools.records import TableSchema
    from tools.services import Services

__all__ = ["app", "main"]

UNSAFE_STATUS = 1
NO_ANSWER_STATUS = 3
ERROR_STATUS = 2
CHANGED_STATUS = 1
JSON_KEYS = (
    "question",
    "answer",
    "verdict",
    "explanation",
    "cause",
    "conflict_cause",
    "sql",
    "citations",
    "steps",
    "iterations",
    "stopped_by",
    "model",
    "usage",
)

app = typer.Typer(
    name="tablerag",
    help="Ask questions of folders of documents; numbers are computed by SQL, checked against the text, and cited.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.add_typer(eval_app, name="eval")
app.add_typer(heteqa_app, name="heteqa")
out = Console(highlight=False)
err = Console(stderr=True, highlight=False)

Corpus = Annotated[str, typer.Option("--corpus", help="Named set of documents; default: TABLERAG_CORPUS")]
Model = Annotated[str, typer.Option("--model", help="openai:NAME or offline; default: TABLERAG_MODEL")]
Approve = Annotated[bool, typer.Option("--approve", help="Show every statement before it runs: run, edit or reject")]


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line; the one place where errors become a line and an exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    debug = "--debug" in arguments
    arguments = [a for a in arguments if a != "--debug"]
    try:
        app(arguments, standalone_mode=True)
    except TableRagError as error:
        if debug:
            raise
        _fail(str(error))
    except KeyboardInterrupt:
        err.print("stopped")
        sys.exit(130)
    except Exception as error:
        if debug:
            raise
        _fail(f"unexpected {type(error).__name__}: {error}. This is a defect; --debug shows where")


def _fail(message: str) -> None:
    from agent.cli_views import plain

    err.print(f"error: {' '.join(plain(message).split())}", style="red", markup=False, soft_wrap=True)
    sys.exit(ERROR_STATUS)


def _services() -> "Services":
    from tools.services import get_services

    return get_services()


def _corpus(name: str, services: "Services") -> str:
    return name or services.settings.corpus


@app.callback()
def options(debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks")] = False) -> None:
    """Ask questions of folders of documents."""


@app.command()
def ingest(
    paths: Annotated[list[Path], typer.Argument(help="Files or folders")],
    corpus: Corpus = "",
    prune: Annotated[bool, typer.Option("--prune", help="Remove documents whose files are gone")] = False,
    questions: Annotated[
        bool, typer.Option("--questions", help="Have a model write questions that each table answers, to find it by")
    ] = False,
    summaries: Annotated[
        str,
        typer.Option(
            "--summaries",
            help="Summarise tables for HD-RAG: hrcl, rcl or table; --model offline: by template",
            metavar="LEVEL",
        ),
    ] = "",
    model: Model = "",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before a model is paid")] = False,
    report: Annotated[
        Path | None, typer.Option("--report", help="Write the report as FILE.json and FILE.html", metavar="FILE")
    ] = None,
) -> None:
    """Read documents into the corpus; safe to repeat, only what changed is read again."""
    from agent.cli_ingest import (
        check_level,
        check_writes_questions,
        ingest_with_progress,
        write_questions,
        write_summaries,
    )
    from agent.report_views import report_view

    services = _services()
    level = check_level(summaries) if summaries else None
    if questions:
        check_writes_questions(model or services.settings.resolved_model)
    entries = ingest_with_progress(paths, services, _corpus(corpus, services), err, prune=prune)
    out.print(report_view(entries))
    counts = {s: sum(1 for e in entries if e.status == s) for s in dict.fromkeys(e.status for e in entries)}
    out.print(", ".join(f"{n} {status}" for status, n in counts.items()) or "no files found")
    if report:
        from ingestion.report import write_report

        written = write_report(report, _corpus(corpus, services), entries)
        out.print(f"report written to {' and '.join(map(str, written))}", markup=False, soft_wrap=True)
    if questions:
        outcome = write_questions(
            services, _corpus(corpus, services), model or services.settings.resolved_model, err, ask_first=not yes
        )
        out.print(outcome)
    if level:
        named = model or services.settings.resolved_model
        out.print(write_summaries(services, _corpus(corpus, services), level, named, err, ask_first=not yes))
    if entries and all(e.status == "failed" for e in entries):
        raise typer.Exit(ERROR_STATUS)


@app.command()
def ask(
    question: Annotated[str, typer.Argument(help="The question")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object")] = False,
    corpus: Corpus = "",
    model: Model = "",
    show_sql: Annotated[bool, typer.Option("--show-sql", help="Show the SQL and the rows it rests on")] = False,
    trace: Annotated[bool, typer.Option("--trace", help="Show every iteration")] = False,
    approve: Approve = False,
) -> None:
    """Answer one question with its verdict and citations."""
    from agent.cli_views import show_answer

    outcome = _asker(corpus, model, approve=approve)(question)
    if as_json:
        shown = {"corpus": corpus or _services().settings.corpus} | {k: outcome[k] for k in JSON_KEYS}
        sys.stdout.write(json.dumps(shown, ensure_ascii=False, indent=1) + "\n")
    else:
        show_answer(out, outcome, show_sql=show_sql, trace=trace)
    if outcome["verdict"] == "none" and outcome["iterations"]:
        raise typer.Exit(NO_ANSWER_STATUS)


@app.command()
def verify(
    answer: Annotated[Path, typer.Argument(help="A file that `tablerag ask --json` printed", metavar="ANSWER.json")],
    corpus: Corpus = "",
) -> None:
    """Compute an answer's numbers again from its receipts: same, changed or gone."""
    from agent.cli_verify import show_verified, verify_answer

    found = verify_answer(answer, _services(), corpus)
    if not found:
        out.print("The answer rests on no SQL: there is nothing to compute again.")
        return
    show_verified(out, found)
    if any(v.status != "same" for v in found):
        raise typer.Exit(CHANGED_STATUS)


def _asker(corpus: str, model: str, *, approve: bool) -> Callable[[str], dict[str, Any]]:
    """Return what answers one question after another, in one conversation."""
    from langgraph.checkpoint.memory import InMemorySaver

    from agent.cli_ask import decide, run_shown
    from agent.context import Context
    from graphs.tablerag import RECURSION_LIMIT, build

    if approve and not err.is_terminal:
        raise ConfigError("--approve asks at a terminal, and there is none: leave it out, or run it by hand")
    graph = build(_services()).compile(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "terminal"}, "recursion_limit": RECURSION_LIMIT}
    context = Context(corpus=corpus, model=model, approve_sql=approve)
    return lambda question: run_shown(graph, question, config, context, err, lambda asked: decide(asked, err))


@app.command()
def chat(corpus: Corpus = "", model: Model = "", approve: Approve = False) -> None:
    """Ask several questions in one conversation; an empty line ends it."""
    from agent.cli_views import show_answer

    answer = _asker(corpus, model, approve=approve)
    while True:
        try:
            question = input("? ").strip()
        except EOFError:
            break
        if not question:
            break
        try:
            outcome = answer(question)
        except TableRagError as error:
            err.print(f"error: {error}", style="red", markup=False)
            continue
        show_answer(out, outcome, show_sql=True, trace=False)


@app.command()
def tables(corpus: Corpus = "") -> None:
    """List the SQL tables of the corpus."""
    from agent.cli_views import tables_view

    out.print(tables_view(_schemas(corpus)))


def _schemas(corpus: str) -> "list[TableSchema]":
    from tools.uniting import united

    services = _services()
    name = _corpus(corpus, services)
    found = services.catalog.schemas(name)
    found += united(found, (s.name for s in found))
    if not found:
        raise ConfigError(
            f"corpus {name!r} has no tables in {services.database.shown_url}: run `tablerag ingest PATH` first"
        )
    return found


@app.command()
def describe(table: Annotated[str, typer.Argument(help="A table's SQL name")], corpus: Corpus = "") -> None:
    """Show a table's columns, types, units, examples and origin."""
    from agent.cli_views import schema_view

    schemas = _schemas(corpus)
    found = next((s for s in schemas if s.name.casefold() == table.casefold()), None)
    if found is None:
        raise ConfigError(f"there is no table {table!r}: `tablerag tables` lists the {len(schemas)} there are")
    out.print(schema_view(found))


@app.command()
def sql(statement: Annotated[str, typer.Argument(help="One SELECT in MySQL's dialect")], corpus: Corpus = "") -> None:
    """Run one SELECT through the guard, read-only and bounded."""
    from agent.cli_views import rows_view
    from tools.evidence import run_sql

    result, _ = run_sql(_services(), statement, _schemas(corpus))
    out.print(rows_view(result.columns, result.rows, most=len(result.rows)))
    if result.truncated:
        out.print(f"cut at {len(result.rows)} rows: more exist (TABLERAG_ROW_LIMIT)")


@app.command()
def selftest(
    security: Annotated[bool, typer.Option("--security", help="Try the attack list on this deployment")] = False,
    corpus: Corpus = "",
) -> None:
    """Try what must be refused on this deployment, and print what was; exit status 1 if anything passes."""
    from agent.cli_selftest import print_security

    if not security:
        raise ConfigError("say what to test: tablerag selftest --security")
    services = _services()
    if not print_security(services, services.catalog.schemas(_corpus(corpus, services)), out):
        raise typer.Exit(UNSAFE_STATUS)


@app.command()
def remove(target: Annotated[str, typer.Argument(help="A source, file or folder")], corpus: Corpus = "") -> None:
    """Remove documents from the corpus: tables, chunks and all."""
    from agent.cli_views import plain
    from ingestion.pipeline import remove as remove_documents

    services = _services()
    name = _corpus(corpus, services)
    removed = remove_documents(target, services, name)
    if not removed:
        raise ConfigError(f"corpus {name!r} has no document {target!r}: `tablerag tables` shows sources")
    for source in removed:
        out.print(f"removed {plain(source)}", markup=False)


@app.command()
def doctor(
    corpus: Corpus = "",
    deep: Annotated[
        bool, typer.Option("--deep", help="Compare SQL, Chroma and the lexical index piece by piece, and mend them")
    ] = False,
    mend: Annotated[bool, typer.Option("--mend/--no-mend", help="With --deep: mend what is found, or only say")] = True,
) -> None:
    """Say what is configured, what answers and what does not, and how to mend it."""
    from agent.cli_views import plain
    from agent.doctor import check, check_deeply

    services, broken = _services(), False
    looks = [check(services, corpus)] + ([check_deeply(services, corpus, mend=mend)] if deep else [])
    for finding in (f for look in looks for f in look):
        mark = {"ok": "[green]ok[/]   ", "warning": "[yellow]warn[/] ", "broken": "[red]broken[/]"}[finding.state]
        out.print(mark, end=" ")
        out.print(plain(f"{finding.what}: {finding.says}"), markup=False, soft_wrap=True)
        broken = broken or finding.state == "broken"
    if broken:
        raise typer.Exit(ERROR_STATUS)


if __name__ == "__main__":
    main()
