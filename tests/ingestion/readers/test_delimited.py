"""CSV and TSV: encodings, delimiters, quoting, ragged rows, several tables in a file."""

import pickle
import time
from pathlib import Path

import pytest

from tablerag.ingestion.document import Document
from tablerag.ingestion.readers import delimited, delimited_stream, loaded_records
from tablerag.ingestion.readers.delimited import read_delimited
from tablerag.ingestion.readers.delimited_stream import StreamedGrid
from tablerag.ingestion.tables.table import build_table
from tablerag.tools.errors import UnreadableDocument
from tests.ingestion.readers.blocks import tables, texts
from tests.support.cpu import cpu_seconds


def read(tmp_path: Path, content: str | bytes, name: str = "t.csv") -> Document:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_delimited(path)


PLAIN = [["name", "city"], ["José", "Zürich"], ["Ann", "Genève"]]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_western_encodings_are_found(tmp_path: Path, encoding: str) -> None:
    content = "\n".join(",".join(row) for row in PLAIN) + "\n"
    if encoding == "utf-16-le" and len(content.encode(encoding)) % 2:
        content += "\n"
    (table,) = tables(read(tmp_path, content.encode(encoding)))
    assert table.grid == PLAIN
    assert any("encoding was guessed" in w for w in table.warnings) == (encoding == "cp1252")


def test_chinese_bytes_are_read_as_chinese(tmp_path: Path) -> None:
    content = (
        "姓名,城市,产品\n王小明,北京市朝阳区,笔记本电脑\n李红,上海市浦东新区,显示器和键盘\n张伟,广州市天河区,办公桌椅\n"
    )
    (table,) = tables(read(tmp_path, content.encode("gb18030")))
    assert table.grid[0] == ["姓名", "城市", "产品"]
    assert table.grid[1][1] == "北京市朝阳区"


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters_are_found(tmp_path: Path, delimiter: str) -> None:
    rows = [["item", "note", "price"], ["bolt", "long; thin", "1"], ["nut", "a, b and c", "2"]]
    content = "\n".join(delimiter.join(f'"{c}"' if not c.isalnum() else c for c in r) for r in rows)
    (table,) = tables(read(tmp_path, content))
    assert table.grid == rows


def test_decimal_commas_do_not_pass_for_delimiters(tmp_path: Path) -> None:
    (table,) = tables(read(tmp_path, "item;price\nbolt;1,50\nnut;2,25\n"))
    assert table.grid == [["item", "price"], ["bolt", "1,50"], ["nut", "2,25"]]


def test_a_declared_delimiter_is_obeyed_and_its_line_counted(tmp_path: Path) -> None:
    (table,) = tables(read(tmp_path, "sep=;\r\na;b\r\n1,1;2\r\n"))
    assert table.grid == [["a", "b"], ["1,1", "2"]]
    assert table.locator.rows == (2, 3)


@pytest.mark.parametrize(
    ("content", "cell"),
    [
        ('"a","b"\n"He said ""no""","2"\n"x","3"\n', 'He said "no"'),
        ('"a","b"\n"He said \\"no\\", twice","2"\n"x","3"\n', 'He said "no", twice'),
        ('"a","b"\n"line 1\n\nline 3","2"\n"x","3"\n', "line 1\n\nline 3"),
        ('"a","b"\n"line 1\n\n\\"line\\" 3","2"\n"x","3"\n', 'line 1\n\n"line" 3'),
        ('"a","b"\n"C:\\","2"\n"D:\\","3"\n', "C:\\"),
        ("a,b\nC:\\new\\table,2\nx,3\n", "C:\\new\\table"),
        ('a, "b"\n1st, "x, y"\nz, "3"\n', "1st"),
    ],
)
def test_quotes_and_escapes(tmp_path: Path, content: str, cell: str) -> None:
    (table,) = tables(read(tmp_path, content))
    assert [len(row) for row in table.grid] == [2, 2, 2]
    assert table.grid[1][0] == cell


