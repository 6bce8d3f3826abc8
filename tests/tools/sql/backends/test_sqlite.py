"""SQLite: the contract, and what its files need."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from tablerag.tools.errors import SqlFailed, StoreUnavailable
from tablerag.tools.records import Column, TableSchema
from tablerag.tools.sql.backends import sqlite
from tablerag.tools.sql.database import Database
from tests.tools.sql.backends.backend_contract import SqlBackendContract, guarded
from tests.tools.stored import store


class TestSqlite(SqlBackendContract):
    @pytest.fixture
    def url(self, tmp_path: Path) -> str:
        return f"sqlite:///{tmp_path / 't.db'}"


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
def test_reads_the_tables_named_and_does_nothing_else(reader: sqlite3.Connection, statement: str) -> None:
    with sqlite.only_reading(reader, ["A"]):
        assert reader.execute("SELECT x, COUNT(*) FROM (SELECT x FROM a) GROUP BY x").fetchall() == [(1, 1)]
        with pytest.raises(sqlite3.DatabaseError):
            reader.execute(statement).fetchall()


def test_file_stays_as_it_is_even_without_the_authorizer(reader: sqlite3.Connection, tmp_path: Path) -> None:
    for statement in ("DELETE FROM a", "DROP TABLE a", f"ATTACH '{tmp_path / 'b.db'}' AS b"):
        with pytest.raises(sqlite3.DatabaseError):
            reader.execute(statement)
    assert not (tmp_path / "b.db").exists()


def test_results_are_bounded_in_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablerag.tools.sql.database.MAX_RESULT_BYTES", 1_000)
    database = Database(f"sqlite:///{tmp_path / 't.db'}", row_limit=10)
    long = store(database, "long", {"words": "text"}, [("x" * 400,)] * 5)
    with pytest.raises(SqlFailed, match="select fewer columns"):
        database.run(guarded("SELECT words FROM long", long))
    database.close()


def test_missing_and_broken_files_are_named(tmp_path: Path) -> None:
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


def test_ddl_is_undone_with_its_transaction(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 't.db'}")
    with pytest.raises(ZeroDivisionError), database.engine.begin() as connection:
        connection.execute(text("CREATE TABLE a (x INT)"))
        raise ZeroDivisionError
    assert not database.has_table("a")
    database.close()


def test_paths_with_odd_characters(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'a b#c%20é' / 't.db'}")
    schema = store(database, "a", {"n": "integer"}, [(1,)])
    assert database.run(guarded("SELECT n FROM a", schema)).rows == ((1,),)
    database.close()
