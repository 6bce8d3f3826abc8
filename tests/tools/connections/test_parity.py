"""The same statements over the same tables: of documents, and of each connected database.

An engine gives the same rows or says that it cannot. What it refuses, and the few results that differ by its nature,
are listed in tests/cases/connected_parity.txt, so that a new one is noticed.
"""

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import psycopg
import pytest

from tablerag.client import TableRAG
from tablerag.tools.errors import SqlProblem
from tablerag.tools.sql.database import Database
from tests.support.mysql_server import MysqlServer
from tests.support.mysql_server import connect as mysql_connect
from tests.tools.sql.sql_cases import FOLDER, read_cases
from tests.tools.sql.test_analytics import TABLES, answer, same
from tests.tools.stored import store

CASES = read_cases("sql_parity.sql", "equal")
LISTED = FOLDER / "connected_parity.txt"
NOT_AVAILABLE = re.compile(r"(?:is|are) not available on")
KINDS = {"text": "VARCHAR(200)", "integer": "BIGINT", "decimal": "DECIMAL(20, 3)", "date": "DATE", "boolean": "BOOLEAN"}
Run = Callable[[str], object]


def statements(quote: str, moment: str) -> Iterator[str]:
    """Yield the statements that create and fill the tables."""
    for name, types, rows in TABLES:
        kinds = KINDS | {"datetime": moment}
        columns = [f"{quote}{n}{quote} {kinds[t]}{' PRIMARY KEY' * (n == 'id')}" for n, t in types.items()]
        yield f"CREATE TABLE {name} ({', '.join(columns)})"
        yield f"INSERT INTO {name} VALUES {', '.join('(' + ', '.join(map(literal, row)) + ')' for row in rows)}"


def literal(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return "NULL" if value is None else str(value).upper()
    if isinstance(value, str | date):
        return "'" + str(value).replace("'", "''") + "'"
    return str(value)


@pytest.fixture(scope="module", params=["SQLite", "DuckDB", "MySQL", "PostgreSQL"])
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, TableRAG]]:
    """A client with the tables in a connected database."""
    folder: Path = tmp_path_factory.mktemp("parity")
    name, path = request.param, folder / "tables.db"
    match name:
        case "SQLite":
            with closing(sqlite3.connect(path)) as connection:
                for statement in statements('"', "DATETIME"):
                    connection.execute(statement)
                connection.commit()
            url = f"sqlite:///{path}"
        case "DuckDB":
            with duckdb.connect(str(path)) as opened:
                for statement in statements('"', "TIMESTAMP"):
                    opened.execute(statement)
            url = f"duckdb:///{path}"
        case "MySQL":
            server: MysqlServer = request.getfixturevalue("mysql_server")
            made = server.fresh_database()
            url = made.__enter__().replace("mysql+mysqlconnector://", "mysql://")
            request.addfinalizer(lambda: made.__exit__(None, None, None))
            with closing(mysql_connect(server.port)) as connected, closing(connected.cursor()) as cursor:
                cursor.execute(f"USE `{url.rpartition('/')[2]}`")
                for statement in statements("`", "DATETIME"):
                    cursor.execute(statement)
        case _:
            url = request.getfixturevalue("postgres_url")
            with psycopg.connect(url, autocommit=True) as session:
                session.execute("DROP SCHEMA IF EXISTS parity CASCADE")
                session.execute("CREATE SCHEMA parity")
                session.execute("SET search_path = parity")
                for statement in statements('"', "TIMESTAMP"):
                    session.execute(statement.encode())
    with TableRAG(folder / "home", model="offline", row_limit=200, sql_timeout_s=60) as rag:
        rag.connect("shop", url, allow_writable_user=True, schema="parity" if name == "PostgreSQL" else "")
        yield name, rag


@cache
def expected(folder: Path) -> dict[str, Any]:
    """Return what the statements give over the tables of documents, by title."""
    database = Database(f"sqlite:///{folder / 't.db'}", timeout_s=10, row_limit=200)
    opened = database, [store(database, name, types, rows) for name, types, rows in TABLES]
    found = {case.title: answer(opened, case.sql) for case in CASES}
    database.close()
    return found


def alike(one: Any, other: Any) -> bool:
    """Tell whether cells are the same; of texts that only differ in case, any spelling may stand for a group."""
    if isinstance(one, str) and isinstance(other, str):
        return one.casefold() == other.casefold()
    return same(one, other)


def test_a_connected_database_answers_the_same_or_says_that_it_cannot(
    engine: tuple[str, TableRAG], tmp_path_factory: pytest.TempPathFactory
) -> None:
    name, rag = engine
    wanted = expected(tmp_path_factory.getbasetemp())
    refused, wrong = [], []
    schemas = rag.tables()
    for case in CASES:
        try:
            ours = answer((rag.services.database, schemas), case.sql)
        except SqlProblem as problem:
            if NOT_AVAILABLE.search(str(problem)):
                refused.append(case.title)
            else:
                wrong.append((case.title, str(problem)))
            continue
        theirs = wanted[case.title]
        if len(ours) != len(theirs) or not all(all(map(alike, a, b)) for a, b in zip(ours, theirs, strict=True)):
            wrong.append((case.title, f"{ours[:3]} instead of {theirs[:3]}"))
    listed = [line.partition(": ") for line in LISTED.read_text(encoding="utf-8").splitlines()]
    of_engine = {
        said: [title for own, _, title in listed if own == f"{name} {said}"] for said in ("refuses", "differs")
    }
    assert [w for w in wrong if w[0] not in of_engine["differs"]] == []
    assert refused == of_engine["refuses"]
