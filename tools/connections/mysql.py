"""MySQL and MariaDB servers: sessions as those of the program's own server, and columns in one collation."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sqlalchemy import Engine, make_url
from sqlalchemy.engine import Connection as SqlConnection
from sqlalchemy.exc import DBAPIError

from tablerag.tools.connections.connection import Connection
from tablerag.tools.connections.engine import (
    CONNECT_S,
    EXACT_ROWS,
    LOCK_S,
    PROFILE_S,
    SAMPLE_ROWS,
    ConnectedEngine,
    FoundTable,
    Profile,
    check_estimate,
    locked,
    shapes_of,
    unlisted,
    unreachable,
)
from tablerag.tools.connections.mysql_columns import column_of, reads_for
from tablerag.tools.connections.relations import emitted, first_rows, joined_rows, quoter, relation
from tablerag.tools.errors import ConfigError, SqlFailed, SqlProblem, StoreUnavailable, TableChanged
from tablerag.tools.records import TableSchema
from tablerag.tools.sql.backends.opening import BACKENDS
from tablerag.tools.sql.backends.server_tables import MAX_EXAMINED, MIXED, check_complete, collation_of
from tablerag.tools.sql.backends.tables import Rows

if TYPE_CHECKING:
    from tablerag.tools.sql.guard import GuardedSql

__all__ = ["MysqlEngine"]

quoted = quoter("`")
SYSTEM = frozenset({"information_schema", "mysql", "performance_schema", "sys"})
CHANGED = frozenset({1054, 1146, 1356})
"""Error numbers for an unknown column or table, and for a view of one."""
LOCKED = 1205
NO_EXPLAIN = 1345
"""The error of EXPLAIN over a view whose tables the user may not read."""
SHAPES = (
    "SELECT table_name, column_name, column_type, column_comment, collation_name FROM information_schema.columns "
    "WHERE table_schema = %s ORDER BY table_name, ordinal_position"
)
DISTINCT_ROWS = 200_000
MESSAGE_CHARS = 300


class MysqlEngine(ConnectedEngine):
    """A MySQL or MariaDB database."""

    name = "MySQL"
    is_server = True

    def __init__(self, connection: Connection, password: str, most_examined: int, timeout_s: float) -> None:
        self._connection, self._password, self._most = connection, password, most_examined
        self._longest = max(timeout_s, PROFILE_S)
        url = make_url(connection.url).set(drivername="mysql+mysqlconnector", password=password or None)
        self._database = url.database or ""
        self._backend = BACKENDS[url.drivername]()(url, url)
        self._opened: Engine | None = None

    @property
    def place(self) -> str:
        return self._connection.url

    @property
    def _engine(self) -> Engine:
        if self._opened is None:
            self._opened = self._backend.open_reader(self._longest, CONNECT_S)
        return self._opened

    def answer(self) -> None:
        with self._reading(PROFILE_S):
            pass

    def tables(self, schema: str = "") -> tuple[list[FoundTable], list[str]]:
        wanted = schema or self._database
        if wanted.casefold() in SYSTEM:
            raise ConfigError(f"{wanted} is a database of the server itself: name one of your own")
        try:
            with self._reading(PROFILE_S) as connection:
                return list(_found(connection, wanted)), []
        except SqlProblem as problem:
            raise unlisted(self.place, problem) from problem

    def shapes(self, schema: str = "", lock_s: float = LOCK_S) -> dict[str, str]:
        with self._reading(PROFILE_S, lock_s=lock_s) as connection:
            wanted = schema or self._database
            rows = connection.exec_driver_sql(SHAPES, (wanted,)).all()
        return shapes_of((f"{wanted}.{row[0]}", tuple(row[1:])) for row in rows)

    def profile(self, table: FoundTable) -> Profile:
        kept = tuple(c for c in table.columns if c.type)
        source = ".".join(map(quoted, table.path))
        with self._reading(PROFILE_S) as connection:
            reads = reads_for(_collation(connection))
            shown = [reads.get(c.reads, "{}").replace("{}", quoted(c.name)) for c in kept]
            sample = f"SELECT {', '.join(shown)} FROM {source} LIMIT {SAMPLE_ROWS}"
            rows = [tuple(row) for row in connection.exec_driver_sql(sample)] if kept else []
        if table.estimate is not None and table.estimate > EXACT_ROWS:
            return Profile(kept, table.estimate, False, rows)
        try:
            with self._reading(PROFILE_S) as connection:
                count = connection.exec_driver_sql(f"SELECT COUNT(*) FROM {source}").scalar_one()
            return Profile(kept, int(count), True, rows)
        except SqlFailed:
            if table.estimate is None:
                raise
            return Profile(kept, table.estimate, False, rows)

    @contextmanager
    def running(self, guarded: "GuardedSql", timeout_s: float, most: int, lock_s: float = LOCK_S) -> Iterator[Rows]:
        with self._reading(timeout_s, most, lock_s) as connection:
            sql = _emitted(guarded, connection)
            self._check_estimate(guarded, connection, sql)
            try:
                result = connection.exec_driver_sql(sql)
            except DBAPIError as error:
                if getattr(error.orig, "errno", None) not in MIXED:
                    raise
                sql = _emitted(guarded, connection, alike=True)
                result = connection.exec_driver_sql(sql)
            yield Rows(tuple(result.keys()), (tuple(row) for row in result))
            check_complete(connection, sql)

    def distinct(
        self, schema: TableSchema, columns: Sequence[str], most: int, timeout_s: float, lock_s: float = LOCK_S
    ) -> Iterator[Any]:
        for place, name in enumerate(columns):
            with self._reading(timeout_s, lock_s=lock_s) as connection:
                inner = _written(schema, [name], reads_for(_collation(connection)), DISTINCT_ROWS)
                value = quoted(name)
                sql = f"SELECT DISTINCT {value} FROM {inner} AS t WHERE {value} IS NOT NULL LIMIT {int(most)}"
                yield from [(place, row[0]) for row in connection.exec_driver_sql(sql)]

    def rows(
        self, schema: TableSchema, names: Sequence[str], most: int, timeout_s: float, lock_s: float = LOCK_S
    ) -> list[tuple[Any, ...]]:
        with self._reading(timeout_s, lock_s=lock_s) as connection:
            inner = _written(schema, names, reads_for(_collation(connection)))
            return [tuple(row) for row in connection.exec_driver_sql(first_rows(inner, names, quoted, most))]

    def writing_rights(self) -> list[str]:
        try:
            return self._backend.rights_beyond_reading(lambda: self._reading(PROFILE_S))
        except SqlProblem as problem:
            return [f"unknown: {problem}"]

    def close(self) -> None:
        if self._opened is not None:
            self._opened.dispose()
            self._opened = None

    def _check_estimate(self, guarded: "GuardedSql", connection: SqlConnection, sql: str) -> None:
        """Ask the server for its estimate if the tables are so large that it matters."""
        if joined_rows(guarded) <= self._most:
            return
        examined: dict[Any, float] = defaultdict(lambda: 1.0)
        try:
            rows = connection.exec_driver_sql(f"EXPLAIN {sql}").mappings().all()
        except DBAPIError as error:
            if getattr(error.orig, "errno", 0) != NO_EXPLAIN:
                raise
            return  # over a view whose tables the user may not read; the time limit remains
        for row in rows:
            examined[row["id"]] *= float(row["rows"] or 1)
        check_estimate(sum(examined.values()), self._most)

    @contextmanager
    def _reading(self, timeout_s: float, rows: int | None = None, lock_s: float = LOCK_S) -> Iterator[SqlConnection]:
        """Yield a limited connection; turn the driver's errors into the project's."""
        seconds = min(timeout_s, self._longest)
        try:
            with self._engine.connect() as connection, self._backend.session(connection, seconds, rows):
                # MySQL waits for a second at least.
                connection.exec_driver_sql(f"SET SESSION lock_wait_timeout = {int(min(lock_s, seconds))}")
                yield connection
        except (DBAPIError, StoreUnavailable) as error:
            raise self._failure(error, seconds) from None

    def _failure(self, error: DBAPIError | StoreUnavailable, seconds: float) -> SqlFailed:
        said = self._said(error)
        if isinstance(error, StoreUnavailable):
            return SqlFailed(said)
        number = getattr(error.orig, "errno", None)
        if number == LOCKED:
            return locked(self._connection.name)
        match self._backend.trouble(error):
            case "timed out":
                return SqlFailed(
                    f"the statement ran longer than {seconds:g} s: filter earlier, or join on equal columns"
                )
            case "unavailable":
                return unreachable(self._connection.name, said)
        return (TableChanged if number in CHANGED else SqlFailed)(f"MySQL refused the statement: {said}")

    def _said(self, error: Exception) -> str:
        """Return the server's own message in one line, without the password."""
        original = getattr(error, "orig", None) or error
        text = " ".join(str(getattr(original, "msg", None) or original).split())[:MESSAGE_CHARS]
        return text.replace(self._password, "***") if self._password else text


