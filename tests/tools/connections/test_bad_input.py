"""What can be wrong with a connection: each is one clear line, and nothing is written that should not be."""

import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from tablerag.client import TableRAG
from tablerag.ingestion.connecting import connect, sync
from tablerag.tools.connections.engine import unreachable
from tablerag.tools.errors import ConfigError, DatabaseAway, SqlFailed, SqlRejected, TableAway, TableLocked
from tests.support.mysql_server import MysqlServer

PASSWORD = "s3cret-of-nobody"


@pytest.fixture
def rag(tmp_path: Path) -> Iterator[TableRAG]:
    with TableRAG(tmp_path / "home", model="offline") as rag:
        yield rag


def made(path: Path, *statements: str) -> str:
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()
    return f"sqlite:///{path}"


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("shop.db", "not the URL of a database: expected sqlite:///PATH"),
        ("oracle://me@host/db", "unknown scheme oracle://"),
        ("sqlite:///", "names no file"),
        ("sqlite:////no/such/file.db", "no such file"),
        ("sqlite:////tmp", "/tmp: is a folder"),
        ("sqlite://shop.db", "has two slashes: write sqlite:///PATH"),
        ("duckdb:////no/such/file.duckdb", "no such file"),
        ("parquet:////no/such/folder", "no such folder"),
        ("mysql://me@host", "names no database"),
        ("postgresql://me@127.0.0.1:1/db", "does not answer"),
        ("mysql://me@127.0.0.1:1/db", "does not answer"),
    ],
)
def test_a_wrong_url_is_one_line(rag: TableRAG, url: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says) as error:
        connect(rag.services, "default", "shop", url)
    assert "\n" not in str(error.value)
    assert rag.services.database.connections.all() == []


def test_a_wrong_name_is_refused(rag: TableRAG, tmp_path: Path) -> None:
    url = made(tmp_path / "a.db", "CREATE TABLE t(a INTEGER)")
    with pytest.raises(ConfigError, match="invalid connection name"):
        connect(rag.services, "default", "my shop!", url)


def test_a_name_in_use_is_not_taken_from_another_database(rag: TableRAG, tmp_path: Path) -> None:
    connect(rag.services, "default", "shop", made(tmp_path / "a.db", "CREATE TABLE t(a INTEGER)"))
    with pytest.raises(ConfigError, match="connection 'shop' exists already, to sqlite:///.*a.db in corpus 'default'"):
        connect(rag.services, "default", "shop", made(tmp_path / "b.db", "CREATE TABLE t(a INTEGER)"))


def test_a_file_that_is_no_database_is_refused(rag: TableRAG, tmp_path: Path) -> None:
    (tmp_path / "a.db").write_text("not a database, but long enough to be read as one" * 100, encoding="utf-8")
    for scheme in ("sqlite", "duckdb"):
        with pytest.raises(ConfigError, match="cannot be read as a"):
            connect(rag.services, "default", "shop", f"{scheme}:///{tmp_path / 'a.db'}")


def test_patterns_that_match_nothing_name_what_there_is(rag: TableRAG, tmp_path: Path) -> None:
    url = made(tmp_path / "a.db", "CREATE TABLE sales_1(a INTEGER)", "CREATE TABLE other(a INTEGER)")
    with pytest.raises(ConfigError, match="no table matches nope: there are other, sales_1"):
        connect(rag.services, "default", "shop", url, tables=["nope"])
    connect(rag.services, "default", "shop", url, tables=["sales_*"])
    assert [t.name for t in rag.tables()] == ["sales_1"]


def test_a_failing_view_is_reported_and_left_out(rag: TableRAG, tmp_path: Path) -> None:
    url = made(tmp_path / "a.db", "CREATE TABLE t(a INTEGER)", "CREATE VIEW v AS SELECT nope FROM t")
    report = connect(rag.services, "default", "shop", url)
    assert report.left_out == ["v: no such column: nope"]
    assert [t.name for t in rag.tables()] == ["t"]


def test_a_database_that_disappears_is_told(rag: TableRAG, tmp_path: Path) -> None:
    url = made(tmp_path / "a.db", "CREATE TABLE t(a INTEGER)", "INSERT INTO t VALUES (1)")
    connect(rag.services, "default", "shop", url)
    (tmp_path / "a.db").unlink()
    with pytest.raises(SqlFailed, match="connected database 'shop' cannot be read .*tablerag disconnect shop"):
        rag.sql("SELECT SUM(a) FROM t")
    with pytest.raises(ConfigError, match="no such file"):
        sync(rag.services)
    answer = rag.ask("What is the total a of t?")
    assert answer.verdict == "none" and answer.text.endswith(", or run `tablerag disconnect shop`")
    assert answer.explanation == "The answer may be in a table that cannot be read.", "what is wrong is told once"