def test_an_unclosed_quote_does_not_swallow_the_file(tmp_path: Path) -> None:
    content = "size,item\n" + '"5 inch,pipe\n' + "".join(f"{n},bolt\n" for n in range(30))
    (table,) = tables(read(tmp_path, content))
    assert len(table.grid) == 32
    assert table.grid[-1] == ["29", "bolt"]


def test_ragged_rows_are_padded_and_told(tmp_path: Path) -> None:
    (table,) = tables(read(tmp_path, "a,b,c\n1,2,3\n4,5\n6,7,8\n"))
    assert table.grid[2] == ["4", "5", None]
    assert any(w.startswith("1 row with more or fewer than 3 cells") for w in table.warnings)


def test_a_title_line_becomes_the_caption(tmp_path: Path) -> None:
    (table,) = tables(read(tmp_path, "Sales by region\n\nregion,amount\nNorth,1\nSouth,2\n"))
    assert table.caption == "Sales by region"
    assert table.locator.rows == (3, 5)


def test_a_blank_line_parts_two_tables_but_not_one(tmp_path: Path) -> None:
    two = tables(read(tmp_path, "region,amount\nNorth,1\nSouth,2\n\nperson,role\nAnn,lead\nBob,clerk\n"))
    assert [t.grid[0] for t in two] == [["region", "amount"], ["person", "role"]]
    (one,) = tables(read(tmp_path, "region,amount\nNorth,1\n\nSouth,2\nWest,3\n"))
    assert one.locator.rows == (1, 5)
    assert one.grid[2] == [None, None]


@pytest.mark.parametrize("apart", [1, 2, 7])
def test_many_blank_lines_take_no_longer_than_rows(tmp_path: Path, apart: int) -> None:
    """A file with a blank line after every row took minutes, as every row was joined to a copy of those above it."""
    rows = [f"A{n},{n},north" for n in range(30_000)]
    text = "\n".join(line + "\n" * (i % apart == 0) for i, line in enumerate(["id,amount,region", *rows]))
    began = time.process_time()
    (table,) = tables(read(tmp_path, text))
    assert time.process_time() - began < 10
    filled = [row for row in table.grid if any(c is not None for c in row)]
    assert (filled[0], len(filled), filled[-1][0]) == (["id", "amount", "region"], 30_001, "A29999")


def test_one_column_is_a_table(tmp_path: Path) -> None:
    (table,) = tables(read(tmp_path, "name\nAnn\nBob\n"))
    assert table.grid == [["name"], ["Ann"], ["Bob"]]


def test_long_cells_and_many_rows(tmp_path: Path) -> None:
    content = "id,text\n" + f"0,{'x' * 200_000}\n" + "".join(f"{n},row\n" for n in range(1, 20_000))
    (table,) = tables(read(tmp_path, content))
    assert len(table.grid) == 20_001
    assert len(str(table.grid[1][1])) == 200_000


def test_one_endless_row_does_not_widen_all_others(tmp_path: Path) -> None:
    with pytest.raises(UnreadableDocument, match="2,001 rows x 100,001 columns"):
        read(tmp_path, "," * 100_000 + "x\n" + "a,b\n" * 2000)


def test_other_formats_under_the_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableDocument, match="is a PDF, not delimited text"):
        read(tmp_path, b"%PDF-1.7 ...")
    with pytest.raises(UnreadableDocument, match="is binary data"):
        read(tmp_path, b"a,b\n\x00\x01\x02\xff,1\n")


def test_a_line_of_text_is_text(tmp_path: Path) -> None:
    document = read(tmp_path, "nothing here\n")
    assert texts(document) == ["nothing here"]


@pytest.fixture
def streamed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "STREAMED_BYTES", 10)


ROWS = "Sales of 2024;;\n\nday;amount;note\n" + "".join(f'{i};{i * 2};"a; b {i}"\n' for i in range(600))