def _collation(connection: SqlConnection) -> str:
    version = connection.dialect.server_version_info or ()
    name = "mariadb" if getattr(connection.dialect, "is_mariadb", False) else "mysql"
    return collation_of(f"{'.'.join(map(str, version))}-{name}")


def _emitted(guarded: "GuardedSql", connection: SqlConnection, *, alike: bool = False) -> str:
    from tablerag.tools.sql.dialect.mariadb import MARIADB_RULES, MYSQL_RULES, MariaDb, distinct_orders
    from tablerag.tools.sql.recursion import recursive_queries

    reads = reads_for(_collation(connection))

    def written(schema: TableSchema, names: Sequence[str]) -> str:
        return _written(schema, names, reads, alike=alike)

    if not getattr(connection.dialect, "is_mariadb", False):
        return emitted(guarded, "mysql", (*MYSQL_RULES, distinct_orders), written)
    sql = emitted(guarded, MariaDb, (*MARIADB_RULES, distinct_orders), written)
    return f"{sql} ROWS EXAMINED {MAX_EXAMINED}" if recursive_queries(guarded.expression) else sql


def _written(
    schema: TableSchema, names: Sequence[str], reads: dict[str, str], most: int = 0, *, alike: bool = False
) -> str:
    assert schema.origin
    if alike:  # texts of different collations cannot be compared: all get one, though no index helps then
        texts = {c.name: schema.origin.reads.get(c.name) or "fold" for c in schema.columns if c.type == "text"}
        origin = schema.origin.model_copy(update={"reads": schema.origin.reads | texts})
        schema = schema.model_copy(update={"origin": origin})
        assert schema.origin
    return relation(schema, names, ".".join(map(quoted, schema.origin.table)), quoted, reads, most=most)


