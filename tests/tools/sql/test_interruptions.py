"""Transactions that another one, or a lost connection, interrupts; and replicas that are behind."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mysql.connector.errors import DatabaseError, OperationalError
from sqlalchemy import event, select

from tablerag.ingestion.auditing import audit
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.catalog_tables import DOCUMENTS
from tablerag.tools.errors import CommitUnknown, ConfigError, Interrupted, StoreUnavailable
from tablerag.tools.replica import FRESH_S
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tablerag.tools.sql import repeating
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.guard import guard
from tests.support.mysql_server import MysqlServer

ROWS = 6_000
"""Rows that are inserted in several transactions."""


@pytest.fixture
def services(tmp_path: Path, mysql_url: str, chroma_url: str) -> Iterator[Services]:
    shared = {"database_url": mysql_url, "chroma_url": chroma_url, "model": "offline"}
    opened = Services(Settings(home=tmp_path / "home", **shared, _env_file=None))
    yield opened
    opened.close()


def write(file: Path, *numbers: int) -> None:
    """Write a table of numbers."""
    file.write_text("city,n\n" + "".join(f"Oslo,{n}\n" for n in numbers), encoding="utf-8")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "docs" / "a.csv"
    path.parent.mkdir()
    write(path, 1, 2)
    return path


def break_commit(
    monkeypatch: pytest.MonkeyPatch, services: Services, what: str, error: Exception, *, after: bool
) -> list[str]:
    """Let the first commit of a transaction of this name fail, before or after it is done; return its tries."""
    tries: list[str] = []
    database, main = services.database, threading.current_thread()
    write, dialect = database.writing, database.engine.dialect
    commit = dialect.do_commit

    def writing(name: str) -> Any:
        if name.startswith(what):
            tries.append(name)
            if len(tries) == 1:
                monkeypatch.setattr(dialect, "do_commit", broken)
        return write(name)

    def broken(connection: Any) -> None:
        if threading.current_thread() is not main:
            return commit(connection)
        monkeypatch.setattr(dialect, "do_commit", commit)
        if after:
            commit(connection)
        raise error

    monkeypatch.setattr(database, "writing", writing)
    return tries


LOST = OperationalError(msg="Lost connection to MySQL server during query", errno=2013)
DEADLOCK = DatabaseError(msg="Deadlock found when trying to get lock", errno=1213)


@pytest.mark.parametrize(("error", "after"), [(LOST, True), (LOST, False), (DEADLOCK, False)])
@pytest.mark.parametrize("what", ["publish documents", "insert rows", "record new versions", "record finished"])
def test_what_was_interrupted_is_done_once(
    services: Services, file: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, after: bool, what: str
) -> None:
    ingest([file], services, "default")
    write(file, *range(ROWS))
    generation = services.catalog.generation("default")
    tries = break_commit(monkeypatch, services, what, error, after=after)
    assert ingest([file], services, "default").counts == {"replaced": 1}
    assert len(tries) >= 2, "it was tried again"
    (schema,) = services.catalog.schemas("default")
    assert services.database.tables.count_rows(schema.stored_as) == ROWS
    (document,) = services.catalog.documents("default")
    assert document.row_count == ROWS
    twice = what == "record finished" and after
    assert services.catalog.generation("default") == generation + 2 + twice, "one publication, one deletion"
    assert services.catalog.unfinished() == [] and services.leases.alive() == set()
    assert audit(services).flaws == []


def test_a_version_that_was_published_and_replaced_meanwhile_is_not_published_again(
    services: Services, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Services(services.settings.model_copy(update={"home": tmp_path / "other"}))
    write(file, 5, 6, 7)
    tries = break_commit(monkeypatch, services, "publish documents", LOST, after=True)
    begin = services.database.writing

    def replaced_first(name: str) -> Any:
        if tries and name == "publish documents":
            write(file, 3, 4)
            assert ingest([file], other, "default").counts == {"replaced": 1}
        return begin(name)

    monkeypatch.setattr(services.database, "writing", replaced_first)
    assert ingest([file], services, "default").counts == {"added": 1}
    assert len(tries) == 2
    (schema,) = services.catalog.schemas("default")
    assert services.database.tables.count_rows(schema.stored_as) == schema.row_count == 2
    time.sleep(FRESH_S)
    assert audit(other).flaws == audit(services).flaws == []
    other.close()


def test_tries_are_bounded_and_a_commit_that_counts_is_not_repeated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(repeating, "FIRST_PAUSE_S", 0.0)
    tried: list[int] = []

    @repeating.repeated_if_undone
    def counts(error: type[Exception]) -> None:
        tried.append(1)
        raise error("no")

    for error, tries in ((Interrupted, repeating.TRIES), (CommitUnknown, 1), (StoreUnavailable, 1)):
        tried.clear()
        with pytest.raises(error):
            counts(error)
        assert len(tried) == tries


def test_a_deadlock_is_no_fault_of_a_document(services: Services, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeating, "FIRST_PAUSE_S", 0.0)

    def fail(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        if statement.startswith("INSERT INTO `a__"):
            raise DEADLOCK

    services.catalog.create()
    event.listen(services.database.engine, "before_cursor_execute", fail)
    with pytest.raises(StoreUnavailable, match="could not insert rows in the SQL database: Deadlock found"):
        ingest([file], services, "default")
    assert services.catalog.documents("default") == []


def test_a_server_that_dies_after_its_answer_has_answered(services: Services, mysql_server: MysqlServer) -> None:
    services.catalog.create()
    with services.database.reading() as connection:
        assert connection.exec_driver_sql("SELECT 7").scalar() == 7
        mysql_server.execute(f"KILL {connection.connection.dbapi_connection.connection_id}")
    assert services.database.select(select(DOCUMENTS)) == []


@pytest.fixture
def replica(services: Services, mysql_server: MysqlServer, file: Path) -> Iterator[tuple[Database, str]]:
    """Return a database whose queries go to a copy of it, as it was after its first document; and the copy's name."""
    ingest([file], services, "default")
    own = services.settings.database_url.rpartition("/")[2]
    with mysql_server.fresh_database() as url:
        copy = url.rpartition("/")[2]
        copied(mysql_server, own, copy)
        # The same server by another name, and the copy in place of the database.
        database = Database(
            services.settings.database_url,
            query_url=services.settings.database_url.replace("127.0.0.1", "localhost"),
            timeout_s=1.5,
        )
        database.backend._query_url = database.backend._query_url.set(database=copy)  # type: ignore[attr-defined]
        yield database, copy
        database.close()