def test_a_large_file_is_gone_through_row_by_row(tmp_path: Path, streamed: None) -> None:
    document = read(tmp_path, ROWS + "\nSource: the ledger;;\n")
    (table,) = tables(document)
    assert isinstance(table.grid, StreamedGrid)
    assert (table.caption, len(table.grid)) == ("Sales of 2024", 601)
    assert (str(table.locator), table.source_rows[1]) == ("rows 3-603", 4)
    assert texts(document) == ["Source: the ledger"]
    rows = list(table.grid)
    assert (rows[0], rows[-1]) == (["day", "amount", "note"], ["599", "1198", "a; b 599"])
    assert list(table.grid) == rows, "as often as needed"
    assert (table.grid[2], table.grid[-1], table.grid[599:601]) == (rows[2], rows[-1], rows[599:601])
    assert list(pickle.loads(pickle.dumps(table.grid))) == rows
    with pytest.raises(IndexError):
        table.grid[601]


def test_streamed_and_whole_reading_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = build_table(tables(read(tmp_path, ROWS))[0])
    monkeypatch.setattr(delimited, "STREAMED_BYTES", 10)
    streamed = build_table(tables(read(tmp_path, ROWS))[0])
    assert [(c.header, c.type) for c in streamed.columns] == [(c.header, c.type) for c in whole.columns]
    assert [r.cells for r in streamed.rows()] == [r.cells for r in whole.rows()]
    sources = [[t.block.source_rows[r.index] for r in t.rows()] for t in (streamed, whole)]
    assert sources[0] == sources[1]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_encodings_of_large_files(tmp_path: Path, streamed: None, encoding: str) -> None:
    content = "".join(f"{n},{c}\n" for n, c in PLAIN)
    (table,) = tables(read(tmp_path, content.encode(encoding)))
    assert list(table.grid) == PLAIN


def test_foreign_bytes_far_into_a_large_file(tmp_path: Path, streamed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "BEGINNING_BYTES", 40)
    content = "name,city\n" + "Ann,Bern\n" * 20 + "José,Genève\n"
    (table,) = tables(read(tmp_path, content.encode("cp1252")))
    assert table.grid[21] == ["José", "Genève"]
    assert any("guessed to be cp1252" in w for w in table.warnings)


def test_a_quote_never_closed_in_a_large_file(tmp_path: Path, streamed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited_stream, "MAX_FIELD", 500)
    monkeypatch.setattr(delimited, "SAMPLE_CHARS", 200)
    (table,) = tables(read(tmp_path, "name,size\n" + "bolt,5\n" * 300 + '"nut,6\n' + "bolt,7\n" * 300))
    assert len(table.grid) == 602
    assert table.grid[301] == ['"nut', "6"]
    assert any("never closed" in w for w in table.warnings)


@pytest.mark.parametrize(
    "rows",
    [
        ["product,price,stock", "Apple,1.20,5", "Pear,,", "Plum,2.10,7", "Fig,,", "Kiwi,0.50,9"],
        ["Setting,Dev,Test,Prod", "port,80,81,82", "host,a,b,c", "replicas,1,2,3", "region,eu,us,ap", "memory,1,2,3"],
        ["sensor,value", "A,pending", "B,1", "C,2", "D,3", "E,4"],
        ["student,exam1,exam2", "ann,absent,sick", "bob,1,2", "cid,3,4"],
        ["name,dept,city", "ann,hr,rome", "bob,it,paris", ",,", "cid,hr,bonn", "dee,it,oslo"],
        ["Code,Year,Code,Year", "A,1927,A1,1955", "CH,1930,CH1,RIEN", "D,1931,D1,1958"],
        ["country,since", "Chad,1960", "South Sudan,", "Sudan,1956", "Togo,1960"],
    ],
    ids=lambda rows: rows[0],
)
def test_records_come_through_whole(tmp_path: Path, rows: list[str]) -> None:
    (table,) = map(build_table, tables(read(tmp_path, "\n".join(rows) + "\n")))
    assert table is not None
    wanted = [[c or None for c in row.split(",")] for row in rows[1:] if row.strip(",")]
    assert [row.cells for row in table.rows()] == wanted
    assert (table.header_rows, table.totals, table.sections) == (1, frozenset(), frozenset())


