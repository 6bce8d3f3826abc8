"""Databases that cannot be read while others can: waited for once, and by nobody who does not ask them."""

import os
import signal
import socket
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tablerag.client import TableRAG
from tablerag.tools.connections import routing
from tablerag.tools.connections.engine import CONNECT_S
from tablerag.tools.connections.patience import naming
from tablerag.tools.connections.waiting import ANSWERED_S, GLANCE_LOCK_S, GLANCE_S, KEPT_S, Waits
from tablerag.tools.errors import TableAway
from tests.support.mysql_server import MysqlServer, connect
from tests.tools.connections.engine_contract import PRICES
from tests.tools.connections.test_sqlite import run

TABLES = ("orders", "customers", "parcels", "refunds")
MOMENT_S = 5.0
"""A question takes up to a second by itself here, on a busy machine more; each wait is one second, or three."""


@pytest.fixture
def rag(tmp_path: Path) -> Iterator[TableRAG]:
    (tmp_path / "prices.csv").write_text(PRICES, encoding="utf-8")
    made = "CREATE TABLE visits (id INTEGER PRIMARY KEY, minutes INTEGER)"
    run(tmp_path / "clinic.db", made, "INSERT INTO visits VALUES (1, 5), (2, 7)")
    with TableRAG(tmp_path / "home", model="offline") as rag:
        rag.ingest(tmp_path / "prices.csv")
        rag.connect("clinic", f"sqlite:///{tmp_path / 'clinic.db'}")
        assert rag.ask("What is the total target?").value == 17
        yield rag


@pytest.fixture
def server_rag(rag: TableRAG, mysql_url: str, mysql_server: MysqlServer) -> TableRAG:
    database = mysql_url.rpartition("/")[2]
    for name in TABLES:
        mysql_server.execute(
            f"CREATE TABLE {database}.{name} (id INTEGER PRIMARY KEY, quantity INTEGER)",
            f"INSERT INTO {database}.{name} VALUES (1, 4), (2, 5)",
        )
    rag.connect("shop", mysql_url.replace("mysql+mysqlconnector://", "mysql://"), allow_writable_user=True)
    return rag


@contextmanager
def locked(server: MysqlServer, url: str, *names: str) -> Iterator[None]:
    with closing(connect(server.port)) as connection, closing(connection.cursor()) as cursor:
        cursor.execute(f"USE `{url.rpartition('/')[2]}`")
        cursor.execute(f"LOCK TABLES {', '.join(f'{n} WRITE' for n in names)}")
        yield


def timed(rag: TableRAG, question: str) -> tuple[float, object, str]:
    begun = time.monotonic()
    answer = rag.ask(question)
    return time.monotonic() - begun, answer.value, answer.text


def test_locked_tables_of_a_server_are_waited_for_once(
    server_rag: TableRAG, mysql_url: str, mysql_server: MysqlServer
) -> None:
    with locked(mysql_server, mysql_url, *TABLES):
        took, value, _ = timed(server_rag, "What is the total of the minutes of all visits?")
        assert (value, took < MOMENT_S) == (12, True), took
        took, value, text = timed(server_rag, "What is the total quantity of all orders?")
        assert (value, took < MOMENT_S) == (None, True), took
        assert "the connected database 'shop' is locked by another session".casefold() in text.casefold()
        assert len(text.splitlines()) == 1
    time.sleep(KEPT_S)
    assert timed(server_rag, "What is the total quantity of all orders?")[1] == 9


def test_a_table_beside_locked_ones_is_answered(
    server_rag: TableRAG, mysql_url: str, mysql_server: MysqlServer
) -> None:
    with locked(mysql_server, mysql_url, *TABLES[1:]):
        took, value, _ = timed(server_rag, "What is the total quantity of all orders?")
        assert (value, took < MOMENT_S) == (9, True), took
        report = server_rag.sync("shop")[0]
    assert (len(report.unread), report.left_out, report.removed) == (len(TABLES) - 1, [], [])
    assert {*TABLES} <= {t.name for t in server_rag.tables()}


def test_a_locked_file_delays_no_question_about_documents(rag: TableRAG, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "clinic.db")) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        took, value, _ = timed(rag, "What is the total target?")
        assert (value, took < MOMENT_S) == (17, True), took
    time.sleep(KEPT_S)
    assert timed(rag, "What is the total of the minutes of all visits?")[1] == 12


