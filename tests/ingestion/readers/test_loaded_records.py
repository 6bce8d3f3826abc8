"""Long plain files that an engine reads: their tables are those that are read record by record."""

import random
from pathlib import Path

import _duckdb as duckdb
import pytest

from tablerag.ingestion.content import DocumentContent, read_content
from tablerag.ingestion.manifest import SourceFile
from tablerag.ingestion.readers import delimited, loaded_records
from tablerag.ingestion.readers.delimited import read_delimited
from tablerag.ingestion.readers.delimited_stream import StreamedGrid
from tablerag.ingestion.tables.table import MOST_HIERARCHY_ROWS
from tablerag.tools.settings import Settings
from tests.ingestion.readers.blocks import tables

SEED = 7
CELLS = (
    *("12", "-3", "0", "4.50", "1,5", "1e5", "$3", "5%", "007", "2024-02-28", "2023-02-30", "03/04/2024", "10:30"),
    *("Zürich", "zurich", "a b", "a  b", "n/a", "-", "", "", " ", "\u00a0", "\t", "soft\u00adly", "true", "1–3", "A"),
)
SETTINGS = Settings(_env_file=None)


def content(path: Path) -> DocumentContent:
    return read_content(SourceFile(path, path.name), "d" * 20, SETTINGS)


def grid(path: Path) -> StreamedGrid:
    (table,) = tables(read_delimited(path))
    assert isinstance(table.grid, StreamedGrid)
    return table.grid


@pytest.fixture(autouse=True)
def streamed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "STREAMED_BYTES", 5)


def test_counted_columns_are_those_of_the_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, exhaustive: bool
) -> None:
    chance, counted, path = random.Random(SEED), 0, tmp_path / "a [b].csv"
    for _ in range(500 if exhaustive else 60):
        kinds = [chance.sample(CELLS, chance.choice((1, 3, len(CELLS)))) for _ in range(4)]
        rows = [[chance.choice(kind) for kind in kinds] for _ in range(chance.choice((3, 40)))]
        rows += chance.choice(([], [], [["A", "B", "C", "D"]], [["", "", "", ""]], [["", " ", "", "x"]]))
        chance.shuffle(rows)
        end = chance.choice(("\n", "\r\n"))
        path.write_text(end.join(["A;B;C;D", *map(";".join, rows), ""]), encoding="utf-8", newline="")
        found, is_counted = content(path), grid(path).doubtful(1, 2, {"A"}) is not None
        with monkeypatch.context() as patched:
            patched.setattr(loaded_records, "MOST_BYTES", 0)
            by_records = content(path)
        assert [t.schema for t in found.tables] == [t.schema for t in by_records.tables], rows
        assert (found.chunks, found.warnings) == (by_records.chunks, by_records.warnings)
        counted += is_counted
    assert counted > 50


@pytest.mark.parametrize(
    "text",
    [
        b"a,b\n1,2\n3\n",
        b"a,b\n1,2\n\n3,4\n",
        b'a,b\n1,"2"\n3,4\n',
        b"a,b\n1,2\r\n3,4\n",
        b"a,b\n1,\xff\n3,4\n",
        b"aaaaa\nbbbbb\nccccc\n",
    ],
    ids=["uneven", "empty line", "quotes", "mixed ends", "no UTF-8", "one column"],
)
def test_other_files_are_read_record_by_record(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "a.csv").write_bytes(text)
    assert grid(tmp_path / "a.csv").doubtful(0, 1, set()) is None


@pytest.mark.parametrize("end", ["", "\n", "\n\n\nprepared by hand\n"])
@pytest.mark.parametrize("quote", ["", '"'])
def test_a_total_in_the_last_row_of_a_long_file_is_marked(tmp_path: Path, end: str, quote: str) -> None:
    rows = "".join(f"{i},x {i % 9},{i % 7}\n" for i in range(1, MOST_HIERARCHY_ROWS + 100))
    total = sum(i % 7 for i in range(1, MOST_HIERARCHY_ROWS + 100))
    path = tmp_path / "a.csv"
    path.write_text(f"no,{quote}word{quote},amount\n{rows}Total,,{total}{end}", encoding="utf-8")
    (table,) = content(path).tables
    assert [c.type for c in table.schema.columns] == ["integer", "text", "integer"]
    assert table.table.totals == {MOST_HIERARCHY_ROWS + 100} and "_total" in table.schema.hidden_columns
    assert any("1 row sums up others ('Total')" in w for w in table.schema.warnings)


def test_rows_left_out_of_a_long_file_are_noted(tmp_path: Path) -> None:
    rows = "".join(f"{i},x\n" for i in range(MOST_HIERARCHY_ROWS))
    path = tmp_path / "a.csv"
    path.write_text(f"no,word\n{rows},\nno,word\n{rows}", encoding="utf-8")
    (table,) = content(path).tables
    assert table.schema.row_count == 2 * MOST_HIERARCHY_ROWS
    assert "left out 2 rows that are blank or repeat the header" in table.schema.warnings


def test_a_file_that_needs_more_memory_is_read_record_by_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a,b\n" + "".join(f"{i},{'x' * 90} {i}\n" for i in range(40_000)), encoding="utf-8")
    monkeypatch.setattr(loaded_records, "MEMORY", "4MB")
    assert grid(path).doubtful(1, 2, set()) is None
    assert content(path).tables[0].schema.row_count == 40_000


def test_counting_beyond_the_memory_is_out_of_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a,b\n" + "".join(f"{i},{'x' * 90} {i}\n" for i in range(40_000)), encoding="utf-8")
    engines = []
    connect = duckdb.connect
    monkeypatch.setattr(duckdb, "connect", lambda **given: engines.append(connect(**given)) or engines[-1])
    found = grid(path)
    engines[-1].execute("SET memory_limit = '7MB'")
    with pytest.raises(MemoryError):
        [list(column) for column in found.counted(1, 40_001)]