def _found(connection: SqlConnection, database: str) -> Iterator[FoundTable]:
    def rows(sql: str) -> list[Any]:
        return list(connection.exec_driver_sql(sql, (database,)).all())

    listed = rows(
        "SELECT table_name, table_type, table_rows, table_comment FROM information_schema.tables "
        "WHERE table_schema = %s ORDER BY table_name"
    )
    described: dict[str, list[Any]] = defaultdict(list)
    for row in rows(
        "SELECT table_name, column_name, data_type, column_type, column_comment, collation_name, column_key "
        "FROM information_schema.columns WHERE table_schema = %s ORDER BY table_name, ordinal_position"
    ):
        described[row[0]].append(row)
    keys: dict[str, list[Any]] = defaultdict(list)
    for row in rows(
        "SELECT table_name, constraint_name, column_name, referenced_table_name, referenced_column_name "
        "FROM information_schema.key_column_usage WHERE table_schema = %s ORDER BY table_name, ordinal_position"
    ):
        keys[row[0]].append(row)
    for name, type_, estimate, about in listed:
        columns = tuple(column_of(*row[1:6]) for row in described[name])
        primary = tuple(k[2] for k in keys[name] if k[1] == "PRIMARY")
        types = {c.name: c.type for c in columns}
        key = primary[0] if len(primary) == 1 and types.get(primary[0]) == "integer" else ""
        references = tuple(f"{k[2]} -> {k[3]}.{k[4]}" for k in keys[name] if k[3])
        is_view = "VIEW" in str(type_).upper()
        # A view has VIEW or, if it cannot be read, an error for a comment.
        yield FoundTable(
            (database, str(name)),
            columns,
            key,
            primary,
            references,
            "" if is_view else str(about or ""),
            int(estimate) if estimate is not None and not is_view else None,
            is_view,
        )
