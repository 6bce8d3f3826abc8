"""Parquet files."""

import datetime
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from tablerag.ingestion.document import Document
from tablerag.ingestion.readers import read_document
from tablerag.tools.errors import UnreadableDocument
from tests.ingestion.readers.blocks import tables


def read(path: Path, select: str) -> Document:
    with duckdb.connect() as engine:
        engine.execute(f"COPY ({select}) TO '{path}' (FORMAT parquet)")
    return read_document(path)


def test_columns_keep_their_types(tmp_path: Path) -> None:
    select = """SELECT i AS id, DATE '2024-01-01' + i::INT AS day, (i * 1.25)::DECIMAL(9, 2) AS price,
    'nan'::DOUBLE AS x, TIMESTAMPTZ '2024-01-01 10:00:00+02' AS at, i = 1 AS on, 'x'::BLOB AS bin,
    '' AS "na""me" FROM range(2) t(i)"""
    (table,) = tables(read(tmp_path / "all [x]*.parquet", select))
    day, noon = datetime.date(2024, 1, 2), datetime.datetime(2024, 1, 1, 8)
    assert table.grid[0] == ["id", "day", "price", "x", "at", "on", 'na"me']
    assert table.grid[2] == [1, day, Decimal("1.25"), None, noon, True, None]
    assert (table.warnings, str(table.locator)) == (("bin: binary values were left out",), "rows 1-2")


def test_nested_values_are_columns_and_child_tables(tmp_path: Path) -> None:
    select = "SELECT i AS id, {'city': 'Bern'} AS shop, [{'n': i}, {'n': 7}] AS parts FROM range(2) t(i)"
    orders, parts = tables(read(tmp_path / "orders.parquet", select))
    assert orders.grid == [["id", "shop.city"], [0, "Bern"], [1, "Bern"]]
    assert parts.grid == [["order id", "n"], [0, 0], [0, 7], [1, 1], [1, 7]]


def test_nested_times_with_a_zone_are_read_in_utc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    at = "TIMESTAMPTZ '2024-01-01 10:00:00+02'"
    select = f"SELECT {{'at': {at}, 'TIMESTAMP WITH TIME ZONE': 1}} AS s, [{at}] AS days, {at} AS day FROM range(2)"
    (table,) = tables(read(tmp_path / "t.parquet", select))
    noon = datetime.datetime(2024, 1, 1, 8)
    assert table.grid[0] == ["s.at", "s.TIMESTAMP WITH TIME ZONE", "days", "day"]
    assert table.grid[1] == [noon, 1, noon, noon]


def test_a_folder_named_like_a_partition_adds_no_column(tmp_path: Path) -> None:
    (tmp_path / "year=2024").mkdir()
    (table,) = tables(read(tmp_path / "year=2024" / "t.parquet", "SELECT i AS n, i AS m FROM range(2) t(i)"))
    assert table.grid == [["n", "m"], [0, 0], [1, 1]]


def test_files_of_binary_values_only_have_no_text(tmp_path: Path) -> None:
    with pytest.raises(UnreadableDocument, match="contains no text and no tables"):
        read(tmp_path / "t.parquet", "SELECT 'x'::BLOB AS picture FROM range(2)")


def test_files_that_are_no_parquet_are_one_line(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    read(path, "SELECT 1 AS a, 2 AS b FROM range(1000)")
    content = path.read_bytes()
    for data, problem in (
        (b"PARE" + content, "encrypted"),
        (b"a,b\n1,2\n", "not a Parquet"),
        (content[:-90], "cannot"),
    ):
        path.write_bytes(data)
        with pytest.raises(UnreadableDocument, match=problem) as caught:
            read_document(path)
        assert "\n" not in str(caught.value)


def test_more_cells_than_fit_into_memory_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableDocument, match=r"40,000,000 rows x 1 columns, more than"):
        read(tmp_path / "t.parquet", "SELECT 1 AS a FROM range(40_000_000)")
