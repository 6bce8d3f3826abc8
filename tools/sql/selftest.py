"""The attack list that the package ships, tried on a deployment: what the guard says, what the sessions would stop.

No statement that could harm is sent to a deployment's own database. What SQLite's session stops by itself is tried on
a scratch copy; of a server, its own words are read: SHOW GRANTS and the session's variables.
"""

import hashlib
import re
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Literal

from tablerag.tools.errors import SqlProblem, SqlRejected, TableRagError
from tablerag.tools.records import Column, ColumnType, TableSchema
from tablerag.tools.services import Services
from tablerag.tools.sql import mysql_session, sqlite_session
from tablerag.tools.sql.guard import guard

__all__ = ["Check", "Trial", "checks", "read_trials", "tried"]

LEGAL = "legal"
COLUMNS: dict[str, ColumnType] = {
    "region": "text",
    "order": "text",
    "amount": "integer",
    "price": "decimal",
    "day": "date",
    "at": "datetime",
    "paid": "boolean",
}
ESCAPED = re.compile(r"\\u([0-9a-f]{4})")


@dataclass(frozen=True)
class Attempt:
    """One statement of the list."""

    kind: str
    title: str
    sql: str


@dataclass
class Trial:
    """All statements of one kind, and what became of them."""

    kind: str
    tried: int = 0
    refused: int = 0
    stopped: int = 0
    """How many SQLite's session stopped by itself, the guard left out, on a scratch copy."""
    unexpected: tuple[str, ...] = ()
    """Titles of attacks that passed, and of legal statements that did not."""


@dataclass(frozen=True)
class Check:
    """One property of the deployment."""

    what: str
    state: Literal["ok", "warning", "broken"]
    says: str


@lru_cache(maxsize=1)
def read_trials() -> tuple[Attempt, ...]:
    """Return the list: ``-- kind: title``, then the statement; ``\\uXXXX`` in it is that character."""
    text = resources.files("tablerag.tools.sql").joinpath("security_cases.sql").read_text(encoding="utf-8")
    found = re.finditer(r"^-- ([^:\n]+): ([^\n]*)\n(.*?)(?=^-- [^:\n]+: |\Z)", text, re.MULTILINE | re.DOTALL)
    return tuple(Attempt(m[1], m[2], ESCAPED.sub(lambda c: chr(int(c[1], 16)), m[3].strip())) for m in found)


def _schema(name: str, columns: dict[str, ColumnType]) -> TableSchema:
    described = tuple(Column(name=n, header=n, type=t) for n, t in columns.items())
    return TableSchema(table_id=name, name=name, columns=described, row_count=0, source=f"{name}.csv")


SCHEMAS = [_schema("sales", COLUMNS), _schema("stores", {"region": "text", "manager": "text"})]


def tried(own: list[TableSchema]) -> list[Trial]:
    """Put every statement to the guard, attacks over the deployment's own tables too; return one trial per kind."""
    trials: dict[str, Trial] = {}
    with tempfile.TemporaryDirectory() as folder:
        scratch = _Scratch(Path(folder))
        for attempt in read_trials():
            trial = trials.setdefault(attempt.kind, Trial(attempt.kind))
            trial.tried += 1
            refused = _refused(attempt.sql, SCHEMAS)
            if attempt.kind != LEGAL and own:
                over_own = re.sub(r"\bsales\b", lambda _: f"`{own[0].name}`", attempt.sql)
                refused = refused and _refused(over_own, own)
            trial.refused += refused
            harmless = scratch.stops(attempt.sql) if attempt.kind != LEGAL else False
            trial.stopped += harmless
            if refused == (attempt.kind == LEGAL):
                trial.unexpected += (attempt.title,)
    return list(trials.values())


def _refused(sql: str, schemas: list[TableSchema]) -> bool:
    try:
        guard(sql, schemas, row_limit=1000)
    except SqlRejected:
        return True
    return False


