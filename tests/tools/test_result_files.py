"""Results as files: read back, and without formulas."""

from collections.abc import Sequence
from pathlib import Path

import duckdb
import pytest
from openpyxl import load_workbook

from tablerag.tools.errors import ConfigError
from tablerag.tools.result_files import check_fits, write_rows

ROWS = [["=1+2", 7, 1.5, None, True], ["é\x00 \u202e", -5, 2, None, False]]
COLUMNS = ["Name", "n", "x", "=empty", "name"]


def cell_of_csv(file: Path, cell: str) -> str:
    write_rows("csv", ["c"], [[cell]], file)
    return file.read_bytes().decode("utf-8-sig").removeprefix("c\r\n").removesuffix("\r\n")


def test_cells_of_csv_are_quoted_and_no_formula_runs(tmp_path: Path) -> None:
    rows: Sequence[list] = [["a,b", 'say "x"', "two\nlines"], ["=1+2", -5, None], ["+x", "@y", True]]
    write_rows("csv", ["1", "2", "=3"], rows, tmp_path / "r.csv")
    written = "\ufeff1,2,'=3\r\n" + '"a,b","say ""x""","two\nlines"\r\n' + "'=1+2,-5,\r\n" + "'+x,'@y,true\r\n"
    assert (tmp_path / "r.csv").read_bytes().decode() == written


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("a;=1+2", "a;'=1+2"), ("a; =1+2;b", "a; '=1+2;b"), ("x\t@y", "x\t'@y"), ("\n=1", "\"\n'=1\""),
        ("\uff1d1+2", "'\uff1d1+2"), ("sep=|", "'sep=|"), ("x\n+1", "\"x\n'+1\""), ("a-b; c=d", "a-b; c=d"),
    ],
)  # fmt: skip
def test_no_part_of_a_cell_runs_where_others_divide_cells(tmp_path: Path, cell: str, written: str) -> None:
    assert cell_of_csv(tmp_path / "r.csv", cell) == written


def test_a_workbook_has_values_and_no_formulas(tmp_path: Path) -> None:
    write_rows("xlsx", COLUMNS, iter(ROWS), tmp_path / "r.xlsx")
    rows = list(load_workbook(tmp_path / "r.xlsx").active.iter_rows())
    assert [[c.value for c in r] for r in rows] == [COLUMNS, ROWS[0], ["é\ufffd \u202e", -5, 2, None, False]]
    assert {c.data_type for r in rows for c in r} == {"s", "n", "b"}


def test_a_workbook_that_would_take_minutes_is_refused() -> None:
    check_fits("xlsx", 100_000)
    check_fits("csv", 1_000_000)
    with pytest.raises(ConfigError, match="100,001 rows are more than the 100,000 of Excel files: use CSV or Parquet"):
        check_fits("xlsx", 100_001)


def test_parquet_keeps_types_and_names(tmp_path: Path) -> None:
    write_rows("parquet", [*COLUMNS, 'a"b'], [[*ROWS[0], 2**70], [*ROWS[1], 1]], tmp_path / "r.parquet")
    found = duckdb.sql(f"SELECT * FROM '{tmp_path / 'r.parquet'}'")
    assert found.columns == ["Name", "n", "x", "=empty", "name 2", 'a"b']
    assert [str(t) for t in found.types] == ["VARCHAR", "BIGINT", "DOUBLE", "VARCHAR", "BOOLEAN", "DOUBLE"]
    assert found.fetchall()[0] == ("=1+2", 7, 1.5, None, True, float(2**70))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["r.parquet"]
