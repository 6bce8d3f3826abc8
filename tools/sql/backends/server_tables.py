"""Stored tables as tables of a MySQL or MariaDB server."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Date,
    FromClause,
    MetaData,
    Numeric,
    Table,
    Text,
    column,
    func,
    inspect,
    literal_column,
    select,
    table,
    text,
    union_all,
)
from sqlalchemy import Column as SqlColumn
from sqlalchemy.dialects import mysql
from sqlalchemy.engine import Connection, Dialect
from sqlalchemy.exc import DBAPIError, NoSuchTableError
from sqlalchemy.types import TypeEngine

from tablerag.tools.errors import (
    CommitUnknown,
    ConfigError,
    DiskFull,
    Interrupted,
    SqlFailed,
    StoreUnavailable,
    TableLost,
    UnreadableDocument,
)
from tablerag.tools.sql.backends.backend import MAX_JOINED_TEXT, MAX_STEPS
from tablerag.tools.sql.backends.tables import (
    VERSION,
    Batch,
    Connections,
    Rows,
    SessionFacts,
    Statement,
    StoredColumn,
    StoredTables,
)
from tablerag.tools.sql.repeating import TRIES, pause, repeated

if TYPE_CHECKING:
    from tablerag.tools.sql.guard import GuardedSql

__all__ = ["MAX_EXAMINED", "MIXED", "ServerTables", "check_complete", "collation_of"]

MAX_SCALE = 30
"""Digits after the point of a MySQL DECIMAL."""
MAX_DIGITS = 65
"""Total digits of a MySQL DECIMAL."""
MAX_TEXT_BYTES = 65_535
MIXED = frozenset({1267, 1270, 1271})
"""Numbers of errors about texts of several collations."""
MAX_EXAMINED = 20_000_000
"""Rows that a recursion on MariaDB may read: one whose rows double would fill the disk until its time limit."""
INCOMPLETE = {
    1139: "the server gave up a regular expression ({}): write a simpler pattern",
    1260: f"GROUP_CONCAT and JSON_ARRAYAGG return at most {MAX_JOINED_TEXT:,} bytes: make smaller groups",
    1931: f"the recursion takes more than {MAX_STEPS:,} steps or reads more than {MAX_EXAMINED:,} rows: "
    "end it with a condition, such as WHERE n < 100",
}
"""Numbers of warnings about a result that is not whole, where another server raises an error."""
MAY_BE_INCOMPLETE = re.compile("REGEXP|GROUP_CONCAT|RECURSIVE", re.IGNORECASE)


class ServerTables(StoredTables):
    """StoredTables in the database of the catalog."""

    def __init__(self, database: Connections) -> None:
        self._database = database

    def write(self, name: str, columns: Sequence[StoredColumn], batches: Iterable[Batch]) -> None:
        engine = self._database.engine
        try:
            made = self._create(name, columns)
            statement = _insert(made, engine.dialect)
            bind = [_bound(c, engine.dialect) for c in made.columns]
            key = next((place for place, c in enumerate(columns) if c.is_key), None)
            for batch in batches:
                values = [b(column) for b, column in zip(bind, batch, strict=True)]
                self._insert(made, statement, list(zip(*values, strict=True)), key)
        except StoreUnavailable as error:
            with suppress(StoreUnavailable):  # the run does so when it ends, or the next one
                self.drop([name])
            cause = error.__cause__
            if isinstance(error, Interrupted | DiskFull) or not isinstance(cause, DBAPIError):
                raise
            raise UnreadableDocument(f"does not fit the database: {cause.orig}") from error

    @repeated
    def _create(self, name: str, columns: Sequence[StoredColumn]) -> Table:
        """Create a table in place of one of its name."""
        described = [
            SqlColumn(c.name, _type(c), primary_key=c.is_key, autoincrement=False if c.is_key else "auto")
            for c in columns
        ]
        with self._database.writing(f"create the table {name}") as connection:
            collation = collation_of(str(connection.exec_driver_sql("SELECT VERSION()").scalar()))
            made = Table(name, MetaData(), *described, mysql_charset="utf8mb4", mysql_collate=collation)
            made.drop(connection, checkfirst=True)
            made.create(connection)
        return made

    def _insert(self, made: Table, statement: str, rows: Sequence[tuple[Any, ...]], key: int | None) -> None:
        """Insert rows, once: if a commit's outcome is not known, their first key tells it."""
        unknown = False
        for tries in range(TRIES):
            try:
                with self._database.writing("insert rows") as connection:
                    if not (unknown and key is not None and _holds(connection, made, key, rows[0][key])):
                        connection.exec_driver_sql(statement, list(rows))
                return
            except Interrupted as error:
                unknown = unknown or isinstance(error, CommitUnknown)
                if tries == TRIES - 1 or (unknown and key is None):
                    raise
                pause(tries)

    @repeated
    def drop(self, names: Sequence[str]) -> None:
        with self._database.writing("drop tables") as connection:
            quote = connection.dialect.identifier_preparer.quote_identifier
            present = set(inspect(connection).get_table_names())
            for name in (n for n in names if n in present):
                connection.execute(text(f"DROP TABLE IF EXISTS {_literal(quote(name))}"))

    @repeated
    def names(self) -> set[str]:
        with self._database.writing("list tables") as connection:
            return set(inspect(connection).get_table_names())

    def whole(self, names: Iterable[str]) -> set[str]:
        return self.names().intersection(names)

    @repeated
    def columns(self, name: str) -> set[str]:
        with self._database.writing("read a table's columns") as connection:
            try:
                return {c["name"] for c in inspect(connection).get_columns(name)}
            except NoSuchTableError as error:
                raise TableLost.of(VERSION.sub("", name), is_listed=self._database.lists(name)) from error

    def count_rows(self, name: str) -> int:
        return self._database.select(select(func.count()).select_from(table(name)))[0][0]

    def source(self, name: str) -> FromClause:
        return table(name)

    def select(self, statement: Statement, timeout_s: float) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in self._database.select(statement)]

    def distinct(self, columns: Sequence[tuple[str, str]], most: int, timeout_s: float) -> list[tuple[int, Any]]:
        wanted = []
        for place, (name, own) in enumerate(columns):
            stored = column(own)
            values = select(literal_column(str(place)), stored).select_from(table(name)).where(stored.is_not(None))
            wanted.append(values.distinct().limit(most).subquery().select())
        return [tuple(row) for row in self._database.select(union_all(*wanted))] if wanted else []

    @contextmanager
    def running(self, guarded: "GuardedSql", timeout_s: float, most: int) -> Iterator[Rows]:
        with self._database.reading(most, timeout_s) as connection:
            sql = _emitted(guarded, connection)
            try:
                result = connection.exec_driver_sql(sql)
            except DBAPIError as error:
                if getattr(error.orig, "errno", None) in MIXED:
                    raise ConfigError("an older version stored some tables: run `tablerag migrate` once") from error
                raise
            yield Rows(tuple(result.keys()), (tuple(row) for row in result))
            check_complete(connection, sql)

    def session_facts(self) -> SessionFacts:
        facts: dict[str, str] = {}
        with self._database.reading(1) as connection:
            for name in ("max_statement_time", "max_execution_time", "tx_read_only", "transaction_read_only"):
                found = connection.exec_driver_sql(f"SHOW SESSION VARIABLES LIKE '{name}'").all()
                facts |= {str(name): str(value) for name, value in found}
        read_only = facts.get("tx_read_only") or facts.get("transaction_read_only") or ""
        limit = facts.get("max_statement_time") or facts.get("max_execution_time") or "0"
        return SessionFacts(read_only.upper() in ("1", "ON"), float(limit) > 0, str(facts))

    def close(self) -> None:
        """Do nothing: the connections are the database's."""


