"""PDFs of known tables, printed as reports print them: with and without lines, narrow columns, wrapped cells."""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Paragraph, SimpleDocTemplate, Table

__all__ = ["STYLES", "PrintedTable", "styled", "write_pdf"]

STYLES = ("grid", "rows ruled", "head ruled", "bare", "tight", "two texts")
STYLES_EACH = 3
MOST_ROWS, MOST_COLUMNS = 40, 12


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """A table's rows of texts, its header among them, and how it is printed."""

    name: str
    rows: Sequence[Sequence[str]]
    style: str
    seed: int


def styled(grids: Iterable[tuple[str, Sequence[Sequence[str]]]], seed: int) -> Iterator[PrintedTable]:
    """Yield each table that fits on pages in some of the styles."""
    chance = random.Random(seed)
    for name, rows in grids:
        fits = 2 < len(rows) <= MOST_ROWS and 1 < len(rows[0]) <= MOST_COLUMNS
        if fits and all(t.isascii() for row in rows for t in row):  # the fonts have few other letters
            for style in chance.sample(STYLES, k=STYLES_EACH):
                yield PrintedTable(name, rows, style, chance.randrange(10**6))


def write_pdf(table: PrintedTable, path: Path) -> Path:
    """Print a table between two paragraphs; return the path."""
    chance = random.Random(table.seed)
    size = chance.choice((7, 8, 9, 10))
    font, bold = chance.choice((("Helvetica", "Helvetica-Bold"), ("Times-Roman", "Times-Bold")))
    body = ParagraphStyle("body", fontName=font, fontSize=size, leading=size * 1.2)
    head = ParagraphStyle("head", parent=body, fontName=bold if chance.random() < 0.7 else font)
    figures = ParagraphStyle("figures", parent=body, alignment=2)
    right_head = ParagraphStyle("right_head", parent=head, alignment=2 if chance.random() < 0.85 else 0)
    right = [sum(_is_figure(row[i]) for row in table.rows[1:]) > len(table.rows) / 2 for i in range(len(table.rows[0]))]
    page = landscape(A4) if len(table.rows[0]) > 7 else A4
    cells = [
        [
            Paragraph(escape(t), (head, right_head)[right[c]] if r == 0 else (body, figures)[right[c]])
            for c, t in enumerate(row)
        ]
        for r, row in enumerate(table.rows)
    ]
    texts = [Paragraph(escape(_prose(table, chance)), ParagraphStyle("text", fontName=font, fontSize=10, leading=12))]
    pad = 1 if table.style == "tight" else chance.choice((3, 5, 8))
    style: list[tuple[Any, ...]] = [("LEFTPADDING", (0, 0), (-1, -1), pad), ("RIGHTPADDING", (0, 0), (-1, -1), pad)]
    style += [("VALIGN", (0, 0), (-1, -1), chance.choice(("TOP", "MIDDLE", "BOTTOM")))]
    style += [
        ("TOPPADDING", (0, 0), (-1, -1), 1 if table.style == "tight" else 2),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 1),
    ]
    if table.style == "grid":
        style.append(("GRID", (0, 0), (-1, -1), 0.5, colors.black))
    elif table.style == "rows ruled":
        style.append(("LINEBELOW", (0, 0), (-1, -1), 0.4, colors.grey))
    elif table.style == "head ruled":
        style += [("LINEABOVE", (0, 0), (-1, 0), 0.8, colors.black), ("LINEBELOW", (0, 0), (-1, 0), 0.5, colors.black)]
    widths = _widths(table.rows, page[0] - 100, size)
    printed = Table(cells, colWidths=widths, style=style, hAlign="LEFT", repeatRows=chance.choice((0, 1)))
    SimpleDocTemplate(str(path), pagesize=page, leftMargin=50, rightMargin=50).build([*texts, printed, *texts])
    return path


def _widths(rows: Sequence[Sequence[str]], space: float, size: float) -> list[float]:
    """Return the widths of columns: as their longest texts, less where the page has no room."""
    wanted = [min(180.0, 0.66 * size * max(len(row[i]) for row in rows) + 14) for i in range(len(rows[0]))]
    longest = [
        0.66 * size * max(len(w) for row in rows for w in (row[i] or "x").split()) + 8 for i in range(len(wanted))
    ]
    least = sum(longest)
    if sum(wanted) <= space:
        return wanted
    if least >= space:
        return [w * space / least for w in longest]
    share = (space - least) / max(1e-6, sum(wanted) - least)
    return [m + max(0.0, w - m) * share for m, w in zip(longest, wanted, strict=True)]


def _is_figure(text: str) -> bool:
    return any(c.isdigit() for c in text) and not any(c.isalpha() for c in text)


def _prose(table: PrintedTable, chance: random.Random) -> str:
    words = [w for row in table.rows for t in row for w in t.split() if w.isalpha()] or ["report"]
    said = " ".join(chance.choice(words).lower() for _ in range(60)) + "."
    if table.style != "two texts":
        return said
    return said + " " + " ".join(chance.choice(words).lower() for _ in range(120)) + "."
