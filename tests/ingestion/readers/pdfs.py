"""PDF files for the reader tests, drawn or laid out by reportlab."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate

STYLES = getSampleStyleSheet()
RULED = [("GRID", (0, 0), (-1, -1), 0.5, colors.black)]
LOREM = (
    "The northern depot handles most of the parcels that leave for the coast, and its crew works in two shifts. " * 3
)


def text(words: str, style: str = "BodyText") -> Paragraph:
    """Return a paragraph."""
    return Paragraph(words, STYLES[style])


def build(path: Path, story: Sequence[Flowable], title: str = "", footer: str = "") -> None:
    """Write a document; its footer, if any, ends in the page's number."""

    def foot(canvas: Canvas, document: SimpleDocTemplate) -> None:
        if footer:
            canvas.setFont("Helvetica", 8)
            canvas.drawString(72, 30, f"{footer} {document.page}")

    document = SimpleDocTemplate(str(path), pagesize=A4, title=title or None)
    document.build(list(story), onFirstPage=foot, onLaterPages=foot)


@contextmanager
def drawn(path: Path, size: float = 10) -> Iterator[Canvas]:
    """Yield a canvas that is saved at the end."""
    canvas = Canvas(str(path), pagesize=A4)
    canvas.setFont("Helvetica", size)
    yield canvas
    canvas.save()


def draw_rows(
    canvas: Canvas, rows: Sequence[Sequence[str]], lefts: Sequence[float], top: float, leading: float = 13
) -> float:
    """Draw rows of cells; a place below 0 is a right edge. Return the place of the next row."""
    for row in rows:
        for cell, x in zip(row, lefts, strict=True):
            if x < 0:
                canvas.drawRightString(-x, top, cell)
            else:
                canvas.drawString(x + 8 * (len(cell) - len(cell.lstrip())), top, cell.strip())
        top -= leading
    return top
