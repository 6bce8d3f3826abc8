"""The command line: a thin layer over the library. Answers go to stdout, progress and errors to stderr.

Exit status: 0 success, 1 some files, a self-test or a verification failed, 2 usage or configuration error, 3 no answer
found.
"""

import atexit
import gc
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from tablerag.cli.answering import ask, chat, verify
from tablerag.cli.common import (
    ERROR_STATUS,
    UNSAFE_STATUS,
    CorpusOption,
    YesOption,
    client,
    confirmed,
    err,
    out,
    services_in_use,
)
from tablerag.cli.confirm import confirm
from tablerag.cli.connections import connect, connections, disconnect, sync
from tablerag.cli.groups import CommandGroup, IngestCommand, lazy_group
from tablerag.cli.ingesting import ingest
from tablerag.cli.mcp import mcp
from tablerag.tools.counting import counted
from tablerag.tools.errors import ConfigError, TableRagError

if TYPE_CHECKING:
    pass

__all__ = ["app", "main"]

app = typer.Typer(
    name="tablerag",
    cls=CommandGroup,
    help="Ask questions about folders of documents; numbers are computed by SQL, checked against the text, and cited.",
    no_args_is_help=True,
    rich_markup_mode=None,  # Rich's help would double the time of --help
    pretty_exceptions_enable=False,
)
EVAL_HELP = "Run systems on benchmarks and write reports."
HETEQA_HELP = "Build and annotate HeteQA, a benchmark of questions over tables and text."
app.add_typer(lazy_group("tablerag.cli.eval:eval_app", EVAL_HELP), name="eval")
app.add_typer(lazy_group("tablerag.cli.heteqa:heteqa_app", HETEQA_HELP), name="heteqa")
DOCRAGLIB_HELP = "Build a corpus like DocRAGLib: documents of text and hierarchical tables, with questions."
app.add_typer(lazy_group("tablerag.cli.docraglib:docraglib_app", DOCRAGLIB_HELP), name="docraglib")
KNOWLEDGE_HELP = "Keep a corpus's own terms, synonyms, metrics and notes on tables."
app.add_typer(lazy_group("tablerag.cli.knowledge:knowledge_app", KNOWLEDGE_HELP), name="knowledge")
OBJECTS_BETWEEN_COLLECTIONS = 100_000


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line; print errors as one line and exit with a status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    debug = "--debug" in arguments
    if argv is None:
        _collect_rarely()
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
        _fail(f"unexpected {type(error).__name__}: {error}. This is a bug; --debug shows the traceback")


def _collect_rarely() -> None:
    """Collect garbage rarely, and not at exit: modules live as long as the process, and scanning them is slow."""
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    atexit.register(_leave_rest)


def _leave_rest() -> None:
    """Collect nothing more; DuckDB, which only commands that write load, prints a warning for what is left."""
    if "_duckdb" not in sys.modules:
        gc.freeze()


def _fail(message: str) -> None:
    from tablerag.cli.printing import printable

    err.print(f"error: {' '.join(printable(message).split())}", style="red", markup=False, soft_wrap=True)
    sys.exit(ERROR_STATUS)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version  # here: it loads the email package

        typer.echo(f"tablerag {version('tablerag')}")
        raise typer.Exit