def test_a_header_whose_groups_left_gaps_has_two_rows(tmp_path: Path) -> None:
    rows = "Item,2023,,2024,\n,Q1,Q2,Q1,Q2\npens,1,2,3,4\nink,5,6,7,8\n"
    (table,) = map(build_table, tables(read(tmp_path, rows)))
    assert table is not None
    assert (table.header_rows, table.row_count) == (2, 2)


@pytest.mark.parametrize(
    ("rows", "totals"),
    [
        ("movie,gross\nHeat,100\nAliens,200\nTotal Recall,300\n", []),
        ("company,revenue\nShell,300\nTotal,240\nBP,250\nEni,90\n", []),
        ("city,sales\nRome,100\nOslo,200\nTotal,300\n", ["Total"]),
        ("city,sales\nRome,100\nOslo,200\nBonn,50\nTotal cities,350\n", ["Total cities"]),
        ("codec,rate\nA,8000\nB,8000\nC,16000\nD,32000\n", []),
    ],
)
def test_totals_among_records_need_a_label_and_a_sum(tmp_path: Path, rows: str, totals: list[str]) -> None:
    (table,) = map(build_table, tables(read(tmp_path, rows)))
    assert table is not None
    assert [row.cells[0] for row in table.rows() if row.index in table.totals] == totals


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n" + "".join(f"{i},x {i}\n" for i in range(60)),
        "a,b\r\n" + "".join(f"{i}, \r\n" for i in range(60)) + "7,last",
        "a,b\n" + "".join(f"{i}\n\n,,\n1,2,3\n" for i in range(20)),
        "a,b\n" + "".join(f'{i},"x, ""{i}""\n"\n' for i in range(40)),
        "a,b\n" + "".join(f"{i},C:\\x\n" for i in range(40)),
    ],
    ids=["plain", "returns and blanks", "uneven", "quoted", "backslashes"],
)
@pytest.mark.parametrize("chars", [1, 37, 1_000_000])
def test_columns_of_a_streamed_file_are_those_of_its_rows(
    tmp_path: Path, streamed: None, monkeypatch: pytest.MonkeyPatch, text: str, chars: int
) -> None:
    monkeypatch.setattr(delimited_stream, "BLOCK_CHARS", chars)
    (table,) = tables(read(tmp_path, text))
    assert isinstance(table.grid, StreamedGrid)
    for start, size in ((0, 7), (3, 1000)):
        batches = list(table.grid.columns(start, size))
        assert [list(row) for batch in batches for row in zip(*batch, strict=True)] == list(table.grid)[start:]


@pytest.mark.parametrize("quote", ["", '"'])
def test_a_streamed_file_of_huge_cells_or_columns_is_refused(
    tmp_path: Path, streamed: None, monkeypatch: pytest.MonkeyPatch, quote: str
) -> None:
    monkeypatch.setattr(delimited_stream, "MAX_FIELD", 500)
    monkeypatch.setattr(delimited_stream, "BLOCK_CHARS", 200)
    monkeypatch.setattr(delimited_stream, "MAX_WIDTH", 50)
    monkeypatch.setattr(loaded_records, "MOST_BYTES", 100)
    with pytest.raises(UnreadableDocument, match="has a cell of more than 500 characters: shorten it"):
        read(tmp_path, f"a,b\n{quote}1{quote},2\n1," + "x" * 3000 + "\n")
    with pytest.raises(UnreadableDocument, match="has a cell of more than 500 characters: shorten it"):
        read(tmp_path, 'a,b\n1,"' + "line\n" * 900 + '"\n' + "2,3\n" * 300)
    with pytest.raises(UnreadableDocument, match="record 3 has 100 cells"):
        read(tmp_path, f"a,b\n{quote}1{quote},2\n" + ",".join("1" * 100) + "\n")


def test_a_very_long_line_before_foreign_letters_is_read_at_once(tmp_path: Path) -> None:
    start = cpu_seconds()
    (table,) = tables(read(tmp_path, b"a,b\n" + b"x" * 300_000 + b",1\nJos\xe9,2\n"))
    assert table.grid[2] == ["José", "2"]
    assert cpu_seconds() - start < 5
