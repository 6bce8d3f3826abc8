"""JSON and lines of JSON: records, wrappers, nested values and what is no table."""

import json
from pathlib import Path

import pytest

from tablerag.ingestion.content import read_content
from tablerag.ingestion.document import Document
from tablerag.ingestion.manifest import SourceFile
from tablerag.ingestion.readers import read_document
from tablerag.tools.errors import UnreadableDocument
from tablerag.tools.settings import Settings
from tests.ingestion.readers.blocks import tables, texts

ORDERS = [
    {"id": 7, "customer": {"name": "Ada", "city": "Bern"}, "tags": ["new", "web"], "lines": [{"item": "nut", "n": 2}]},
    {"id": 9, "customer": {"name": "Bob"}, "lines": [{"item": "bolt", "n": 1}, {"item": "nut", "n": 5}]},
]


def read(tmp_path: Path, value: object, name: str = "orders.json") -> Document:
    path = tmp_path / name
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return read_document(path)


def test_nested_objects_are_columns_and_lists_of_objects_child_tables_with_the_key(tmp_path: Path) -> None:
    orders, lines = tables(read(tmp_path, ORDERS))
    assert orders.grid == [
        ["id", "customer.name", "customer.city", "tags"],
        [7, "Ada", "Bern", "new, web"],
        [9, "Bob", None, None],
    ]
    assert (lines.caption, lines.grid[0]) == ("orders lines", ["order id", "item", "n"])
    assert lines.grid[1:] == [[7, "nut", 2], [9, "bolt", 1], [9, "nut", 5]]
    assert list(lines.source_rows or ())[1:] == [1, 2, 2]
    assert str(orders.locator) == "rows 1-2"


def test_records_without_a_key_get_their_number(tmp_path: Path) -> None:
    parent, child = tables(read(tmp_path, [{"a": 1, "parts": [{"b": 2}]}, {"a": 1, "parts": [{"b": 3}]}]))
    assert parent.grid == [["row", "a"], [1, 1], [2, 1]]
    assert child.grid == [["order row", "b"], [1, 2], [2, 3]]


@pytest.mark.parametrize("wrapper", ["data", "results", "items"])
def test_a_wrapper_does_not_name_its_table(tmp_path: Path, wrapper: str) -> None:
    document = read(tmp_path, {"count": 2, wrapper: ORDERS})
    assert tables(document)[0].caption == "orders"
    assert texts(document) == ["count: 2"]


@pytest.mark.parametrize(
    "value",
    [
        {"x": [1, 2, 3], "y": ["a", "b", "c"]},
        {"columns": ["x", "y"], "data": [[1, "a"], [2, "b"], [3, "c"]]},
        {"x": {"0": 1, "1": 2, "2": 3}, "y": {"0": "a", "1": "b", "2": "c"}},
        [{"x": 1, "y": "a"}, {"x": 2, "y": "b"}, {"x": 3, "y": "c"}],
    ],
)
def test_the_usual_layouts_of_one_table(tmp_path: Path, value: object) -> None:
    (table,) = tables(read(tmp_path, value))
    assert table.grid == [["x", "y"], [1, "a"], [2, "b"], [3, "c"]]


def test_what_is_beside_columns_and_rows_is_read_too(tmp_path: Path) -> None:
    grid = {"columns": ["x", "y"], "data": [[1, "a"], [2, "b"]]}
    document = read(tmp_path, {**grid, "index": [0, 1], "n": 2, "tags": ["new", "web"], "orders": ORDERS})
    assert [t.grid[0][:2] for t in tables(document)] == [["x", "y"], ["id", "customer.name"], ["order id", "item"]]
    assert texts(document) == ["n: 2", "tags: new, web"]
    (table,) = tables(read(tmp_path, {**grid, "index": ["North", "South"]}))
    assert table.grid == [["index", "x", "y"], ["North", 1, "a"], ["South", 2, "b"]]


def test_a_child_table_names_its_parent_in_the_singular(tmp_path: Path) -> None:
    parts = [{"id": i, "parts": [{"n": 1}, {"n": 2}]} for i in (3, 4)]
    assert tables(read(tmp_path, parts, "companies.json"))[1].grid[0] == ["company id", "n"]


