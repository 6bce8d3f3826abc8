"""MySQL and MariaDB: the contract on a private server, and what servers and their users need."""

import socket
import time

import pytest
from sqlalchemy import text

from tablerag.tools.errors import ConfigError, SqlFailed, StoreUnavailable
from tablerag.tools.sql.backends import grants, mysql
from tablerag.tools.sql.database import Database
from tests.support.mysql_server import MysqlServer
from tests.tools.sql.backends.backend_contract import SqlBackendContract, guarded
from tests.tools.stored import store


class TestMysql(SqlBackendContract):
    @pytest.fixture
    def url(self, mysql_url: str) -> str:
        return mysql_url


def test_runs_one_statement_a_call(mysql_url: str) -> None:
    database = Database(mysql_url)
    for engine in (database.engine, database._reader):
        with pytest.raises(Exception, match="1064"), engine.connect() as connection:
            connection.exec_driver_sql("SELECT 1; CREATE TABLE x (a INT)").all()
    assert not database.has_table("x")
    database.close()


def test_a_server_without_a_time_limit_is_told(mysql_url: str) -> None:
    database = Database(mysql_url)

    def told() -> tuple[str, str]:
        check = next(c for c in database.user_checks() if "limits the time" in c.what)
        return check.state, check.says

    with database.engine.connect() as connection:
        name = "max_statement_time" if connection.dialect.is_mariadb else "max_execution_time"
        before = connection.exec_driver_sql(f"SELECT @@GLOBAL.{name}").scalar()
        try:
            connection.exec_driver_sql(f"SET GLOBAL {name} = 0")
            assert told()[0] == "warning" and f"SET GLOBAL {name}" in told()[1]
            connection.exec_driver_sql(f"SET GLOBAL {name} = 60")
            assert told()[0] == "ok" and told()[1].startswith(f"{name} is 60 ")
        finally:
            connection.exec_driver_sql(f"SET GLOBAL {name} = {before}")
    database.close()


def test_query_user_may_only_read(mysql_server: MysqlServer, mysql_url: str) -> None:
    reader_url = mysql_server.select_only_url(mysql_url)
    database = Database(mysql_url, query_url=reader_url)
    schema = store(database, "a", {"n": "integer"}, [(1,)])
    assert database.run(guarded("SELECT n FROM a", schema)).rows == ((1,),)
    assert database.rights_beyond_reading() == []
    assert "only-reads" not in database.ping()
    with pytest.raises(SqlFailed, match="denied|READ ONLY"), database.reading() as connection:
        connection.exec_driver_sql("CREATE TABLE x (a INT)")
    database.close()
    root = Database(mysql_url)
    assert root.rights_beyond_reading()
    root.close()


def test_query_is_killed_when_the_client_gives_up(
    mysql_server: MysqlServer, mysql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablerag.tools.sql.backends.mysql.CLIENT_GRACE_S", -29)
    database = Database(mysql_url, timeout_s=30)
    with pytest.raises(SqlFailed, match="longer than"), database.reading() as connection:
        connection.exec_driver_sql("SELECT SLEEP(25)")
    until = time.monotonic() + 10  # the server ends what is killed in its own time
    while (running := _running(database, "SLEEP(25)")) and time.monotonic() < until:
        time.sleep(0.05)
    assert not running
    database.close()


def test_no_statement_is_begun_while_two_run_on_after_they_were_killed(
    mysql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablerag.tools.sql.backends.mysql.CLIENT_GRACE_S", -29)
    monkeypatch.setattr(mysql, "kill", lambda engine, number: None)  # as within a function, which KILL does not reach
    database = Database(mysql_url, timeout_s=30)
    for _ in range(mysql.MOST_OVERDUE):
        with pytest.raises(SqlFailed, match="longer than"), database.reading() as connection:
            connection.exec_driver_sql("SELECT SLEEP(3)")
    with pytest.raises(StoreUnavailable, match="still runs 2 statements that were killed") as caught:
        database.reading().__enter__()
    assert "try again later" in str(caught.value)
    until = time.monotonic() + 10
    while True:
        try:
            assert len(_running(database, "SLEEP(3)")) < mysql.MOST_OVERDUE
            break
        except StoreUnavailable:  # they have not ended yet
            assert time.monotonic() < until
            time.sleep(0.1)
    database.close()


def _running(database: Database, part: str) -> list[str]:
    with database.reading() as connection:
        infos = connection.exec_driver_sql("SELECT info FROM information_schema.processlist").scalars().all()
    return [i for i in infos if i and part in i]


def test_away_or_login_wrong(mysql_server: MysqlServer, mysql_url: str) -> None:
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


def test_refuses_values_that_do_not_fit(mysql_url: str) -> None:
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


@pytest.mark.parametrize(
    ("version", "collation"),
    [
        ("10.11.19-MariaDB-log", "utf8mb4_uca1400_nopad_ai_ci"),
        ("10.6.4-MariaDB", "utf8mb4_unicode_520_nopad_ci"),
        ("8.4.0", "utf8mb4_0900_ai_ci"),
        ("5.7.44-log", "utf8mb4_unicode_520_ci"),
    ],
)
def test_texts_are_compared_as_the_server_can(version: str, collation: str) -> None:
    assert f"SET SESSION collation_connection = '{collation}'" in mysql.limits_for(version, 2.5)


def test_tables_of_an_older_version_get_the_collation_of_new_ones(mysql_url: str) -> None:
    database = Database(mysql_url)
    old, others = "a__0123456789ab_1", "a"
    schemas = [store(database, name, {"t": "text"}, [("Łódź",), ("x",)]) for name in (old, others, "b")]
    with database.engine.begin() as connection:
        for name in (old, others):
            connection.exec_driver_sql(
                f"ALTER TABLE `{name}` CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci"
            )
    joined = f"SELECT COUNT(*) FROM `{old}` AS x JOIN b ON b.t = x.t"
    with pytest.raises(ConfigError, match="run `tablerag migrate` once"):
        database.run(guarded(joined, *schemas))
    assert list(database.backend.migrate()) == [(1, old)], "the table that no document has stays as it is"
    assert database.run(guarded(joined, *schemas)).rows == ((2,),)
    assert list(database.backend.migrate()) == []
    database.close()
