"""The embedded database: the contract, and what its files and its engine need."""

import errno
import io
import os
import pickle
import re
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest
from sqlalchemy import column, select, text

from tablerag.tools.errors import SqlFailed, SqlProblem, StoreUnavailable, UnreadableDocument
from tablerag.tools.records import Column, TableSchema
from tablerag.tools.sql.backends import parquet_files, query_worker
from tablerag.tools.sql.backends.embedded import tables_folder
from tablerag.tools.sql.backends.parquet_tables import ParquetTables
from tablerag.tools.sql.backends.tables import StoredColumn
from tablerag.tools.sql.backends.worker_messages import Chunk, Refusal
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.dialect.engine import macros
from tests.tools.sql.backends.backend_contract import SqlBackendContract, guarded
from tests.tools.stored import store


class TestEmbedded(SqlBackendContract):
    @pytest.fixture
    def url(self, tmp_path: Path) -> str:
        return f"sqlite:///{tmp_path / 't.db'}"


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[ParquetTables]:
    (tmp_path / "outside.csv").write_text("x\n1\n", encoding="utf-8")
    opened = ParquetTables(tmp_path / "t.parquet")
    opened.write("a", [StoredColumn("x", "integer")], [[[1]]])
    yield opened
    opened.close()


def test_a_full_disk_is_named_without_the_engines_details() -> None:
    says = 'IO Error: Async write failed: {"exception_message":"Could not write \\"a\\": %s","errno":"28"}'
    error = duckdb.IOException(says % os.strerror(errno.ENOSPC))
    assert parquet_files._line(error) == os.strerror(errno.ENOSPC)
    assert parquet_files._line(duckdb.IOException("IO Error:  cannot\nwrite")) == "IO Error: cannot write"


def test_decimals_may_be_longer_than_those_before_them(tables: ParquetTables) -> None:
    values = [*[Decimal("1.5")] * 3000, None, Decimal("134000"), Decimal("-0.0000000000001")]
    tables.write("b", [StoredColumn("x", "decimal", (6, 13))], [[values]])
    found = tables.select(select(column("x")).select_from(tables.source("b")), 5)
    assert [x for (x,) in found] == values


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT x FROM a",
        "SELECT * FROM read_csv('{outside}')",
        "SELECT * FROM '{outside}'",
        "SELECT * FROM read_text('{outside}')",
        "SELECT * FROM glob('{folder}/*')",
        "SELECT * FROM read_parquet('https://127.0.0.1/a.parquet')",
        "SELECT getenv('HOME')",
        "COPY (SELECT 1) TO '{folder}/t.parquet/b.parquet'",
        "COPY (SELECT 1) TO '{folder}/b.parquet'",
        "ATTACH '{folder}/b.duckdb' AS b",
        "CREATE TABLE b (x INT)",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "PRAGMA database_list",
        "BEGIN",
        "SELECT 1; SELECT 2",
        "EXPLAIN ANALYZE SELECT 1",
    ],
)
def test_the_engine_reads_its_files_and_does_nothing_else(
    tables: ParquetTables, statement: str, tmp_path: Path
) -> None:
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(SqlProblem):
        tables.attempt(statement.format(folder=tmp_path, outside=tmp_path / "outside.csv"), 5)
    assert sorted(tmp_path.rglob("*")) == before
    assert tables.session_facts().read_only


def workers_of_this_process() -> list[int]:
    asked = ["pgrep", "-P", str(os.getpid()), "-f", "query_worker"]
    return [int(p) for p in subprocess.run(asked, capture_output=True, text=True, check=False).stdout.split()]


def test_a_worker_that_dies_ends_its_statement_only(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 't.db'}")
    schema = store(database, "a", {"n": "integer"}, [(1,)])
    before = set(workers_of_this_process())
    assert database.run(guarded("SELECT n FROM a", schema)).rows == ((1,),)
    (worker,) = set(workers_of_this_process()) - before
    os.kill(worker, signal.SIGKILL)
    os.waitid(os.P_PID, worker, os.WEXITED | os.WNOWAIT)  # it has ended, and whoever started it can see that
    assert database.run(guarded("SELECT n FROM a", schema)).rows == ((1,),)
    database.close()
    assert set(workers_of_this_process()) <= before


