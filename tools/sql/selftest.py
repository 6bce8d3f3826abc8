"""Check a deployment against the list of attacks that the package ships.

The guard and a scratch database run the attacks; the deployment's own database never does. A server is checked
by its SHOW GRANTS and session variables.
"""

import hashlib
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path

from tablerag.tools.counting import counted
from tablerag.tools.errors import SqlProblem, SqlRejected, TableRagError
from tablerag.tools.records import Column, ColumnType, TableSchema
from tablerag.tools.services import Services
from tablerag.tools.sql.backends.backend import Check
from tablerag.tools.sql.backends.parquet_tables import ParquetTables
from tablerag.tools.sql.backends.tables import StoredColumn
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
    """The outcome for all statements of one kind."""

    kind: str
    tried: int = 0
    refused: int = 0
    stopped: int = 0
    """How many the embedded engine stopped on a scratch database, without the guard."""
    unexpected: tuple[str, ...] = ()
    """Titles of attacks that passed, and of legal statements that were refused."""


@lru_cache(maxsize=1)
def read_trials() -> tuple[Attempt, ...]:
    """Return the attacks; the file has ``-- kind: title``, then the statement, with ``\\uXXXX`` for characters."""
    text = resources.files("tablerag.tools.sql").joinpath("security_cases.sql").read_text(encoding="utf-8")
    found = re.finditer(r"^-- ([^:\n]+): ([^\n]*)\n(.*?)(?=^-- [^:\n]+: |\Z)", text, re.MULTILINE | re.DOTALL)
    return tuple(Attempt(m[1], m[2], ESCAPED.sub(lambda c: chr(int(c[1], 16)), m[3].strip())) for m in found)


def _schema(name: str, columns: dict[str, ColumnType]) -> TableSchema:
    described = tuple(Column(name=n, header=n, type=t) for n, t in columns.items())
    return TableSchema(table_id=name, name=name, columns=described, row_count=0, source=f"{name}.csv")


SCHEMAS = [_schema("sales", COLUMNS), _schema("stores", {"region": "text", "manager": "text"})]


def tried(own: list[TableSchema]) -> list[Trial]:
    """Check every statement with the guard, attacks on the deployment's own tables too; return a trial per kind."""
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
        scratch.tables.close()
    return list(trials.values())


def _refused(sql: str, schemas: list[TableSchema]) -> bool:
    try:
        guard(sql, schemas, row_limit=1000)
    except SqlRejected:
        return True
    return False


class _Scratch:
    """An embedded database in a temporary folder, whose engine runs what no guard has checked."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.tables = folder, ParquetTables(folder / "scratch.parquet")
        for schema in SCHEMAS:
            self.tables.write(schema.name, [StoredColumn(c.name, c.type) for c in schema.columns], [])
        self.before = self._state()

    def _state(self) -> dict[str, str]:
        files = (p for p in self.folder.rglob("*") if p.is_file())
        return {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in files}

    def stops(self, sql: str) -> bool:
        """Return whether a statement raises an error and leaves the folder unchanged."""
        try:
            self.tables.attempt(sql, 1)
            raised = False
        except SqlProblem:
            raised = True
        return raised and self._state() == self.before


def checks(services: Services, own: list[TableSchema]) -> Iterator[Check]:
    """Check the deployment itself; a check that fails does not stop the others."""
    for look in (_sessions, _query_user, _own_tables):
        try:
            yield from look(services, own)
        except TableRagError as error:
            yield Check(look.__name__.strip("_").replace("_", " "), "broken", str(error))


def _sessions(services: Services, own: list[TableSchema]) -> Iterator[Check]:
    database = services.database
    if database.backend.missing:
        yield Check("session", "ok", "the first ingest creates the database; queries open it read-only")
        return
    facts = database.tables.session_facts()
    closed = "yes" if facts.read_only else f"no: {facts.says}"
    yield Check("session is read-only", "ok" if facts.read_only else "broken", closed)
    says = f"statements stop after {database.timeout_s:g} s, results after {database.row_limit} rows"
    timed = says if facts.timed else "no time limit is set"
    yield Check("time and rows are limited", "ok" if facts.timed else "broken", timed)


def _query_user(services: Services, own: list[TableSchema]) -> Iterator[Check]:
    return services.database.user_checks()


def _own_tables(services: Services, own: list[TableSchema]) -> Iterator[Check]:
    """Run one legal statement on each of the first tables."""
    failed = []
    for schema in own[:20]:
        try:
            statement = f"SELECT COUNT(*) AS n FROM `{schema.name.replace('`', '``')}`"
            services.database.run(guard(statement, own, row_limit=1))
        except SqlProblem as error:
            failed.append(f"{schema.name}: {error}")
    says = "; ".join(failed) or (f"SELECT works on {counted(len(own[:20]), 'table')}" if own else "no tables yet")
    yield Check("own tables can be read", "broken" if failed else "ok", says)