@app.callback()
def options(
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks")] = False,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Ask questions about folders of documents."""


app.command(cls=IngestCommand)(ingest)
app.command()(ask)
app.command()(chat)
app.command()(verify)
app.command()(confirm)
app.command()(connect)
app.command()(sync)
app.command()(disconnect)
app.command()(connections)
app.command()(mcp)


@app.command()
def tables(corpus: CorpusOption = "") -> None:
    """List the SQL tables of the corpus."""
    from tablerag.cli.listing import listed_tables, tables_view

    # What is too wide is wrapped already.
    out.print(tables_view(listed_tables(services_in_use(), corpus)), crop=False)


@app.command()
def describe(table: Annotated[str, typer.Argument(help="A table's SQL name")], corpus: CorpusOption = "") -> None:
    """Show a table's columns, types, units, examples, meanings and origin."""
    from tablerag.cli.views import schema_view

    rag = client(corpus)
    schema = rag.describe(table)
    if known := rag.services.knowledge.of(rag.corpus):
        from tablerag.tools.knowledge.resolving import with_rules  # here: it loads the parser of SQL

        schema = next((s for s in with_rules(rag.tables(), known) if s.name == schema.name), schema)
    out.print(schema_view(schema))


@app.command()
def sql(
    statement: Annotated[str, typer.Argument(help="One SELECT in MySQL's dialect")], corpus: CorpusOption = ""
) -> None:
    """Run one SELECT, read-only and limited."""
    from tablerag.cli.views import rows_view

    result = client(corpus).sql(statement)
    out.print(rows_view(result.columns, result.rows, most=len(result.rows)))
    if result.truncated:
        out.print(f"only the first {counted(len(result.rows), 'row')} shown (TABLERAG_ROW_LIMIT)")


@app.command()
def selftest(
    security: Annotated[bool, typer.Option("--security", help="Run the list of attacks")] = False,
    corpus: CorpusOption = "",
    server: Annotated[str, typer.Option("--server", help="Try a running server too", metavar="URL")] = "",
    key: Annotated[str, typer.Option("--key", help="An API key of that server")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object")] = False,
) -> None:
    """Check that this deployment refuses known attacks; exit status 1 if one succeeds."""
    from tablerag.cli.security.deployment import Deployment
    from tablerag.cli.selftest import print_security

    if not security:
        raise ConfigError("no test given: run `tablerag selftest --security`")
    rag = client(corpus)
    deployment = Deployment(rag.services, rag.services.catalog.schemas(rag.corpus), server, key)
    if not print_security(deployment, out, as_json=as_json):
        raise typer.Exit(UNSAFE_STATUS)


@app.command()
def remove(target: Annotated[str, typer.Argument(help="A source, file or folder")], corpus: CorpusOption = "") -> None:
    """Remove documents from the corpus, with their tables and chunks."""
    from tablerag.cli.printing import printable

    for source in client(corpus).remove(target):
        out.print(f"removed {printable(source)}", markup=False)


@app.command()
def migrate() -> None:
    """Move the tables that an older version wrote to the form of this one; no document is read again."""
    from tablerag.cli.ingest import bar
    from tablerag.cli.printing import printable
    from tablerag.ingestion.values import migrate_values

    services = services_in_use()
    backend, moved = services.database.backend, 0
    if backend.missing:
        raise ConfigError("there is nothing to migrate: run `tablerag ingest PATH` first")
    with bar("migrating", err) as show:
        for moved, (total, name) in enumerate(backend.migrate(), start=1):  # noqa: B007
            show(moved, total, printable(name))
    relinked = ", the index of values written again" if migrate_values(services) else ""
    out.print(f"{counted(moved, 'table')} migrated{relinked}")


@app.command()
def reindex(corpus: CorpusOption = "", yes: YesOption = False) -> None:
    """Embed a corpus again after TABLERAG_EMBEDDING has changed; no document is read."""
    from tablerag.cli.reindexing import reindex_with_progress

    services = services_in_use()
    name = corpus or services.settings.corpus
    out.print(reindex_with_progress(services, name, err, yes=yes), markup=False, soft_wrap=True)


@app.command()
def doctor(
    corpus: CorpusOption = "",
    deep: Annotated[
        bool, typer.Option("--deep", help="Compare SQL, Chroma and the lexical index item by item")
    ] = False,
    fix: Annotated[
        bool, typer.Option("--fix", help="Fix what --deep finds, after asking before anything is deleted")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Delete without asking")] = False,
) -> None:
    """Check the configuration, services and stores, and say how to fix what fails."""
    from tablerag.cli.doctor import check, check_deeply
    from tablerag.cli.printing import printable

    def agree(deleted: Sequence[str]) -> bool:
        for says in deleted:
            err.print(printable(f"to delete: {says}"), markup=False, soft_wrap=True)
        return confirmed(yes)

    services, broken = services_in_use(), False
    repairs = check_deeply(services, corpus, agree if fix else None) if deep or fix else iter(())
    looks = [repairs, check(services, corpus)] if fix else [check(services, corpus), repairs]
    for finding in (f for look in looks for f in look):
        mark = {"ok": "[green]ok[/]   ", "warning": "[yellow]warn[/] ", "broken": "[red]broken[/]"}[finding.state]
        out.print(mark, end=" ")
        out.print(printable(f"{finding.what}: {finding.says}"), markup=False, soft_wrap=True)
        broken = broken or finding.state == "broken"
    if broken:
        raise typer.Exit(ERROR_STATUS)


if __name__ == "__main__":
    main()