def collation_of(version: str) -> str:
    """Return the collation of texts on a server of that version: without case, accents and padding with blanks.

    Of those that it has, the one that is most like the embedded database's: a later Unicode has more letters.
    """
    numbers = [int(n) for n in re.findall(r"\d+", version)[:2]]
    if "mariadb" in version.casefold():
        return "utf8mb4_uca1400_nopad_ai_ci" if numbers >= [10, 10] else "utf8mb4_unicode_520_nopad_ci"
    return "utf8mb4_0900_ai_ci" if numbers >= [8] else "utf8mb4_unicode_520_ci"


def _emitted(guarded: "GuardedSql", connection: Connection) -> str:
    # here: as in parquet_tables.py
    from sqlglot.expressions import Limit

    from tablerag.tools.sql.dialect.mariadb import MARIADB_RULES, MYSQL_RULES, MariaDb
    from tablerag.tools.sql.recursion import recursive_queries
    from tablerag.tools.sql.transpiler import emit

    if not getattr(connection.dialect, "is_mariadb", False):
        return emit(guarded, "mysql", MYSQL_RULES)
    sql = emit(guarded, MariaDb, MARIADB_RULES)
    limited = isinstance(guarded.expression.args["limit"], Limit)
    return f"{sql} ROWS EXAMINED {MAX_EXAMINED}" if limited and recursive_queries(guarded.expression) else sql


