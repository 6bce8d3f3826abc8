"""PDF: tables that run over pages become one; other tables stay apart."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from reportlab.platypus import Flowable, PageBreak, Spacer, Table

from tablerag.ingestion.readers import read_document
from tests.ingestion.readers.blocks import outline, tables, texts
from tests.ingestion.readers.pdfs import RULED, build, draw_rows, drawn, text

HEADER = ["Depot", "Code", "Parcels"]
DOWN = Spacer(1, 400)


def rows(first: int, count: int) -> list[list[str]]:
    return [[f"Depot {i}", f"D{i:03}", str(i * 7)] for i in range(first, first + count)]


def table(content: Sequence[Sequence[str]], style: list | None = None, repeat: int = 0) -> Table:
    return Table([list(r) for r in content], colWidths=80, style=style or [], repeatRows=repeat)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "report.pdf"


@pytest.mark.parametrize("style", [RULED, []], ids=["ruled", "bare"])
@pytest.mark.parametrize("repeat", [0, 1], ids=["header once", "header repeated"])
def test_a_table_over_pages_is_one(path: Path, style: list, repeat: int) -> None:
    story = [text("Depots", "Heading1"), table([HEADER, *rows(1, 90)], style, repeat), text("After it.")]
    build(path, story, footer="Handbook, page")
    document = read_document(path)
    (read,) = tables(document)
    assert read.grid == [HEADER, *rows(1, 90)]
    assert (read.locator.page, read.locator.last_page) == (1, 3)
    assert str(read.locator) == "pages 1-3, Depots"
    assert read.pages is not None and list(read.pages) == sorted(read.pages) and set(read.pages) == {1, 2, 3}
    assert read.warnings[-1] == "stitched from pages 1-3"
    assert outline(document) == ["Depots", "TABLE Depot", "Handbook, page 1", "After it."]


def test_columns_shifted_by_mirrored_margins_are_the_same(path: Path) -> None:
    with drawn(path) as canvas:
        for page in range(3):
            x = 60 if page % 2 else 90
            canvas.setFont("Helvetica", 10)
            draw_rows(canvas, [HEADER, *rows(1 + 45 * page, 45)], [x, x + 100, x + 200], 760, 15)
            canvas.drawString(290, 30, str(page + 1))
            canvas.showPage()
    (read,) = tables(read_document(path))
    assert read.grid == [HEADER, *rows(1, 135)]
    assert read.indents is None


def test_indents_are_levels_over_all_pages(path: Path) -> None:
    with drawn(path) as canvas:
        for page in range(2):
            canvas.setFont("Helvetica", 10)
            body = [[" " + r[0] if i % 5 else r[0], *r[1:]] for i, r in enumerate(rows(page * 40, 40))]
            draw_rows(canvas, [HEADER, *body], [60, 160, 260], 760, 16)
            canvas.showPage()
    (read,) = tables(read_document(path))
    assert read.indents == [0, *[int(bool(i % 5)) for i in range(40)] * 2]


def test_a_column_that_is_empty_on_the_next_page_is_filled_up(path: Path) -> None:
    first = [["Depot", "2022", "2023", "Note"], *[[f"Depot {i}", str(3 * i), str(4 * i), "a"] for i in range(1, 12)]]
    second = [[f"Depot {i}", str(3 * i), str(4 * i), ""] for i in range(12, 18)]
    build(path, [DOWN, table(first), PageBreak(), table(second)])
    (read,) = tables(read_document(path))
    assert read.grid == [*first, *[[*row[:3], None] for row in second]]


def test_a_row_cut_by_the_page_break_is_joined(path: Path) -> None:
    with drawn(path) as canvas:
        for head, tail, top in (
            ([HEADER], ["Depot 1", "closed for repairs and", "7"], 140),
            ([], ["", "extension", ""], 740),
        ):
            body = [*head, *rows(2, 2), tail] if head else [tail, *rows(4, 3)]
            xs, ys = [60, 140, 300, 380], [top + 16 - 20 * i for i in range(len(body) + 1)]
            canvas.setFont("Helvetica", 10)
            canvas.grid(xs, ys)
            draw_rows(canvas, body, [62, 142, 302], top, 20)
            canvas.showPage()
    (read,) = tables(read_document(path))
    assert read.grid == [HEADER, *rows(2, 2), ["Depot 1", "closed for repairs and extension", "7"], *rows(4, 3)]
    assert read.pages == [1, 1, 1, 1, 2, 2, 2]
    assert "a row split at the end of page 1 was joined" in read.warnings


def test_a_repeated_title_is_dropped(path: Path) -> None:
    first, second = table([HEADER, *rows(1, 10)], RULED), table([HEADER, *rows(11, 9)], RULED)
    story = [DOWN, text("Table 1: North"), first, PageBreak(), text("Table 1: North (continued)"), second, text("End.")]
    build(path, story)
    document = read_document(path)
    (read,) = tables(document)
    assert read.caption == "Table 1: North"
    assert len(read.grid) == 20
    assert texts(document) == ["End."]


NORTH = table([HEADER, *rows(1, 12)], RULED)
APART: dict[str, list[Flowable]] = {
    "another header": [DOWN, NORTH, PageBreak(), table([["Site", "Code", "Staff"], *rows(1, 12)], RULED)],
    "text between": [DOWN, NORTH, PageBreak(), text("The depots of the south."), table([HEADER, *rows(1, 9)], RULED)],
    "text below": [DOWN, NORTH, text("Counted in May."), PageBreak(), table([HEADER, *rows(1, 9)], RULED)],
    "another title": [
        *(DOWN, text("Table 1: North"), NORTH, PageBreak()),
        *(text("Table 2: South"), table([HEADER, *rows(1, 9)], RULED)),
    ],
    "other columns": [DOWN, NORTH, PageBreak(), table([[*r, "1"] for r in rows(1, 9)], RULED)],
    "other places": [DOWN, NORTH, PageBreak(), Table(rows(1, 9), colWidths=[40, 120, 80], style=RULED)],
    "far from the break": [NORTH, PageBreak(), table([HEADER, *rows(1, 9)], RULED)],
}


@pytest.mark.parametrize("name", APART)
def test_other_tables_stay_apart(path: Path, name: str) -> None:
    build(path, APART[name], footer="Page")
    read = tables(read_document(path))
    assert len(read) == 2
    assert [t.locator.page for t in read] == [1, 2]
    assert all(t.pages is None for t in read)
