"""Header detection: which leading rows of a grid name its columns, and the path of names over each column.

What the format marks as header is believed. Else a row is a header row for sure when words, or the names of
periods, stand over columns of numbers and dates; where a table holds words only, its first row is scored. Rows of
units are taken out of the paths, groups are spread over the columns that they span (HD-RAG's H_t, arXiv
2504.09554, section 3.1).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from ingestion.document import RawCell, TableBlock
from ingestion.tables.cells import cell_text, is_period, is_typed, is_words, lone_text
from ingestion.tables.header_paths import (
    TIME_GROUP,
    column_paths,
    has_year,
    is_unit_row,
    table_unit,
    unit_for,
    unit_of_row,
    without_units,
)
from ingestion.tables.typing import Unit
from ingestion.tables.typing.dates import read_date

__all__ = ["PATH", "HeaderDecision", "find_header"]

SURE = 0.6
"""Below this confidence the decision is reported as doubtful."""
LONGEST_HEADER = 80
PATH = " > "
MOST_HEADER_ROWS = 6
FEW_ROWS = 3
BODY_ROWS = 30
"""Rows below a header by which its columns are judged."""
NUMBERING = re.compile(r"栏次|行次|列次|序号|col(?:umn|\.)?(?: no\.?)?|no\.?|nr\.?", re.IGNORECASE)
SUM_OF_COLUMNS = re.compile(r"\(?\d{1,2}\)?(?:\s?=\s?\d{1,2}(?:\s?[-+×*/]\s?\d{1,2})+)?")
Rows = Sequence[Sequence[RawCell]]


@dataclass(frozen=True, slots=True)
class HeaderDecision:
    """The header path of each column, the grid index of the first data row, and how sure that is."""

    paths: list[tuple[str, ...]]
    """Outermost first; empty for a column that has no name."""
    first_row: int
    confidence: float
    title: str = ""
    """Text of title rows found above the header."""
    warnings: tuple[str, ...] = ()
    row_count: int = 0
    """How many header rows there are, title rows not counted."""
    units: Sequence[Unit] = ()
    """What a row of units states for each column; empty without one."""

    @property
    def headers(self) -> list[str]:
        """The paths joined, numbered where there is none."""
        return [PATH.join(p) or f"column_{i}" for i, p in enumerate(self.paths, start=1)]


def find_header(block: TableBlock, given: int | None = None) -> HeaderDecision | None:
    """Return the header decision, or None when the grid has no data rows or no second filled cell.

    ``given`` is a number of header rows that is not to be doubted: a person's.
    """
    grid = block.grid[: MOST_HEADER_ROWS + BODY_ROWS + 20]
    width = max((len(row) for row in grid), default=0)
    if given is not None:
        return _decide(grid, given, 0, 1.0, "") if len(block.grid) > given and width else None
    skipped = _title_rows(grid, width)
    title = " ".join(dict.fromkeys(t for t in map(lone_text, grid[:skipped]) if table_unit(t) == Unit()))
    rows = grid[skipped:]
    if width < 2 or len(rows) < 2:
        return _single_column(block) if width == 1 else None
    if block.header_rows is not None and block.header_rows > skipped:
        count, confidence = min(block.header_rows - skipped, len(rows) - 1), 1.0
        if count == 0:
            return None
        while count < min(len(rows) - 1, MOST_HEADER_ROWS) and is_unit_row(rows[count]):
            count += 1
    else:
        count, confidence = _count_header_rows(rows)
    decision = _decide(rows, count, skipped, confidence, title)
    return _with_rows_above(decision, grid, skipped) if skipped and count else decision


def _single_column(block: TableBlock) -> HeaderDecision | None:
    """A one-column grid is a table only when it has a header over at least two data rows."""
    head = block.grid[:BODY_ROWS]
    filled = [row for row in head if cell_text(row[0])]
    if len(filled) < 3 or len(filled) != len(head) or len(cell_text(filled[0][0])) > LONGEST_HEADER:
        return None
    note = ("the header row is a guess: a single column",)
    return HeaderDecision([(cell_text(filled[0][0]),)], 1, 0.5, "", note, 1)


def _decide(rows: Rows, count: int, skipped: int, confidence: float, title: str) -> HeaderDecision:
    warnings = []
    if count == 0:
        warnings.append("no header row was found: columns are numbered")
    if count > 1:
        warnings.append(f"{count} header rows were joined")
    if confidence < SURE:
        warnings.append(f"the header row is a guess (confidence {confidence:.2f})")
    head, body = rows[:count], rows[count : count + BODY_ROWS]
    unit_rows = [row for row in head if is_unit_row(row)]
    unit_rows = unit_rows if len(unit_rows) < count else []
    paths = column_paths(head, unit_rows, [_is_typed_column(body, i) for i in range(len(rows[0]))])
    units = unit_of_row(unit_rows, paths) if unit_rows else ()
    paths, units = without_units(paths, units)
    for row in head if not any(u != Unit() for u in units) else ():
        stated = table_unit(cell_text(row[0]))
        if stated != Unit() and any(map(cell_text, row[1:])):
            units = [unit_for(path, stated) for path in paths]
    return HeaderDecision(paths, skipped + count, round(confidence, 2), title, tuple(warnings), count, units)


def _with_rows_above(decision: HeaderDecision, grid: Rows, skipped: int) -> HeaderDecision:
    """Let rows right above the header speak that are no titles: units, "Years ended June 30,", the labels' name."""
    while skipped and (stated := table_unit(lone_text(grid[skipped - 1]))) != Unit():
        skipped -= 1
        units = [unit_for(p, stated) if u == Unit() else u for p, u in zip(decision.paths, decision.units, strict=True)]
        decision = replace(decision, row_count=decision.row_count + 1, units=units)
    if not skipped:
        return decision
    above, labels = cell_text(grid[skipped - 1][0]), decision.paths[0]
    dated = [any(has_year(part) and is_period(part) for part in path) for path in decision.paths]
    if TIME_GROUP.fullmatch(above) and any(dated):
        paths = [(above, *p) if d else p for p, d in zip(decision.paths, dated, strict=True)]
        title = " ".join(dict.fromkeys(t for t in map(lone_text, grid[: skipped - 1]) if t != above))
        return replace(decision, paths=paths, title=title, row_count=decision.row_count + 1)
    if labels or not above or len(above) > LONGEST_HEADER or any(map(cell_text, grid[skipped - 1][1:])):
        return decision
    if is_period(above.rstrip(",")):
        return replace(decision, paths=[(), *((above, *p) if p else p for p in decision.paths[1:])])
    return replace(decision, paths=[(above,), *decision.paths[1:]])