def test_only_a_question_that_names_a_locked_table_waits_for_it(
    rag: TableRAG, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routing, "LOCK_S", 3 * MOMENT_S)
    with closing(sqlite3.connect(tmp_path / "clinic.db", check_same_thread=False)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        took, value, _ = timed(rag, "What is the total target?")
        assert (value, took < MOMENT_S) == (17, True), took
        ends = threading.Timer(GLANCE_LOCK_S + 1, connection.rollback)
        ends.start()
        # The wait in vain of a glance is none for who needs the table.
        assert timed(rag, "What is the total of the minutes of all visits?")[1] == 12
        ends.join()


@pytest.mark.parametrize("scheme", ["mysql", "postgresql"])
def test_a_silent_server_delays_no_question_about_documents(rag: TableRAG, scheme: str) -> None:
    connections = rag.services.database.connections
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"{scheme}://reader@127.0.0.1:{silent.getsockname()[1]}/clinic"
        connections.save(connections.get("clinic").model_copy(update={"url": url}))
        engine, asked = connections.engine("clinic"), threading.Event()
        engine.answer = lambda: asked.wait(4 * MOMENT_S)  # type: ignore[method-assign]
        took, value, _ = timed(rag, "What is the total target?")
        assert (value, took < MOMENT_S) == (17, True), took
        took, value, text = timed(rag, "What is the total of the minutes of all visits?")
        assert (value, took < CONNECT_S + 2 * MOMENT_S) == (None, True), took
        assert text.casefold().count("does not answer") == 1
        asked.set()


def test_a_server_that_stops_is_noticed(server_rag: TableRAG, mysql_server: MysqlServer) -> None:
    assert timed(server_rag, "What is the total quantity of all orders?")[1] == 9
    time.sleep(ANSWERED_S)
    server = int((mysql_server.folder / "pid").read_text())
    os.kill(server, signal.SIGSTOP)
    try:
        took, value, _ = timed(server_rag, "What is the total target?")
        assert (value, took < MOMENT_S) == (17, True), took
        took, value, text = timed(server_rag, "What is the total quantity of all orders?")
        assert (value, took < CONNECT_S + 2 * MOMENT_S) == (None, True), took
        assert text.casefold().count("does not answer") == 1
    finally:
        os.kill(server, signal.SIGCONT)


def test_many_silent_servers_are_glanced_at_for_less_than_a_second() -> None:
    waits, answers, begun = Waits(), threading.Event(), time.monotonic()

    def slow() -> None:
        answers.wait(MOMENT_S)

    for name in ("a", "b", "c", "a", "b", "c"):
        with pytest.raises(TableAway, match=f"{name}' does not answer .no answer within"):
            waits.check_answers(name, slow, GLANCE_S)
    assert time.monotonic() - begun < 2 * GLANCE_S + 0.1
    answers.set()
    waits.check_answers("a", pytest.fail, MOMENT_S)


def test_a_text_that_answers_for_a_locked_table_says_so(
    server_rag: TableRAG, mysql_url: str, mysql_server: MysqlServer, tmp_path: Path
) -> None:
    (tmp_path / "notes.md").write_text(
        "# Handbook\n\nThe quantity of our depot is 31 pieces. Expenses for repairs were 500 EUR in 2025.\n"
    )
    server_rag.ingest(tmp_path / "notes.md")
    with locked(mysql_server, mysql_url, *TABLES):
        answer = server_rag.ask("What is the quantity of our depot?")
        assert (answer.verdict, "31 pieces" in answer.text) == ("text_only", True)
        assert "of shop (database) could not be read: the text was not compared with it." in answer.explanation
        answer = server_rag.ask("What were the expenses for repairs in 2025?")
        assert (answer.verdict, "could not be read" in answer.explanation) == ("text_only", False)


def test_words_of_its_name_name_a_table(server_rag: TableRAG) -> None:
    tables = server_rag.services.catalog.tables("default")
    named = [t.name for t in naming("Which parcel has the refund of the order in prices.csv?", tables)]
    assert sorted(named) == ["orders", "parcels", "refunds"]
