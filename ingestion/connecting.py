"""Connect databases to a corpus: their tables are described and indexed like those of documents, and never copied."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from tablerag.ingestion.connected_table import (
    ESTIMATED,
    FORMAT,
    ConnectedTable,
    connected_table,
    source_of,
    spoken_sql_name,
)
from tablerag.ingestion.runs import Run
from tablerag.tools.catalog import DocumentRecord
from tablerag.tools.chunks import add_chunks
from tablerag.tools.connections.connection import Connection, checked_name, parse_address, password_variable
from tablerag.tools.connections.engine import ConnectedEngine, FoundTable
from tablerag.tools.connections.registry import open_engine
from tablerag.tools.counting import counted
from tablerag.tools.errors import ConfigError, DatabaseAway, SqlProblem, TableAway
from tablerag.tools.services import Services

__all__ = ["ConnectReport", "connect", "disconnect", "refresh", "refresh_changed", "sync", "told"]

GROUP_TABLES = 100
MOVED = 10
"""How many times as large an estimate may become until its table is described again: then it has grown."""
SHAPES = "shapes of connection"
Progress = Callable[[int, int, str], object]
"""Called with the number of tables done, of all, and the name of the current one."""


@dataclass(slots=True)
class ConnectReport:
    """The result of connecting or syncing one database."""

    connection: Connection
    added: list[str] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    """A line for each table that cannot be read as it is."""
    notes: list[str] = field(default_factory=list)
    unread: dict[str, str] = field(default_factory=dict)
    """Why tables, by their names in the database, could not be read now: they are locked, or it does not answer."""

    def told_unread(self) -> list[str]:
        """Return a line for each table that could not be read now."""
        return [f"{name}: {why}" for name, why in self.unread.items()]


def connect(
    services: Services,
    corpus: str,
    name: str,
    url: str,
    *,
    tables: Sequence[str] = (),
    schema: str = "",
    may_write: bool = False,
    on_progress: Progress | None = None,
) -> ConnectReport:
    """Connect a database, in place of a connection of that name.

    Raises ConfigError for what the user can fix: the name, the URL, a database that cannot be opened, a user who may
    write, no table.
    """
    bare, password = parse_address(url)
    connection = Connection(
        name=checked_name(name),
        url=bare,
        corpus=corpus,
        tables=tuple(p for given in tables for p in map(str.strip, given.split(",")) if p),
        database_schema=schema,
        may_write=may_write,
    )
    registry = services.database.connections
    old = next((c for c in registry.all() if c.name.casefold() == name.casefold()), None)
    if old and (old.corpus != corpus or old.name != name or old.url != bare):
        raise ConfigError(
            f"connection {old.name!r} exists already, to {old.url} in corpus {old.corpus!r}: run `tablerag disconnect "
            f"{old.name}` first, or choose another name"
        )
    engine = open_engine(connection, password)
    try:
        report = _brought_up_to_date(services, connection, engine, on_progress, save=True)
    finally:
        engine.close()
    if password:
        report.notes.append(
            f"the password in the URL is not stored: set {password_variable(name)} to it before you ask"
        )
    return report


def sync(services: Services, name: str = "", on_progress: Progress | None = None) -> list[ConnectReport]:
    """Describe the tables of a connection, or of all, again; publish those that changed.

    Of several connections, one that cannot be read does not stop the others: its report says why. A single one raises
    ConfigError.
    """
    registry = services.database.connections
    wanted = [registry.get(name)] if name else registry.all()
    if not wanted:
        raise ConfigError("there is no connection: run `tablerag connect NAME URL` first")
    reports = []
    for connection in wanted:
        try:
            with closing(open_engine(connection)) as engine:
                reports.append(_brought_up_to_date(services, connection, engine, on_progress))
        except (ConfigError, TableAway) as error:
            says = _once_connected(connection, error)
            if len(wanted) == 1:
                raise ConfigError(says) from error
            reports.append(ConnectReport(connection, left_out=[says]))
    return reports


def _once_connected(connection: Connection, error: ConfigError | TableAway) -> str:
    """Return what an error says, with the last advice for a database that is connected already."""
    if isinstance(error, TableAway):
        return str(error.once_connected())
    return f"{error}, or run `tablerag disconnect {connection.name}`" if isinstance(error, DatabaseAway) else str(error)


def refresh(services: Services, name: str, changed: Collection[str], sought: str = "") -> bool:
    """Describe the ``changed`` tables of a connection again, by the names in the database, and new ones.

    Returns whether something was published or removed. With ``sought``, nothing is done unless the database has a new
    table, or one of those a column, with that SQL name. Raises the errors of sync().
    """
    registry = services.database.connections
    connection = registry.get(name)
    known = {d.path.partition("/")[2] for d in _known(services, connection)}

    def is_wanted(table: FoundTable) -> bool:
        return table.name in changed or table.name not in known

    engine = registry.engine(name)
    if sought:
        found = [t for t in engine.tables(connection.database_schema)[0] if is_wanted(t)]
        said = {own for t in found for own in (t.path[-1], *(c.name for c in t.columns if t.name in changed))}
        if sought.casefold() not in map(spoken_sql_name, said):
            return False
    report = _brought_up_to_date(services, connection, engine, None, only=is_wanted)
    return bool(report.added or report.replaced or report.removed)


def refresh_changed(services: Services, name: str) -> bool:
    """Describe the tables of a connection again whose columns have changed since, and new ones.

    Returns whether something was published or removed. Raises the errors of sync().
    """
    connection = services.database.connections.get(name)
    now, kept = services.database.tables.shapes(connection), _kept_shapes(services, connection)
    if not kept:
        _keep_shapes(services, connection, now)
    changed = {t for t in now.keys() | kept.keys() if now.get(t) != kept.get(t)} if kept else set()
    if not any(connection.wants(t, t.rpartition(".")[2]) for t in changed):
        return False
    engine = services.database.connections.engine(name)
    report = _brought_up_to_date(services, connection, engine, None, only=lambda t: t.name in changed)
    return bool(report.added or report.replaced or report.removed)


def _kept_shapes(services: Services, connection: Connection) -> dict[str, str]:
    """Return the shapes of the tables when they were described; empty if they are not known."""
    key = f"{SHAPES} {connection.name}"
    return dict(json.loads(line) for line in services.catalog.model_texts([key]).get(key, []))


def _keep_shapes(services: Services, connection: Connection, shapes: Mapping[str, str]) -> None:
    services.catalog.save_model_texts(f"{SHAPES} {connection.name}", [json.dumps(s) for s in shapes.items()])


def disconnect(services: Services, name: str) -> ConnectReport:
    """Forget a connection, and remove its tables from the corpus; the database is not touched."""
    registry = services.database.connections
    connection = registry.get(name)
    report = ConnectReport(connection)
    with Run.started(services) as run:
        for record in _known(services, connection):
            services.catalog.delete_document(record.document_id, run.id)
            report.removed.append(record.source)
        registry.delete(connection.name)
        _keep_shapes(services, connection, {})
    return report


def _known(services: Services, connection: Connection) -> list[DocumentRecord]:
    begins = f"connection:{connection.name}/"
    return [
        d for d in services.catalog.documents(connection.corpus) if d.format == FORMAT and d.path.startswith(begins)
    ]


def _brought_up_to_date(
    services: Services,
    connection: Connection,
    engine: ConnectedEngine,
    on_progress: Progress | None,
    *,
    save: bool = False,
    only: Callable[[FoundTable], bool] | None = None,
) -> ConnectReport:
    """Describe the tables, or ``only`` some: the others are left as they are, and so is one that cannot be read."""
    shapes = _shapes(connection, engine)  # first: what changes now is seen again
    found, left_out = engine.tables(connection.database_schema)
    wanted = [t for t in found if connection.wants(t.name, t.path[-1])]
    _check(connection, engine, found, wanted)
    report = ConnectReport(connection, left_out=[line for line in left_out if _is_wanted(connection, line)])
    with Run.started(services) as run:
        known = {d.source: d for d in _known(services, connection)}
        group: list[ConnectedTable] = []
        read = {source_of(connection, t) for t in wanted if only} & known.keys()
        if only:
            wanted = [t for t in wanted if only(t)]
        for made in _described(services, connection, engine, wanted, run, report, on_progress):
            read.add(made.record.source)
            old = known.get(made.record.source)
            if old and _is_unchanged(old, made.record):
                report.unchanged.append(made.record.source)
                continue
            (report.replaced if old else report.added).append(made.record.source)
            earlier = services.catalog.schemas_of_document(old.document_id) if old else []
            group.append(made.with_profiles(earlier[0]) if earlier else made)
            if len(group) >= GROUP_TABLES:
                _publish(services, connection, run, group)
                group = []
        if not read:
            why = [*report.left_out, *report.told_unread()]
            raise ConfigError(f"no table of {engine.place} can be read: {'; '.join(why[:3])}")
        if group:
            _publish(services, connection, run, group)
        # A table that is locked stays as it was: questions about it say so.
        read |= {source_of(connection, t) for t in found if t.name in report.unread}
        for source, record in known.items():
            if source not in read:
                services.catalog.delete_document(record.document_id, run.id)
                report.removed.append(source)
        if save:
            services.database.connections.save(connection)
        as_before = {t.name for t in found if only and not only(t)} | report.unread.keys()
        kept = _kept_shapes(services, connection) if as_before else {}
        shapes = {n: kept.get(n, "") if n in as_before else s for n, s in shapes.items()}
        _keep_shapes(services, connection, shapes)
    return report


def _shapes(connection: Connection, engine: ConnectedEngine) -> dict[str, str]:
    try:
        return engine.shapes(connection.database_schema)
    except SqlProblem:
        return {}  # tables() says why


def _is_unchanged(old: DocumentRecord, new: DocumentRecord) -> bool:
    """Return whether a table is as it was; an estimate of its rows may move, and be counted the next time."""
    if ESTIMATED not in (*old.warnings, *new.warnings):
        return (old.content_hash, old.row_count) == (new.content_hash, new.row_count)
    few, many = sorted((old.row_count or 0, new.row_count or 0))
    return old.content_hash == new.content_hash and many <= few * MOVED + 1


def _is_wanted(connection: Connection, line: str) -> bool:
    name = line.partition(":")[0]
    return connection.wants(name, name.rpartition(".")[2])


def _check(
    connection: Connection, engine: ConnectedEngine, found: Sequence[FoundTable], wanted: Sequence[FoundTable]
) -> None:
    """Raise ConfigError for a database without tables to connect, or a user who may write."""
    if not found:
        raise ConfigError(f"{engine.place} has no tables that can be read: check the URL, --schema and the rights")
    if not wanted:
        names = ", ".join(t.path[-1] for t in found[:10])
        raise ConfigError(f"no table matches {', '.join(connection.tables)}: there are {names}")
    if not connection.may_write and (rights := engine.writing_rights()):
        raise ConfigError(
            f"the user of {engine.place} may write ({', '.join(rights[:6])}): connect as one who may only SELECT, or "
            "pass --allow-writable-user"
        )


def _described(
    services: Services,
    connection: Connection,
    engine: ConnectedEngine,
    wanted: Sequence[FoundTable],
    run: Run,
    report: ConnectReport,
    on_progress: Progress | None,
) -> Iterator[ConnectedTable]:
    """Yield the tables that can be read; report the others."""
    tokens = services.settings.chunk_tokens
    for done, table in enumerate(wanted):
        run.check()
        if on_progress:
            on_progress(done, len(wanted), source_of(connection, table))
        try:
            profile = engine.profile(table)
        except SqlProblem as problem:
            if isinstance(problem, TableAway):
                report.unread[table.name] = str(problem)
            else:
                report.left_out.append(f"{table.name}: {problem}")
            continue
        if not profile.columns:
            report.left_out.append(f"{table.name}: it has no column of numbers, texts or dates")
            continue
        yield connected_table(connection, engine.name, table, profile, run.id, tokens)


def _publish(services: Services, connection: Connection, run: Run, group: Sequence[ConnectedTable]) -> None:
    run.begin(services, connection.corpus, {t.record.document_id: [t.schema.stored_as] for t in group})
    chunks = [chunk for table in group for chunk in table.chunks]
    add_chunks(services, connection.corpus, chunks)
    services.catalog.publish(run.id, [(t.record, [t.schema]) for t in group])


def told(report: ConnectReport) -> str:
    """Return a report in one line."""
    counts = {
        "added": report.added,
        "replaced": report.replaced,
        "unchanged": report.unchanged,
        "removed": report.removed,
        "left out": report.left_out,
        "not read now": report.unread,
    }
    parts = [f"{len(names):,} {what}" for what, names in counts.items() if names]
    every = len(report.added) + len(report.replaced) + len(report.unchanged)
    return f"{report.connection.name}: {counted(every, 'table')} ({', '.join(parts) or 'nothing changed'})"
