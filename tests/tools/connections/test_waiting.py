"""Databases that cannot be read while others can: waited for once, and by nobody who does not ask them."""

import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tablerag.client import TableRAG
from tablerag.tools.connections.engine import CONNECT_S
from tablerag.tools.connections.waiting import KEPT_S
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
    assert (len(report.left_out), report.removed) == (len(TABLES) - 1, [])
    assert {*TABLES} <= {t.name for t in server_rag.tables()}


def test_a_locked_file_delays_no_question_about_documents(rag: TableRAG, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "clinic.db")) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        took, value, _ = timed(rag, "What is the total target?")
        assert (value, took < MOMENT_S) == (17, True), took
    time.sleep(KEPT_S)
    assert timed(rag, "What is the total of the minutes of all visits?")[1] == 12


@pytest.mark.parametrize("scheme", ["mysql", "postgresql"])
def test_a_silent_server_delays_a_question_about_documents_once(rag: TableRAG, scheme: str) -> None:
    connections = rag.services.database.connections
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"{scheme}://reader@127.0.0.1:{silent.getsockname()[1]}/clinic"
        connections.save(connections.get("clinic").model_copy(update={"url": url}))
        took, value, _ = timed(rag, "What is the total target?")
        assert (value, took < CONNECT_S + MOMENT_S) == (17, True), took
        took, value, _ = timed(rag, "What is the total target?")
        assert (value, took < MOMENT_S) == (17, True), took
