"""The catalog over real SQLite and a MySQL-compatible server: one suite for both."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import event, inspect

from tablerag.tools.catalog import Catalog, DocumentRecord
from tablerag.tools.catalog_tables import DOCUMENTS, JOBS, METADATA, TABLES
from tablerag.tools.errors import DiskFull, StoreUnavailable
from tablerag.tools.records import Column, TableSchema
from tablerag.tools.sql.database import Database


@pytest.fixture(params=["sqlite", "server"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    url = request.getfixturevalue("mysql_url") if request.param == "server" else f"sqlite:///{tmp_path / 'a' / 't.db'}"
    opened = Database(url)
    yield opened
    opened.close()


@pytest.fixture
def catalog(database: Database) -> Catalog:
    made = Catalog(database)
    made.create()
    return made


def record(document_id: str, source: str = "sales.csv", corpus: str = "default", **more: object) -> DocumentRecord:
    return DocumentRecord(
        document_id=document_id, corpus=corpus, source=source, content_hash=f"hash {document_id}", format="csv", **more
    )


def schema(table_id: str, name: str, source: str = "sales.csv") -> TableSchema:
    column = Column(name="größe", header="Größe 😀 'x'", type="decimal", examples=("1.5", "2"), unit="€")
    return TableSchema(table_id=table_id, name=name, columns=(column,), row_count=2, source=source, stored_as=name)


def test_reads_as_empty_before_anything_was_ingested(database: Database) -> None:
    catalog = Catalog(database)
    assert catalog.documents("default") == []
    assert catalog.document("default", "a.csv") is None
    assert catalog.schemas("default") == catalog.schemas_by_id("default", ["t1"]) == []
    assert catalog.schemas_of_document("d1") == catalog.corpora() == []
    assert catalog.stored_tables() == set()
    catalog.delete_document("d1")


def test_reading_does_not_create_a_file(tmp_path: Path) -> None:
    assert Catalog(Database(f"sqlite:///{tmp_path / 'none.db'}")).documents("default") == []
    assert list(tmp_path.iterdir()) == []


def test_a_document_and_its_schemas_come_back_as_saved(catalog: Catalog, database: Database) -> None:
    saved = record("d1", title="Sales – 2024", size_bytes=5_000_000_000, warnings=("a: b", "ü"), path="/x/sales.csv")
    schemas = [schema("t2", "zeta"), schema("t1", "alpha")]
    catalog.publish("", [(saved, schemas)])
    fresh = Catalog(database)
    assert fresh.document("default", "sales.csv") == saved
    assert fresh.documents("default") == [saved]
    assert fresh.schemas_of_document("d1") == schemas
    assert fresh.schemas("default") == schemas[::-1], "by SQL name"
    assert fresh.stored_tables() == {"zeta", "alpha"}


def test_summaries_are_noted_once_for_documents_that_are_there(catalog: Catalog) -> None:
    catalog.publish("", [(record("d1"), [])])
    catalog.publish("", [(record("d2", source="b.csv"), [])])
    for level in ("table", "hrcl", "hrcl"):
        catalog.note_summaries("default", {"d1", "gone"}, level)
    catalog.note_summaries("other", {"d2"}, "hrcl")
    assert [d.summaries for d in catalog.documents("default")] == [(), ("table", "hrcl")]


def test_create_can_be_repeated(catalog: Catalog) -> None:
    catalog.publish("", [(record("d1"), [])])
    catalog.create()
    assert len(catalog.documents("default")) == 1


def test_what_an_older_version_lacks_is_created_with_its_indexes(catalog: Catalog, database: Database) -> None:
    with database.engine.begin() as connection:
        DOCUMENTS.drop(connection)
        JOBS.drop(connection)
    catalog.create()
    found = inspect(database.engine)
    assert METADATA.tables.keys() <= set(found.get_table_names())
    for table in (DOCUMENTS, JOBS, TABLES):
        named = {i["name"] for i in found.get_indexes(table.name)}
        assert {i.name for i in table.indexes} <= named, table.name


def test_a_whole_catalog_is_found_so_by_few_statements(catalog: Catalog, database: Database) -> None:
    asked: list[str] = []
    event.listen(database.engine, "before_cursor_execute", lambda _c, _k, sql, *_: asked.append(sql))
    catalog.create()
    assert not [sql for sql in asked if sql.lstrip().startswith(("CREATE", "INSERT", "UPDATE"))]
    assert len(asked) <= 8, asked


def test_schemas_by_id_keep_the_order_asked_for_and_the_corpus(catalog: Catalog) -> None:
    catalog.publish("", [(record("d1"), [schema("t1", "a"), schema("t2", "b")])])
    catalog.publish("", [(record("d2", corpus="other"), [schema("t3", "c")])])
    assert [s.table_id for s in catalog.schemas_by_id("default", ["t2", "t3", "t1", "t2", "gone"])] == ["t2", "t1"]


def test_corpora_are_apart_even_when_they_differ_in_case_only(catalog: Catalog) -> None:
    catalog.publish("", [(record("d1", corpus="Äpfel"), [schema("t1", "a")])])
    catalog.publish("", [(record("d2", corpus="äpfel"), [schema("t2", "b")])])
    assert sorted(catalog.corpora()) == ["Äpfel", "äpfel"]
    assert [d.document_id for d in catalog.documents("Äpfel")] == ["d1"]
    assert [s.table_id for s in catalog.schemas("äpfel")] == ["t2"]


def test_a_new_version_takes_the_place_of_the_old_one(catalog: Catalog) -> None:
    catalog.publish("", [(record("old"), [schema("t1", "a"), schema("t2", "b")])])
    catalog.publish("", [(record("new"), [schema("t3", "a")])])
    catalog.delete_document("old")
    assert [d.document_id for d in catalog.documents("default")] == ["new"]
    assert [s.table_id for s in catalog.schemas("default")] == ["t3"]


def test_a_failed_save_leaves_the_old_version(catalog: Catalog) -> None:
    catalog.publish("", [(record("old"), [schema("t1", "a")])])
    with pytest.raises(StoreUnavailable, match="could not publish"):
        catalog.publish("", [(record("new"), [schema("t2", "b"), schema("t2", "b")])])
    assert [d.document_id for d in catalog.documents("default")] == ["old"]
    assert catalog.stored_tables() == {"a"}


def test_a_full_disk_is_named(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'full.db'}")
    full = Catalog(database)
    full.create()
    event.listen(database.engine, "begin", lambda c: c.exec_driver_sql("PRAGMA max_page_count = 1"))
    long = record("d1").model_copy(update={"title": "long" * 100_000})
    with pytest.raises(DiskFull, match="could not publish .* is full: free space on its disk and try again"):
        full.publish("", [(long, [schema("t1", "a")])])
    database.close()


def test_delete_takes_the_schemas_along(catalog: Catalog) -> None:
    catalog.publish("", [(record("d1"), [schema("t1", "a")])])
    catalog.publish("", [(record("d2", source="b.csv"), [schema("t2", "b")])])
    catalog.delete_document("d1")
    assert [d.source for d in catalog.documents("default")] == ["b.csv"]
    assert catalog.stored_tables() == {"b"}


def test_more_documents_than_the_row_limit_are_all_listed(catalog: Catalog, database: Database) -> None:
    database.row_limit = 3
    for number in range(5):
        catalog.publish("", [(record(f"d{number}", source=f"{number}.csv"), [schema(f"t{number}", f"n{number}")])])
    assert len(catalog.documents("default")) == len(catalog.schemas("default")) == 5


def test_threads_may_save_at_once(catalog: Catalog) -> None:
    def save(number: int) -> None:
        catalog.publish("", [(record(f"d{number}", source=f"{number}.csv"), [schema(f"t{number}", f"n{number}")])])

    threads = [threading.Thread(target=save, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(catalog.documents("default")) == 6


def test_schemas_larger_than_a_text_column_fit(catalog: Catalog) -> None:
    wide = schema("t1", "a").model_copy(update={"title": "x" * 200_000})
    catalog.publish("", [(record("d1"), [wide])])
    assert catalog.schemas("default") == [wide]


def test_another_file_under_the_same_source_is_not_replaced(catalog: Catalog, tmp_path: Path) -> None:
    for name in ("x", "y"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    first, second = (record(f"d {n}", path=str(tmp_path / n)) for n in ("x", "y"))
    assert catalog.publish("", [(first, [])])[0].outcome == "published"
    assert catalog.publish("", [(second, [])])[0].outcome == "source taken"
    (tmp_path / "x").unlink()
    assert catalog.publish("", [(second, [])])[0].outcome == "published"
    assert [d.document_id for d in catalog.documents("default")] == ["d y"]


def test_one_file_under_two_sources_is_there_once(catalog: Catalog) -> None:
    catalog.publish("", [(record("d1", source="docs/a.csv", path="/docs/a.csv"), [schema("t1", "a")])])
    (found,) = catalog.publish("", [(record("d2", source="a.csv", path="/docs/a.csv"), [schema("t2", "a")])])
    assert (found.outcome, [s.name for s in found.schemas]) == ("published", ["a"])
    assert [d.source for d in catalog.documents("default")] == ["a.csv"]
    assert [(v.document_id, v.stored_tables) for v in catalog.unfinished()] == [("d1", ("a",))]


def test_content_that_another_process_published_is_left(catalog: Catalog) -> None:
    same = record("d1", path="/x").model_copy(update={"content_hash": "h"})
    catalog.publish("", [(same, [])])
    (found,) = catalog.publish("", [(same.model_copy(update={"document_id": "d2"}), [])])
    assert found.outcome == "same content"
    assert [d.document_id for d in catalog.documents("default")] == ["d1"]


def test_many_ids_are_looked_up_one_by_one_in_a_large_corpus(tmp_path: Path) -> None:
    """SQLite would read the whole corpus for more than ten ids if the statement named the corpus as well."""
    catalog = Catalog(database := Database(f"sqlite:///{tmp_path / 't.db'}"))
    catalog.create()
    catalog.publish("", [(record("d1"), [schema("t1", "alpha")])])
    catalog.schemas_by_id("default", ["t1"])  # opens what reads
    asked: list[tuple[str, object]] = []
    ids = [f"t{n}" for n in range(50)]
    with database.reading() as connection:
        event.listen(
            connection.engine, "before_cursor_execute", lambda _c, _k, sql, given, *_: asked.append((sql, given))
        )
    assert [s.table_id for s in catalog.schemas_by_id("default", ids)] == ["t1"]
    assert catalog.published("default", ["d1", *ids]) == {"d1"}
    assert not catalog.with_unions("default", [schema(i, i) for i in ids])[50:]
    lookups = [(sql, given) for sql, given in asked if " IN (" in sql]
    assert len(lookups) == 3
    with database.reading() as connection:
        for sql, given in lookups:
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", given).fetchall()
            assert not any("corpus" in row[3] or "SCAN" in row[3] for row in plan), plan
    database.close()


def test_listings_tell_what_the_records_do(catalog: Catalog) -> None:
    assert catalog.listed_tables("default") == catalog.listed_documents("default") == []
    for month in ("01", "02"):
        saved = record(f"d{month}", f"größe_{month}.csv", table_count=1, chunk_count=3, summaries=("hrcl", "table"))
        table = schema(f"t{month}", f"groesse_{month}", saved.source)
        catalog.publish("", [(saved, [table.model_copy(update={"locator": "page 1, “a”"})])])
    catalog.publish("", [(record("d0", "none.md"), [])])
    catalog.publish("", [(record("other", "b.csv", corpus="other"), [schema("t9", "b")])])
    aside = schema("t5", "odd", "odd.csv").model_copy(update={"set_aside": True})
    catalog.publish("", [(record("d5", "odd.csv"), [aside])])
    tables = catalog.tables("default")
    assert [s.name for s in tables][-1] == "all_groesse"
    assert catalog.set_aside("default") == [aside] and catalog.set_aside("other") == []
    told = [(s.name, s.row_count, len(s.columns), s.source, s.locator, s.set_aside) for s in tables]
    assert catalog.listed_tables("default") == told
    documents = catalog.documents("default")
    told = [(d.document_id, d.source, d.table_count, d.chunk_count, list(d.summaries)) for d in documents]
    assert catalog.listed_documents("default") == told
