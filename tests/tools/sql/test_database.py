"""Guarded SELECTs on real SQLite and a MySQL-compatible server: one suite for both."""

import json
import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import date, datetime
from pathlib import Path

import pytest
from sqlalchemy import column, literal_column, select, table, text

from tablerag.tools.errors import ConfigError, SqlFailed, StoreUnavailable
from tablerag.tools.records import Column, TableSchema
from tablerag.tools.sql.backends import grants, mysql, sqlite
from tablerag.tools.sql.backends.backend import shown
from tablerag.tools.sql.backends.opening import parse_url
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.guard import GuardedSql, guard
from tests.support.mysql_server import MysqlServer
from tests.tools.stored import store

COLUMNS = {"name": "text", "n": "integer", "price": "decimal", "day": "date", "seen": "datetime", "ok": "boolean"}
ROWS = [
    ("Ann 100% :x ? é😀", 1, 1.25, date(2024, 1, 31), datetime(2024, 1, 31, 10), True),
    ("Bob", 2, 2.5, date(2024, 2, 29), datetime(2024, 2, 29, 23, 59, 59), False),
    (None, None, None, None, None, None),
]


@pytest.fixture(params=["sqlite", "server"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    url = request.getfixturevalue("mysql_url") if request.param == "server" else f"sqlite:///{tmp_path / 't.db'}"
    opened = Database(url, timeout_s=5, row_limit=10)
    yield opened
    opened.close()


@pytest.fixture
def people(database: Database) -> TableSchema:
    return store(database, "people", COLUMNS, ROWS)


@pytest.fixture
def numbers(database: Database) -> TableSchema:
    return store(database, "numbers", {"n": "integer"}, [(i,) for i in range(400)])


def guarded(sql: str, *schemas: TableSchema) -> GuardedSql:
    return guard(sql, schemas, row_limit=10)


def test_rows_come_back_json_safe_and_equal_on_both(database: Database, people: TableSchema) -> None:
    result = database.run(guarded("SELECT name, n, price, day, seen, ok FROM people ORDER BY n DESC", people))
    assert result.columns == ("name", "n", "price", "day", "seen", "ok")
    assert json.loads(json.dumps(result.rows)) == [
        ["Bob", 2, 2.5, "2024-02-29", "2024-02-29 23:59:59", 0],
        ["Ann 100% :x ? é😀", 1, 1.25, "2024-01-31", "2024-01-31 10:00:00", 1],
        [None, None, None, None, None, None],
    ]
    assert not result.truncated


def test_aggregates_are_numbers(database: Database, people: TableSchema) -> None:
    result = database.run(guarded("SELECT SUM(n), AVG(n), SUM(price), COUNT(*) FROM people", people))
    assert result.rows == ((3, 1.5, 3.75, 3),)


@pytest.mark.parametrize("literal", ["%", ":x", "?", "100% :x ? é😀", "%(name)s", "it''s"])
def test_literals_are_no_parameters(database: Database, people: TableSchema, literal: str) -> None:
    result = database.run(guarded(f"SELECT '{literal}' AS a FROM people", people))
    assert result.rows[0] == (literal.replace("''", "'"),)


def test_more_rows_than_the_limit_are_cut_and_it_shows(database: Database, numbers: TableSchema) -> None:
    cut = database.run(guarded("SELECT n FROM numbers ORDER BY n", numbers))
    assert len(cut.rows) == 10
    assert cut.truncated
    whole = database.run(guarded("SELECT n FROM numbers WHERE n < 10 ORDER BY n", numbers))
    assert len(whole.rows) == 10
    assert not whole.truncated


def test_the_databases_message_is_one_line_without_the_statement(database: Database, people: TableSchema) -> None:
    statement = guarded("SELECT n FROM people", people)
    with database.engine.begin() as connection:
        connection.execute(text("DROP TABLE people"))
    with pytest.raises(SqlFailed, match="people") as caught:
        database.run(statement)
    assert "\n" not in str(caught.value)
    assert "SELECT" not in str(caught.value)


CARTESIAN = (
    "SELECT COUNT(*) FROM numbers AS a, numbers AS b, numbers AS c, numbers AS d WHERE a.n + b.n + c.n + d.n = -1"
)


def test_endless_statements_are_ended(database: Database, numbers: TableSchema) -> None:
    database.timeout_s = 0.3
    with pytest.raises(SqlFailed, match=r"longer than 0\.3 s"):
        database.run(guarded(CARTESIAN, numbers))
    assert database.run(guarded("SELECT COUNT(*) FROM numbers", numbers)).rows == ((400,),)


def test_sessions_cannot_write(database: Database, people: TableSchema) -> None:
    for statement in ("DELETE FROM people", "INSERT INTO people (_row_id) VALUES (9)", "UPDATE people SET n = 5"):
        with pytest.raises(SqlFailed), database._reading() as connection:
            connection.exec_driver_sql(statement)
    assert database.run(guarded("SELECT COUNT(*), MAX(n) FROM people", people)).rows == ((3, 2),)


def test_own_selects_are_not_cut(database: Database, numbers: TableSchema) -> None:
    database.run(guarded("SELECT n FROM numbers", numbers))
    statement = select(column("n")).select_from(table("numbers")).where(literal_column("n") >= 100)
    assert len(database.select(statement)) == 300
    with pytest.raises(SqlFailed, match="absent"):
        database.select(select(column("n")).select_from(table("absent")))


def test_ping_names_server_and_version_but_no_password(database: Database) -> None:
    assert database.ping().startswith(("SQLite, created", "MariaDB 1", "MySQL "))
    with database.engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE a (n INT)")
    assert database.ping().startswith(("SQLite 3", "MariaDB 1", "MySQL "))


def test_closed_database_opens_again(database: Database, people: TableSchema) -> None:
    database.close()
    assert database.run(guarded("SELECT COUNT(*) FROM people", people)).rows == ((3,),)


# -- SQLite


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(tmp_path / "t.db")) as writer:
        writer.executescript("CREATE TABLE a (x); INSERT INTO a VALUES (1); CREATE TABLE secret (x);")
    with closing(sqlite.open_reader(tmp_path / "t.db")) as opened:
        yield opened


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT x FROM secret",
        "SELECT x FROM a WHERE EXISTS (SELECT 1 FROM secret)",
        "SELECT sql FROM sqlite_master",
        "SELECT name FROM pragma_table_info('a')",
        "SELECT load_extension('x')",
        "SELECT printf('%1000000d', 1)",
        "SELECT randomblob(1000)",
        "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r LIMIT 3",
        "PRAGMA table_info(a)",
        "ATTACH ':memory:' AS other",
        "VACUUM INTO 'copy.db'",
        "BEGIN",
        "DROP TABLE a",
        "CREATE TEMP TABLE b (x)",
    ],
)
def test_sqlite_reads_the_tables_named_and_does_nothing_else(reader: sqlite3.Connection, statement: str) -> None:
    with sqlite.only_reading(reader, ["A"]):
        assert reader.execute("SELECT x, COUNT(*) FROM (SELECT x FROM a) GROUP BY x").fetchall() == [(1, 1)]
        with pytest.raises(sqlite3.DatabaseError):
            reader.execute(statement).fetchall()


