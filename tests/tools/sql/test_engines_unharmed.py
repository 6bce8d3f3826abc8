"""The whole file of statements end to end, on SQLite and on a server with a SELECT-only user: nothing changes."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import event

from tablerag.tools.errors import SqlFailed, SqlRejected
from tablerag.tools.records import TableSchema
from tablerag.tools.sql.backends.workers import Worker
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.guard import guard
from tests.support.mysql_server import MysqlServer
from tests.tools.sql.sql_cases import read_cases
from tests.tools.sql.sql_stage import embedded_state, files_below, server_state, set_stage

EVERY = read_cases("sql_guard.sql", "refuse", "pass")
NOT_EMBEDDED = ("ROLLUP is not available", "bit operators", "AS BINARY) is only available")
NOT_MARIADB = ("REGEXP_LIKE",)


@dataclass
class Stage:
    database: Database
    schemas: list[TableSchema]
    reached: list[str]
    """Every statement that was sent to the engine that queries run on."""


@pytest.fixture
def embedded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    monkeypatch.chdir(tmp_path)
    database = Database(f"sqlite:///{tmp_path / 't.db'}", timeout_s=5, row_limit=100)
    schemas, reached, running = set_stage(database), [], Worker.running
    monkeypatch.setattr(Worker, "running", lambda *args: (reached.append(args[1]), running(*args))[1])
    yield Stage(database, schemas, reached)
    database.close()


@pytest.fixture
def served(mysql_server: MysqlServer, mysql_url: str) -> Iterator[Stage]:
    reader = mysql_server.select_only_url(mysql_url)
    database = Database(mysql_url, query_url=reader, timeout_s=5, row_limit=100)
    assert database.rights_beyond_reading() == []
    schemas, reached = set_stage(database), []
    event.listen(database._reader, "before_cursor_execute", lambda *args: reached.append(args[2]))
    yield Stage(database, schemas, reached)
    database.close()


def try_all(stage: Stage, lacks: tuple[str, ...]) -> dict[str, int]:
    """Put every case through guard and engine; count what became of them."""
    counts = {"refused": 0, "ran": 0, "dialect": 0}
    for case in EVERY:
        stage.reached.clear()
        try:
            guarded = guard(case.sql, stage.schemas, row_limit=100)
        except SqlRejected:
            assert case.kind == "refuse", case.title
            counts["refused"] += 1
            continue
        assert case.kind == "pass", case.title
        try:
            result = stage.database.run(guarded)
        except SqlRejected as error:
            assert any(says in str(error) for says in lacks), (case.title, str(error))
            assert not stage.reached, case.title
            counts["dialect"] += 1
            continue
        except SqlFailed as error:
            assert any(says in str(error) for says in lacks), (case.title, str(error))
            counts["dialect"] += 1
            continue
        assert len([s for s in stage.reached if s.lstrip("(").startswith(("SELECT", "WITH"))]) == 1, case.title
        assert "the secret" not in repr(result.rows), case.title
        counts["ran"] += 1
    return counts


def test_refused_statements_never_reach_the_engine(embedded: Stage) -> None:
    embedded.reached.clear()
    for case in read_cases("sql_guard.sql", "refuse"):
        with pytest.raises(SqlRejected):
            embedded.database.run(guard(case.sql, embedded.schemas, row_limit=100))
    assert embedded.reached == []


def test_embedded_files_stay_byte_for_byte_what_they_were(embedded: Stage, tmp_path: Path) -> None:
    before, files = embedded_state(tmp_path), files_below(tmp_path)
    counts = try_all(embedded, NOT_EMBEDDED)
    assert counts["refused"] >= 420 and counts["ran"] >= 140 and counts["dialect"] <= 4, counts
    assert embedded_state(tmp_path) == before
    assert files_below(tmp_path) == files


def test_a_server_stays_what_it_was(served: Stage, mysql_server: MysqlServer, mysql_url: str) -> None:
    name = mysql_url.rpartition("/")[2]
    here = Path(__file__).parent
    before = server_state(mysql_server, name)
    files = files_below(mysql_server.folder / "data" / name, mysql_server.folder / "tmp", here)
    counts = try_all(served, NOT_MARIADB)
    assert counts["refused"] >= 420 and counts["ran"] >= 140 and counts["dialect"] <= 2, counts
    assert server_state(mysql_server, name) == before
    assert files_below(mysql_server.folder / "data" / name, mysql_server.folder / "tmp", here) == files
