"""The count of a catalog's commits: a log that lost its end is noticed, and nothing else is taken for that."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from tablerag.tools.errors import ChangesLost
from tablerag.tools.sql.backends import embedded
from tablerag.tools.sql.backends.commit_count import COUNT_END, commits
from tablerag.tools.sql.database import Database


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the log of a catalog, as a run leaves it while somebody reads: two commits are only there."""
    monkeypatch.setattr(embedded, "SETTLING_S", 0.0)
    database, there = opened(tmp_path / "there"), tmp_path / "here"
    commit(database, "CREATE TABLE noted (n INTEGER)")
    database.backend.settle()
    with closing(sqlite3.connect(tmp_path / "there" / "t.db")) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM noted").fetchone()
        commit(database, "INSERT INTO noted VALUES (1)")
        commit(database, "INSERT INTO noted VALUES (2)")
        database.backend.settle()
        shutil.copytree(tmp_path / "there", there)
    database.close()
    return there / "t.db-wal"


def opened(folder: Path) -> Database:
    return Database(f"sqlite:///{folder / 't.db'}")


def commit(database: Database, statement: str) -> None:
    with database.engine.begin() as connection:
        connection.exec_driver_sql(statement)


def noted(folder: Path) -> list[int]:
    with closing(opened(folder)) as database:
        return [n for (n,) in database.select(text("SELECT n FROM noted"))]  # type: ignore[arg-type]


@pytest.mark.parametrize(("cut", "left"), [(1, [1]), (5000, [1]), (10**6, [])])
def test_a_log_without_its_end_is_noticed_and_can_be_accepted(log: Path, cut: int, left: list[int]) -> None:
    log.write_bytes(log.read_bytes()[:-cut])
    for _ in range(2):  # whoever looks first does not hide it
        with pytest.raises(ChangesLost, match=r"older than the last completed run: run `tablerag doctor --fix`"):
            noted(log.parent)
    with closing(opened(log.parent)) as database:
        with pytest.raises(ChangesLost):
            database.backend.check()
        assert database.backend.accept_loss() == []
        database.backend.check()
    assert noted(log.parent) == left


def test_a_whole_log_is_read(log: Path) -> None:
    assert noted(log.parent) == [1, 2]


@pytest.mark.parametrize("content", [b"", b"99", b"99 00000000", b"\xff\xff", None])
def test_a_count_that_is_damaged_or_gone_is_left_out(log: Path, content: bytes | None) -> None:
    file = log.with_name(f"t.db{COUNT_END}")
    assert file.read_bytes().startswith(b"2 ")
    file.unlink() if content is None else file.write_bytes(content)
    log.unlink()
    assert noted(log.parent) == []


def test_what_was_not_reported_as_stored_may_be_lost(log: Path) -> None:
    """A killed run is done again by whoever started it."""
    with closing(opened(log.parent)) as database:
        commit(database, "INSERT INTO noted VALUES (3)")
        whole = log.read_bytes()
    log.write_bytes(whole[:-1])
    assert noted(log.parent) == [1, 2]


def test_a_new_catalog_begins_to_count_again(log: Path) -> None:
    for file in (log, log.with_name("t.db")):
        file.unlink()
    with closing(opened(log.parent)) as database:
        commit(database, "CREATE TABLE noted (n INTEGER)")
        commit(database, "INSERT INTO noted VALUES (1)")
    assert noted(log.parent) == [1]


def test_only_commits_that_change_rows_are_counted(tmp_path: Path) -> None:
    with closing(opened(tmp_path)) as database:
        commit(database, "CREATE TABLE noted (n INTEGER)")
        commit(database, "INSERT INTO noted VALUES (1)")
        commit(database, "SELECT n FROM noted")
        with pytest.raises(ZeroDivisionError), database.engine.begin() as connection:
            connection.exec_driver_sql("INSERT INTO noted VALUES (2)")
            raise ZeroDivisionError
        with closing(sqlite3.connect(tmp_path / "t.db")) as reader:
            assert commits(reader) == 1