def test_sqlite_file_stays_as_it_is_even_without_the_authorizer(reader: sqlite3.Connection, tmp_path: Path) -> None:
    for statement in ("DELETE FROM a", "DROP TABLE a", f"ATTACH '{tmp_path / 'b.db'}' AS b"):
        with pytest.raises(sqlite3.DatabaseError):
            reader.execute(statement)
    assert not (tmp_path / "b.db").exists()


def test_sqlite_results_are_bounded_in_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablerag.tools.sql.database.MAX_RESULT_BYTES", 1_000)
    database = Database(f"sqlite:///{tmp_path / 't.db'}", row_limit=10)
    long = store(database, "long", {"words": "text"}, [("x" * 400,)] * 5)
    with pytest.raises(SqlFailed, match="select fewer columns"):
        database.run(guarded("SELECT words FROM long", long))
    database.close()


def test_sqlite_missing_and_broken_files_are_named(tmp_path: Path) -> None:
    column = Column(name="n", header="N", type="integer")
    schema = TableSchema(table_id="t", name="a", columns=(column,), row_count=0, source="a.csv")
    missing = Database(f"sqlite:///{tmp_path / 'none.db'}")
    with pytest.raises(StoreUnavailable, match=r"none\.db yet: run `tablerag ingest"):
        missing.run(guarded("SELECT n FROM a", schema))
    assert missing.ping() == "SQLite, created by the first ingest"
    assert not (tmp_path / "none.db").exists()
    (tmp_path / "bad.db").write_bytes(b"this is no database at all" * 100)
    broken = Database(f"sqlite:///{tmp_path / 'bad.db'}")
    with pytest.raises(StoreUnavailable, match=r"bad\.db does not answer"):
        broken.has_table("a")
    with pytest.raises(StoreUnavailable):
        broken.ping()


def test_sqlite_ddl_is_undone_with_its_transaction(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 't.db'}")
    with pytest.raises(ZeroDivisionError), database.engine.begin() as connection:
        connection.execute(text("CREATE TABLE a (x INT)"))
        raise ZeroDivisionError
    assert not database.has_table("a")
    database.close()


def test_sqlite_paths_with_odd_characters(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'a b#c%20é' / 't.db'}")
    schema = store(database, "a", {"n": "integer"}, [(1,)])
    assert database.run(guarded("SELECT n FROM a", schema)).rows == ((1,),)
    database.close()


# -- Servers


def test_server_runs_one_statement_a_call(mysql_url: str) -> None:
    database = Database(mysql_url)
    for engine in (database.engine, database._reader):
        with pytest.raises(Exception, match="1064"), engine.connect() as connection:
            connection.exec_driver_sql("SELECT 1; CREATE TABLE x (a INT)").all()
    assert not database.has_table("x")
    database.close()


