"""Scans and pictures: words of an OCR engine become tables, text and notes; a stand-in says the words."""

import io
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from PIL import Image
from rich.console import Console, RenderableType

from tablerag import TableRAG
from tablerag.cli.report_views import report_view
from tablerag.ingestion import reader_worker
from tablerag.ingestion.document import TableBlock, TextBlock
from tablerag.ingestion.readers import ocr, read_document, suffixes
from tablerag.ingestion.readers.ocr import OcrSettings
from tablerag.tools.errors import UnreadableDocument
from tests.ingestion.readers.pdfs import drawn
from tests.ingestion.readers.pictures import SALES, Picture, scanned, stand_in


@pytest.fixture(autouse=True)
def _forget_engine():
    yield
    ocr.installed.cache_clear()
    reader_worker.end_idle()


def shown(view: RenderableType) -> str:
    console = Console(width=200, file=io.StringIO(), record=True)
    console.print(view)
    return console.export_text()


def tables(path: Path) -> list[TableBlock]:
    return [b for b in read_document(path).blocks if isinstance(b, TableBlock)]


@pytest.mark.parametrize("ruled", [False, True], ids=["aligned", "ruled"])
def test_words_of_a_picture_become_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ruled: bool) -> None:
    picture = Picture()
    picture.write("Sales of the year, in euros", 150, 120)
    picture.table(SALES, ruled=ruled)
    picture.image.save(tmp_path / "sales.png", dpi=(150, 150))
    stand_in(tmp_path / "bin", picture.words, monkeypatch)
    document = read_document(tmp_path / "sales.png")
    (table,) = [b for b in document.blocks if isinstance(b, TableBlock)]
    assert table.grid == SALES
    assert str(table.locator) == "page 1, read by OCR"
    assert [b.text for b in document.blocks if isinstance(b, TextBlock)] == ["Sales of the year, in euros"]
    assert document.warnings[0].startswith("page 1 was read by OCR: 0 of 24 words are less than 80% sure")


def test_lines_of_a_picture_become_a_paragraph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = Picture()
    lines = ("The northern depot handles most parcels that leave", "for the coast, and its crew works in two shifts.")
    for i, line in enumerate(lines):
        picture.write(line, 150, 300 + 42 * i)
    picture.image.save(tmp_path / "letter.jpg")
    stand_in(tmp_path / "bin", picture.words, monkeypatch)
    (text,) = read_document(tmp_path / "letter.jpg").blocks
    assert isinstance(text, TextBlock)
    assert text.text == " ".join(lines)


def test_each_row_keeps_its_least_sure_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = Picture()
    picture.table(SALES)
    words = [(*w[:7], 41 if w[8] == "987" else w[7], w[8]) for w in picture.words]
    picture.image.save(tmp_path / "sales.tif")
    stand_in(tmp_path / "bin", words, monkeypatch)
    (table,) = tables(tmp_path / "sales.tif")
    assert table.least_sure is not None
    assert table.least_sure[2] == (0.41, "987")
    assert {sure.confidence for i, sure in enumerate(table.least_sure) if i != 2} == {0.96}


def test_pages_of_a_pdf_without_text_are_read_and_others_keep_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = Picture()
    picture.table(SALES)
    with drawn(tmp_path / "mixed.pdf") as canvas:
        canvas.drawString(72, 700, "The first page has text of its own.")
        canvas.showPage()
        canvas.drawInlineImage(picture.image, 0, 0, 595, 842)
    scale = 2400 / 1754
    words = [(*w[:3], *(scale * n for n in w[3:7]), *w[7:]) for w in picture.words]
    stand_in(tmp_path / "bin", words, monkeypatch)
    document = read_document(tmp_path / "mixed.pdf")
    text, table = document.blocks
    assert isinstance(text, TextBlock) and isinstance(table, TableBlock)
    assert (text.text, str(text.locator)) == ("The first page has text of its own.", "page 1")
    assert (table.grid, str(table.locator)) == (SALES, "page 2, read by OCR")
    assert document.warnings[0].startswith("page 2 was read by OCR")


def test_without_an_engine_the_messages_say_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "find_spec", lambda name: None)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    ocr.installed.cache_clear()
    Picture().image.save(tmp_path / "page.png")
    with drawn(tmp_path / "page.pdf") as canvas:
        canvas.drawInlineImage(Picture().image, 0, 0, 595, 842)
    for name in ("page.png", "page.pdf"):
        with pytest.raises(
            UnreadableDocument, match=r'to read it by OCR, pip install "tablerag\[ocr\]" or install tess'
        ):
            read_document(tmp_path / name)
    assert ".png" not in suffixes(ocr=True)


def test_a_scan_without_words_is_not_told_to_install_what_read_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(tmp_path / "bin", [], monkeypatch)
    with drawn(tmp_path / "page.pdf") as canvas:
        canvas.drawInlineImage(Picture().image, 0, 0, 595, 842)
    with pytest.raises(UnreadableDocument, match="has no text on its 1 page that OCR can read: scan it again"):
        read_document(tmp_path / "page.pdf")


def test_ocr_can_be_turned_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path / "bin", [], monkeypatch)
    Picture().image.save(tmp_path / "page.png")
    token = ocr.using.set(OcrSettings(on=False))
    try:
        with pytest.raises(UnreadableDocument, match="set TABLERAG_OCR=auto"):
            read_document(tmp_path / "page.png")
    finally:
        ocr.using.reset(token)
    assert ".png" in suffixes(ocr=True)
    assert ".png" not in suffixes(ocr=False)


