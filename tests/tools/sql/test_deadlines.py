"""Statements end when their time is over, on both engines, whatever keeps them busy; bounds are in processor time."""

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tablerag.tools.errors import SqlFailed, SqlRejected
from tablerag.tools.records import TableSchema
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.guard import guard
from tests.support.cpu import cpu_seconds
from tests.support.mysql_server import MysqlServer, connect
from tests.tools.stored import store

ROWS = [(n, "a" * 200 + "!", f"text {n}") for n in range(1_500)]
FOUR = "busy AS a, busy AS b, busy AS c, busy AS d"
LONG = "REPEAT(a.word, 1200)"
"""A quarter of the million characters that a text function may make."""

ENDLESS = {
    "a cartesian join": f"SELECT COUNT(*) FROM {FOUR} WHERE MOD(a.n * b.n * c.n * d.n, 7) = 8",
    "a sum over a cartesian join": f"SELECT SUM(a.n * b.n + c.n) FROM {FOUR}",
    "distinct values of a cartesian join": f"SELECT COUNT(DISTINCT a.n * b.n * c.n) FROM {FOUR}",
    "groups of a cartesian join": f"SELECT a.n * b.n AS g, COUNT(*) FROM {FOUR} GROUP BY g",
    "a sorted cartesian join": f"SELECT a.label, b.label FROM {FOUR} ORDER BY CONCAT(a.label, b.label, c.label)",
    "a window over a cartesian join": "SELECT MAX(r) FROM (SELECT RANK() OVER (ORDER BY a.n * b.n) AS r "
    "FROM busy AS a, busy AS b, busy AS c) AS t",
    "a deviation by a moving frame": "SELECT MAX(v) FROM (SELECT STDDEV(a.n) OVER (ORDER BY a.n * b.n "
    "ROWS BETWEEN 500 PRECEDING AND CURRENT ROW) AS v FROM busy AS a, busy AS b, busy AS c) AS t",
    "a subquery for each row of a join": f"SELECT COUNT(*) FROM {FOUR}"
    f" WHERE a.n = (SELECT MAX(e.n + b.n) FROM busy AS e)",
    "a chain of doubling queries": "WITH x AS (SELECT a.n FROM busy AS a, busy AS b), y AS (SELECT x.n FROM x, x AS z) "
    "SELECT COUNT(*) FROM y, y AS w WHERE MOD(y.n * w.n, 7) = 8",
    "UNION of cartesian joins": "SELECT COUNT(*) FROM (SELECT a.n * b.n + c.n AS v"
    " FROM busy AS a, busy AS b, busy AS c "
    "UNION SELECT a.n FROM busy AS a) AS t",
    "texts joined in an order": f"SELECT LENGTH(GROUP_CONCAT(a.n ORDER BY b.n DESC)) FROM {FOUR}",
    "deviations": f"SELECT STDDEV(a.n + b.n), VAR_SAMP(c.n) FROM {FOUR}",
    "formatted dates": f"SELECT COUNT(*) FROM {FOUR}"
    " WHERE DATE_FORMAT(DATE_ADD('2024-01-01', INTERVAL (a.n + b.n + c.n + d.n) DAY), '%W') = 'never'",
    "a regular expression that backtracks": f"SELECT COUNT(*) FROM {FOUR}"
    f" WHERE CONCAT(a.word, b.n, c.n) REGEXP '^(a+)+$'",
    "long texts that a LIKE seeks through": f"SELECT COUNT(*) FROM {FOUR}"
    f" WHERE CONCAT({LONG}, b.n, c.n) LIKE '%a%a%a%a%a%a%a%a%a%b'",
    "long texts that are replaced": f"SELECT COUNT(*) FROM {FOUR}"
    f" WHERE REPLACE(CONCAT({LONG}, b.n), 'aaaaaaaaaaaaaaaaaaab', 'b') = 'c'",
    "long texts sought in long texts": f"SELECT COUNT(*) FROM {FOUR}"
    f" WHERE LOCATE(CONCAT({LONG}, 'b'), CONCAT({LONG}, {LONG}, b.n)) > 0",
    "long texts replaced by themselves": f"SELECT COUNT(*) FROM {FOUR}"
    f" WHERE REPLACE({LONG}, CONCAT(a.word, b.n), 'x') = 'c'",
    "long texts that are trimmed": f"SELECT COUNT(*) FROM {FOUR} WHERE TRIM(BOTH 'a' FROM CONCAT({LONG}, b.n)) = 'c'",
    "long texts that are told apart": f"SELECT COUNT(DISTINCT CONCAT({LONG}, b.n)) FROM {FOUR}",
    "long texts in a regular expression": f"SELECT COUNT(*) FROM {FOUR} WHERE CONCAT({LONG}, b.n) REGEXP '(a|aa)+$'",
}
ALLOWED_S = 10.0
"""Seconds for half a second of work: the machine is busy, and the process that works may have to be ended and begun."""


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Database, TableSchema]]:
    path: Path = tmp_path_factory.mktemp("deadlines") / "t.db"
    database = Database(f"sqlite:///{path}", timeout_s=0.5, row_limit=10)
    yield database, store(database, "busy", {"n": "integer", "word": "text", "label": "text"}, ROWS)
    database.close()


@pytest.fixture(scope="module")
def server(mysql_server: MysqlServer) -> Iterator[tuple[Database, TableSchema]]:
    with mysql_server.fresh_database() as url:
        database = Database(url, timeout_s=0.5, row_limit=10)
        yield database, store(database, "busy", {"n": "integer", "word": "text", "label": "text"}, ROWS)
        database.close()


