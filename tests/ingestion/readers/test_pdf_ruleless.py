"""PDF: tables without rules are found by alignment; prose, lists, contents, addresses, code and formulas are none."""

from pathlib import Path

import pytest
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph, Table

from tablerag.ingestion.readers import read_document
from tests.ingestion.readers.blocks import outline, tables, texts
from tests.ingestion.readers.pdfs import LOREM, STYLES, build, draw_rows, drawn, text

DEPOTS = [["Depot", "2022", "2023"], ["North", "1,200", "1,300"], ["South", "800", "(40)"], ["West", "77", "—"]]
RIGHT = ("ALIGN", (1, 0), (-1, -1), "RIGHT")
SHADED = [("ROWBACKGROUNDS", (0, 1), (-1, -1), [colors.lightgrey, colors.white])]
LEVEL = [("LINEABOVE", (0, 0), (-1, 0), 1, colors.black), ("LINEBELOW", (0, 0), (-1, -1), 0.5, colors.black)]
BOXED = [("BOX", (0, 0), (-1, -1), 1, colors.black), *LEVEL]
PROSE = (
    "in 2023 the depot sold 1,204 parcels and 998 of them in May while costs of 12.5 million fell by 3 % over "
    "14 months to reach a level that nobody had expected when the board of 12 members met on 3 March 2021 and "
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "report.pdf"


@pytest.mark.parametrize(
    "style",
    [[], SHADED, LEVEL, BOXED, [*BOXED, ("LINEAFTER", (0, 0), (0, -1), 1, colors.black)]],
    ids=["bare", "zebra", "level rules", "box and level rules", "rule after the labels"],
)
def test_tables_without_cells_of_rules_are_found(path: Path, style: list) -> None:
    table = Table(DEPOTS, colWidths=[120, 60, 60], style=[*style, RIGHT])
    build(path, [text("Depots", "Heading1"), text(LOREM), table, text("After it.")])
    document = read_document(path)
    assert outline(document) == ["Depots", LOREM.strip(), "TABLE Depot", "After it."]
    (read,) = tables(document)
    assert read.grid == [[None if c == "" else c for c in row] for row in DEPOTS]
    assert "alignment" in read.warnings[0]


def test_upright_rules_alone_part_no_rows(path: Path) -> None:
    style = [("BOX", (0, 0), (-1, -1), 1, colors.black), ("LINEBELOW", (0, 0), (-1, 0), 1, colors.black)]
    upright = ("LINEAFTER", (0, 0), (-1, -1), 0.5, colors.black)
    build(path, [Table(DEPOTS, colWidths=[120, 60, 60], style=[*style, upright, RIGHT])])
    assert tables(read_document(path))[0].grid == DEPOTS


def test_a_statement_with_groups_signs_and_indents(path: Path) -> None:
    rows = [
        ["Revenue:", "", "", "", ""],
        [" Products", "$", "61,271", "$", "54,120"],
        [" Services", "", "9,876", "", "8,765"],
        ["Cost of revenue", "", "(32,780)", "", "(30,111)"],
        ["Gain on the disposal of property and", "", "", "", ""],
        [" other assets held for sale", "", "12", "", "—"],
        ["Net income", "$", "38,379", "$", "32,774"],
    ]
    with drawn(path) as canvas:
        canvas.drawCentredString(430, 740, "Year ended December 31,")
        canvas.line(370, 737, 490, 737)
        draw_rows(canvas, [["2023", "2022"]], [-420, -490], 725)
        canvas.line(60, 721, 490, 721)
        draw_rows(canvas, rows, [60, 375, -420, 445, -490], 708)
    (read,) = tables(read_document(path))
    assert read.grid == [
        [None, "Year ended December 31,", "Year ended December 31,"],
        [None, "2023", "2022"],
        ["Revenue:", None, None],
        ["Products", "$61,271", "$54,120"],
        ["Services", "9,876", "8,765"],
        ["Cost of revenue", "(32,780)", "(30,111)"],
        ["Gain on the disposal of property and other assets held for sale", "12", "—"],
        ["Net income", "$38,379", "$32,774"],
    ]
    assert read.indents == [0, 0, 0, 1, 1, 0, 0, 0]


def test_cells_that_wrap_are_one_row_and_header_lines_one_name(path: Path) -> None:
    head = [text("Name of the depot"), text("Parcels sent in the year"), text("Cost per parcel"), text("Remarks")]
    rows = [
        [
            text("The depot of the north and the adjoining coast"),
            "1,200",
            "3.15",
            text("closed in winter, open in May"),
        ],
        ["South", "800", "2.75", ""],
        [text("West of the river and beyond"), "77", "(0.15)", text("see note 4")],
    ]
    style = [("VALIGN", (0, 0), (-1, -1), "MIDDLE"), ("ALIGN", (1, 1), (2, -1), "RIGHT")]
    build(path, [Table([head, *rows], colWidths=[110, 70, 60, 110], style=style)])
    (read,) = tables(read_document(path))
    assert read.grid == [
        ["Name of the depot", "Parcels sent in the year", "Cost per parcel", "Remarks"],
        ["The depot of the north and the adjoining coast", "1,200", "3.15", "closed in winter, open in May"],
        ["South", "800", "2.75", None],
        ["West of the river and beyond", "77", "(0.15)", "see note 4"],
    ]


def test_units_in_a_column_of_their_own_stay_there(path: Path) -> None:
    rows = [
        ["Test", "Result", "Units", "Reference range"],
        ["Hemoglobin", "13.2", "g/dL", "13.5 - 17.5"],
        ["Hematocrit", "40.1", "%", "38.8 - 50.0"],
        ["CRP", "< 0.5", "mg/L", "< 5.0"],
    ]
    build(path, [Table(rows, colWidths=[120, 70, 70, 110])])
    assert tables(read_document(path))[0].grid == rows


def test_leaders_to_several_numbers_are_no_contents(path: Path) -> None:
    rows = [[f"{name} {'.' * 60}", a, b] for name, a, b in (("Parcels", "1,204", "1,100"), ("Letters", "388", "402"))]
    with drawn(path) as canvas:
        draw_rows(canvas, [*rows, ["Other " + "." * 60, "(54)", "(61)"]], [60, -420, -490], 700)
    (read,) = tables(read_document(path))
    assert read.grid == [["Parcels", "1,204", "1,100"], ["Letters", "388", "402"], ["Other", "(54)", "(61)"]]


def test_a_table_of_words_needs_a_header_that_is_marked(path: Path) -> None:
    rows = [["Name", "Office", "City"], ["Ann", "Attic", "Bern"], ["Bob", "Annex", "Basel"], ["Cy", "Cellar", "Chur"]]
    bold = [("FONTNAME", (0, 0), (-1, 0), "Helvetica-Bold")]
    build(path, [text(LOREM), Table(rows, colWidths=90, style=bold)])
    assert tables(read_document(path))[0].grid == rows
    build(path, [text(LOREM), Table(rows, colWidths=90)])
    assert tables(read_document(path)) == []


def test_a_table_in_one_column_of_a_page_and_one_beside_a_paragraph(path: Path) -> None:
    document = BaseDocTemplate(str(path), pagesize=A4)
    frames = [Frame(60, 72, 230, 700, 0, 0, 0, 0), Frame(310, 72, 230, 700, 0, 0, 0, 0)]
    document.addPageTemplates(PageTemplate(frames=frames))
    table = Table(DEPOTS, colWidths=[90, 60, 60], style=[RIGHT])
    document.build([text(LOREM), table, *[text(LOREM)] * 12])
    assert tables(read_document(path))[0].grid == DEPOTS
    with drawn(path) as canvas:
        draw_rows(canvas, [[PROSE[i * 9 : i * 9 + 48]] for i in range(12)], [60], 760, 12)
        draw_rows(canvas, DEPOTS, [330, -450, -510], 748, 12)
    document_read = read_document(path)
    assert tables(document_read)[0].grid == DEPOTS
    assert "1,300" not in " ".join(texts(document_read))


@pytest.mark.parametrize("columns", [1, 2, 3, 4])
def test_justified_prose_full_of_numbers_is_no_table(path: Path, columns: int) -> None:
    document = BaseDocTemplate(str(path), pagesize=A4)
    width = (475 - 18 * (columns - 1)) / columns
    frames = [Frame(60 + i * (width + 18), 72, width, 700, 0, 0, 0, 0) for i in range(columns)]
    document.addPageTemplates(PageTemplate(frames=frames))
    justified = ParagraphStyle("justified", parent=STYLES["BodyText"], alignment=4)
    document.build([Paragraph(PROSE * 14, justified), text(PROSE * 14)])
    assert tables(read_document(path)) == []


LISTED = [[f"{i}.", f"Take {i + 3} parcels, {i * 7} at a time, to the depot."] for i in range(1, 9)]
CONTENTS = [[f"{i} Chapter of words", str(7 * i + 1)] for i in range(1, 8)]
ADDRESSES = [
    ["Nordwind AG", "Ms Jane Roe"],
    ["Bahnhofstrasse 1", "12 Main Street"],
    ["8001 Zurich", "Springfield 62701"],
    ["Tel. +41 44 123 45 67", "Tel. +1 555 123 4567"],
]
LETTERHEAD = [
    ["Muster GmbH", "Invoice no.", "10023"],
    ["Hauptstrasse 12", "Date", "2024-03-01"],
    ["8001 Zurich", "Customer no.", "4711"],
]
CODE = [["int  a", "= 5;"], ["int  bb", "= 17;"], ["long ccc", "= 123;"], ["MAX_LEN", "100"], ["MIN_LEN", "20"]]
EQUATIONS = [["E = m c", "(1)"], ["F = G m M / r", "(2)"], ["p V = n R T", "(3)"], ["S = k log W", "(4)"]]
MATRIX = [["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]]
NOTHING = {
    "numbered list": (LISTED, [60, 90]),
    "bullets": ([["•", row[1]] for row in LISTED], [60, 90]),
    "contents": ([["Contents", ""], *CONTENTS], [60, -500]),
    "contents with dots": ([[f"{t} {'.' * 70}", page] for t, page in CONTENTS], [60, -500]),
    "contents with spaced dots": ([[f"{t}{' .' * 30}", page] for t, page in CONTENTS], [60, -500]),
    "index": ([[f"{t}{' .' * 9}", p, f"{t}{' .' * 9}", p] for t, p in CONTENTS], [60, -230, 300, -500]),
    "addresses": (ADDRESSES, [60, 330]),
    "letterhead": (LETTERHEAD, [60, 350, -530]),
    "code": (CODE, [60, 120]),
    "equations": (EQUATIONS, [200, -520]),
    "matrix": (MATRIX, [200, 230, 260]),
    "chronology": ([["1990", "Founded in Bern"], ["1996", "Moved to Basel"], ["2001", "Sold"]], [60, 130]),
}


@pytest.mark.parametrize("name", NOTHING)
def test_other_things_in_columns_are_no_tables(path: Path, name: str) -> None:
    rows, lefts = NOTHING[name]
    with drawn(path) as canvas:
        draw_rows(canvas, rows, lefts, 600)
    document = read_document(path)
    assert tables(document) == []
    assert rows[-1][1] in " ".join(texts(document))


@pytest.mark.parametrize("below", ["All figures are unaudited.", "Sales in the North rose by 12 percent.", LOREM])
def test_text_right_below_a_table_is_no_part_of_its_last_row(path: Path, below: str) -> None:
    rows = [
        ["Region", "Units", "Revenue"],
        ["North", "120", "1,200"],
        ["South", "80", "950"],
        ["Total", "200", "2,150"],
    ]
    build(path, [Table(rows), text(below, "Normal")])
    document = read_document(path)
    assert tables(document)[0].grid == rows
    assert texts(document) == [below.strip()]


def test_names_of_different_numbers_of_lines_are_no_groups(path: Path) -> None:
    """The two names that are a line longer stand at equal distances, as the names of two groups would."""
    columns = [60, -220, -300, -380, -460]
    with drawn(path) as canvas:
        draw_rows(canvas, [["", "Share of the", "", "Combined", ""]], columns, 740)
        draw_rows(canvas, [["", "population", "Excluded", "school and", "Response"]], columns, 728)
        draw_rows(canvas, [["System", "covered", "share", "pupil rate", "rate"]], columns, 716)
        rows = [
            ["Austria", "100", "5", "98", "97"],
            ["Bulgaria", "99", "3", "95", "94"],
            ["Chile", "98", "4", "96", "90"],
        ]
        draw_rows(canvas, rows, columns, 700)
    (read,) = tables(read_document(path))
    head = [
        "System",
        "Share of the population covered",
        "Excluded share",
        "Combined school and pupil rate",
        "Response rate",
    ]
    assert read.grid[0] == head


def test_close_names_that_are_flush_with_their_columns_are_divided(path: Path) -> None:
    columns = [60, -220, -266, -312]
    with drawn(path) as canvas:
        draw_rows(canvas, [["Group", "Less than", "10,000 to", "20,000 to"]], columns, 728)
        rows = [
            ["Public", "25.5", "10.2", "26.9"],
            ["Private", "27.3", "11.3", "32.4"],
            ["Other", "24.7", "9.7", "24.6"],
        ]
        draw_rows(canvas, rows, columns, 710)
    (read,) = tables(read_document(path))
    assert read.grid[0] == ["Group", "Less than", "10,000 to", "20,000 to"]
