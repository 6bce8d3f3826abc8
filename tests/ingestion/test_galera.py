"""Hosts over a Galera cluster of three nodes: what one node took is seen on all, and any node may die."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tablerag import TableRAG
from tablerag.ingestion.auditing import audit
from tablerag.ingestion.pipeline import ingest
from tablerag.tools import catalog
from tablerag.tools.errors import LeaseLost, StoreUnavailable
from tablerag.tools.publishing import publish
from tablerag.tools.replica import FRESH_S
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tablerag.tools.sql.guard import guard
from tests.support.galera import Cluster, Node

Host = Callable[..., Services]
SLOW = "SELECT COUNT(*) FROM long a, long b, long c WHERE MOD(a.n + b.n + c.n, 7) = 8"


@pytest.fixture
def database(galera: Cluster) -> Iterator[str]:
    galera.heal()
    with galera.fresh_database() as name:
        yield name
        galera.heal()


@pytest.fixture
def host(tmp_path: Path, galera: Cluster, database: str, chroma_url: str) -> Iterator[Host]:
    """Return a function that opens a host by name, over these nodes in turn, or all."""
    opened = []

    def open_host(name: str, *nodes: Node, **settings: Any) -> Services:
        shared = {"database_url": galera.url(database, *nodes), "chroma_url": chroma_url, "home": tmp_path / name}
        opened.append(Services(Settings(**(shared | settings), model="offline", _env_file=None)))
        return opened[-1]

    yield open_host
    for services in opened:
        services.close()


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes a small table to a file of that name."""

    def written(name: str, stock: int = 1) -> Path:
        path = tmp_path / "docs" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"{path.stem} city,stock\nOslo,{stock}\nRome,{stock + 1}\n", encoding="utf-8")
        return path

    return written


def ask(services: Services, question: str) -> str:
    return TableRAG.over(services, model="offline").ask(question).text


def highest(services: Services) -> Any:
    """Return the highest stock of the only document, as a query of a model would."""
    (schema,) = services.catalog.schemas("default")
    return services.database.run(guard(f"SELECT MAX(stock) FROM {schema.name}", [schema], row_limit=9)).rows[0][0]


def node_of(services: Services) -> int:
    """Return the port of the node that a host writes to."""
    with services.database.writing("look") as connection:
        return int(connection.exec_driver_sql("SELECT @@port").scalar_one())


def during_publication(monkeypatch: pytest.MonkeyPatch, then: Callable[[], object]) -> list[str]:
    """Do something once, within the transaction that publishes; return a list of what was published, try by try."""
    tries: list[str] = []

    def published(change: Any, run: str, record: Any, schemas: Any) -> Any:
        done = publish(change, run, record, schemas)
        tries.append(record.source)
        if len(tries) == 1:
            then()
        return done

    monkeypatch.setattr(catalog, "publish", published)
    return tries


def test_what_one_node_took_is_read_from_another_at_once(
    galera: Cluster, host: Host, file: Callable[..., Path]
) -> None:
    first, _, third = galera.nodes
    a, c = host("a", first), host("c", third)
    queries = host("q", first, query_database_url=c.settings.database_url)
    for stock in (10, 11):
        ingest([file("a.csv", stock)], a, "default")
        for other in (c, queries):
            assert highest(other) == stock + 1
    c.catalog.generation("default")  # it has its connections
    with ExitStack() as slow:
        slow.enter_context(third.behind(0.5))
        ingest([file("a.csv", 12)], a, "default")
        found = ThreadPoolExecutor().submit(highest, c)
        time.sleep(0.2)
        assert not found.done(), "it waits for what the node lacks"
    assert found.result() == 13
    assert ask(c, "What is the stock of Oslo?") == "12"
    assert audit(c).flaws == []


