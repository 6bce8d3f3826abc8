"""PDFs that pdfminer cannot read, whole or in part, are read by pdfium; no library's error reaches a reader."""

from pathlib import Path

import pdfplumber
import pytest

from benchmarks.hostile_pdfs import pdf
from tablerag.ingestion.document import TextBlock
from tablerag.ingestion.readers import pdf_bounds, read_document
from tablerag.tools.errors import UnreadableDocument
from tests.ingestion.readers.blocks import texts

WORDS = "The northern depot handles most parcels"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "report.pdf"


def stream(content: bytes, head: bytes = b"") -> bytes:
    return b"<<%b/Length %d>>stream\n%b\nendstream" % (head, len(content), content)


def shown(words: str) -> bytes:
    return b"BT/F 10 Tf 1 0 0 1 72 700 Tm(%b)Tj ET" % words.encode()


WHOLE = pdf(stream(shown(WORDS)))
DAMAGED = {
    "no table of objects": WHOLE.replace(b"startxref", b"startxxxx"),
    "words for the size": WHOLE.replace(b"[0 0 600 800]", b"[0 0 (x) 800]"),
    "no size": WHOLE.replace(b"/MediaBox[0 0 600 800]", b""),
    "half a crop box": WHOLE.replace(b"/MediaBox", b"/CropBox[1 2]/MediaBox"),
    "words for the turn": WHOLE.replace(b"/MediaBox", b"/Rotate(x)/MediaBox"),
    "unknown filter": pdf(stream(shown(WORDS), b"/Filter/Nope")),
    "broken details": WHOLE.replace(b"/Root 1 0 R", b"/Root 1 0 R/Info<</Title 99 0 R/Author[/x>>"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_files_are_read_with_a_warning(path: Path, name: str) -> None:
    path.write_bytes(DAMAGED[name])
    document = read_document(path)
    assert texts(document) == [WORDS]
    assert document.warnings == ("page 1 is damaged: read without the lines of tables, check them",)


def test_the_other_pages_are_read_as_ever(path: Path) -> None:
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 7 0 R/Resources<</Font<</F 5 0 R>>>>>>"
    pages = {2: b"<</Type/Pages/Count 2/Kids[3 0 R 6 0 R]>>", 6: page}
    path.write_bytes(
        pdf(stream(shown(WORDS)), pages | {7: stream(shown("The southern depot closed"), b"/Filter/Nope")})
    )
    document = read_document(path)
    assert [(b.locator.page, b.text) for b in document.blocks if isinstance(b, TextBlock)] == [
        (1, WORDS),
        (2, "The southern depot closed"),
    ]
    assert document.warnings == ("page 2 is damaged: read without the lines of tables, check them",)


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_turned_pages(path: Path, turn: int) -> None:
    matrix = {0: "1 0 0 1 72 700", 90: "0 1 -1 0 72 100", 180: "-1 0 0 -1 500 700", 270: "0 -1 1 0 72 700"}[turn]
    lines = (f"BT/F 10 Tf {matrix} Tm 0 {-20 * i} Td(depot {name})Tj ET" for i, name in enumerate(("north", "south")))
    content = stream(" ".join(lines).encode(), b"/Filter/Nope")
    path.write_bytes(pdf(content).replace(b"/MediaBox", b"/Rotate %d/MediaBox" % turn))
    assert texts(read_document(path)) == ["depot north", "depot south"]


def test_a_page_with_too_many_characters_is_read_by_pdfium(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_bounds, "MOST_CHARACTERS", 20)
    path.write_bytes(WHOLE)
    assert texts(read_document(path)) == [WORDS]


def test_a_drawing_with_too_many_lines_keeps_its_words(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_bounds, "MOST_PATHS", 3)
    lines = b" ".join(b"10 %d m 500 %d l S" % (y, y) for y in range(100, 160, 10))
    path.write_bytes(pdf(stream(lines + b" " + shown(WORDS))))
    with pdfplumber.open(path) as document:
        page = pdf_bounds.BoundedPage(document, document.pages[0].page_obj, 1)
        assert len(page.lines) == 3
    assert texts(read_document(path)) == [WORDS]


def test_what_neither_reads_is_refused_in_plain_words(path: Path) -> None:
    path.write_bytes(WHOLE[:200])
    with pytest.raises(UnreadableDocument, match=r"^is damaged or not a PDF: save or fetch it again$"):
        read_document(path)