def test_only_what_is_connected_can_be_disconnected(rag: TableRAG, tmp_path: Path) -> None:
    url, file = made(tmp_path / "a.db", "CREATE TABLE t(a INTEGER)"), tmp_path / "a.db"
    for away in ("mysql://me@127.0.0.1:1/db", "postgresql://me@127.0.0.1:1/db"):
        with pytest.raises(DatabaseAway, match="does not answer") as first:
            connect(rag.services, "default", "shop", away)
        assert "disconnect" not in str(first.value)
    connect(rag.services, "default", "shop", url)
    connections = rag.services.database.connections
    connections.save(connections.get("shop").model_copy(update={"url": away}))
    with pytest.raises(ConfigError, match="does not answer .*, or run `tablerag disconnect shop`$"):
        sync(rag.services, "shop")
    with pytest.raises(TableAway, match="does not answer .*, or run `tablerag disconnect shop`$") as later:
        rag.sql("SELECT SUM(a) FROM t")
    assert later.value.connection == "shop"
    connections.save(connections.get("shop").model_copy(update={"url": url}))
    with closing(sqlite3.connect(file)) as lock, pytest.raises(TableLocked, match="until that has ended$"):
        lock.execute("BEGIN EXCLUSIVE")
        rag.sql("SELECT SUM(a) FROM t")


def test_a_connected_file_is_not_changed(rag: TableRAG, tmp_path: Path) -> None:
    url = made(tmp_path / "a.db", "CREATE TABLE t(a INTEGER, b TEXT)", "INSERT INTO t VALUES (1, 'x'), (2, 'y')")
    file = tmp_path / "a.db"
    before, when = file.read_bytes(), file.stat().st_mtime_ns
    file.chmod(stat.S_IRUSR)
    connect(rag.services, "default", "shop", url)
    assert rag.verify(rag.ask("What is the total a of t?"))[0].status == "same"
    sync(rag.services)
    assert (file.read_bytes(), file.stat().st_mtime_ns) == (before, when)
    assert {p.name for p in tmp_path.iterdir()} == {"a.db", "home"}


def test_a_missing_column_is_never_read_as_a_text(rag: TableRAG, tmp_path: Path) -> None:
    url = made(tmp_path / "a.db", "CREATE TABLE t(a INTEGER, b TEXT)", "INSERT INTO t VALUES (1, 'x')")
    connect(rag.services, "default", "shop", url)
    made(tmp_path / "a.db", "ALTER TABLE t RENAME COLUMN b TO c")
    with pytest.raises(SqlRejected, match="unknown column 'b': expected one of a, c"):
        rag.sql("SELECT b FROM t")


def test_a_user_who_may_write_is_refused(rag: TableRAG, mysql_url: str, mysql_server: MysqlServer) -> None:
    mysql_server.execute(f"CREATE TABLE `{mysql_url.rpartition('/')[2]}`.t (a INT)")
    with pytest.raises(ConfigError, match="may write .*--allow-writable-user"):
        connect(rag.services, "default", "shop", mysql_url)
    reader = mysql_server.select_only_url(mysql_url)
    report = connect(rag.services, "default", "shop", reader)
    assert [t.name for t in rag.tables()] == ["t"]
    assert report.notes == [
        "the password in the URL is not stored: set TABLERAG_CONNECTION_SHOP_PASSWORD to it before you ask"
    ]


