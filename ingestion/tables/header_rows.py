"""The number of header rows of a grid, from the contents of its rows and of those below them."""

import re
from collections.abc import Sequence
from datetime import date

from tablerag.ingestion.document import RawCell
from tablerag.ingestion.tables.cells import cell_text, is_period, is_typed, is_words
from tablerag.ingestion.tables.header_paths import is_unit_row
from tablerag.ingestion.tables.typing.dates import read_date

__all__ = [
    "BODY_ROWS",
    "LONGEST_HEADER",
    "MOST_HEADER_ROWS",
    "Rows",
    "count_header_rows",
    "is_typed_column",
    "numbers_columns",
]

LONGEST_HEADER, LONGEST_SUBHEADER = 80, 160
MOST_HEADER_ROWS = 6
BODY_ROWS = 30
"""Rows below a header that decide which columns are numeric."""
NUMBERING = re.compile(r"栏次|行次|列次|序号|col(?:umn|\.)?(?: no\.?)?|no\.?|nr\.?", re.IGNORECASE)
SUM_OF_COLUMNS = re.compile(r"\(?\d{1,2}\)?(?:\s?=\s?\d{1,2}(?:\s?[-+×*/]\s?\d{1,2})+)?")
BAND = re.compile(r"\d+\s?[-–]\s?\d+(?: \([a-z]\))?")
OPEN_BAND = re.compile(r"(?:[<>≤≥]=?\s?\d+|\d+\s?\+)(?: \([a-z]\))?")
"""The first or last of several bands: 65+ beside 55-64."""
DIGITS = re.compile(r"\d+")
NEAR = 3
"""Rows below one that numbers the columns; the first may be a heading."""
NOTHING = re.compile(r"[-–—−]+")
Rows = Sequence[Sequence[RawCell]]


def is_typed_column(body: Rows, column: int) -> bool:
    """Return whether most filled cells of a column are numbers, dates or the like; a dash is none."""
    filled = [row[column] for row in body if (text := cell_text(row[column])) and not NOTHING.fullmatch(text)]
    return bool(filled) and sum(map(is_typed, filled)) >= 0.6 * len(filled)


def count_header_rows(rows: Rows) -> tuple[int, float]:
    """Return the number of header rows and the confidence in it, 0 to 1."""
    limit = min(MOST_HEADER_ROWS, len(rows) - 1)
    width = len(rows[0])
    best = 0
    share = 0.0
    for count in range(1, limit + 1):
        row = rows[count - 1]
        if best and is_unit_row(row):
            best = count
            continue
        if best and (_opens_section(row) or _is_lone_period(row)):
            break
        if count > 1 and _is_below_names(rows, best or count - 1, count):
            break
        body = [r for r in rows[count : count + BODY_ROWS] if not is_unit_row(r)]
        names = _counts_up(row, rows[count - 2] if best else None) or (not best and _numbers_other_things(row, body))
        if any(is_typed(c) and not is_period(c) and not _is_open_band(c, row) for c in row) and not names:
            break
        if best == count - 1 > 0 and _names_under_group(rows[best - 1], row):
            best = count
            continue
        typed = [i for i in range(width) if is_typed_column(body, i)]
        named = [i for i in typed if _names(row[i], body, i)]
        if named:
            best, share = count, len(named) / len(typed)
    reach = _spanned_down(rows, limit)
    if best or reach:
        # Cells merged over several rows show how far the header extends.
        best = reach or best
        while best < limit and (is_unit_row(rows[best]) or numbers_columns(rows[best], rows[best + 1 :])):
            best += 1
        return best, 0.75 + 0.25 * share
    if _is_data(rows[0], rows[1 : 1 + BODY_ROWS]):
        return 0, 0.8
    score = _score(rows[0], rows[1 : 1 + 20])
    if score < 0.35:
        return 0, min(1.0, 1 - score)
    levels = 1 + _text_levels(rows, limit)
    below = [c for c in rows[levels][1:] if cell_text(c)] if levels < limit else []
    if len(below) > 2 and all(map(is_period, below)) and not any(map(is_period, rows[levels - 1][1:])):
        levels += 1  # days under the days of a week
    return levels, min(1.0, score)


def _is_open_band(cell: RawCell, row: Sequence[RawCell]) -> bool:
    """Return whether a cell is the first or last of the bands that a header names: 55-64, 65+."""
    return bool(OPEN_BAND.fullmatch(cell_text(cell))) and any(BAND.fullmatch(cell_text(c)) for c in row)


