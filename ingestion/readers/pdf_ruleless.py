"""Tables without rules around their cells, found by the alignment of words.

Consecutive lines with numbers (or with at least three short texts) that leave the same vertical strips white form a
run; the lines above that name its columns are its header. A run is a table if its columns look like those of a table.
In doubt it is not one, and its words stay in the text.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from statistics import median

from tablerag.ingestion.document import Locator, Region, TableBlock
from tablerag.ingestion.readers.pdf_columns import Columns, Run, cells_of, runs_of
from tablerag.ingestion.readers.pdf_evidence import Candidate, is_table_of_numbers, is_table_of_words, prose_beside
from tablerag.ingestion.readers.pdf_heads import below_head, header_lines, header_rows, is_head, parted_at_heads
from tablerag.ingestion.readers.pdf_layout import PlacedTable, Word, rows_of
from tablerag.ingestion.readers.pdf_lines import Rule
from tablerag.ingestion.readers.pdf_order import columns_cut
from tablerag.ingestion.readers.pdf_rows import GridRow, Line, body_rows, is_text_below, lined, tight_limit
from tablerag.ingestion.readers.pdf_segments import TextRow, text_row

__all__ = ["Found", "Surroundings", "ruleless_tables", "without"]

BY_ALIGNMENT = "columns were found by the alignment of words, as no lines enclose the cells"
NEAR = 4.0
MOST_COLUMNS = 60
MOST_LINES_AROUND = 4
"""The most lines of the first row above its numbers, or of the last row below them."""


@dataclass(frozen=True, slots=True)
class Found:
    """A table, and the words it contains."""

    table: PlacedTable
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A page's facts besides its words."""

    page: int
    width: float
    rules: Sequence[Rule]
    before: Columns = ()
    """The columns of the table without rules at the end of the previous page."""
    by_ocr: bool = False


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of table: which lines contain values, and which lines are a table."""

    is_core: Callable[[TextRow], bool]
    has_values: Callable[[Line], bool]
    is_table: Callable[[Candidate], bool]


NUMBERS = Kind(lambda row: row.numbers > 0, lambda line: line.numbers > 0, is_table_of_numbers)
WORDS = Kind(
    lambda row: len(row.segments) >= 3,
    lambda line: 0 in line.cells and len(line.cells) >= 2,
    is_table_of_words,
)


def ruleless_tables(words: Sequence[Word], page: Surroundings) -> list[Found]:
    """Return the tables among words, first over the whole page, then within each column of a page that has two."""
    found = _tables(words, page)
    cut = columns_cut(without(words, found))
    if cut is None:
        return found
    # Two tables side by side in the columns of a page were found as one.
    kept = [f for f in found if not _is_two(f.table, cut.x)]
    if len(kept) < len(found):
        cut = columns_cut(without(words, kept)) or cut
    halves = ([b for b in side if isinstance(b, Word)] for band in cut.bands for side in (band.left, band.right))
    return [*kept, *(f for half in halves for f in _tables(half, page))]


def without(words: Sequence[Word], found: Sequence[Found]) -> list[Word]:
    """Return the words that are in none of the tables."""
    taken = {id(w) for f in found for w in f.words}
    return [w for w in words if id(w) not in taken]


def _is_two(table: PlacedTable, gutter: float) -> bool:
    """Return whether a column of labels is right of the white space between a page's two columns."""
    right = [i for i, (x0, _) in enumerate(table.columns) if x0 >= gutter - 1]
    if not right or right[0] == 0 or table.columns[right[0] - 1][1] > gutter + 1:
        return False
    cells = [str(row[right[0]]) for row in table.block.grid if row[right[0]] is not None]
    return sum(c[:1].isalpha() for c in cells) > 0.6 * len(cells)


def _tables(words: Sequence[Word], page: Surroundings) -> list[Found]:
    found: list[Found] = []
    for kind in (NUMBERS, WORDS):
        rows = [text_row(row) for row in rows_of(without(words, found))]
        end = 0
        for run in chain.from_iterable(parted_at_heads(rows, r, page.rules) for r in runs_of(rows, kind.is_core)):
            table = _table(rows, run, page, kind, end)
            if table:
                found.append(table)
                end = next((i for i, row in enumerate(rows) if row.top >= table.table.bottom), len(rows))
    return found


def _table(rows: Sequence[TextRow], run: Run, page: Surroundings, kind: Kind, end: int = 0) -> Found | None:
    """Return a run as a table, or None if it is not one; lines before ``end`` are in another table."""
    if run.first < end or not 2 <= len(run.columns) <= MOST_COLUMNS:
        return None
    names = run.first
    run = below_head(rows, run, page.rules)
    last = _last_line(rows, run, kind)
    start = _first_line(rows, run, kind, end)
    lines = [lined(row, run.columns) for row in rows[start : last + 1]]
    heads = header_lines(rows, start, end, run.columns, page.rules, least=start - names)
    top = header_rows(heads, run.columns, page.rules)
    body = body_rows(lines, run.columns, kind.has_values)
    first = start - len(heads)
    candidate = Candidate(
        columns=run.columns,
        header=[row.cells for row in top],
        body=[row.cells for row in body],
        lines=[line for line in lines if kind.has_values(line)],
        rows=rows[first : last + 1],
        above=" ".join(w.text for w in rows[first - 1].words) if first else "",
        has_marked_head=_is_marked(rows[first : last + 1], [*top, *body], page.rules),
        goes_on=first == 0 and _goes_on(run.columns, page.before),
    )
    if kind.is_table(candidate):
        sure = len(top) if start == run.first and is_head(rows, first, run, page.rules) else None
        return _found(rows[first : last + 1], [*top, *body], run, page, sure)
    prose = prose_beside(candidate)
    return None if prose is None else _beside_prose(rows[run.first : last + 1], run, page, kind, prose)


