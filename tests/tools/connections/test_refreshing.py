"""Tables that change while they are connected: described again by who may write, once."""

import json
import shutil
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tablerag.agent.offline.table_view import TableView
from tablerag.client import TableRAG
from tablerag.ingestion import connecting
from tablerag.ingestion.connected_table import ConnectedTable
from tablerag.ingestion.refreshing import LOOKED_S
from tablerag.tools.access.restricted import services_for
from tablerag.tools.errors import SqlRejected, TableChanged
from tablerag.tools.records import Column
from tests.support.model_server import ModelServer
from tests.tools.connections.test_sqlite import run

MADE = (
    "CREATE TABLE invoice (no INTEGER PRIMARY KEY, total REAL)",
    "INSERT INTO invoice VALUES (1, 10.5), (2, 20.5), (3, 30)",
    "CREATE TABLE visits (id INTEGER PRIMARY KEY, minutes INTEGER)",
    "INSERT INTO visits VALUES (1, 5), (2, 7)",
)
GONE = Column(name="gone", header="Gone", type="decimal")
RENAMED = "ALTER TABLE invoice RENAME COLUMN total TO amount"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    run(tmp_path / "shop.db", *MADE)
    return tmp_path / "shop.db"


@pytest.fixture
def rag(tmp_path: Path, shop: Path) -> Iterator[TableRAG]:
    with TableRAG(tmp_path / "home", model="offline") as rag:
        rag.connect("shop", f"sqlite:///{shop}")
        yield rag


def test_a_renamed_and_a_dropped_table_are_noticed(rag: TableRAG, shop: Path) -> None:
    run(shop, "ALTER TABLE invoice RENAME TO bill", "DROP TABLE visits")
    assert rag.ask("What is the total of all invoices?").value == 61  # of bill, which means the same
    assert [t.name for t in rag.tables()] == ["bill"]
    assert rag.ask("How many bills are there?").value == 3
    with pytest.raises(SqlRejected, match="unknown table 'visits': expected one of bill"):
        rag.sql("SELECT COUNT(*) FROM visits")


def test_a_new_table_is_described_when_a_statement_names_it(rag: TableRAG, shop: Path) -> None:
    run(shop, "CREATE TABLE refunds (id INTEGER PRIMARY KEY)", "INSERT INTO refunds VALUES (1), (2)")
    assert rag.sql("SELECT COUNT(*) FROM refunds").rows == ((2,),)


def test_what_is_in_no_database_is_looked_for_once(rag: TableRAG, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    engine = rag.services.database.connections.engine("shop")
    listed = engine.tables
    monkeypatch.setattr(engine, "tables", lambda schema="": looked.append(schema) or listed(schema))
    before = rag.tables()
    for _ in range(3):
        with pytest.raises(SqlRejected, match="unknown column 'tax'"):
            rag.sql("SELECT SUM(tax) FROM invoice")
    assert len(looked) == 1
    assert rag.tables() == before


def test_a_model_sees_the_new_columns(tmp_path: Path, shop: Path, model_server: ModelServer) -> None:
    home = tmp_path / "home"
    with TableRAG(home, model="openai:test", openai_base_url=model_server.url, openai_api_key="k") as rag:
        rag.connect("shop", f"sqlite:///{shop}")
        run(shop, RENAMED)
        model_server.enqueue({"sql": "SELECT SUM(amount) FROM invoice"}, {"answer": "61"})
        assert rag.ask("What is the sum of the amounts of all invoices?").value == 61
    assert "amount" in json.dumps(model_server.requests[0]["messages"])


def test_a_table_that_changes_under_a_model_is_told_with_its_new_columns(
    tmp_path: Path, shop: Path, model_server: ModelServer
) -> None:
    home, old = tmp_path / "home", "SELECT SUM(total) FROM invoice"
    with TableRAG(home, model="openai:test", openai_base_url=model_server.url, openai_api_key="k") as rag:
        rag.connect("shop", f"sqlite:///{shop}")
        model_server.enqueue({"sql": old}, {"sql": "SELECT SUM(amount) FROM invoice"}, {"answer": "61"})
        changed: list[str] = []

        def approve(request: object) -> bool:
            if not changed:
                run(shop, RENAMED)
                changed.append(RENAMED)
            return True

        answer = rag.ask("What is the sum of all invoices?", approve=approve, context={"approve_sql": True})
        assert answer.value == 61
    assert "unknown column 'total'" in json.dumps(model_server.requests[1]["messages"])


def test_a_change_is_noticed_soon_after_another(rag: TableRAG, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    described = connecting.connected_table

    def slowly(*given: Any) -> ConnectedTable:
        time.sleep(LOOKED_S)  # ten times as long was no database looked at again
        return described(*given)

    monkeypatch.setattr(connecting, "connected_table", slowly)
    run(shop, "ALTER TABLE invoice ADD COLUMN tax REAL DEFAULT 2")
    assert rag.ask("What is the total tax of all invoices?").value == 6
    time.sleep(LOOKED_S)
    run(shop, "ALTER TABLE visits ADD COLUMN fee REAL DEFAULT 3")
    assert rag.ask("What is the total fee of all visits?").value == 6


def test_many_runs_describe_a_table_once(rag: TableRAG, shop: Path) -> None:
    other = TableRAG(rag.services.settings.home, model="offline")
    run(shop, RENAMED)
    with other, ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(r.ask, "What is the total amount of all invoices?") for r in [rag, other] * 4]
        assert [a.result().value for a in asked] == [61] * 8
    assert len(rag.services.catalog.documents("default")) == 2
    assert [t.name for t in rag.tables()] == ["invoice", "visits"]


def test_who_may_not_write_is_advised(tmp_path: Path, shop: Path) -> None:
    keys = json.dumps({"part": {"corpora": ["default"], "tables": ["invoice"]}, "all": ["*"]})
    with TableRAG(tmp_path / "home", model="offline", api_keys=keys) as rag:
        rag.connect("shop", f"sqlite:///{shop}")
        run(shop, RENAMED)
        services = services_for(rag.services, rag.services.settings.api_keys.owner_of("part"))
        reader = TableRAG.over(services, model="offline")
        with reader, pytest.raises(TableChanged, match="run `tablerag sync shop`"):
            reader.sql("SELECT SUM(total) FROM invoice")
        assert rag.sql("SELECT SUM(amount) FROM invoice").rows == ((61,),)


def test_a_home_that_cannot_be_written_is_advised(rag: TableRAG, shop: Path) -> None:
    runs = rag.services.settings.home / "runs"
    shutil.rmtree(runs)
    runs.write_text("no folder", encoding="utf-8")
    run(shop, RENAMED)
    with pytest.raises(TableChanged, match="run `tablerag sync shop`"):
        rag.sql("SELECT SUM(total) FROM invoice")
    answer = rag.ask("What is the total of all invoices?")
    assert (answer.value, answer.cause) == (None, "table_lost")
    assert "the database has changed, run `tablerag sync shop`" in answer.text


def test_a_column_that_is_gone_since_is_left_out(rag: TableRAG) -> None:
    (schema,) = rag.services.catalog.named("default", ["invoice"])
    view = TableView.of(schema.model_copy(update={"columns": (*schema.columns, GONE)}), rag.services.rows(schema))
    assert [c.column.name for c in view.columns] == ["no", "total"]
