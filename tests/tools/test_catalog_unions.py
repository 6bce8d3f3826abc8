"""What the catalog keeps beside its tables, over SQLite and a MySQL-compatible server."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from sqlalchemy import delete

from tablerag.tools.catalog import Catalog, DocumentRecord
from tablerag.tools.catalog_tables import GENERATIONS, KEYS, LONG, UNIONS, UNITED, WORDS
from tablerag.tools.linking.neighbours import neighbours
from tablerag.tools.records import Column, TableSchema
from tablerag.tools.sql.database import Database

BESIDE = (GENERATIONS, KEYS, LONG, UNIONS, UNITED, WORDS)


@pytest.fixture(params=["sqlite", "server"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    url = request.getfixturevalue("mysql_url") if request.param == "server" else f"sqlite:///{tmp_path / 't.db'}"
    opened = Database(url)
    Catalog(opened).create()
    yield opened
    opened.close()


def publish(catalog: Catalog, source: str, version: str = "", headers: Sequence[str] = ("City", "Customer_id")) -> str:
    """Publish a document with one table; return the table's name."""
    columns = tuple(Column(name=h.lower(), header=h, type="text") for h in headers)
    stem, own = source.split("/")[-1].removesuffix(".csv"), f"{source}{version}"
    schema = TableSchema(table_id=f"{own}:t0", name=stem, columns=columns, row_count=2, source=source, title=stem)
    record = DocumentRecord(document_id=own, corpus="default", source=source, content_hash=own, format="csv")
    (published,) = catalog.publish("", [(record, [schema.model_copy(update={"stored_as": f"{stem}__{version}"})])])
    return published.schemas[0].name


def unions(catalog: Catalog) -> dict[str, list[str]]:
    return {t.name: [m.source for m in t.members] for t in catalog.tables("default") if t.members}


def test_unions_follow_what_is_published_and_withdrawn(database: Database) -> None:
    catalog = Catalog(database)
    publish(catalog, "sales_2024_01.csv")
    assert unions(catalog) == {}
    publish(catalog, "sales_2024_02.csv")
    assert unions(catalog) == {"all_sales": ["sales_2024_01.csv", "sales_2024_02.csv"]}
    publish(catalog, "sales_2024_02.csv", "b")
    (union,) = [t for t in catalog.tables("default") if t.members]
    assert [m.stored_as for m in union.members] == ["sales_2024_01__", "sales_2024_02__b"]
    first = catalog.schemas("default")[:1]
    assert [t.name for t in catalog.with_unions("default", first)] == ["all_sales", "sales_2024_01"]
    assert [t.name for t in catalog.named("default", ["all_sales", "sales_2024_02", "none"])] == [
        "sales_2024_02",
        "all_sales",
    ]
    catalog.delete_document("sales_2024_01.csv")
    assert unions(catalog) == {}


def test_names_of_unions_do_not_depend_on_what_was_published_first(database: Database) -> None:
    sources = [f"{folder}/sales_2024_0{i}.csv" for folder in ("b", "a") for i in (1, 2)]
    catalog = Catalog(database)
    for source in sources:
        publish(catalog, source)
    expected = {"all_sales": sorted(sources)[:2], "all_sales_2": sorted(sources)[2:]}
    assert unions(catalog) == expected
    publish(catalog, "all_sales.csv", headers=("Other",))
    assert unions(catalog) == {"all_sales_2": expected["all_sales"], "all_sales_3": expected["all_sales_2"]}


def test_tables_without_header_are_not_united(database: Database) -> None:
    catalog = Catalog(database)
    for i in (1, 2):
        column = Column(name="a", header="A", type="text")
        schema = TableSchema(
            table_id=f"t{i}", name=f"s_{i}", columns=(column,), row_count=1, source=f"s_{i}.csv", header_rows=0
        )
        about = {"document_id": f"d{i}", "corpus": "default", "source": f"s_{i}.csv", "content_hash": str(i)}
        catalog.publish("", [(DocumentRecord(**about, format="csv"), [schema])])
    assert unions(catalog) == {}


def test_a_catalog_of_an_older_version_is_completed_when_it_is_read(database: Database) -> None:
    catalog = Catalog(database)
    for i in (1, 2):
        publish(catalog, f"sales_2024_0{i}.csv")
    before = catalog.tables("default")
    with database.engine.begin() as connection:
        for table in BESIDE:
            table.drop(connection)
    assert Catalog(database).tables("default") == before
    with database.engine.begin() as connection:
        connection.execute(delete(GENERATIONS))
    again = Catalog(database)
    assert again.tables("default") == before
    assert again.is_named("default", ["customer"], "") and not again.is_named("default", ["client"], "")
    publish(again, "sales_2024_03.csv")
    assert len(unions(again)["all_sales"]) == 3


def test_words_of_names_are_forgotten_with_their_last_table(database: Database) -> None:
    catalog = Catalog(database)
    publish(catalog, "a.csv", headers=("Turbine",))
    publish(catalog, "b.csv", headers=("Turbine", "Rotor"))
    assert catalog.is_named("default", [], "turbi") and catalog.is_named("default", ["rotor"], "")
    catalog.delete_document("b.csv")
    assert catalog.is_named("default", [], "turbi") and not catalog.is_named("default", ["rotor"], "")


def test_tables_that_share_a_key_column_are_neighbours(database: Database) -> None:
    catalog = Catalog(database)
    publish(catalog, "orders.csv", headers=("Order", "Customer_id"))
    publish(catalog, "customers.csv", headers=("Name", "Customer_id"))
    publish(catalog, "other.csv", headers=("Name", "Id"))
    (orders,) = catalog.named("default", ["orders"])
    assert [t.name for t in neighbours(catalog, "default", [orders])] == ["customers"]


def test_equal_names_are_numbered(database: Database) -> None:
    catalog = Catalog(database)
    names = [publish(catalog, f"{folder}/report.csv", headers=("A",)) for folder in "abc"]
    assert names == ["report", "report_2", "report_3"]
