"""The commands for connected databases: connect, sync, disconnect, connections."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from tablerag.cli.common import FAILED_STATUS, CorpusOption, ModelOption, YesOption, err, out, services_in_use

if TYPE_CHECKING:
    from tablerag.ingestion.connecting import ConnectReport
    from tablerag.tools.services import Services

__all__ = ["connect", "connections", "disconnect", "sync"]

NameArgument = Annotated[str, typer.Argument(help="The connection's name")]
ProfilesOption = Annotated[
    bool, typer.Option("--profiles", help="Have a model draft what columns and their codes mean")
]


def connect(
    name: Annotated[str, typer.Argument(help="A name for the connection: letters, digits and _")],
    url: Annotated[
        str, typer.Argument(help="sqlite:///PATH, duckdb:///PATH, parquet:///FOLDER, mysql:// or postgresql://")
    ],
    tables: Annotated[str, typer.Option("--tables", help="Names or patterns, separated by commas; default: all")] = "",
    schema: Annotated[str, typer.Option("--schema", help="The schema of the database; default: all")] = "",
    corpus: CorpusOption = "",
    allow_writable_user: Annotated[
        bool, typer.Option("--allow-writable-user", help="Accept a database user who may write")
    ] = False,
    profiles: ProfilesOption = False,
    model: ModelOption = "",
    yes: YesOption = False,
) -> None:
    """Connect a database to the corpus, to be asked beside its documents; nothing is copied."""
    from tablerag.cli.ingest import bar
    from tablerag.ingestion.connecting import connect as connected
    from tablerag.tools.access.corpora import new_corpus

    services = services_in_use()
    _check_model(services, model, profiles)
    named = new_corpus(corpus or services.settings.corpus, services.settings, services.catalog)
    with bar("reading", err) as show:
        report = connected(
            services,
            named,
            name,
            url,
            tables=[tables] if tables else [],
            schema=schema,
            may_write=allow_writable_user,
            on_progress=show,
        )
    _show([report])
    if profiles:
        _write_profiles(services, [report], model, yes)
    _exit_if_left_out([report])


def sync(
    name: Annotated[str, typer.Argument(help="The connection's name; default: all")] = "",
    profiles: ProfilesOption = False,
    model: ModelOption = "",
    yes: YesOption = False,
) -> None:
    """Read the schemas of connected databases again, and publish what changed."""
    from tablerag.cli.ingest import bar
    from tablerag.ingestion.connecting import sync as synced

    services = services_in_use()
    _check_model(services, model, profiles)
    with bar("reading", err) as show:
        reports = synced(services, name, show)
    _show(reports)
    if profiles:
        _write_profiles(services, reports, model, yes)
    _exit_if_left_out(reports)


def disconnect(name: NameArgument) -> None:
    """Remove a connection and its tables from the corpus; the database itself is not touched."""
    from tablerag.ingestion.connecting import disconnect as disconnected

    _show([disconnected(services_in_use(), name)])


def connections() -> None:
    """List the connected databases."""
    from tablerag.cli.printing import cell_text
    from tablerag.cli.tables import FittingTable
    from tablerag.tools.errors import ConfigError

    found = services_in_use().database.connections.all()
    if not found:
        raise ConfigError("there is no connection: run `tablerag connect NAME URL` first")
    rows = [(c.name, cell_text(c.url), c.corpus, cell_text(", ".join(c.tables) or "all")) for c in found]
    out.print(FittingTable(("connection", "database", "corpus", "tables"), rows), crop=False)


def _show(reports: "Sequence[ConnectReport]") -> None:
    """Print what was done."""
    from tablerag.cli.printing import printable
    from tablerag.ingestion.connecting import told

    for report in reports:
        out.print(printable(told(report)), markup=False, soft_wrap=True)
        for line in report.left_out:
            err.print(printable(f"left out {line}"), markup=False, soft_wrap=True)
        for line in report.told_unread():
            err.print(printable(f"not read now: {line}"), markup=False, soft_wrap=True)
        for note in report.notes:
            err.print(printable(note), markup=False, soft_wrap=True)


def _check_model(services: "Services", model: str, profiles: bool) -> None:
    """Raise ConfigError if profiles are wanted and no language model is configured."""
    from tablerag.cli.ingest import check_has_model

    if profiles:
        check_has_model(model or services.settings.resolved_model, "--profiles")


def _write_profiles(services: "Services", reports: "Sequence[ConnectReport]", model: str, yes: bool) -> None:
    """Have a model describe the columns of the tables without profiles, after its estimated cost is confirmed."""
    from tablerag.cli.ingest import write_table_texts

    named = model or services.settings.resolved_model
    for connection in (report.connection for report in reports):
        only = {"connection": connection.name, "ask_first": not yes}
        out.print("\n".join(write_table_texts(services, connection.corpus, named, err, profiles=True, **only)))


def _exit_if_left_out(reports: "Sequence[ConnectReport]") -> None:
    if any(report.left_out or report.unread for report in reports):
        raise typer.Exit(FAILED_STATUS)