def test_a_node_outside_the_cluster_is_passed_over(galera: Cluster, host: Host) -> None:
    first, second, _ = galera.nodes
    all_hosts, alone = host("a"), host("b", first)
    assert node_of(all_hosts) == node_of(alone) == first.port
    first.execute("SET GLOBAL wsrep_provider_options = 'gmcast.isolate=1'")
    try:
        deadline = time.monotonic() + 20
        while first.is_ready() and time.monotonic() < deadline:
            time.sleep(0.1)
        all_hosts.catalog.create()
        assert node_of(all_hosts) == second.port
        with pytest.raises(StoreUnavailable, match="WSREP has not yet prepared node") as told:
            alone.catalog.create()
        assert "\n" not in str(told.value)
    finally:
        first.execute("SET GLOBAL wsrep_provider_options = 'gmcast.isolate=0'")
    galera.heal()
    first.execute("SET GLOBAL wsrep_desync = ON")
    assert node_of(host("c")) == second.port, "one that sends its data to another is the last choice"
    assert node_of(host("d", first)) == first.port
    first.execute("SET GLOBAL wsrep_desync = OFF")


def test_a_node_dies_during_an_ingest_and_then_another_during_a_question(
    galera: Cluster, host: Host, file: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third = galera.nodes
    a = host("a")
    ingest([file("old.csv")], a, "default")
    assert node_of(a) == first.port
    tries = during_publication(monkeypatch, first.kill)
    assert ingest([file("a.csv", 5), file("old.csv", 7)], a, "default").counts == {"added": 1, "replaced": 1}
    assert tries == ["a.csv", "a.csv", "old.csv"], "the transaction was repeated on another node"
    assert a.catalog.generation("default") == 3, "each publishes once, the second deletes once"
    assert node_of(a) == second.port
    assert {v.source for v in a.catalog.documents("default")} == {"a.csv", "old.csv"}
    assert a.catalog.unfinished() == [] and a.leases.alive() == set()
    assert ask(a, "What is the stock of Oslo in old?") == "7"
    assert audit(a).flaws == []
    galera.start(first)
    long = file("long.csv")
    long.write_text("n\n" + "".join(f"{n}\n" for n in range(260)), encoding="utf-8")
    ingest([long], a, "default")
    (schema,) = (s for s in a.catalog.schemas("default") if s.source == "long.csv")
    killer = threading.Timer(0.4, second.kill)
    killer.start()
    found = a.database.run(guard(SLOW.replace("long", schema.name), [schema], row_limit=9))
    assert killer.finished.is_set() and not second.is_running and found.rows == ((0,),)
    assert node_of(a) in (first.port, third.port)
    assert len(host("b").catalog.documents("default")) == 3, "a host that comes later finds a living node"


def test_a_certification_conflict_is_tried_again(
    galera: Cluster, host: Host, file: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, _ = galera.nodes
    a, b = host("a", first), host("b", second)
    ingest([file("first.csv")], a, "default")
    tries = during_publication(monkeypatch, lambda: ingest([file("b.csv")], b, "default"))
    assert ingest([file("a.csv")], a, "default").counts == {"added": 1}
    assert tries == ["a.csv", "b.csv", "a.csv"], "both count the generation of the corpus"
    assert {d.source for d in b.catalog.documents("default")} == {"first.csv", "a.csv", "b.csv"}
    time.sleep(FRESH_S)
    assert audit(b).flaws == []


def test_a_lease_that_is_revoked_through_another_node_stops_the_publication(
    galera: Cluster, host: Host, file: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, _ = galera.nodes
    a, b = host("a", first), host("b", second)
    ingest([file("first.csv")], a, "default")
    tries = during_publication(
        monkeypatch, lambda: [b.leases.revoke(v.run, ended=True) for v in b.catalog.unfinished()]
    )
    with pytest.raises(LeaseLost):
        ingest([file("a.csv")], a, "default")
    assert tries == ["a.csv"]
    assert [d.source for d in b.catalog.documents("default")] == ["first.csv"]
    assert b.catalog.unfinished() == [] and audit(b).flaws == []