def _title_rows(grid: Rows, width: int) -> int:
    """Count leading rows that hold one text only, alone or repeated over the whole width.

    One text over several columns but not over all is the name of a group of columns, and so is one that
    does not stand in the first column.
    """
    count = 0
    for row in grid:
        filled = [text for text in map(cell_text, row) if text]
        is_group = 1 < len(filled) < width or (len(filled) == 1 and not cell_text(row[0]))
        if width < 3 or len(set(filled)) > 1 or is_group or count >= len(grid) - 2:
            break
        count += 1
    return count


def _is_typed_column(body: Rows, column: int) -> bool:
    filled = [row[column] for row in body if cell_text(row[column])]
    return bool(filled) and sum(map(is_typed, filled)) >= 0.6 * len(filled)


def _count_header_rows(rows: Rows) -> tuple[int, float]:
    """Return how many header rows there are and the confidence in it."""
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
        body = rows[count : count + BODY_ROWS]
        names = _counts_up(row, is_below=bool(best)) or (not best and _numbers_other_things(row, body))
        if any(is_typed(c) and not is_period(c) for c in row) and not names:
            break
        typed = [i for i in range(width) if _is_typed_column(body, i)]
        named = [i for i in typed if _names(row[i], body, i)]
        if named:
            best, share = count, len(named) / len(typed)
    reach = _spanned_down(rows, limit)
    if best or reach:
        # Cells merged over several rows say themselves how far the header goes.
        best = reach or best
        while best < limit and (is_unit_row(rows[best]) or _numbers_columns(rows[best], rows[best + 1 :])):
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


def _spanned_down(rows: Rows, limit: int) -> int:
    """Return how many rows the first row's cells reach over that were merged downwards, 0 where none were.

    Merged cells stand in every row that they span. Two columns must show it, or one beside a group of
    columns: in one column alone it is data, a label over several rows.
    """
    if any(is_typed(c) and not is_period(c) for c in rows[0]) and not _counts_up(rows[0], is_below=False):
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
    return max(spanning) if len(spanning) > 1 or (spanning and is_grouped) else 0


def _numbers_columns(row: Sequence[RawCell], body: Rows) -> bool:
    """Tell whether a row only numbers the columns, as below the header of official forms: 栏次, 1=2+5."""
    texts = [t for t in map(cell_text, row) if t]
    if len(texts) < 3:
        return False
    if [t.strip("()") for t in texts] == [str(i) for i in range(1, len(row) + 1)]:
        # Over numbers only, 1, 2, 3 may well be a first row of them.
        return sum(bool(body) and is_words(body[0][i]) for i in range(len(row))) > 1
    if not NUMBERING.fullmatch(texts[0]):
        return False
    return all(t == texts[0] or SUM_OF_COLUMNS.fullmatch(t) for t in texts[1:])


def _is_data(first: Sequence[RawCell], body: Rows) -> bool:
    """Tell whether a first row is like those below it: typed wherever they are, and somewhere at least."""
    typed = [i for i in range(len(first)) if _is_typed_column(body, i)]
    alike = [i for i in typed if is_typed(first[i]) and (not is_period(first[i]) or _are_periods(first[i], body, i))]
    return len(body) > 1 and bool(typed) and len(alike) == len(typed)