class _Scratch:
    """An SQLite file of its own, opened as the sessions of queries are, without the guard before it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.path = folder, folder / "scratch.db"
        with closing(sqlite3.connect(self.path)) as connection:
            columns = ", ".join(f'"{name}"' for name in COLUMNS)
            connection.executescript(
                f"CREATE TABLE sales ({columns}); INSERT INTO sales (region) VALUES ('North');"
                "CREATE TABLE stores (region, manager); CREATE TABLE _tablerag_documents (source);"
            )
        self.before = self._state()

    def _state(self) -> tuple[str, list[str]]:
        return hashlib.sha256(self.path.read_bytes()).hexdigest(), sorted(p.name for p in self.folder.iterdir())

    def stops(self, sql: str) -> bool:
        """Tell whether a statement raises an error and leaves the file, and the folder, as they were."""
        with closing(sqlite_session.open_reader(self.path)) as connection:
            try:
                with (
                    sqlite_session.only_reading(connection, ["sales", "stores"]),
                    sqlite_session.deadline(connection, 1),
                ):
                    connection.execute(sql).fetchmany(10)
                raised = False
            except (sqlite3.Error, sqlite3.Warning, ValueError, MemoryError):
                raised = True
        return raised and self._state() == self.before


def checks(services: Services, own: list[TableSchema]) -> Iterator[Check]:
    """Look at the deployment itself; a look that fails does not hide the others."""
    for look in (_sessions, _query_user, _own_tables):
        try:
            yield from look(services, own)
        except TableRagError as error:
            yield Check(look.__name__.strip("_").replace("_", " "), "broken", str(error))


def _sessions(services: Services, own: list[TableSchema]) -> Iterator[Check]:
    database = services.database
    if database.dialect == "sqlite" and not own:
        yield Check("session", "ok", "the database is made by the first ingest; queries open it read-only")
        return
    facts = database.session_facts()
    read_only = facts.get("query_only") or facts.get("tx_read_only") or facts.get("transaction_read_only") or ""
    closed = read_only.upper() in ("1", "ON")
    yield Check("session is read-only", "ok" if closed else "broken", "yes" if closed else f"no: {facts}")
    limit = next((facts[n] for n in ("max_statement_time", "max_execution_time") if n in facts), "")
    timed = database.dialect == "sqlite" or (limit and float(limit) > 0)
    says = f"statements end after {database.timeout_s:g} s, results after {database.row_limit} rows"
    yield Check("time and rows are bounded", "ok" if timed else "broken", says if timed else "no time limit is set")


def _query_user(services: Services, own: list[TableSchema]) -> Iterator[Check]:
    database = services.database
    if database.dialect == "sqlite":
        yield Check("query user", "ok", "queries open the file with mode=ro, query_only and an authorizer")
        return
    separate = database.query_user_is_separate
    mend = "set TABLERAG_QUERY_DATABASE_URL to a SELECT-only user"
    yield Check("query user is separate", "ok" if separate else "warning", "yes" if separate else f"no: {mend}")
    rights = database.rights_beyond_reading()
    says = f"it may {', '.join(rights[:8])}: {mend}" if rights else "SELECT only"
    yield Check("query user can only read", "warning" if rights else "ok", says)
    name, grants = services.database.name, database.query_grants()
    beyond = [g for g in grants if mysql_session.reads_beyond(g, name)]
    says = (
        f"it reads more than {name}: grant SELECT on {name}.* only" if beyond else f"it reads {name} and nothing else"
    )
    yield Check("query user reads this database", "warning" if beyond else "ok", says)
    sees = any("PROCESS" in g or "ALL PRIVILEGES" in g for g in grants)
    yield Check("query user sees no other sessions", "warning" if sees else "ok", "it has PROCESS" if sees else "yes")


def _own_tables(services: Services, own: list[TableSchema]) -> Iterator[Check]:
    """Run one legal statement over each of the first tables."""
    failed = []
    for schema in own[:20]:
        try:
            statement = f"SELECT COUNT(*) AS n FROM `{schema.name.replace('`', '``')}`"
            services.database.run(guard(statement, own, row_limit=1))
        except SqlProblem as error:
            failed.append(f"{schema.name}: {error}")
    says = "; ".join(failed) or (f"a legal SELECT runs on {len(own[:20])} tables" if own else "no tables yet")
    yield Check("own tables can be read", "broken" if failed else "ok", says)