def check_complete(connection: Connection, sql: str) -> None:
    """Raise SqlFailed if the server warns that it left a part of the result out."""
    if not MAY_BE_INCOMPLETE.search(sql):
        return
    for warning in connection.exec_driver_sql("SHOW WARNINGS"):
        if int(warning[1]) in INCOMPLETE:
            raise SqlFailed(INCOMPLETE[int(warning[1])].format(warning[2]))


def _type(column: StoredColumn) -> TypeEngine[Any]:
    match column.type:
        case "integer":
            return BigInteger()
        case "decimal":
            return _decimal(*column.digits) or mysql.DOUBLE(asdecimal=False)
        case "date":
            return Date()
        case "datetime":
            return mysql.DATETIME(fsp=6 if column.microseconds else 0)
        case "boolean":
            return Boolean()
    return mysql.MEDIUMTEXT() if column.longest * 4 > MAX_TEXT_BYTES else Text()


def _decimal(whole: int, scale: int) -> TypeEngine[Any] | None:
    """Return a DECIMAL that holds every value exactly; None if there is none."""
    if scale > MAX_SCALE or whole + scale > MAX_DIGITS:
        return None
    return Numeric(max(max(whole, 0) + scale, 1), scale, asdecimal=False)


def _holds(connection: Connection, made: Table, key: int, value: Any) -> bool:
    """Return whether a table has a row of this key."""
    column_ = list(made.columns)[key]
    return connection.execute(select(column_).where(column_ == value).limit(1)).first() is not None


def _bound(column: SqlColumn[Any], dialect: Dialect) -> Any:
    """Return what makes a column's values those of the driver."""
    convert = column.type.dialect_impl(dialect).bind_processor(dialect)
    if convert is None:
        return lambda values: values
    return lambda values: [None if v is None else convert(v) for v in values]


def _insert(made: Table, dialect: Dialect) -> str:
    """Return an INSERT with one placeholder per column."""
    quote = dialect.identifier_preparer.quote_identifier
    # The driver interprets % in a statement.
    names = [quote(n).replace("%", "%%") for n in (made.name, *made.columns.keys())]
    return f"INSERT INTO {names[0]} ({', '.join(names[1:])}) VALUES ({', '.join(['%s'] * len(names[1:]))})"


def _literal(quoted: str) -> str:
    """Escape colons, which text() reads as parameters."""
    return quoted.replace(":", r"\:")