def test_keyed_records_and_numbers_by_name(tmp_path: Path) -> None:
    rates = {"CHF": 0.9, "EUR": 1, "GBP": 0.8, "SEK": 11.2, "USD": 1.1}
    shops = {"N1": {"city": "Bern", "m2": 40}, "S2": {"city": "Basel", "m2": 55}}
    first, second = tables(read(tmp_path, {"rates": rates, "shops": shops}))
    assert (first.caption, first.grid[:2]) == ("rates", [["key", "value"], ["CHF", 0.9]])
    assert second.grid == [["key", "city", "m2"], ["N1", "Bern", 40], ["S2", "Basel", 55]]


def test_geojson_features_have_the_names_of_their_properties(tmp_path: Path) -> None:
    feature = {"type": "Feature", "properties": {"name": "Bern", "type": "city"}, "geometry": {"coordinates": [[[1]]]}}
    (table,) = tables(read(tmp_path, {"type": "FeatureCollection", "features": [feature, feature]}))
    assert table.grid[0] == ["type", "name", "properties.type"]
    assert table.warnings == ("geometry.coordinates: lists of lists were left out",)


def test_a_document_without_records_is_text(tmp_path: Path) -> None:
    document = read(tmp_path, {"name": "pump", "limits": {"bar": 8, "on": True}, "tags": ["a", "b"]})
    assert (tables(document), texts(document)) == ([], ["name: pump", "limits.bar: 8", "limits.on: True", "tags: a, b"])


def test_lines_have_their_numbers_and_damaged_ones_are_reported(tmp_path: Path) -> None:
    lines = [json.dumps({"a": i}) for i in range(30)]
    lines[4] = '{"a": '
    document = read(tmp_path, "\n".join(["", *lines]), "log.jsonl")
    (table,) = tables(document)
    assert (table.grid[5], list(table.source_rows or ())[5]) == ([5], 7)
    assert document.warnings == ("1 line not valid JSON, from line 6 on: left out",)
    assert len(tables(read(tmp_path, '{"a": 1, "b": 2}\n{"a": 3, "b": 4}\n'))[0].grid) == 3


def test_odd_values_are_stored_as_what_a_database_holds(tmp_path: Path) -> None:
    odd = '[{"a": NaN, "a": 1, "b": 1e999, "c": "x\\u0000\\ud800", "d": 12345678901234567890123, "e": [1, null]}, {}]'
    document = read(tmp_path, odd)
    assert tables(document)[0].grid[1] == [1, None, "x?", "12345678901234567890123", "1"]
    assert document.warnings[0] == "1 repeated name in objects: the last value was kept"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[" * 200_000, "nests objects or lists too deep: save it with less nesting"),
        ('{"a":' * 200_000, "nests objects or lists too deep"),
        ('{"a": 1}\n' + "words\n" * 3, "has 3 lines of invalid JSON .the first is line 2.: fix or delete them"),
        ('{"a": 1,}', "line 1, column"),
        ('{"a": ' + "9" * 5000 + "x", "line 1"),
        ("[]", "no text and no tables"),
    ],
)
def test_hostile_and_damaged_json_is_one_line(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(UnreadableDocument, match=problem) as caught:
        read(tmp_path, text)
    assert "\n" not in str(caught.value)


def test_deep_objects_wide_records_and_many_tables_are_bounded(tmp_path: Path) -> None:
    deep: object = 1
    for _ in range(500):
        deep = {"a": deep}
    assert "nest deeper" in tables(read(tmp_path, [{"b": 1, "a": deep}] * 2))[0].warnings[0]
    document = read(tmp_path, {"b": 1, "c": deep})
    assert texts(document) == ["b: 1"]
    assert document.warnings == ("values nested more than 100 levels deep were left out",)
    many = {f"t{i}": [{"a": 1, "b": 2}] for i in range(1500)}
    document = read(tmp_path, {"k": 1, **many})
    assert (len(tables(document)), len(document.warnings)) == (1000, 1)
    with pytest.raises(UnreadableDocument, match="columns"):
        read(tmp_path, [{f"c{i}-{j}": 1 for j in range(50)} for i in range(500)])


def test_records_are_typed_and_cited_by_their_number(tmp_path: Path) -> None:
    path = tmp_path / "sales.json"
    path.write_text(json.dumps([{"day": "2024-03-01", "price": 1.5, "code": "007"}] * 3), encoding="utf-8")
    (table,) = read_content(SourceFile(path, path.name), "d" * 20, Settings(_env_file=None)).tables
    assert [(c.name, c.type) for c in table.schema.columns] == [("day", "date"), ("price", "decimal"), ("code", "text")]