def _names_under_group(above: Sequence[RawCell], row: Sequence[RawCell]) -> bool:
    """Return whether a row only names the columns under one merged name, which the others do not have."""
    filled = [i for i, c in enumerate(row) if cell_text(c)]
    names = {cell_text(row[i]) for i in filled}
    over = {cell_text(above[i]) for i in filled}
    rest = [i for i in range(len(row)) if i not in filled and cell_text(above[i]) not in over]
    are_named = bool(rest) and all(cell_text(above[i]) for i in rest)
    return (
        len(names) == len(filled) > 1
        and len(over) == 1
        and "" not in over
        and are_named
        and all(is_words(row[i]) for i in filled)
    )


def _spanned_down(rows: Rows, limit: int) -> int:
    """Return how many rows the downward merged cells of the first row span; 0 if none are merged.

    Merged cells appear in every row that they span. Two columns must be merged, or one beside a group of
    columns: a single one is data, a label over several rows.
    """
    if any(is_typed(c) and not is_period(c) for c in rows[0]) and not _counts_up(rows[0]):
        return 0
    top = [cell_text(c) for c in rows[0]]
    reach = []
    for i, text in enumerate(top):
        below = 1
        while text and is_words(rows[0][i]) and below <= limit and cell_text(rows[below][i]) == text:
            below += 1
        reach.append(below)
    spanning = [r for r in reach if r > 1]
    is_grouped = any(t and t == top[i - 1] for i, t in enumerate(top) if i)
    if spanning and _are_numbered([cell_text(r[0]) for r in rows[: max(spanning) + 1]]):
        return 0  # a list: T1, T2, T3
    is_dated = len(top) == 2 and reach[0] > 1 and is_period(rows[1][1]) and not is_period(rows[0][1])
    return max(spanning) if len(spanning) > 1 or (spanning and (is_grouped or is_dated)) else 0


def _are_numbered(labels: Sequence[str]) -> bool:
    """Return whether labels are different and differ in their numbers only: T1, T2, T3."""
    return len(set(labels)) == len(labels) > 2 and "" not in labels and len({DIGITS.sub("0", t) for t in labels}) == 1


def numbers_columns(row: Sequence[RawCell], body: Rows) -> bool:
    """Return whether a row only numbers the columns, as in official forms: 栏次, 1=2+5."""
    texts = [t for t in map(cell_text, row) if t]
    if len(texts) < 3:
        return False
    if [t.strip("()") for t in texts] == [str(i) for i in range(1, len(row) + 1)]:
        # Over numbers only, 1, 2, 3 may well be a first row of them.
        return any(sum(map(is_words, r)) > 1 for r in body[:NEAR])
    if not NUMBERING.fullmatch(texts[0]):
        return False
    return all(t == texts[0] or SUM_OF_COLUMNS.fullmatch(t) for t in texts[1:])


def _is_data(first: Sequence[RawCell], body: Rows) -> bool:
    """Return whether a first row looks like those below it: typed in the same columns, and in at least one."""
    typed = [i for i in range(len(first)) if is_typed_column(body, i)]
    alike = [i for i in typed if is_typed(first[i]) and (not is_period(first[i]) or _are_periods(first[i], body, i))]
    return len(body) > 1 and bool(typed) and len(alike) == len(typed)


def _is_below_names(rows: Rows, best: int, count: int) -> bool:
    """Return whether a row is data below a complete header: words and figures are in the same columns as below it."""
    names = [cell_text(c) for c in rows[best - 1]]
    if not all(names) or len(set(names)) < len(names):
        return False
    row, body = rows[count - 1], rows[count : count + BODY_ROWS]
    typed = {i for i in range(len(row)) if is_typed_column(body, i)}
    figures = any(is_typed(row[i]) and (not is_period(row[i]) or any(map(is_words, row[1:]))) for i in typed)
    words = any(is_words(c) and i not in typed for i, c in enumerate(row) if i)
    # A single typed column may hold a word by chance.
    return words or (figures and bool(cell_text(row[0]))) or len(typed) < 2


def _is_lone_period(row: Sequence[RawCell]) -> bool:
    """Return whether a row holds only a year or day: below a header it opens a section."""
    filled = [c for c in row if cell_text(c)]
    return len(filled) == 1 and is_period(filled[0]) and (cell_text(filled[0]).isdecimal() or _is_day(filled[0]))


def _opens_section(row: Sequence[RawCell]) -> bool:
    texts = [t for t in map(cell_text, row) if t]
    return len(texts) == 1 and texts[0].endswith((":", "："))


def _names(cell: RawCell, body: Rows, column: int) -> bool:
    """Return whether a cell above typed cells must be their name: words, or a period over other values."""
    alike = is_period(cell) and _are_periods(cell, body, column)
    if is_words(cell):
        return not alike
    return cell is not None and (is_period(cell) or is_typed(cell)) and not alike


