"""Row hierarchies: section rows and indentation turned into the path that each data row stands under.

A row such as "Revenues:" holds no values; what it says belongs to all rows of its section (HD-RAG's H_l, arXiv
2504.09554, section 3.1).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ingestion.document import RawCell, TableBlock
from ingestion.tables.cells import cell_text, is_words

__all__ = ["MOST_LEVELS", "RowPaths", "row_paths"]

MOST_LEVELS = 3
"""Levels that get a column each; deeper ones are joined to the last."""
LONGEST_SECTION = 120
INDENT_CHARS = " \u00a0\u3000\t\u2003"


@dataclass(frozen=True, slots=True)
class RowPaths:
    """The path over each row, by its place among the rows given; sections are no data rows themselves."""

    paths: list[tuple[str, ...]]
    sections: frozenset[int]

    @property
    def depth(self) -> int:
        """The longest path's length, at most MOST_LEVELS."""
        return min(MOST_LEVELS, max(map(len, self.paths), default=0))


def row_paths(block: TableBlock, rows: Sequence[tuple[int, list[RawCell]]]) -> RowPaths:
    """Return the paths of data rows given as (grid index, cells), the header left out."""
    cells = [row for _, row in rows]
    label = _label_column(cells)
    if label is None:
        return RowPaths([()] * len(rows), frozenset())
    indents = _indents(block, rows, label)
    sections = _sections(cells, label, indents)
    if not sections and not any(indents):
        return RowPaths([()] * len(rows), frozenset())
    paths: list[tuple[str, ...]] = []
    open_: list[tuple[int, bool, str]] = []
    for i, row in enumerate(cells):
        is_section, text = i in sections, cell_text(row[label]).rstrip(": ：")
        # Without indentation a section ends where the next begins; rows of one level stand beside each other.
        while open_ and (
            open_[-1][0] > indents[i] or (open_[-1][0] == indents[i] and (is_section or not open_[-1][1]))
        ):
            if open_[-1][1] and is_section and i and i - 1 in sections and not indents[i] and _opens_two(sections, i):
                break
            open_.pop()
        paths.append(_bounded(tuple(t for _, _, t in open_)))
        if text:
            open_.append((indents[i], is_section, text))
    return RowPaths(paths, sections)


def _bounded(path: tuple[str, ...]) -> tuple[str, ...]:
    if len(path) <= MOST_LEVELS:
        return path
    return (*path[: MOST_LEVELS - 1], " > ".join(path[MOST_LEVELS - 1 :]))


def _opens_two(sections: frozenset[int], i: int) -> bool:
    """Tell whether exactly two section rows follow one another: the second stands inside the first."""
    return i - 2 not in sections and i + 1 not in sections


def _label_column(cells: Sequence[Sequence[RawCell]]) -> int | None:
    """Return the first column when it holds words; None when rows have no labels."""
    filled = [row[0] for row in cells if row and cell_text(row[0])]
    return 0 if filled and sum(map(is_words, filled)) >= 0.6 * len(filled) and len(cells[0]) > 1 else None


def _indents(block: TableBlock, rows: Sequence[tuple[int, list[RawCell]]], label: int) -> list[int]:
    """Return each row's level by the format's indentation, else by spaces before its label."""
    if block.indents is not None:
        widths = [block.indents[i] for i, _ in rows]
    else:
        texts = [row[label] if isinstance(row[label], str) else "" for _, row in rows]
        widths = [len(t) - len(t.lstrip(INDENT_CHARS)) if t.strip() else 0 for t in texts]
    levels = {w: level for level, w in enumerate(sorted(set(widths)))}
    # A ragged left edge is no hierarchy.
    if len(levels) > 6 or (widths and widths[0] and min(widths) == 0 and widths.index(min(widths)) > 0):
        return [0] * len(rows)
    return [levels[w] for w in widths]


def _sections(cells: Sequence[Sequence[RawCell]], label: int, indents: Sequence[int]) -> frozenset[int]:
    """Return the rows that only open a section; none where it is as likely that values are merely missing."""
    alone = {i for i, row in enumerate(cells) if _stands_alone(row, label)}
    while alone and max(alone) == max(range(len(cells))):
        alone.discard(len(cells) - 1)  # what opens nothing is no section: a note, or a row without values
        cells = cells[:-1]
    if not alone or len(alone) > 0.5 * len(cells):
        return frozenset()
    sure = {i for i in alone if _is_marked(cells, i, label, indents)}
    others = [row for i, row in enumerate(cells) if i not in alone]
    full = sum(bool(cell_text(c)) for row in others for c in row) / max(1, sum(len(row) for row in others))
    dense = full >= 0.85 and len(cells[0]) > 2 and not _three_in_a_row(alone)
    return frozenset(alone if dense or len(sure) > len(alone) / 2 else sure)


def _stands_alone(row: Sequence[RawCell], label: int) -> bool:
    text = cell_text(row[label])
    return (
        is_words(row[label])
        and len(text) <= LONGEST_SECTION
        and not any(cell_text(c) for i, c in enumerate(row) if i != label)
    )


def _is_marked(cells: Sequence[Sequence[RawCell]], i: int, label: int, indents: Sequence[int]) -> bool:
    """Tell whether a lone label says itself that it opens a section: a colon, or indented rows below."""
    return cell_text(cells[i][label]).endswith((":", "：")) or (i + 1 < len(cells) and indents[i + 1] > indents[i])


def _three_in_a_row(alone: set[int]) -> bool:
    return any({i, i + 1, i + 2} <= alone for i in alone)
