"""A PDF whose table is read wrongly: the names of its columns are printed backwards, letter by letter."""

from pathlib import Path

from reportlab.pdfgen import canvas

__all__ = ["NAMES", "ROWS", "write_table"]

NAMES = ("noigeR", "ytitnauQ", "latot tnuomA", "elas fo raeY")
ROWS = (("North", "12", "1,200", "2021"), ("South", "7", "800", "2022"), ("East", "31", "4,100", "2023"))


def write_table(path: Path, names: tuple[str, ...] = NAMES) -> Path:
    """Write one page with a sentence and a ruled table; return the path."""
    page = canvas.Canvas(str(path), pagesize=(595, 842), invariant=1)
    page.setFont("Helvetica", 10)
    page.drawString(60, 780, "The sales of the shops by region, as they were counted in autumn.")
    lefts = [60 + 90 * i for i in range(len(names) + 1)]
    tops = [750 - 20 * i for i in range(len(ROWS) + 2)]
    for x in lefts:
        page.line(x, tops[0], x, tops[-1])
    for y in tops:
        page.line(lefts[0], y, lefts[-1], y)
    for y, row in zip(tops[1:], (names, *ROWS), strict=True):
        for x, text in zip(lefts, row, strict=False):
            page.drawString(x + 4, y + 6, text)
    page.save()
    return path