def test_pages_beyond_the_limit_are_named_and_each_page_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = Picture()
    picture.table(SALES)
    picture.image.save(tmp_path / "fax.tiff", save_all=True, append_images=[picture.image] * 3)
    stand_in(tmp_path / "bin", picture.words, monkeypatch)
    told: list[tuple[int, int]] = []
    token = ocr.using.set(OcrSettings(most_pages=2, on_page=lambda page, pages: told.append((page, pages))))
    try:
        document = read_document(tmp_path / "fax.tiff")
    finally:
        ocr.using.reset(token)
    assert told == [(1, 2), (2, 2)]
    assert "pages 3-4 were not read: OCR reads 2 pages of a document (TABLERAG_OCR_PAGES)" in document.warnings


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("large.png", 8_000, "is a picture of more than 60 million pixels: scale it down"),
        ("larger.png", 10_000, "is a picture of more than 60 million pixels: scale it down"),
        ("text.png", b"no picture at all", "is not a picture of its kind, or damaged"),
        ("cut.png", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "is not a picture of its kind, or damaged|damaged picture"),
        ("gif.png", b"GIF89a\x01\x00\x01\x00\x00\x00\x00;", "is not a picture of its kind"),
    ],
)
def test_bad_pictures_are_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: bytes | int, says: str
) -> None:
    stand_in(tmp_path / "bin", [], monkeypatch)
    if isinstance(content, int):
        Image.new("1", (content, content)).save(tmp_path / name)
    else:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(UnreadableDocument, match=says):
        read_document(tmp_path / name)


def test_a_failing_program_is_told_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path / "bin", [], monkeypatch)
    (tmp_path / "bin" / "tesseract").write_text("#!/bin/sh\necho 'Error opening data file eng' >&2; exit 1\n")
    Picture().image.save(tmp_path / "page.png")
    with pytest.raises(UnreadableDocument, match="was not read by tesseract: Error opening data file eng"):
        read_document(tmp_path / "page.png")


@pytest.mark.skipif(find_spec("rapidocr") is not None, reason="reader processes prefer the extra ocr, which is here")
def test_an_answer_says_that_it_rests_on_unsure_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = Picture()
    picture.write("Sales", 150, 120, size=60)
    picture.table(SALES)
    words = [(*w[:7], 41 if w[8] == "987" else w[7], w[8]) for w in picture.words]
    (tmp_path / "docs").mkdir()
    picture.image.save(tmp_path / "docs" / "sales.png", dpi=(150, 150))
    stand_in(tmp_path / "bin", words, monkeypatch)
    rag = TableRAG(str(tmp_path / "home"), model="offline")
    told = []
    (entry,) = rag.ingest(str(tmp_path / "docs"), on_progress=lambda step: told.append(str(step))).entries
    assert "0/1 sales.png, page 1 of 1" in told
    assert "1 table, 5 rows, 2 chunks, read by OCR, " in shown(report_view([entry]))
    (schema,) = entry.schemas
    assert "read by OCR; least sure: '987' (41%) in data row 2" in schema.warnings
    assert rag.sql(f"SELECT _ocr, _ocr_word FROM {schema.name} WHERE region = 'South'").rows == ((41, "987"),)
    answer = rag.ask("What are the units of South?")
    assert answer.value == 987
    assert "was read by OCR; least sure: '987' (41%) in data row 2." in answer.explanation
    answer = rag.ask("What are the units of North?")
    assert "was read by OCR; least sure: 'North' (96%) in data row 1." in answer.explanation


needs_rapidocr = pytest.mark.skipif(
    find_spec("rapidocr") is None, reason='needs the extra ocr, a download of 90 MB: pip install "tablerag[ocr]"'
)


@needs_rapidocr
@pytest.mark.parametrize(
    ("angle", "ruled"), [(0.0, False), (2.5, True), (-3.0, False), (90.0, True), (180.0, False), (270.0, False)]
)
def test_a_good_scan_gives_exact_cells(tmp_path: Path, angle: float, ruled: bool) -> None:
    picture = Picture()
    picture.table(SALES, ruled=ruled)
    scanned(picture.image, angle=angle, noise=12, blur=0.6).save(tmp_path / "scan.png")
    (table,) = tables(tmp_path / "scan.png")
    assert table.grid == SALES


@needs_rapidocr
def test_a_bad_scan_says_which_words_are_unsure(tmp_path: Path) -> None:
    picture = Picture()
    picture.table(SALES)
    small = picture.image.resize((310, 438), Image.Resampling.BILINEAR)
    scanned(small, noise=45, blur=0.8).save(tmp_path / "scan.jpg", quality=30)
    document = read_document(tmp_path / "scan.jpg")
    assert document.warnings[0].startswith("page 1 was read by OCR")
    assert " 0 of " not in document.warnings[0]


@needs_rapidocr
@pytest.mark.skipif(sys.platform != "linux", reason="the process tells its memory on Linux only")
def test_pages_leave_little_memory_behind(tmp_path: Path) -> None:
    for place, size in enumerate(((1240, 1754), (1400, 1980), (1654, 2339))):
        picture = Picture()
        for line in range(30):
            picture.write("The northern depot handles most of the parcels that leave"[: 8 + 2 * line], 100, 50 * line)
        picture.image.resize(size).save(tmp_path / f"{place}.png")
    read = (
        "import sys; from pathlib import Path; from tablerag.ingestion.readers import read_document\n"
        "for path in Path(sys.argv[1]).iterdir(): read_document(path)\n"
        "status = Path('/proc/self/status').read_text(); print(status.partition('VmData:')[2].split()[0])"
    )
    own = os.environ | {"OPENBLAS_NUM_THREADS": "1"}  # as in reader processes
    done = subprocess.run([sys.executable, "-c", read, str(tmp_path)], capture_output=True, text=True, env=own)
    assert int(done.stdout) < 280_000, done.stderr