def _are_periods(cell: RawCell, body: Rows, column: int) -> bool:
    """Return whether most cells are periods of the same kind as the one above; days under a year are not."""
    filled = [row[column] for row in body if cell_text(row[column])]
    if cell_text(cell).isdecimal() and sum(map(_is_day, filled)) >= 0.8 * len(filled):
        return False
    return sum(map(is_period, filled)) > 0.5 * len(filled)


def _is_day(cell: RawCell) -> bool:
    found = read_date(cell_text(cell)) if isinstance(cell, str) else None
    return isinstance(cell, date) or bool(found and found.is_whole)


def _numbers_other_things(row: Sequence[RawCell], body: Rows) -> bool:
    """Return whether distinct whole numbers after a word are names (trains, rooms): no numbers are below them."""
    numbers = [(i, cell_text(c)) for i, c in enumerate(row) if i and cell_text(c)]
    if not is_words(row[0]) or len(numbers) < 3 or len({n for _, n in numbers}) < len(numbers):
        return False
    if not all(n.isdecimal() and len(n) < 5 for _, n in numbers):
        return False
    below = [r[i] for i, _ in numbers for r in body if cell_text(r[i])]
    return bool(below) and not any(isinstance(c, (int, float)) or cell_text(c).isdecimal() for c in below)


def _counts_up(row: Sequence[RawCell], above: Sequence[RawCell] | None = None) -> bool:
    """Return whether a row numbers its columns: days of a month, weeks, rounds.

    Below another header row it must begin at 1, and that row must span the columns or leave them empty.
    """
    texts = [cell_text(c) for c in row if is_typed(c)]
    numbers = [int(t) for t in texts if t.isdecimal() and len(t) < 5]
    steps = {b - a for a, b in zip(numbers, numbers[1:], strict=False)}
    counts = len(numbers) == len(texts) and len(numbers) >= 3 and steps in ({1}, {5}, {10}) and is_words(row[0])
    if not counts or above is None:
        return counts
    own = [cell_text(above[i]) for i, c in enumerate(row) if is_typed(c)]
    together = sum(not b or a == b for a, b in zip(own, own[1:], strict=False))
    return numbers[0] <= max(steps) and together * 2 > len(own)


def _text_levels(rows: Rows, limit: int) -> int:
    """Return how many rows below the first are header rows, in a table of words.

    The evidence is a first row that repeats a name over neighbouring columns, which the next row tells apart.
    """
    for count in range(1, limit):
        above, row = rows[count - 1], rows[count]
        spans = [
            i for i in range(1, len(above)) if cell_text(above[i]) and cell_text(above[i]) == cell_text(above[i - 1])
        ]
        if not spans or all(cell_text(row[i]) == cell_text(row[i - 1]) for i in spans):
            return count - 1
        texts = [cell_text(c) for c in row]
        unnamed = not texts[0] and not cell_text(above[0])  # the labels may have no name
        if not all(texts[unnamed:]) or max(map(len, texts)) > LONGEST_SUBHEADER or any(map(is_typed, row)):
            return count - 1
    return max(0, limit - 1)


def _score(first: Sequence[RawCell], body: Rows) -> float:
    """Score a first row as a header: filled, distinct, short, words above typed cells."""
    texts = [cell_text(c) for c in first]
    filled = [t for t in texts if t]
    if not filled:
        return 0.0
    # A row of years over numbers is a header too; a row of other numbers rarely is.
    words = sum(1 for c, t in zip(first, texts, strict=True) if t and (not is_typed(c) or is_period(c)))
    score = 0.45 * words / len(filled)
    score += 0.2 * len(filled) / len(texts)
    score += 0.15 * (len(set(filled)) == len(filled))
    score -= 0.3 * (max(map(len, filled)) > LONGEST_HEADER)
    score += 0.35 * max((_contrast(first[i], [row[i] for row in body]) for i in range(len(first))), default=0.0)
    score -= 0.15 * _recurs(texts, body)
    if words < len(filled) / 2:
        score -= 0.4
    return max(score, 0.0)


def _contrast(head: RawCell, cells: Sequence[RawCell]) -> float:
    """Return the share of typed cells below a cell of words."""
    filled = [c for c in cells if cell_text(c)]
    if not filled or is_typed(head) or not cell_text(head):
        return 0.0
    return sum(map(is_typed, filled)) / len(filled)


def _recurs(texts: Sequence[str], body: Rows) -> float:
    """Return the share of cells that recur in their own column: column names do not."""
    again = sum(1 for i, t in enumerate(texts) if t and any(cell_text(row[i]) == t for row in body))
    return again / max(1, len(texts))