def _is_below_names(rows: Rows, best: int, count: int) -> bool:
    """Tell whether a row is data below a header that names every column: words stand where words do, figures too."""
    names = [cell_text(c) for c in rows[best - 1]]
    if not all(names) or len(set(names)) < len(names):
        return False
    row, body = rows[count - 1], rows[count : count + BODY_ROWS]
    typed = {i for i in range(len(row)) if _is_typed_column(body, i)}
    figures = any(is_typed(row[i]) and (not is_period(row[i]) or any(map(is_words, row[1:]))) for i in typed)
    words = any(is_words(c) and i not in typed for i, c in enumerate(row) if i)
    # One typed column alone, over few rows, may as well hold words by chance.
    return words or (figures and bool(cell_text(row[0]))) or (len(typed) < 2 and len(body) < FEW_ROWS)


def _is_lone_period(row: Sequence[RawCell]) -> bool:
    """Tell whether a row holds a year or day only: below a header it opens a section."""
    filled = [c for c in row if cell_text(c)]
    return len(filled) == 1 and is_period(filled[0]) and (cell_text(filled[0]).isdecimal() or _is_day(filled[0]))


def _opens_section(row: Sequence[RawCell]) -> bool:
    texts = [t for t in map(cell_text, row) if t]
    return len(texts) == 1 and texts[0].endswith((":", "："))


def _names(cell: RawCell, body: Rows, column: int) -> bool:
    """Tell whether a cell above typed cells can only be their name: words, or a period over no periods."""
    alike = is_period(cell) and _are_periods(cell, body, column)
    if is_words(cell):
        return not alike
    return cell is not None and (is_period(cell) or is_typed(cell)) and not alike


def _are_periods(cell: RawCell, body: Rows, column: int) -> bool:
    """Tell whether most cells of a column are periods as the one above them is; days under a year are not."""
    filled = [row[column] for row in body if cell_text(row[column])]
    if cell_text(cell).isdecimal() and sum(map(_is_day, filled)) >= 0.8 * len(filled):
        return False
    return sum(map(is_period, filled)) > 0.5 * len(filled)


def _is_day(cell: RawCell) -> bool:
    found = read_date(cell_text(cell)) if isinstance(cell, str) else None
    return isinstance(cell, date) or bool(found and found.is_whole)


def _numbers_other_things(row: Sequence[RawCell], body: Rows) -> bool:
    """Tell whether a row of words and distinct whole numbers stands over other things than numbers: trains, rooms."""
    numbers = [(i, cell_text(c)) for i, c in enumerate(row) if i and cell_text(c)]
    if not is_words(row[0]) or len(numbers) < 3 or len({n for _, n in numbers}) < len(numbers):
        return False
    if not all(n.isdecimal() and len(n) < 5 for _, n in numbers):
        return False
    below = [r[i] for i, _ in numbers for r in body if cell_text(r[i])]
    return bool(below) and not any(isinstance(c, (int, float)) or cell_text(c).isdecimal() for c in below)


def _counts_up(row: Sequence[RawCell], *, is_below: bool) -> bool:
    """Tell whether a row numbers its columns: days of a month, weeks, rounds; below another header, from 1 on."""
    texts = [cell_text(c) for c in row if is_typed(c)]
    numbers = [int(t) for t in texts if t.isdecimal() and len(t) < 5]
    steps = {b - a for a, b in zip(numbers, numbers[1:], strict=False)}
    counts = len(numbers) == len(texts) and len(numbers) >= 3 and steps in ({1}, {5}, {10}) and is_words(row[0])
    return counts and (not is_below or numbers[0] <= max(steps))


def _text_levels(rows: Rows, limit: int) -> int:
    """Return how many rows below the first one are header rows too, in a table of words.

    Only a first row that says the same over neighbouring columns, told apart by the next, shows it.
    """
    for count in range(1, limit):
        above, row = rows[count - 1], rows[count]
        spans = [
            i for i in range(1, len(above)) if cell_text(above[i]) and cell_text(above[i]) == cell_text(above[i - 1])
        ]
        if not spans or all(cell_text(row[i]) == cell_text(row[i - 1]) for i in spans):
            return count - 1
        texts = [cell_text(c) for c in row]
        if not all(texts) or max(map(len, texts)) > LONGEST_HEADER or any(map(is_typed, row)):
            return count - 1
    return max(0, limit - 1)


def _score(first: Sequence[RawCell], body: Rows) -> float:
    """Score a first row by what tells names from data: filled, distinct, short, textual above typed cells."""
    texts = [cell_text(c) for c in first]
    filled = [t for t in texts if t]
    if not filled:
        return 0.0
    # A row of years over numbers is a header too; a row of other numbers hardly ever is.
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
    """Return the share of a row's cells that stand again below themselves: names of columns do not."""
    again = sum(1 for i, t in enumerate(texts) if t and any(cell_text(row[i]) == t for row in body))
    return again / max(1, len(texts))
