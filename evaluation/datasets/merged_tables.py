"""Tables with merged cells as HTML pages, for benchmarks whose native tables are grids."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

__all__ = ["MergedTable", "Region", "file_names", "page_of", "table_html"]

INDENT_EM = 1
"""Indentation of a row header for each level, in em."""


@dataclass(frozen=True, slots=True)
class Region:
    """A merged cell: its first and last row and column, from 0."""

    top: int
    bottom: int
    left: int
    right: int


@dataclass(frozen=True, slots=True)
class MergedTable:
    """A grid of texts with merged cells; only the top left cell of a region has text."""

    cells: Sequence[Sequence[str]]
    header_rows: int = 0
    regions: Sequence[Region] = ()
    levels: Mapping[int, int] = field(default_factory=dict)
    """The level of the first cell of a row, from 0, by row."""


def page_of(title: str, body: Iterable[str]) -> str:
    """Return an HTML page with a heading, unless the title is blank, and the given HTML below it."""
    head = f"<title>{escape(title)}</title>" if title.strip() else ""
    lines = [f"<h1>{escape(title)}</h1>"] if title.strip() else []
    return (
        f'<!DOCTYPE html>\n<html><head><meta charset="utf-8">{head}</head><body>\n'
        + "\n".join([*lines, *body])
        + "\n</body></html>\n"
    )


def table_html(table: MergedTable) -> str:
    """Write a table with its merged cells; regions that overlap an earlier one or leave the grid are ignored."""
    spans, hidden = _spans(table)
    rows = []
    for r, row in enumerate(table.cells):
        tag = "th" if r < table.header_rows else "td"
        cells = [
            f"<{tag}{_span(spans.get((r, c)))}{_indent(table, r, c)}>{escape(text)}</{tag}>"
            for c, text in enumerate(row)
            if (r, c) not in hidden
        ]
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return "\n".join(["<table>", *rows, "</table>"])


def _spans(table: MergedTable) -> tuple[dict[tuple[int, int], Region], set[tuple[int, int]]]:
    """Return the regions by their first cell, and the cells that they cover."""
    width = max(map(len, table.cells), default=0)
    spans: dict[tuple[int, int], Region] = {}
    taken: set[tuple[int, int]] = set()
    for region in table.regions:
        covered = {(r, c) for r in range(region.top, region.bottom + 1) for c in range(region.left, region.right + 1)}
        inside = region.bottom < len(table.cells) and region.right < width and min(region.top, region.left) >= 0
        if inside and len(covered) > 1 and not covered & taken:
            spans[region.top, region.left] = region
            taken |= covered
    return spans, taken - set(spans)


def _span(region: Region | None) -> str:
    if region is None:
        return ""
    tall, wide = region.bottom - region.top + 1, region.right - region.left + 1
    return f' rowspan="{tall}"' * (tall > 1) + f' colspan="{wide}"' * (wide > 1)


def _indent(table: MergedTable, row: int, column: int) -> str:
    level = table.levels.get(row, 0) if column == 0 else 0
    return f' style="padding-left: {level * INDENT_EM}em"' if level else ""


def file_names(keys: Iterable[str], suffix: str = ".html") -> dict[str, str]:
    """Return a file name for each key: numbers in an order that reveals nothing, the same for the same keys."""
    ordered = sorted(set(keys), key=lambda k: hashlib.sha256(k.encode()).digest())
    return {key: f"document_{number:05}{suffix}" for number, key in enumerate(ordered, start=1)}