def test_a_password_is_kept_nowhere(
    rag: TableRAG,
    mysql_url: str,
    mysql_server: MysqlServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level("DEBUG")
    database = mysql_url.rpartition("/")[2]
    mysql_server.execute(
        f"CREATE TABLE `{database}`.t (a INT)",
        f"INSERT INTO `{database}`.t VALUES (3)",
        f"CREATE USER IF NOT EXISTS `keeper_{database}`@`%` IDENTIFIED BY '{PASSWORD}'",
        f"GRANT SELECT ON `{database}`.* TO `keeper_{database}`@`%`",
    )
    url = mysql_server.url(database, f"keeper_{database}", PASSWORD)
    report = connect(rag.services, "default", "shop", url)
    with pytest.raises(SqlFailed, match="TABLERAG_CONNECTION_SHOP_PASSWORD") as error:
        rag.sql("SELECT SUM(a) FROM t")
    rag.services.database.connections.close()
    monkeypatch.setenv("TABLERAG_CONNECTION_SHOP_PASSWORD", PASSWORD)
    answer = rag.ask("What is the total a of t?")
    assert answer.value == 3
    rag.close()
    said = [str(error.value), str(report), answer.model_dump_json(), caplog.text, *capfd.readouterr()]
    assert not any(PASSWORD in text for text in said)
    files = [p for p in (tmp_path / "home").rglob("*") if p.is_file()]
    assert files and not any(PASSWORD.encode() in p.read_bytes() for p in files)


def test_a_wrong_password_names_its_variable(rag: TableRAG, mysql_url: str, mysql_server: MysqlServer) -> None:
    reader = mysql_server.select_only_url(mysql_url).replace("only-reads", PASSWORD)
    with pytest.raises(ConfigError, match="refuses the user .*: check .*TABLERAG_CONNECTION_SHOP_PASSWORD") as error:
        connect(rag.services, "default", "shop", reader)
    assert PASSWORD not in str(error.value)


def test_texts_of_two_collations_are_compared(rag: TableRAG, mysql_url: str, mysql_server: MysqlServer) -> None:
    database = mysql_url.rpartition("/")[2]
    mysql_server.execute(
        f"CREATE TABLE `{database}`.a (x VARCHAR(9) COLLATE utf8mb4_general_ci, y VARCHAR(9) COLLATE utf8mb4_bin)",
        f"CREATE TABLE `{database}`.b (x VARCHAR(9) COLLATE utf8mb4_unicode_ci)",
        f"INSERT INTO `{database}`.a VALUES ('Ab', 'Ab')",
        f"INSERT INTO `{database}`.b VALUES ('aB')",
    )
    connect(rag.services, "default", "shop", mysql_url, may_write=True)
    assert rag.sql("SELECT COUNT(*) FROM a JOIN b ON a.x = b.x").rows == ((1,),)
    assert rag.sql("SELECT COUNT(*) FROM a WHERE y = 'AB'").rows == ((1,),)


@pytest.fixture
def limited(postgres_url: str) -> Iterator[str]:
    """The URL of a user who may SELECT one table of two."""
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        for statement in (
            "CREATE SCHEMA rights",
            "CREATE TABLE rights.seen (a INTEGER, b TEXT)",
            "INSERT INTO rights.seen SELECT n, 'x' FROM generate_series(1, 2000) AS n",
            "CREATE TABLE rights.unseen (a INTEGER)",
            "CREATE ROLE looker LOGIN",
            "GRANT USAGE ON SCHEMA rights TO looker",
            "GRANT SELECT ON rights.seen TO looker",
        ):
            connection.execute(statement)
    yield postgres_url.replace("postgres:@", "looker@")
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA rights CASCADE")
        connection.execute("DROP ROLE looker")


def test_tables_without_rights_are_reported(rag: TableRAG, limited: str) -> None:
    report = connect(rag.services, "default", "shop", limited, schema="rights", may_write=True)
    assert report.left_out == ["rights.unseen: its user has no right to SELECT"]
    assert [t.name for t in rag.tables()] == ["seen"]


def test_a_superuser_is_refused(rag: TableRAG, postgres_url: str, limited: str) -> None:
    with pytest.raises(ConfigError, match="may write .superuser"):
        connect(rag.services, "default", "shop", postgres_url, schema="rights")


def test_a_huge_statement_is_refused_with_its_estimate(tmp_path: Path, limited: str) -> None:
    with TableRAG(tmp_path / "home", model="offline", connection_most_rows=1_000_000) as rag:
        connect(rag.services, "default", "shop", limited, schema="rights", may_write=True)
        assert rag.sql("SELECT SUM(a) FROM seen").rows[0][0] == 2_001_000
        with pytest.raises(SqlRejected, match=r"about [\d,]+ rows, more than 1,000,000"):
            rag.sql("SELECT COUNT(*) FROM seen AS s JOIN seen AS t ON s.a < t.a")


@pytest.mark.parametrize(
    ("said", "tells"),
    [
        ("Unknown database 'shop'", "is not on its server (Unknown database 'shop'): restore it, check its name"),
        ('database "shop" does not exist', "is not on its server"),
        ("Access denied for user 'x'", "refuses the user"),
        ("Connection refused", "does not answer (Connection refused): start it, check the user"),
    ],
)
def test_why_a_server_gives_no_tables_is_told(said: str, tells: str) -> None:
    assert tells in str(unreachable("shop", said))
