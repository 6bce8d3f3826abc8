"""Likely joins and the columns of wide tables that matter, over a real database."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tablerag.agent.model.rendering import tables_text
from tablerag.tools.linking.joins import likely_joins
from tablerag.tools.linking.large import LargeValues
from tablerag.tools.linking.relevance import relevant_columns
from tablerag.tools.linking.values import ValueLinker
from tablerag.tools.records import Column, Origin, TableSchema, ValueHint
from tablerag.tools.sql.database import Database
from tests.tools.stored import store

ORDERS = [("Ada", "pens", "open"), ("Bo", "ink", "open"), ("Cy", "pens", "closed"), ("ada ", "paper", "open")]
PEOPLE = [("Ada", "Rome", "open"), ("Bo", "Oslo", "shut"), ("Dee", "Bonn", "open")]
GOODS = [("Pens", 1), ("Ink", 2), ("Paper", 3), ("Clips", 4)]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(f"sqlite:///{tmp_path / 't.db'}")
    yield opened
    opened.close()


@pytest.fixture
def linker(database: Database, tmp_path: Path) -> ValueLinker:
    return ValueLinker(database, LargeValues(tmp_path / "values"))


def test_columns_join_by_name_and_values_or_by_values_alone(database: Database, linker: ValueLinker) -> None:
    orders = store(database, "orders", {"customer_name": "text", "item": "text", "state": "text"}, ORDERS)
    people = store(database, "people", {"customer": "text", "city": "text", "door": "text"}, PEOPLE)
    goods = store(database, "goods", {"product": "text", "price": "integer"}, GOODS)
    joins = likely_joins([orders, people, goods], linker.held)
    assert [(j.left_column, j.right_column, j.share, j.same_name) for j in joins] == [
        ("item", "product", 1.0, False),
        ("customer_name", "customer", 0.67, True),
    ]
    assert "`orders`.`item` = `goods`.`product` may join them (100% of the values" in tables_text((), joins=joins)
    assert likely_joins([orders], linker.held) == []


def test_tables_that_a_key_joins_are_not_joined_by_repeated_values(database: Database, linker: ValueLinker) -> None:
    sites = ["Ulm", "Bern", "Kiel", "Graz", "Linz", "Genf"]
    rows = {
        "lines": [(f"SO-{1000 + i}", sites[i % 6]) for i in range(18)],
        "claims": [(f"SO-{1000 + i // 2}", sites[i % 6]) for i in range(12)],
        "tours": [(f"TR-{2000 + i}", sites[i % 6]) for i in range(12)],
    }
    tables = [store(database, name, {"number": "text", "site": "text"}, some) for name, some in rows.items()]
    pairs = [(j.left, j.left_column, j.right) for j in likely_joins(tables, linker.held)]
    assert pairs == [("lines", "number", "claims"), ("lines", "site", "tours"), ("claims", "site", "tours")]


COUNTRIES = ["Chad", "Cuba", "Fiji", "Iran", "Iraq", "Laos", "Mali", "Oman"]
NOTES = ["The bridge was closed for the winter of that year", "It was not open to the public until the spring"]


@pytest.mark.parametrize(
    ("one", "other", "names", "expected"),
    [
        (COUNTRIES, COUNTRIES[:3], ("nation", "team"), True),  # each names its rows
        (COUNTRIES * 2, COUNTRIES * 3, ("nation", "nation"), True),  # neither does, but the names agree
        (COUNTRIES * 2, COUNTRIES * 3, ("nation", "team"), False),
        (["GK", "DF", "MF"] * 3, ["DF", "MF", "FW"] * 3, ("position", "position"), False),  # classes
        (["1", "2", "3", "Ret"], ["1", "2", "3", "DNS"], ("pos", "pos"), False),  # ranks
        (["1st", "2nd", "[3]"], ["1st", "2nd", "[3]"], ("place", "place"), False),
        (["3-1", "0-0", "2-2"], ["3-1", "0-0", "2-2"], ("score", "score"), False),
        (["W", "L", "D"], ["W", "L", "D"], ("result", "result"), False),
        (NOTES, NOTES, ("notes", "notes"), False),
        (["[1]", "[2]", "Port A"], ["1", "2", "Port A"], ("ref", "ref"), False),  # `=` finds one of them
        (["001", "003", "007"], ["001", "003", "007"], ("fips", "fips"), True),  # codes
        (["2001-02", "2002-03"], ["2001-02", "2002-03"], ("season", "season"), True),
        (["Oslo", "Rome"], ["OSLO", "rome", "Bonn"], ("city", "town"), True),
    ],
)
def test_a_key_names_things(
    database: Database, linker: ValueLinker, one: list[str], other: list[str], names: tuple[str, str], *, expected: bool
) -> None:
    left = store(database, "one", {names[0]: "text"}, [(v,) for v in one])
    right = store(database, "other", {names[1]: "text"}, [(v,) for v in other])
    assert bool(likely_joins([left, right], linker.held)) is expected


def test_what_was_read_as_a_number_or_a_score_joins_nothing(database: Database, linker: ValueLinker) -> None:
    rows = [("1998 (sold)", "Yes 3-1"), ("2003 (sold)", "Yes 2-0")]
    schemas = [store(database, name, {"year_raw": "text", "score": "text"}, rows) for name in ("one", "other")]
    assert [j.left_column for j in likely_joins(schemas, linker.held)] == ["year_raw", "score"]
    year = Column(name="year", header="Year", type="integer", raw="year_raw")
    score = Column(name="score", header="Score", type="text", kind="score")
    typed = [s.model_copy(update={"columns": (year, score)}) for s in schemas]
    assert likely_joins(typed, linker.held) == []


def test_of_a_wide_table_the_columns_that_matter_are_shown() -> None:
    columns = tuple(Column(name=f"c_{i}", header=f"Code {i}", type="integer", examples=("77",)) for i in range(100))
    named = Column(name="elevation_m", header="Elevation (m)", type="integer", examples=("812",))
    valued = Column(name="town", header="Town", type="text", examples=("Oslo",))
    wide = TableSchema(table_id="w", name="wide", columns=(*columns, named, valued), row_count=9, source="wide.csv")
    hint = ValueHint(table="wide", column="town", value="Oslo", phrase="oslo", score=1.0)
    wanted = relevant_columns("What is the elevatoin of Oslo?", [wide], [hint])
    assert wanted == {
        "wide": {"elevation_m": "possibly misspelled in the question: 'elevatoin'", "town": "it contains 'Oslo'"}
    }
    text = tables_text([wide], wanted=wanted)
    assert "`elevation_m` integer" in text and "e.g. 812" in text and "e.g. Oslo" in text
    assert "and 42 more columns: `c_58`" in text
    assert "e.g. 812" not in tables_text([wide])


def connected(schema: TableSchema, key: str) -> TableSchema:
    names = {c.name: c.name for c in schema.columns}
    origin = Origin(connection="shop", engine="SQLite", table=("main", schema.name), names=names, key=key)
    return schema.model_copy(update={"origin": origin})


def test_tables_of_a_database_are_joined_by_its_primary_keys(database: Database, linker: ValueLinker) -> None:
    stores = store(database, "stores", {"store_id": "integer", "city": "text"}, [(1, "Rome"), (2, "Oslo"), (3, "Bonn")])
    depots = store(database, "depots", {"depot_id": "integer", "city": "text"}, [(7, "Rome"), (8, "Oslo"), (9, "Bonn")])
    sales = store(database, "sales", {"store_id": "integer", "sold": "integer"}, [(1, 5), (2, 6), (2, 7)])
    assert [j.left_column for j in likely_joins([stores, depots], linker.held)] == ["city"]
    tables = [connected(stores, "store_id"), connected(depots, "depot_id"), connected(sales, "")]
    (join,) = likely_joins(tables, linker.held)
    assert (join.left, join.left_column, join.right, join.right_column) == ("sales", "store_id", "stores", "store_id")
    assert "`sales`.`store_id` = `stores`.`store_id`, the key of `stores`" in tables_text((), joins=[join])
    twice = [*tables, connected(stores, "store_id").model_copy(update={"name": "old_stores"})]
    assert not [j for j in likely_joins(twice, linker.held) if j.keyed], "which one is meant is not known"
