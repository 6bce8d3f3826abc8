"""Two homes are two hosts, over one private MySQL-compatible server and one Chroma server; and other deployments."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import chromadb
import pytest
from rich.console import Console

from tablerag import TableRAG
from tablerag.cli.doctor import check, check_deeply
from tablerag.cli.ingest import write_summaries
from tablerag.ingestion import values as at_ingest
from tablerag.ingestion.auditing import audit, fix
from tablerag.ingestion.pipeline import ingest, remove
from tablerag.ingestion.questions import index_questions, partial_table
from tablerag.ingestion.runs import Run, alive
from tablerag.tools import replica
from tablerag.tools.deployment import SCHEMA
from tablerag.tools.errors import ConfigError, ForeignStore, LeaseLost, StoreUnavailable
from tablerag.tools.linking import indexing
from tablerag.tools.linking import values as linking
from tablerag.tools.records import Chunk
from tablerag.tools.replica import FRESH_S, NOTES
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings, get_settings

Host = Callable[..., Services]
FIRST = [f"{a}{b}" for a in ("Al", "Be", "Cor", "Dan", "El") for b in ("bert", "nard", "win", "mund", "ric", "fred")]
LAST = [f"{a}{b}" for a in ("Ash", "Birch", "Oak", "Elm", "Lin", "Rowan") for b in ("ley", "den", "ton", "wick", "er")]


@pytest.fixture
def host(tmp_path: Path, mysql_url: str, chroma_url: str) -> Iterator[Host]:
    """Return a function that opens a host by name, with settings of its own."""
    opened = []

    def open_host(name: str, **settings: Any) -> Services:
        shared = {"database_url": mysql_url, "chroma_url": chroma_url, "home": tmp_path / name, "_env_file": None}
        opened.append(Services(Settings(**(shared | settings))))
        return opened[-1]

    yield open_host
    for services in opened:
        services.close()


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str], Path]:
    """Return a function that writes a small table to a file of that name."""

    def written(name: str) -> Path:
        path = tmp_path / "docs" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"{path.stem} city,stock\nOslo,1\nRome,2\n", encoding="utf-8")
        return path

    return written


def before_publishing(services: Services, monkeypatch: pytest.MonkeyPatch, then: Callable[[], object]) -> None:
    """Do something whenever a host has written documents and not published them."""
    publish = services.catalog.publish

    def published(*given: Any) -> Any:
        then()
        return publish(*given)

    monkeypatch.setattr(services.catalog, "publish", published)


def until(true: Callable[[], bool]) -> None:
    """Wait until something is true; a host that says that it is not ready is asked again."""
    end = time.monotonic() + 30
    while True:
        with suppress(StoreUnavailable):
            if true():
                return
        assert time.monotonic() < end
        time.sleep(0.05)


def sweeps(services: Services) -> None:
    """Begin and end a run, which deletes what dead runs left."""
    with Run.started(services):
        pass


def rows(services: Services, source: str) -> int:
    """Count the rows of a document's table in SQL."""
    (schema,) = (s for s in services.catalog.schemas("default") if s.source == source)
    return services.database.tables.count_rows(schema.stored_as)


def chunks(services: Services) -> set[str]:
    return set(services.vector_store("default").chunk_ids().values())