def copied(server: MysqlServer, own: str, copy: str) -> None:
    """Bring a copy up to date."""
    names = server.rows(f"SELECT table_name FROM information_schema.tables WHERE table_schema = '{own}'")
    for (name,) in names:
        server.execute(
            f"DROP TABLE IF EXISTS `{copy}`.`{name}`",
            f"CREATE TABLE `{copy}`.`{name}` LIKE `{own}`.`{name}`",
            f"INSERT INTO `{copy}`.`{name}` SELECT * FROM `{own}`.`{name}`",
        )


def largest(database: Database, services: Services) -> Any:
    (schema,) = services.catalog.schemas("default")
    return database.run(guard(f"SELECT MAX(n) FROM {schema.name}", [schema], row_limit=9)).rows[0][0]


def test_a_query_waits_for_a_replica_that_is_behind(
    services: Services, replica: tuple[Database, str], mysql_server: MysqlServer, file: Path
) -> None:
    database, copy = replica
    assert largest(database, services) == 2
    write(file, 8, 9)
    ingest([file], services, "default")
    with pytest.raises(StoreUnavailable, match=r"lacks what was published more than 1\.5 s ago: check its repl"):
        largest(database, services)
    own = services.settings.database_url.rpartition("/")[2]
    later = threading.Timer(0.4, copied, [mysql_server, own, copy])
    later.start()
    started = time.monotonic()
    assert largest(database, services) == 9
    assert time.monotonic() - started > 0.2
    later.join()
    mysql_server.execute(f"DELETE FROM {copy}._tablerag_documents")
    assert len(database.select(select(DOCUMENTS.c.source))) == 1, "what the program reads for itself is not a replica's"


def test_a_replica_of_another_deployment_is_refused(
    services: Services, replica: tuple[Database, str], mysql_server: MysqlServer
) -> None:
    database, copy = replica
    mysql_server.execute(f"UPDATE {copy}._tablerag_deployment SET value = 'another' WHERE name = 'id'")
    with pytest.raises(ConfigError, match="TABLERAG_QUERY_DATABASE_URL names a server that holds another deployment"):
        largest(database, services)
