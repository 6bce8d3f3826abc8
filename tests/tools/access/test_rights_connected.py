"""The attacks on rights over tables of connected servers, beside documents."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from tablerag.ingestion.connecting import connect
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tests.support.mysql_server import MysqlServer
from tests.support.mysql_server import connect as connect_mysql
from tests.tools.access.test_rights_attacks import ATTACKS, FILES, KEYS, MARKERS, outcome

COLUMNS = {
    "employees": "name VARCHAR(20), region VARCHAR(20), salary INTEGER, iban VARCHAR(20)",
    "orders": "{q}order{q} INTEGER, region VARCHAR(20), amount INTEGER, note VARCHAR(40)",
    "vault": "code VARCHAR(20), owner VARCHAR(20)",
}
"""The tables of the database; the rest of FILES is ingested."""
LEAST_RUN = 25
"""So many attacks must be statements that a key for everything may run, or the others say little."""


def created(quote: str) -> Iterator[str]:
    """Yield the statements that create and fill the tables."""
    for name, columns in COLUMNS.items():
        yield f"CREATE TABLE {name} ({columns.format(q=quote)})"
        rows = [line.split(",") for line in FILES[f"{name}.csv"].splitlines()[1:]]
        values = ("(" + ", ".join(c if c.isdigit() else f"'{c}'" for c in row) + ")" for row in rows)
        yield f"INSERT INTO {name} VALUES {', '.join(values)}"


@pytest.fixture
def mysql(mysql_server: MysqlServer) -> Iterator[str]:
    with mysql_server.fresh_database() as url:
        with closing(connect_mysql(mysql_server.port)) as connection, closing(connection.cursor()) as cursor:
            cursor.execute(f"USE `{url.rpartition('/')[2]}`")
            for statement in created("`"):
                cursor.execute(statement)
            connection.commit()
        yield url.replace("mysql+mysqlconnector://", "mysql://")


@pytest.fixture
def postgresql(postgres_url: str) -> Iterator[str]:
    with psycopg.connect(postgres_url, autocommit=True) as server:
        server.execute("CREATE DATABASE rights_attacks")
        url = postgres_url.replace("/postgres?", "/rights_attacks?")
        with psycopg.connect(url, autocommit=True) as connection:
            for statement in created('"'):
                connection.execute(statement)
        yield url
        server.execute("DROP DATABASE rights_attacks WITH (FORCE)")


@pytest.mark.parametrize(("engine", "attacks"), [("mysql", ATTACKS[::4]), ("postgresql", ATTACKS[2::4])])
def test_no_statement_over_a_connected_server_shows_what_is_hidden(
    request: pytest.FixtureRequest, engine: str, attacks: list[str], tmp_path: Path
) -> None:
    services = Services(Settings(home=tmp_path / "home", model="offline", api_keys=KEYS, _env_file=None))
    for name in (n for n in FILES if n.removesuffix(".csv") not in COLUMNS):
        (tmp_path / name).write_text(FILES[name], encoding="utf-8")
    ingest([tmp_path / name for name in FILES if (tmp_path / name).exists()], services, "default")
    connect(services, "default", "shop", request.getfixturevalue(engine), may_write=True)
    shown, alike, ran = {}, [], 0
    for attack in attacks:
        sql = attack.removeprefix("! ").removeprefix("+ ")
        sql = sql.format(orders="orders", employees="employees", view="view") if attack.startswith("! ") else sql
        found, whole = outcome(services, sql, "one"), outcome(services, sql, "all")
        if MARKERS.search(found.replace(sql, "")):
            shown[sql] = found
        if not whole.startswith("error: "):
            ran += 1
            alike += [sql] if found == whole else []
    services.close()
    assert shown == {}
    assert alike == []
    assert ran >= LEAST_RUN