def test_an_ingest_deletes_nothing_that_another_host_is_writing(
    host: Host, file: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = host("a"), host("b")
    before_publishing(a, monkeypatch, lambda: ingest([file("b.csv")], b, "default"))
    assert ingest([file("a.csv")], a, "default").counts == {"added": 1}
    assert rows(b, "a.csv") == rows(b, "b.csv") == 2
    assert chunks(b) == {d.document_id for d in b.catalog.documents("default")}
    assert b.leases.alive() == set()


def test_the_doctor_of_another_deployment_deletes_nothing(host: Host, file: Callable[[str], Path]) -> None:
    a, stranger = host("a"), host("c", database_url="")
    ingest([file("a.csv")], a, "default")
    held = chunks(a)
    (found,) = check_deeply(stranger, agree=lambda _: True)
    assert found.state == "broken" and "belongs to another deployment: set TABLERAG_DATABASE_URL" in found.says
    with pytest.raises(ConfigError, match="the collection tablerag-default of Chroma at .* another deployment"):
        ingest([file("c.csv")], stranger, "default")
    assert ingest([file("c.csv")], stranger, "other").counts == {"added": 1}
    assert chunks(a) == held != set()


def test_a_heartbeat_keeps_a_long_ingest_alive(
    host: Host, file: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = host("a", lease_s=0.4), host("b")
    before_publishing(a, monkeypatch, lambda: (time.sleep(1.0), sweeps(b)))
    assert ingest([file("a.csv")], a, "default").counts == {"added": 1}
    assert rows(b, "a.csv") == 2


def test_an_expired_run_that_wakes_up_publishes_nothing(
    host: Host, file: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = host("a", lease_s=0.1), host("b")
    ingest([file("old.csv")], a, "default")
    monkeypatch.setattr(a.leases, "_set", lambda run, expires: True)  # asleep
    late = Chunk(id="late", text="late", kind="text", document_id="", source="a.csv")

    def meanwhile() -> None:
        (version,) = b.catalog.unfinished()
        time.sleep(0.2)
        sweeps(b)
        assert b.catalog.unfinished() == []
        a.vector_store("default").add([late.model_copy(update={"document_id": version.document_id})])

    before_publishing(a, monkeypatch, meanwhile)
    with pytest.raises(LeaseLost, match=r"^this run did not renew its lease .* not published: run"):
        ingest([file("a.csv")], a, "default")
    (old,) = b.catalog.documents("default")
    assert chunks(b) == {old.document_id}
    assert {n for n in b.database.tables.names() if n.startswith("a__")} == set()
    assert b.catalog.unfinished() == []


def test_a_run_of_the_same_home_is_known_to_be_alive_whatever_the_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = (Services(Settings(home=tmp_path / "home", lease_s=0.05, _env_file=None)) for _ in range(2))
    monkeypatch.setattr(one.leases, "_set", lambda run, expires: True)  # asleep
    with Run.started(one) as run:
        run.begin(one, "default", {"d": []})
        time.sleep(0.1)
        assert one.leases.alive() == set()
        assert alive(other, {run.id}) == {run.id}
        sweeps(other)
        assert [v.run for v in other.catalog.unfinished()] == [run.id]
    assert other.catalog.unfinished() == []
    one.close()
    other.close()


def test_a_lease_that_has_been_taken_stops_the_run(host: Host) -> None:
    a, b = host("a", lease_s=0.2), host("b")
    with pytest.raises(LeaseLost), Run.started(a) as run:
        assert not b.leases.revoke(run.id, ended=False), "it is alive"
        assert b.leases.revoke(run.id, ended=True)
        assert run.lost.wait(2), "the next heartbeat notices"
        run.check()


def test_an_older_host_says_so_and_stops_writing(host: Host, file: Callable[[str], Path]) -> None:
    a = host("a")
    ingest([file("a.csv")], a, "default")
    with a.database.engine.begin() as connection:
        connection.exec_driver_sql(f"UPDATE _tablerag_deployment SET value = '{SCHEMA + 1}' WHERE name = 'schema'")
    for services in (a, host("b")):
        with pytest.raises(ConfigError, match=f"version {SCHEMA + 1}, this host knows {SCHEMA}.: upgrade TableRAG"):
            ingest([file("b.csv")], services, "default")
        with pytest.raises(ConfigError, match="upgrade TableRAG"):
            services.catalog.save_model_texts("key", ["text"])
        assert rows(services, "a.csv") == 2


def test_what_has_no_owner_yet_is_adopted_by_who_knows_it(host: Host, file: Callable[[str], Path]) -> None:
    a, stranger = host("a"), host("c", database_url="")
    ingest([file("a.csv")], a, "default")
    ingest([file("c.csv")], stranger, "other")
    collection = a.vector_store("default")._collection()  # type: ignore[attr-defined]
    collection.modify(metadata={n: v for n, v in collection.metadata.items() if n != "deployment"})
    with a.database.engine.begin() as connection:  # as an older version left it
        connection.exec_driver_sql("DROP TABLE _tablerag_deployment")
        connection.exec_driver_sql("DROP TABLE _tablerag_runs")
    (a.settings.home / "deployment").unlink()
    with pytest.raises(ConfigError, match="another deployment"):
        ingest([file("c.csv")], stranger, "default")
    again = host("a")
    assert ingest([file("b.csv")], again, "default").counts == {"added": 1}
    assert again.vector_store("default")._collection().metadata["deployment"] == again.catalog.deployment_id()  # type: ignore[attr-defined]


def test_a_home_of_another_deployment_is_refused(host: Host, file: Callable[[str], Path]) -> None:
    ingest([file("a.csv")], host("a", database_url="", chroma_url=""), "default")
    with pytest.raises(ConfigError, match=r"the indexes in .*a belong to another deployment .* set TABLERAG_HOME"):
        ingest([file("b.csv")], host("a"), "default")


def ask(services: Services, question: str) -> str:
    return TableRAG.over(services, model="offline").ask(question).text


def lexical(services: Services) -> dict[str, str]:
    return services.lexical_index("default").chunk_ids()


def test_an_embedded_database_writes_nothing_into_the_home_of_a_shared_one(
    host: Host, file: Callable[[str], Path]
) -> None:
    a, embedded = host("a"), host("a", database_url="", chroma_url="")
    ingest([file("a.csv")], a, "default")
    with pytest.raises(ForeignStore, match=r"belong to the database mysql.*: set TABLERAG_DATABASE_URL to it"):
        ingest([file("b.csv")], embedded, "default")
    assert len(lexical(a)) == 1


def test_a_host_from_nothing_to_an_answer(
    host: Host, file: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (at_ingest, indexing, linking):
        monkeypatch.setattr(module, "MAX_DISTINCT", 100)
    a = host("a")
    names = file("names.csv")
    people = [f"{first} {last}" for first in FIRST for last in LAST]
    names.write_text("Person,Stock\n" + "".join(f"{p},{n}\n" for n, p in enumerate(people)), encoding="utf-8")
    notes = names.with_name("notes.md")
    notes.write_text("# Notes\n\nThe northern warehouse is led by Ada Birch.\n", encoding="utf-8")
    ingest([names, notes], a, "default")
    c = host("c")
    assert "Ada Birch" in ask(c, "Who leads the northern warehouse?")
    assert ask(c, f"What is the stock of {people[777]}?") == "777"
    assert lexical(c) == c.vector_store("default").chunk_ids() == lexical(a)
    assert c.large_values.columns() == a.large_values.columns() != {}
    assert audit(c).flaws == audit(a).flaws == []


def test_a_host_follows_only_what_has_changed(
    host: Host, file: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = host("a"), host("b")
    changed, removed = file("changed.csv"), file("removed.csv")
    ingest([file("same.csv"), changed, removed], a, "default")
    assert lexical(b) == lexical(a)
    changed.write_text("changed city,stock\nBergen,3\n", encoding="utf-8")
    ingest([changed], a, "default")
    remove("removed.csv", a, "default")
    asked: list[str] = []
    read = b.chunk_texts.of_documents
    monkeypatch.setattr(b.chunk_texts, "of_documents", lambda name, ids: (asked.extend(ids), read(name, ids))[1])
    time.sleep(FRESH_S)
    assert set(lexical(b).values()) == {d.document_id for d in b.catalog.documents("default")}
    assert asked == [d.document_id for d in b.catalog.documents("default") if d.source == "changed.csv"]
    notes = b.settings.home / "lexical" / "default" / NOTES
    for damaged in ("", "[]", '{"generation": null, "documents": {}}', '{"generation": 1, "documents": [1]}'):
        notes.write_text(damaged, encoding="utf-8")
        time.sleep(FRESH_S)
        assert lexical(b) == lexical(a)
        assert notes.read_text(encoding="utf-8") != damaged and len(asked) == 1, "what is there is not read again"


def test_much_is_followed_in_the_background(
    host: Host, file: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replica, "AT_ONCE", 0)
    monkeypatch.setattr(replica, "WAIT_S", 0.05)
    a, b = host("a"), host("b")
    b.waits_for_indexes = False
    may_read = threading.Event()
    read = b.chunk_texts.of_documents
    monkeypatch.setattr(b.chunk_texts, "of_documents", lambda *given: (may_read.wait(30), read(*given))[1])
    ingest([file("a.csv")], a, "default")
    with pytest.raises(StoreUnavailable, match=r"still copying the search index of corpus 'default' \(1 chunk to go\)"):
        lexical(b)
    may_read.set()
    until(lambda: b.lexical_index("default").count() == 1)
    may_read.clear()
    ingest([file("b.csv")], a, "default")
    time.sleep(FRESH_S)
    assert b.lexical_index("default").count() == 1, "a host that has an index answers from it meanwhile"
    may_read.set()
    until(lambda: lexical(b) == lexical(a))
    assert audit(b).flaws == []


def test_what_stops_the_background_is_told(
    host: Host, file: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replica, "AT_ONCE", 0)
    a, b = host("a"), host("b")
    b.waits_for_indexes = False
    ingest([file("a.csv")], a, "default")
    read = b.chunk_texts.of_documents
    monkeypatch.setattr(b.chunk_texts, "of_documents", lambda *_: (_ for _ in ()).throw(StoreUnavailable("gone")))
    with pytest.raises(StoreUnavailable, match="gone"):
        lexical(b)
    monkeypatch.setattr(b.chunk_texts, "of_documents", read)
    until(lambda: lexical(b) == lexical(a))


def test_what_another_host_removes_leaves_the_index_of_the_host_that_wrote_it(
    host: Host, file: Callable[[str], Path]
) -> None:
    a, b = host("a"), host("b")
    ingest([file("a.csv"), file("b.csv")], a, "default")
    assert remove("b.csv", b, "default") == ["b.csv"]
    time.sleep(FRESH_S)
    assert set(lexical(a).values()) == {d.document_id for d in a.catalog.documents("default")} == chunks(a)
    assert audit(a).flaws == audit(b).flaws == []


def test_questions_and_summaries_reach_other_hosts(host: Host, file: Callable[[str], Path]) -> None:
    a, b = host("a"), host("b")
    ingest([file("a.csv")], a, "default")
    assert len(lexical(b)) == 1
    (schema,) = a.catalog.schemas("default")
    index_questions(a, "default", [(partial_table(schema, a), ["Which city has the most stock?"])])
    write_summaries(a, "default", "hrcl", "offline", Console(quiet=True), ask_first=False)
    time.sleep(FRESH_S)
    assert lexical(b) == lexical(a)
    for name in ("default~table", "default~hrcl"):
        assert b.lexical_index(name).chunk_ids() == a.lexical_index(name).chunk_ids() != {}


def test_a_lost_chroma_server_is_filled_again_from_the_database(host: Host, file: Callable[[str], Path]) -> None:
    a, b = host("a"), host("b")
    ingest([file("a.csv")], a, "default")
    held = chunks(a)
    a.vector_store("default").delete_documents(sorted(held))
    file("a.csv").unlink()
    list(fix(b, audit(b).flaws))
    assert chunks(a) == held and not audit(b).flaws
    assert b.retriever("default").search("stock in Rome", 5)


def test_documents_of_an_older_version_are_followed_and_their_texts_kept(
    host: Host, file: Callable[[str], Path]
) -> None:
    a, b = host("a"), host("b")
    ingest([file("a.csv")], a, "default")
    write_summaries(a, "default", "hrcl", "offline", Console(quiet=True), ask_first=False)
    (document,) = a.catalog.documents("default")
    for name in ("default", "default~hrcl"):
        a.chunk_texts.delete_documents(name, [document.document_id])
    assert lexical(b) == lexical(a) != {}
    found = audit(b).flaws
    assert [(f.corpus, f.remedy) for f in found] == [("default~hrcl", "keep"), ("default", "keep")]
    list(fix(b, found))
    assert not audit(b).flaws
    for name in ("default", "default~hrcl"):
        kept = a.chunk_texts.of_documents(name, [document.document_id])
        assert kept == a.lexical_index(name).of_documents([document.document_id])


def test_texts_of_unknown_documents_are_a_flaw(host: Host, file: Callable[[str], Path]) -> None:
    a = host("a")
    ingest([file("a.csv")], a, "default")
    a.chunk_texts.add("default", [Chunk(id="x", text="t", kind="text", document_id="d", source="d.md")])
    (flaw,) = audit(a).flaws
    assert flaw.remedy == "delete" and flaw.ids == ("d",)


def test_a_collection_that_was_made_again_is_opened_again(
    host: Host, file: Callable[[str], Path], chroma_url: str
) -> None:
    a, b = host("a"), host("b")
    ingest([file("a.csv")], a, "default")
    assert len(chunks(b)) == 1
    port = chroma_url.rpartition(":")[2]
    client = chromadb.HttpClient("127.0.0.1", int(port))
    client.delete_collection("tablerag-default")
    ingest([file("b.csv")], host("c"), "default")
    (left,) = chunks(b)
    assert left == next(d.document_id for d in b.catalog.documents("default") if d.source == "b.csv")


def test_a_host_without_the_deployment_s_chroma_server_writes_nothing(host: Host, file: Callable[[str], Path]) -> None:
    a, half = host("a"), host("b", chroma_url="")
    ingest([file("a.csv")], a, "default")
    with pytest.raises(ConfigError, match="keeps its chunks on a Chroma server, .* set TABLERAG_CHROMA_URL"):
        ingest([file("b.csv")], half, "default")
    assert [d.source for d in a.catalog.documents("default")] == ["a.csv"]
    assert ingest([file("b.csv")], host("c"), "default").counts == {"added": 1}
    for write in (lambda: remove("a.csv", half, "default"), lambda: half.retriever("default")):
        with pytest.raises(ConfigError, match="names none: set TABLERAG_CHROMA_URL"):
            write()
    assert audit(a).flaws == [] and len(a.catalog.documents("default")) == 2
    assert {f.state for f in check(half) if f.what == "chroma"} == {"broken"}


def test_what_a_lost_server_lacks_is_one_line(host: Host, file: Callable[[str], Path]) -> None:
    a = host("a")
    ingest([file("a.csv"), file("b.csv")], a, "default")
    a.vector_store("default").delete_documents(sorted(chunks(a)))
    (flaw,) = audit(a).flaws
    assert flaw.says == "2 documents, such as a.csv: 2 chunks missing from Chroma"
    assert {f.state for f in check(a) if f.what == "documents"} == {"broken"}
    list(fix(a, [flaw]))
    assert audit(a).flaws == []


def test_a_database_that_does_not_exist_is_told_with_what_makes_it(host: Host, mysql_url: str) -> None:
    gone = host("a", database_url=mysql_url + "_gone")
    with pytest.raises(StoreUnavailable, match=r"_gone does not exist: CREATE DATABASE .*_gone CHARACTER SET utf8mb4"):
        gone.catalog.create()


def test_corpora_are_assigned_to_servers_of_their_own(host: Host, file: Callable[[str], Path], chroma_url: str) -> None:
    a = host("a", chroma_url="", chroma_urls={"payroll": chroma_url})
    ingest([file("a.csv")], a, "default")
    ingest([file("b.csv")], a, "payroll")
    b = host("b", chroma_url=chroma_url)
    there = set(b.vector_store("payroll").chunk_ids().values())
    assert there == {d.document_id for d in a.catalog.documents("payroll")} != set()
    assert chunks(a) and not chunks(b)


@pytest.mark.parametrize("given", ["nonsense", "[]", '{"payroll": 7}', '{"payroll": "chroma"}'])
def test_a_list_of_servers_that_cannot_be_read_is_one_line(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERAG_CHROMA_URLS", given)
    get_settings.cache_clear()
    with pytest.raises(ConfigError, match="TABLERAG_CHROMA_URLS: expected a JSON object such as") as raised:
        get_settings()
    assert "\n" not in str(raised.value)
