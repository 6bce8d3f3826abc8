"""PDF files for the reader tests, drawn or laid out by reportlab."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate

from benchmarks.hostile_pdfs import pdf

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


def write_glyphs(path: Path, lines: Sequence[tuple[float, float, str]], drawing: str = "") -> None:
    """Write a page with texts at places (x, y), whose glyphs follow each other from left to right in any script.

    All glyphs are 6 points wide; ``drawing`` are other operators of the page.
    """
    letters = sorted({c for _, _, line in lines for c in line} - {" "})
    codes = {" ": 32} | {letter: 33 + i for i, letter in enumerate(letters)}
    assert len(letters) < 50
    shown = "".join(f"1 0 0 1 {x} {y} Tm <{''.join(f'{codes[c]:02x}' for c in line)}> Tj\n" for x, y, line in lines)
    pairs = "\n".join(f"<{code:02x}> <{letter.encode('utf-16-be').hex()}>" for letter, code in codes.items())
    names = (
        "/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange\n"
        f"{len(codes)} beginbfchar\n{pairs}\nendbfchar endcmap end"
    )
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Drawn/ToUnicode 6 0 R/FirstChar 32/LastChar 99/Widths[%b]" % (
        b"600 " * 68
    )
    font += b"/FontDescriptor<</FontName/Drawn/Flags 4/Ascent 800/Descent -200/FontBBox[0 -200 600 800]>>>>"
    content = f"{drawing}\nBT/F 10 Tf\n{shown}ET".encode()
    streams = [b"<</Length %d>>stream\n%b\nendstream" % (len(data), data) for data in (content, names.encode())]
    path.write_bytes(pdf(streams[0], {5: font, 6: streams[1]}))
