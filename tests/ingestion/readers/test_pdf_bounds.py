"""PDF: crowded pages are read in bounded time."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from benchmarks.hostile_pdfs import pdf
from tablerag.ingestion.readers import read_document
from tablerag.ingestion.readers.pdf_layout import Word
from tablerag.ingestion.readers.pdf_ruleless import Surroundings, ruleless_tables
from tablerag.tools.errors import UnreadableDocument
from tests.support.cpu import cpu_seconds

COUNT = 20_000
random.seed(5)


def word(text: str, x: float, y: float) -> Word:
    return Word(text, x, x + 2.5 * len(text), y, y + 5, 5.0)


CROWDS: dict[str, Callable[[int], Word]] = {
    "columns of numbers": lambda i: word(str(i), 30.0 * (i % 50), 6.0 * (i // 50)),
    "strewn numbers": lambda i: word(str(i), 1900 * random.random(), 1900 * random.random()),
    "one line": lambda i: word(str(i), 1900 * random.random(), 100.0),
    "lines that overlap": lambda i: word(("ab", str(i))[i % 2], 100.0 * (i % 2), 0.2 * (i // 2)),
    "stairs": lambda i: word(("ab", str(i))[i % 2], 100.0 * (i % 2) + i // 2 % 300 * 6, 0.4 * (i // 2)),
}


@pytest.mark.parametrize("name", CROWDS)
def test_twenty_thousand_words_take_seconds(name: str) -> None:
    words = [CROWDS[name](i) for i in range(COUNT)]
    start = cpu_seconds()
    ruleless_tables(words, Surroundings(1, 2000.0, []))
    assert cpu_seconds() - start < 10


def hatching(canvas: Canvas) -> None:
    for i in range(6_000):
        canvas.line(0, i * 0.1, 600, i * 0.1)
        canvas.line(i * 0.1, 0, i * 0.1, 800)


def boxes(canvas: Canvas) -> None:
    for i in range(16_000):
        canvas.rect(i % 100 * 6, i // 100 * 5, 3, 2.5)


def small_tables(canvas: Canvas) -> None:
    for i in range(1_000):
        x, y = i % 32 * 18, i // 32 * 24
        canvas.grid([x, x + 7, x + 14], [y, y + 8, y + 16])


@pytest.mark.parametrize("draw", [hatching, boxes, small_tables])
def test_thousands_of_lines_take_seconds(tmp_path: Path, draw: Callable[[Canvas], None]) -> None:
    path = tmp_path / "drawing.pdf"
    canvas = Canvas(str(path), pagesize=(600, 800))
    draw(canvas)
    canvas.drawString(60, 700, "Words.")
    canvas.save()
    start = cpu_seconds()
    assert read_document(path).blocks
    assert cpu_seconds() - start < 15


def test_references_that_lead_to_each_other_end(tmp_path: Path) -> None:
    path = tmp_path / "loop.pdf"
    path.write_bytes(pdf(b"6 0 R", {6: b"7 0 R", 7: b"6 0 R"}))
    with pytest.raises(UnreadableDocument, match="is damaged or not a PDF: save or fetch it again"):
        read_document(path)
