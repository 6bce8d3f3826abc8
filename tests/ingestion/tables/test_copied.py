"""Long files that the database reads by itself: its table is the one that is written from their cells."""

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import literal_column, select

from tablerag.ingestion.content import read_content
from tablerag.ingestion.document_content import StoredTable
from tablerag.ingestion.manifest import SourceFile
from tablerag.ingestion.readers import delimited
from tablerag.ingestion.tables.copied import plain_file
from tablerag.ingestion.tables.storing import write_table
from tablerag.tools.settings import Settings
from tablerag.tools.sql.backends.tables import PlainFile, StoredColumn
from tablerag.tools.sql.database import Database

HEADER = "No,Day,Seen,Customer,Price,Code"
ROWS = [f"{i},2024-02-{i % 28 + 1:02d},2024-01-05 1{i % 10}:30,Müller {i},{i}.25,00{i}" for i in range(1, 60)]
SEED = 5
PLAIN = ("12", "-3", "0", "4.50", "2024-02-28", "2023-05-01 10:30", "Zürich", "a b", "", "", "n/a", "NA")
ODD = (
    " ",
    "1e5",
    "$3",
    "5%",
    "007",
    "-0",
    "1.",
    "inf",
    "2023-02-30",
    "1_000",
    "9" * 20,
    "a  b",
    "\u00a0x",
    "soft\u00adly",
    "-",
)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(f"sqlite:///{tmp_path / 't.db'}")
    yield opened
    opened.close()


def read(folder: Path, content: str, monkeypatch: pytest.MonkeyPatch) -> StoredTable:
    monkeypatch.setattr(delimited, "STREAMED_BYTES", 10)
    path = folder / "long [a].csv"
    path.write_bytes(content.encode())
    (table,) = read_content(SourceFile(path, path.name), "d" * 20, Settings(_env_file=None)).tables
    return table


def stored(database: Database, found: StoredTable) -> list[tuple[Any, ...]]:
    write_table(database, "t", found.table, found.companions)
    everything = select(literal_column("*")).select_from(database.tables.source("t"))
    return [(type(v), v) for row in database.tables.select(everything, 60) for v in row]


def by_cells(found: StoredTable) -> StoredTable:
    """Return the table such that it is not copied."""
    block = found.table.block
    return replace(found, table=replace(found.table, block=replace(block, source_rows=list(block.source_rows or ()))))


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_plain_file_is_copied(tmp_path: Path, database: Database, monkeypatch: pytest.MonkeyPatch, end: str) -> None:
    found = read(tmp_path, end.join(["Orders of 2024,,,,,", HEADER, *ROWS, ""]), monkeypatch)
    assert [c.type for c in found.table.columns] == ["integer", "date", "datetime", "text", "decimal", "text"]
    file = plain_file(found.table, found.companions)
    assert file and (file.first, file.count, file.source_row) == (2, 59, 3)
    assert stored(database, found) == stored(database, by_cells(found))


@pytest.mark.parametrize(
    "content",
    [
        [*ROWS[:30], "", *ROWS[30:]],
        [*ROWS[:30], HEADER, *ROWS[30:]],
        [*ROWS, "only one cell"],
        ["2024-02-30" if i == 40 else row for i, row in enumerate(ROWS)],
        [row.replace("Müller 7", '"Müller, 7"') for row in ROWS],
        [row.replace("2024-02-09", "9 Feb 2024") for row in ROWS],
        [row.replace("Müller 7", "Müller  7") for row in ROWS],
    ],
    ids=["blank line", "header again", "a note", "ragged", "quoted", "another form of date", "two spaces"],
)
def test_any_other_file_is_written_from_its_cells(
    tmp_path: Path, database: Database, monkeypatch: pytest.MonkeyPatch, content: list[str]
) -> None:
    found = read(tmp_path, "\n".join([HEADER, *content]), monkeypatch)
    assert stored(database, found) == stored(database, by_cells(found))


def test_copied_and_written_tables_are_equal(
    tmp_path: Path, database: Database, monkeypatch: pytest.MonkeyPatch, exhaustive: bool
) -> None:
    chance, copied = random.Random(SEED), 0
    for _ in range(400 if exhaustive else 40):
        kinds = [chance.sample(PLAIN, 3) for _ in range(4)]
        odd = chance.choice((0, 0, 0.02))
        rows = [[chance.choice(ODD if chance.random() < odd else kind) for kind in kinds] for _ in range(30)]
        lines = ["A;B;C;D", *map(";".join, rows)]
        found = read(tmp_path, "\n".join(lines) + "\n", monkeypatch)
        assert stored(database, found) == stored(database, by_cells(found)), lines
        copied += plain_file(found.table, found.companions) is not None
    assert copied > 5


def test_a_database_refuses_to_copy_what_is_no_literal(tmp_path: Path, database: Database) -> None:
    path = tmp_path / "a.csv"
    columns = [(StoredColumn("_row_id", "integer", is_key=True), 0), (StoredColumn("n", "integer"), 1)]

    def copies(content: str, count: int = 2) -> bool:
        path.write_text(content, encoding="utf-8")
        return database.tables.copy("n", columns, PlainFile(path, ",", 2, 1, count, 2), ["n/a"])

    assert copies("a,b\nx,1\ny,N/A\n")
    rows = database.tables.select(select(literal_column("*")).select_from(database.tables.source("n")), 60)
    assert rows == [(1, 1), (2, None)]
    for content in ("a,b\nx,1\ny,1.5\n", "a,b\nx,1\ny,007\n", "a,b\nx,1\n", "a,b\nx,1\ny,2,3\n"):
        assert not copies(content)
    assert database.tables.names() == {"n"} and database.tables.count_rows("n") == 2, "the former table is kept"
    assert {p.suffix for p in tmp_path.rglob("*/*")} == {".parquet"}