def test_server_query_user_may_only_read(mysql_server: MysqlServer, mysql_url: str) -> None:
    reader_url = mysql_server.select_only_url(mysql_url)
    database = Database(mysql_url, query_url=reader_url)
    schema = store(database, "a", {"n": "integer"}, [(1,)])
    assert database.run(guarded("SELECT n FROM a", schema)).rows == ((1,),)
    assert database.rights_beyond_reading() == []
    assert "only-reads" not in database.ping()
    with pytest.raises(SqlFailed, match="denied|READ ONLY"), database._reading() as connection:
        connection.exec_driver_sql("CREATE TABLE x (a INT)")
    database.close()
    root = Database(mysql_url)
    assert root.rights_beyond_reading()
    root.close()


def test_server_query_is_killed_when_the_client_gives_up(
    mysql_server: MysqlServer, mysql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablerag.tools.sql.backends.mysql.CLIENT_GRACE_S", -29)
    database = Database(mysql_url, timeout_s=30)
    with pytest.raises(SqlFailed, match="longer than"), database._reading() as connection:
        connection.exec_driver_sql("SELECT SLEEP(25)")
    until = time.monotonic() + 10  # the server ends what is killed in its own time
    while (running := _running(database, "SLEEP(25)")) and time.monotonic() < until:
        time.sleep(0.05)
    assert not running
    database.close()


def _running(database: Database, part: str) -> list[str]:
    with database._reading() as connection:
        infos = connection.exec_driver_sql("SELECT info FROM information_schema.processlist").scalars().all()
    return [i for i in infos if i and part in i]


def test_server_away_or_login_wrong(mysql_server: MysqlServer, mysql_url: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        away = Database(f"mysql+mysqlconnector://root:hunter2@127.0.0.1:{taken.getsockname()[1]}/x")
        with pytest.raises(StoreUnavailable, match="start the server") as caught:
            away.ping()
    assert "hunter2" not in str(caught.value)
    wrong = Database(mysql_server.url("no_such_database"))
    with pytest.raises(StoreUnavailable, match="no_such_database"):
        wrong.has_table("a")
    stranger = Database(mysql_server.url("mysql", "stranger", "hunter2"))
    with pytest.raises(StoreUnavailable) as refused:
        stranger.ping()
    assert "hunter2" not in str(refused.value)


def test_server_refuses_values_that_do_not_fit(mysql_url: str) -> None:
    database = Database(mysql_url)
    store(database, "a", {"n": "integer"}, [])
    with pytest.raises(Exception, match="1366"), database.engine.begin() as connection:
        connection.execute(text("INSERT INTO a (_row_id, n) VALUES (1, 'many')"))
    database.close()


@pytest.mark.parametrize(
    ("grant", "writes"),
    [
        ("GRANT USAGE ON *.* TO `r`@`%` IDENTIFIED BY PASSWORD '*1'", False),
        ("GRANT SELECT, SHOW VIEW ON `db`.* TO `r`@`%`", False),
        ("GRANT SELECT (a, b) ON `db`.`t` TO `r`@`%`", False),
        ("GRANT `role` TO `r`@`%`", False),
        ("GRANT SELECT (a), INSERT (b, c) ON `db`.`t` TO `r`@`%`", True),
        ("GRANT SELECT, CREATE TEMPORARY TABLES ON `db`.* TO `r`@`%`", True),
        ("GRANT FILE ON *.* TO `r`@`%`", True),
        ("GRANT ALL PRIVILEGES ON *.* TO `root`@`localhost` WITH GRANT OPTION", True),
    ],
)
def test_grants_writing(grant: str, writes: bool) -> None:
    assert bool(grants.writing_privileges(grant)) is writes


def test_limits_speak_each_servers_dialect() -> None:
    assert "SET SESSION max_statement_time = 2.500" in mysql.limits_for("10.11.19-MariaDB-log", 2.5)
    assert "SET SESSION max_execution_time = 2500" in mysql.limits_for("8.4.0", 2.5)


# -- URLs


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("mysql://root@localhost/x", r"write mysql\+mysqlconnector://"),
        ("mysql+pymysql://root@localhost/x", r"write mysql\+mysqlconnector://"),
        ("postgresql://localhost/x", "not supported"),
        ("sqlite://", "write sqlite:///PATH"),
        ("sqlite:///:memory:", "write sqlite:///PATH"),
        ("tables.db", "not a database URL"),
        ("mysql+mysqlconnector://root@localhost:port/x", "not a database URL"),
        ("mysql+mysqlconnector://root:hunter2@localhost", "names no database"),
    ],
)
def test_urls_that_cannot_be_used(url: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told) as caught:
        Database(url)
    assert "TABLERAG_DATABASE_URL" in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_query_url_names_the_same_database() -> None:
    with pytest.raises(ConfigError, match="the same database"):
        Database("mysql+mysqlconnector://a@h/x", query_url="mysql+mysqlconnector://a@h/y")


def test_shown_hides_the_password() -> None:
    assert "hunter2" not in shown(parse_url("mysql+mysqlconnector://a:hunter2@h/x?password=hunter2", "SETTING"))
