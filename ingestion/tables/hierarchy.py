"""Row hierarchies: section rows and indentation turned into the path that each data row stands under.

A row such as "Revenues:" holds no values; its label applies to all rows of its section (HD-RAG's H_l, arXiv
2504.09554, section 3.1).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from tablerag.ingestion.document import RawCell, TableBlock
from tablerag.ingestion.tables.cells import cell_text, is_period, is_words
from tablerag.ingestion.tables.header_rows import is_typed_column
from tablerag.ingestion.tables.typing.numbers import read_number

__all__ = ["MOST_LEVELS", "OWN_TOTAL", "RowPaths", "bounded", "row_paths"]

MOST_LEVELS = 3
"""Levels that get a column each; deeper ones are joined to the last."""
LONGEST_SECTION = 120
INDENT_CHARS = " \u00a0\u3000\t\u2003"
DENSE = 0.85
"""Share of filled cells from which a row without values is a section, not a row with missing values."""
OWN_TOTAL = re.compile(
    r"(?:sub-?\s?)?total(?: of| for)? (?P<of>.+)|(?P<before>.+?)(?:,| -)? total|(?P<cjk>.+)[合小][计計]", re.I
)
"""The total of a section, named after it: the section ends there."""
TOTAL_LABEL = re.compile(r"(?:sub-?\s?|grand )?totals?\b|sum of\b|(?:gesamt)?summe\b|[合小总總][计計]", re.IGNORECASE)
BALANCE = re.compile(r"\bbalances?\b", re.IGNORECASE)
"""The label of a row that changes follow."""
ALL_TOTAL = re.compile(
    r"(?:grand |overall )?totals?|sum|gesamt(?:summe)?|summe|insgesamt|[合总總][计計]", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class RowPaths:
    """The path of each given row, and the indexes of section rows, which are not data."""

    paths: list[tuple[str, ...]]
    sections: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Open:
    """A row that may contain rows below it."""

    indent: int
    is_section: bool
    text: str
    rank: int
    """1 for sections inside those of the other kind: items inside dates or dates inside items."""

    has_inner: bool = False
    """Whether rows below it are indented: then one that is not ends it."""

    def gives_way(self, *, is_section: bool, rank: int) -> bool:
        """Return whether this row ends where one of its indentation begins."""
        return not self.is_section or (is_section and self.rank >= rank)


def row_paths(block: TableBlock, rows: Sequence[tuple[int, list[RawCell]]]) -> RowPaths:
    """Return the paths of data rows given as (grid index, cells), the header left out."""
    cells = [row for _, row in rows]
    label = _label_column(cells)
    if label is None:
        return RowPaths([()] * len(rows), frozenset())
    indents = _indents(block, rows, label)
    indents = _without_sums(cells, label, indents)
    texts = _lone_texts(cells, label)
    sections = _sections(cells, texts, indents)
    if not sections and not any(indents):
        return RowPaths([()] * len(rows), frozenset())
    labels = [(texts[i] if i in sections else cell_text(row[label])).rstrip(": ：") for i, row in enumerate(cells)]
    ranks, closing, total = _ranks(cells, sections), _closing(labels, sections), _total_of_all(labels, sections)
    paths: list[tuple[str, ...]] = []
    open_: list[_Open] = []
    for i, text in enumerate(labels):
        own = _Open(indents[i], i in sections, text, ranks.get(i, 0))
        _leave(open_, own, is_second=own.is_section and _is_second_of_two(sections, i) and not indents[i])
        if i not in closing and open_ and open_[-1].has_inner and open_[-1].indent == own.indent:
            open_.pop()
        if open_ and open_[-1].indent < own.indent:
            open_[-1] = replace(open_[-1], has_inner=True)
        if i == total:
            open_.clear()
        paths.append(bounded(tuple(o.text for o in open_)))
        if text:
            open_.append(own)
        if i in closing:
            outer = max((k for k, o in enumerate(open_) if o.is_section and closing[i] in ("", o.text)), default=None)
            del open_[len(open_) if outer is None else outer :]
    return RowPaths(paths, sections)


def _leave(open_: list[_Open], row: _Open, *, is_second: bool) -> None:
    """Close what a row is not inside of. Without indentation a section ends where the next begins."""
    while open_ and (
        open_[-1].indent > row.indent
        or (open_[-1].indent == row.indent and open_[-1].gives_way(is_section=row.is_section, rank=row.rank))
    ):
        if open_[-1].is_section and is_second:
            break
        open_.pop()


def _ranks(cells: Sequence[Sequence[RawCell]], sections: frozenset[int]) -> dict[int, int]:
    """Rank sections where some are periods and some words: the kind that comes first is the outer one."""
    dated = {i: any(is_period(c) for c in cells[i]) for i in sections}
    first = dated[min(sections)] if sections else False
    return {i: int(kind != first) for i, kind in dated.items()}


def _closing(labels: Sequence[str], sections: frozenset[int]) -> dict[int, str]:
    """Return the rows that close a section, with its name; "" for the innermost: the last total without a label."""
    names = {labels[i].casefold(): labels[i] for i in sections}
    closing = {}
    blank = [i for i, text in enumerate(labels) if not text]
    if len(blank) <= 0.4 * len(labels):
        stretches = pairwise([*sorted(sections), len(labels)])
        closing = {max(own): "" for a, b in stretches if (own := [i for i in blank if a < i < b])}
    for i, text in enumerate(labels):
        found = OWN_TOTAL.fullmatch(text) if i not in sections else None
        name = names.get((found["of"] or found["before"] or found["cjk"]).casefold()) if found else None
        if name:
            closing[i] = name
    return closing


def _total_of_all(labels: Sequence[str], sections: frozenset[int]) -> int | None:
    """Return the last row if it is the total of several sections that have none of their own."""
    totals = [i for i, text in enumerate(labels) if ALL_TOTAL.fullmatch(text) or OWN_TOTAL.fullmatch(text) or not text]
    last = len(labels) - 1
    return last if totals == [last] and len(sections) > 1 and ALL_TOTAL.fullmatch(labels[last]) else None


def bounded(path: tuple[str, ...]) -> tuple[str, ...]:
    """Return a path of at most MOST_LEVELS parts."""
    if len(path) <= MOST_LEVELS:
        return path
    return (*path[: MOST_LEVELS - 1], " > ".join(path[MOST_LEVELS - 1 :]))


def _is_second_of_two(sections: frozenset[int], i: int) -> bool:
    """Return whether exactly two section rows follow each other: the second is inside the first."""
    return i - 1 in sections and i - 2 not in sections and i + 1 not in sections


def _label_column(cells: Sequence[Sequence[RawCell]]) -> int | None:
    """Return the first column if it holds words; None if rows have no labels."""
    filled = [row[0] for row in cells if row and cell_text(row[0])]
    return 0 if filled and sum(map(is_words, filled)) >= 0.6 * len(filled) and len(cells[0]) > 1 else None


def _indents(block: TableBlock, rows: Sequence[tuple[int, list[RawCell]]], label: int) -> list[int]:
    """Return each row's level by the format's indentation, else by spaces before its label."""
    if block.indents is not None:
        widths = [block.indents[i] for i, _ in rows]
    else:
        texts = [cell if isinstance(cell := row[label], str) else "" for _, row in rows]
        widths = [len(t) - len(t.lstrip(INDENT_CHARS)) if t.strip() else 0 for t in texts]
    levels = {w: level for level, w in enumerate(sorted(set(widths)))}
    # A ragged left edge is not a hierarchy.
    if len(levels) > 6 or (widths and widths[0] and min(widths) == 0 and widths.index(min(widths)) > 0):
        return [0] * len(rows)
    return [levels[w] for w in widths]


def _without_sums(cells: Sequence[Sequence[RawCell]], label: int, indents: Sequence[int]) -> list[int]:
    """Return the levels without those of sums and changes: a row with values contains no total and nothing larger."""
    levels = list(indents)
    for i in range(1, len(levels)):
        if levels[i] <= levels[i - 1] or not any(cell_text(c) for c in cells[i - 1][label + 1 :]):
            continue
        own, above = (cell_text(cells[j][label]) for j in (i, i - 1))
        if TOTAL_LABEL.match(own) or BALANCE.search(above) or _is_larger(cells[i], cells[i - 1]):
            end = next((j for j in range(i, len(levels)) if levels[j] <= levels[i - 1]), len(levels))
            levels[i:end] = [levels[i - 1]] * (end - i)
    return levels


def _is_larger(row: Sequence[RawCell], above: Sequence[RawCell]) -> bool:
    """Return whether the first number of a row is larger than the one above it."""
    pairs = ((read_number(cell_text(a)), read_number(cell_text(b))) for a, b in zip(row, above, strict=True))
    own, other = next(((a.point, b.point) for a, b in pairs if a and b and "%" not in (a.unit, b.unit)), (None, None))
    return own is not None and other is not None and abs(own) > abs(other)


def _lone_texts(cells: Sequence[Sequence[RawCell]], label: int) -> list[str]:
    """Return the only text of each row, as label or centred over columns of numbers; "" if it holds more."""
    typed = {i for i in range(len(cells[0])) if is_typed_column(cells, i)} if cells else set()
    return [_lone_text(row, label, typed) for row in cells]


def _lone_text(row: Sequence[RawCell], label: int, typed: set[int]) -> str:
    filled = [i for i, c in enumerate(row) if cell_text(c)]
    cell = row[filled[0]] if filled else None
    if not isinstance(cell, str) or len(cell) > LONGEST_SECTION or not (is_words(cell) or is_period(cell)):
        return ""
    alone = filled == [label] or (len(filled) == 1 and filled[0] in typed and is_words(cell))
    return cell_text(cell) if alone else ""


def _sections(cells: Sequence[Sequence[RawCell]], texts: Sequence[str], indents: Sequence[int]) -> frozenset[int]:
    """Return the rows that only open a section; none if their values are as likely missing."""
    alone = {i for i, text in enumerate(texts) if text}
    end = len(cells)
    while alone and max(alone) == end - 1:
        end -= 1
        alone.discard(end)  # the last rows open nothing: a note, or missing values
    if not alone or len(alone) > 0.5 * end:
        return frozenset()
    # A colon or indented rows below show that a label opens a section.
    sure = {i for i in alone if texts[i].endswith((":", "：")) or indents[i + 1] > indents[i]}
    if 0 not in alone:
        # Rows before the first section: records, some without values, unless all others have all values.
        others = [row for i, row in enumerate(cells[:end]) if i not in alone]
        return frozenset(alone if sure and not _three_in_a_row(alone) and _are_complete(others) else sure)
    is_dense = _is_dense([row for i, row in enumerate(cells[:end]) if i not in alone], alone)
    return frozenset(alone if is_dense or len(sure) > len(alone) / 2 else sure)


def _is_dense(rows: Sequence[Sequence[RawCell]], alone: set[int]) -> bool:
    """Return whether rows are filled throughout, or in two columns of numbers.

    In records, with words beside numbers, the values of a single empty row are missing.
    """
    width = len(rows[0])
    if width < 3 or _three_in_a_row(alone):
        return False
    shares = [sum(bool(cell_text(row[i])) for row in rows) / len(rows) for i in range(width)]
    typed = [i for i in range(1, width) if is_typed_column(rows, i)]
    if len(alone) == 1 and 0 not in alone:
        return len(typed) == width - 1 and sum(shares) >= DENSE * width
    return sum(shares) >= DENSE * width or sum(shares[i] >= DENSE for i in typed) > 1


def _are_complete(rows: Sequence[Sequence[RawCell]]) -> bool:
    """Return whether each row has a label and a number in all other columns, of which there are several."""
    typed = sum(is_typed_column(rows, i) for i in range(1, len(rows[0])))
    return typed == len(rows[0]) - 1 > 1 and all(cell_text(c) for row in rows for c in row)


def _three_in_a_row(alone: set[int]) -> bool:
    return any({i, i + 1, i + 2} <= alone for i in alone)