def _goes_on(columns: Columns, before: Columns) -> bool:
    """Return whether columns are at the places of those on the previous page."""
    if len(columns) != len(before):
        return False
    overlap = all(a[0] < b[1] and a[1] > b[0] for a, b in zip(columns, before, strict=True))
    near = [min(abs(a[0] - b[0]), abs(a[1] - b[1])) < NEAR for a, b in zip(columns, before, strict=True)]
    return overlap and sum(near) >= 0.6 * len(near)


def _beside_prose(rows: Sequence[TextRow], run: Run, page: Surroundings, kind: Kind, prose: int) -> Found | None:
    """Return the table beside a paragraph."""
    left, right = run.columns[prose]
    cut = [text_row(words) for row in rows if (words := [w for w in row.words if not left <= w.x0 <= right])]
    runs = [r for r in runs_of(cut, kind.is_core) if len(r.columns) < len(run.columns)]
    longest = max(runs, key=lambda r: len(r.core), default=None)
    return _table(cut, longest, page, kind) if longest else None


def _first_line(rows: Sequence[TextRow], run: Run, kind: Kind, end: int) -> int:
    """Return the first row's first line: its cells may begin above the line of its numbers.

    Equally close lines that span several columns are a paragraph that ends above the table.
    """
    lines = [lined(row, run.columns) for row in rows[run.first : run.last + 1]]
    limit = tight_limit(lines, kind.has_values)
    if lines[0].label and not lines[0].label[0].islower():
        return run.first
    first = run.first
    while first > end and run.first - first < MOST_LINES_AROUND and rows[first].top - rows[first - 1].bottom < limit:
        first -= 1
        if any(len(touched) > 1 for touched, _ in cells_of(rows[first], run.columns)):
            return run.first
    return first


def _last_line(rows: Sequence[TextRow], run: Run, kind: Kind) -> int:
    """Return the table's last line, including lines that only continue the last row's cells."""
    last = run.last
    is_values = partial(_has_values, run=run, kind=kind)
    lines = [lined(row, run.columns) for row in rows[run.first : last + 1]]
    count = len(body_rows(lines, run.columns, kind.has_values))
    while last + 1 < len(rows) and last - run.last < MOST_LINES_AROUND:
        row = rows[last + 1]
        if row.top - rows[last].bottom > 0.8 * row.size or is_values(row) or row.size > 1.05 * rows[last].size:
            break
        below = lined(row, run.columns)
        if is_text_below(lines, below, run.columns):
            break
        lines.append(below)
        if len(body_rows(lines, run.columns, kind.has_values)) > count:
            break
        last += 1
    return last


def _has_values(row: TextRow, run: Run, kind: Kind) -> bool:
    return kind.has_values(lined(row, run.columns))


def _is_marked(rows: Sequence[TextRow], grid: Sequence[GridRow], rules: Sequence[Rule]) -> bool:
    """Return whether the first row is bold unlike most others, or followed by a rule."""
    if len(grid) < 2:
        return False
    if grid[0].bold and sum(row.bold for row in grid) <= len(grid) / 2:
        return True
    first, second = rows[0], rows[1]
    return any(first.bottom - 2 <= r.y <= second.top + 2 and r.x1 - r.x0 > 50 for r in rules)


def _found(
    rows: Sequence[TextRow], grid: Sequence[GridRow], run: Run, page: Surroundings, header_rows: int | None
) -> Found:
    used = [i for i in range(len(run.columns)) if any(row.cells[i] is not None for row in grid)]
    words = tuple(w for row in rows for w in row.words)
    x0, x1 = min(w.x0 for w in words), max(w.x1 for w in words)
    top, bottom = rows[0].top, max(row.bottom for row in rows)
    block = TableBlock(
        [[row.cells[i] for i in used] for row in grid],
        Locator(page=page.page),
        header_rows=header_rows,
        warnings=(BY_ALIGNMENT,),
        ruled=False,
        regions=(Region(page.page, float(x0), float(top), float(x1), float(bottom)),),
    )
    table = PlacedTable(
        x0=x0,
        x1=x1,
        top=top,
        bottom=bottom,
        block=block,
        columns=tuple(run.columns[i] for i in used),
        lefts=tuple(row.left for row in grid),
        bold=tuple(row.bold for row in grid),
        size=median(w.size for w in words),
        ruled=False,
        least_sure=tuple(row.least_sure for row in grid) if page.by_ocr else (),
    )
    return Found(table, words)