@pytest.mark.parametrize("sql", ENDLESS.values(), ids=ENDLESS.keys())
def test_the_embedded_database_ends_it(sql: str, embedded: tuple[Database, TableSchema]) -> None:
    database, schema = embedded
    begun = time.monotonic()
    with pytest.raises((SqlFailed, SqlRejected)):
        database.run(guard(sql, [schema], row_limit=10))
    assert time.monotonic() - begun < ALLOWED_S
    assert database.run(guard("SELECT COUNT(*) FROM busy", [schema], row_limit=10)).rows == ((len(ROWS),),)


@pytest.mark.parametrize("title", ["a cartesian join", "a sorted cartesian join", "UNION of cartesian joins"])
def test_the_server_ends_it(title: str, server: tuple[Database, TableSchema], mysql_server: MysqlServer) -> None:
    database, schema = server
    with pytest.raises(SqlFailed, match="longer than"):
        database.run(guard(ENDLESS[title], [schema], row_limit=10))
    assert not still_running(mysql_server, "busy")


def still_running(server: MysqlServer, part: str) -> list[str]:
    """Return the statements with that part that the server runs, as root sees them, once they had time to end."""
    mine = "SELECT info FROM information_schema.processlist WHERE info IS NOT NULL"
    with closing(connect(server.port)) as root, closing(root.cursor()) as cursor:
        until = time.monotonic() + 20
        while True:
            cursor.execute(mine)
            running = [str(row[0]) for row in cursor.fetchall() if part in str(row[0]) and str(row[0]) != mine]
            if not running or time.monotonic() > until:
                return running
            time.sleep(0.05)


def test_the_server_runs_nothing_on_when_the_client_gives_up(
    mysql_server: MysqlServer, server: tuple[Database, TableSchema], monkeypatch: pytest.MonkeyPatch
) -> None:
    database, schema = server
    monkeypatch.setattr("tablerag.tools.sql.backends.mysql.CLIENT_GRACE_S", -59.0)
    patient = Database(database._url.render_as_string(hide_password=False), timeout_s=60, row_limit=10)
    with pytest.raises(SqlFailed, match="longer than"):
        patient.run(guard(ENDLESS["a cartesian join"], [schema], row_limit=10))
    assert not still_running(mysql_server, "busy")
    patient.close()


def test_a_pattern_that_would_keep_the_server_busy_is_refused(server: tuple[Database, TableSchema]) -> None:
    database, schema = server
    with pytest.raises(SqlRejected, match="has nested repetitions"):
        database.run(guard(ENDLESS["a regular expression that backtracks"], [schema], row_limit=10))


@pytest.mark.parametrize(
    "call",
    [
        "INSTR(REPEAT('a', 900000), CONCAT(REPEAT('a', 450000), 'b'))",
        "LOCATE(RPAD('a', 450000, 'a'), label)",
        "REPLACE(label, (SELECT GROUP_CONCAT(b.word) FROM busy AS b), 'x')",
        "POSITION(t.made IN label)",
    ],
)
def test_a_search_that_the_server_could_not_end_is_refused(call: str, server: tuple[Database, TableSchema]) -> None:
    database, schema = server
    sql = f"SELECT {call} FROM busy, (SELECT SPACE(450000) AS made) AS t"
    with pytest.raises(SqlRejected, match="only seek a text in quotes"):
        database.run(guard(sql, [schema], row_limit=10))
    plain = "SELECT INSTR(label, word), REPLACE(label, 'text', REPEAT('a', 3)) FROM busy WHERE n = 1"
    for statement in plain.replace(", REPLACE(label, 'text', REPEAT('a', 3))", ""), plain.replace("word", "'x'"):
        assert database.run(guard(statement, [schema], row_limit=10)).rows


def test_a_pattern_that_the_server_gives_up_is_no_answer(server: tuple[Database, TableSchema]) -> None:
    database, schema = server
    patient = Database(database._url.render_as_string(hide_password=False), timeout_s=60, row_limit=10)
    with pytest.raises(SqlFailed, match="regular expression"):
        patient.run(guard("SELECT COUNT(*) FROM busy WHERE n = 1 AND word REGEXP '^(a|aa)+$'", [schema], row_limit=10))
    patient.close()


@pytest.mark.parametrize("pattern", ["(a+)+$", "^(a|aa)+$", "(a*)*b", "^(a|a?)+$", "(.*)(.*)(.*)(.*)(.*)x$"])
def test_regular_expressions_known_to_hang_do_not(pattern: str, embedded: tuple[Database, TableSchema]) -> None:
    database, schema = embedded
    begun = cpu_seconds()
    sql = f"SELECT SUM(CONCAT(REPEAT(word, 20), n) REGEXP '{pattern}') FROM busy WHERE n < 20"
    database.timeout_s = 30
    assert database.run(guard(sql, [schema], row_limit=10)).rows == ((0,),)
    database.timeout_s = 0.5
    assert cpu_seconds() - begun < ALLOWED_S


def test_a_regular_expression_of_too_many_states_is_refused(embedded: tuple[Database, TableSchema]) -> None:
    database, schema = embedded
    sql = "SELECT SUM(CONCAT(REPEAT(word, 20), n) REGEXP '(a{1,50}){1,20}b') FROM busy WHERE n < 20"
    with pytest.raises(SqlFailed, match="too complex"):
        database.run(guard(sql, [schema], row_limit=10))