def test_modules_in_the_current_folder_are_not_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("duckdb", "pickle", "tablerag"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('loaded')", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    database = Database(f"sqlite:///{tmp_path / 't.db'}")
    schema = store(database, "a", {"n": "integer"}, [(1,)])
    assert database.run(guarded("SELECT n FROM a", schema)).rows == ((1,),)
    database.close()


ORDERS = (
    ("SELECT name, COUNT(*) FROM a GROUP BY name", [["José", 2], ["zoe", 1]]),
    ("SELECT DISTINCT name FROM a", [["zoe"], ["José"]]),
    ("SELECT DISTINCT name, b.n FROM a JOIN b ON b.n = a.n", [["José", 2], ["jose", 3], ["zoe", 1]]),
    ("SELECT a.name FROM a JOIN b ON b.n = a.n", [["zoe"], ["José"], ["jose"]]),
    ("SELECT name FROM a ORDER BY MOD(n, 1)", [["zoe"], ["José"], ["jose"]]),
    ("SELECT COUNT(*) AS c FROM a GROUP BY name ORDER BY c DESC", [[2], [1]]),
)


@pytest.mark.parametrize(("sql", "rows"), ORDERS)
def test_rows_without_an_order_come_as_in_the_documents(tmp_path: Path, sql: str, rows: list[list[object]]) -> None:
    database = Database(f"sqlite:///{tmp_path / 't.db'}")
    one = store(database, "a", {"name": "text", "n": "integer"}, [("zoe", 1), ("José", 2), ("jose", 3)])
    two = store(database, "b", {"n": "integer"}, [(3,), (2,), (1,)])
    for _ in range(3):
        assert [list(row) for row in database.run(guarded(sql, one, two)).rows] == rows
    database.close()


def test_a_statement_that_fills_the_memory_ends_alone(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 't.db'}", timeout_s=20)
    schema = store(database, "a", {"n": "integer"}, [(1,)])
    with pytest.raises(SqlFailed, match="more memory than there is"):
        database.tables.own.attempt("SELECT length(repeat('x', 3000000000))", 20)
    assert database.run(guarded("SELECT n FROM a", schema)).rows == ((1,),)
    database.close()


def test_a_damaged_file_is_named_and_others_are_read(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 't.db'}")
    bad, good = (store(database, name, {"n": "integer"}, [(1,)]) for name in ("bad", "good"))
    path = tables_folder(tmp_path / "t.db") / "bad.parquet"
    for damaged in (b"", b"PAR1 and nothing that follows", path.read_bytes()[:-20]):
        path.write_bytes(damaged)
        with pytest.raises(SqlFailed, match="the file of table bad is damaged: run `tablerag doctor --fix`"):
            database.run(guarded("SELECT n FROM bad", bad))
    assert database.run(guarded("SELECT n FROM good", good)).rows == ((1,),)
    database.close()


def test_a_value_that_does_not_fit_leaves_no_file(tmp_path: Path) -> None:
    tables = ParquetTables(tmp_path / "t.parquet")
    with pytest.raises(UnreadableDocument, match="does not fit the database"):
        tables.write("a", [StoredColumn("n", "date")], [[["many"]]])
    assert tables.names() == set() and not list(tables.path("a").parent.iterdir())
    tables.close()


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "t.parquet").write_text("a file", encoding="utf-8")
    tables = ParquetTables(tmp_path / "t.parquet")
    with pytest.raises(StoreUnavailable, match=r"cannot write to .*t\.parquet"):
        tables.write("a", [StoredColumn("n", "integer")], [[[1]]])
    tables.close()


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
    assert missing.ping() == "SQLite and DuckDB, created by the first ingest"
    assert not (tmp_path / "none.db").exists()
    (tmp_path / "bad.db").write_bytes(b"this is no database at all" * 100)
    broken = Database(f"sqlite:///{tmp_path / 'bad.db'}")
    with pytest.raises(StoreUnavailable, match=r"bad\.db is damaged .*doctor --fix"):
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
    database = Database(f"sqlite:///{tmp_path / 'a b#c%20é [x]* k=v' / 't.db'}")
    schema = store(database, "a", {"n": "integer"}, [(1,)])
    assert database.run(guarded("SELECT n FROM a", schema)).rows == ((1,),)
    database.close()


class Unpicklable:
    """Stands for a chunk of rows for whose pickle there is no memory."""

    def __reduce__(self) -> tuple:
        raise MemoryError


def test_a_result_too_large_to_send_is_refused_whole() -> None:
    sent = io.BytesIO()
    refusal = query_worker._send(sent, Chunk(("n",), [(1,), (Unpicklable(),)], True))
    assert refusal == Refusal("memory", "") == pickle.loads(sent.getvalue())


class Recorded(list):
    """An engine that keeps what it is told to run."""

    execute = list.append


def test_a_statement_gets_the_macros_that_it_calls_each_after_those_that_it_calls() -> None:
    names = re.findall(r"^CREATE MACRO (\w+)", macros(), re.MULTILINE)
    assert len(names) == len(set(names)) == macros().count("CREATE MACRO") > 100
    for name in names:
        query_worker.Macros(macros()).create(created := Recorded(), f"SELECT {name.upper()}(x)")
        known = set()
        for statement in created:
            head, _, body = statement.partition("(")
            assert set(re.findall(r"\bm_\w+", body)) & set(names) <= known
            known.add(head.split()[-1])
        assert name in known
    query_worker.Macros(macros()).create(created := Recorded(), "SELECT m_number(x), m_any_number(x)")
    assert [s.partition("(")[0].split()[-1] for s in created] == ["m_number", "m_any_number"]
    (lazy := query_worker.Macros(macros())).create(created := Recorded(), "SELECT m_number(x)")
    lazy.create(created, "SELECT m_any_number(x), m_number(x), m_other(x)")
    assert [s.partition("(")[0].split()[-1] for s in created] == ["m_number", "m_any_number"]


def test_a_settled_catalog_is_whole_in_its_own_file(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 't.db'}")
    with database.engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE noted (n INTEGER)")
        connection.exec_driver_sql("INSERT INTO noted VALUES (7)")
    database.backend.settle()
    (copied := tmp_path / "copied.db").write_bytes((tmp_path / "t.db").read_bytes())
    with closing(sqlite3.connect(copied)) as found:
        assert found.execute("SELECT n FROM noted").fetchall() == [(7,)]
    database.close()


@pytest.mark.parametrize(
    ("value", "says"), [("(SELECT n FROM a)", "More than one row"), ("FORMAT('1e300', 2)", "Could not convert")]
)
def test_messages_leave_out_what_only_the_engine_knows(tmp_path: Path, value: str, says: str) -> None:
    database = Database(f"sqlite:///{tmp_path / 't.db'}")
    table = store(database, "a", {"n": "integer"}, [(1,), (2,)])
    with pytest.raises(SqlFailed, match=says) as caught:
        database.run(guarded(f"SELECT {value} AS x FROM a", table))
    assert "Error:" not in str(caught.value) and "SET" not in str(caught.value)
    database.close()
