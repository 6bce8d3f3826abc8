"""Rows of a ruled table that its lines do not show: several in one cell's height, and labels left of the lines."""

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import mean

from tablerag.ingestion.document import LeastSure, RawCell
from tablerag.ingestion.readers.pdf_layout import Word, least_sure, rows_of
from tablerag.ingestion.readers.pdf_rows import Line, body_rows
from tablerag.ingestion.readers.pdf_ruled_grid import Box
from tablerag.ingestion.readers.pdf_segments import NO_VALUE, NUMBER, Segment, segment_of, text_row

__all__ = ["RuledRow", "divided_rows", "with_outer_labels"]

LABELLED = 0.7
"""Least share of a table's rows of numbers that have a label if the words left of its lines are labels."""
NUMERIC = 0.6
"""Least share of numbers in the first column if it is no column of labels."""
FARTHEST = 12.0
"""The most white space between the longest label and the lines, in font sizes."""
LONGEST = 6
"""The most words of a label, on average."""

WORD = re.compile(r"[^\W\d_]{2}")


@dataclass(frozen=True, slots=True)
class RuledRow:
    """A row of the grid between two lines, in points from the page's top."""

    cells: list[RawCell]
    top: float
    bottom: float
    left: float | None
    """The left edge of its first cell's text; None if that is empty."""
    bold: bool
    least_sure: LeastSure | None = None
    """Its least sure word, None if the page's words are text in the file."""


def divided_rows(row: RuledRow, words: Sequence[Word], own: Mapping[int, Box]) -> list[RuledRow]:
    """Return the rows that are printed between two lines: several if most cells hold a number on each of their lines.

    ``own`` are the boxes by column of the cells that end with the row; the others keep their value in each.
    """
    stacked = [c for c in own if isinstance(text := row.cells[c], str) and "\n" in text]
    places = sorted(own)
    values = [c for c in stacked if c != places[0] and all(map(_is_figure, str(row.cells[c]).split("\n")))]
    others = [c for c in places[1:] if c not in values]
    if len(values) <= len(others) or 2 * len(own) <= sum(c is not None for c in row.cells):
        return [row]
    lines = _lines(words, [own[c] for c in places])
    numbered = {places.index(c) for c in values}
    extents = [(own[c][0], own[c][2]) for c in places]
    parts = body_rows(lines, extents, lambda line: not numbered.isdisjoint(line.cells))
    rows: list[RuledRow] = []
    for part in parts:
        printed = dict(zip(places, part.cells, strict=True))
        cells = [printed.get(c, value) for c, value in enumerate(row.cells)]
        doubt = part.least_sure if row.least_sure else None
        rows.append(replace(row, cells=cells, left=part.left, bold=part.bold, least_sure=doubt))
    return rows


def _lines(words: Sequence[Word], boxes: Sequence[Box]) -> list[Line]:
    """Return the lines of words inside neighbouring boxes, each with its text by box."""
    starts = [box[0] for box in boxes]
    lines: list[Line] = []
    for found in rows_of([w for w in words if not w.turn]):
        cells: dict[int, list[Word]] = {}
        for word in found:
            x, y = (word.x0 + word.x1) / 2, (word.top + word.bottom) / 2
            at = max(bisect_right(starts, x) - 1, 0)
            if boxes[at][0] <= x <= boxes[at][2] and boxes[at][1] <= y <= boxes[at][3]:
                cells.setdefault(at, []).append(word)
        if cells:
            inside = [w for parts in cells.values() for w in parts]
            lines.append(Line({at: (segment_of(parts),) for at, parts in cells.items()}, text_row(inside)))
    return lines


def with_outer_labels(
    rows: Sequence[RuledRow], words: Sequence[Word], left: float
) -> tuple[list[RuledRow], float] | None:
    """Return the rows with the labels that are printed left of the lines, and the labels' left edge.

    None if the first column already holds labels, or the words left of it, ``left``, are no labels of these rows.
    """
    first = [row.cells[0] for row in rows if any(c is not None and _is_value(str(c)) for c in row.cells)]
    if len(first) < 2 or sum(c is not None and _is_value(str(c)) for c in first) < NUMERIC * len(first):
        return None
    labels: dict[int, list[Segment]] = {}
    for found in rows_of([w for w in words if not w.turn]):
        line = text_row(found)
        middle = (line.top + line.bottom) / 2
        at = next((i for i, row in enumerate(rows) if row.top <= middle < row.bottom), None)
        label, *others = line.segments
        if others or label.is_number:
            return None
        if at is not None:
            labels.setdefault(at, []).append(label)
    numbered = [i for i, row in enumerate(rows) if any(c is not None and _is_value(str(c)) for c in row.cells)]
    named = [i for i in numbered if i in labels]
    if len(named) < max(2, LABELLED * len(numbered)):
        return None
    nearest = max((s for i in named for s in labels[i]), key=lambda s: s.x1)
    is_far = left - nearest.x1 > FARTHEST * nearest.words[-1].size
    if is_far or mean(sum(len(s.words) for s in labels[i]) for i in named) > LONGEST:
        return None
    edge = min(s.x0 for found in labels.values() for s in found)
    return [_labelled(row, labels.get(i, [])) for i, row in enumerate(rows)], edge


def _labelled(row: RuledRow, label: list[Segment]) -> RuledRow:
    words = [w for s in label for w in s.words]
    doubts = [least_sure(words), *([row.least_sure] if row.least_sure else [])]
    return replace(
        row,
        cells=[" ".join(s.text for s in label) or None, *row.cells],
        left=label[0].x0 if label else None,
        bold=row.bold and all(w.bold for w in words),
        least_sure=min(doubts) if row.least_sure else None,
    )


def _is_figure(text: str) -> bool:
    """Return whether a line of a cell is a number or marks a missing one, without words."""
    return _is_value(text) and not WORD.search(text)


def _is_value(text: str) -> bool:
    return bool(NUMBER.fullmatch(text.strip()) or NO_VALUE.fullmatch(text.strip()))
