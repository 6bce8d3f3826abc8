"""Decides whether lines in columns are a table rather than prose, a list, contents, code or formulas."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tablerag.ingestion.document import RawCell
from tablerag.ingestion.readers.pdf_columns import Columns
from tablerag.ingestion.readers.pdf_rows import Line
from tablerag.ingestion.readers.pdf_segments import NO_VALUE, NUMBER, Segment, TextRow

__all__ = ["Candidate", "is_table_of_numbers", "is_table_of_words", "prose_beside"]

ALIGNED = 2.0
"""The most points by which the edges of aligned cells differ."""
MOST_LABEL_WORDS = 12
FEW = 8
WORD = re.compile(r"[^\W\d_]{2}")
CONTENTS = re.compile(
    r"(table of )?contents|inhalt(sverzeichnis)?|table des matières|sommaire|índice|indice|index|list of .*|目录|目次",
    re.IGNORECASE,
)
CODE = re.compile(r"[{};]\s*$|==|!=|=>|->|\(\)|::|//|/\*|^\s*#\w|\b(?:def|return|import|void|elif|printf)\b")
FORMULA = re.compile(r"[=≈≡∑∫∂√∞≤≥∈]")
DATE = re.compile(r"\d[-./]\d{1,2}[-./]\d|[A-Za-z]{3}")
EQUATION_NUMBER = re.compile(r"\((?:[A-Z]\.?)?\d{1,3}(?:\.\d{1,3})?[a-z]?\)")


@dataclass(frozen=True, slots=True)
class Candidate:
    """Lines in columns that may be a table."""

    columns: Columns
    header: Sequence[Sequence[RawCell]]
    body: Sequence[Sequence[RawCell]]
    lines: Sequence[Line]
    """The body's lines that hold values."""
    rows: Sequence[TextRow]
    """All lines, including those of the header."""
    above: str
    """The text of the line above."""
    has_marked_head: bool
    """Whether its first row is bold or followed by a rule."""
    goes_on: bool
    """Whether it begins a page with the columns of the table at the end of the previous page."""


def is_table_of_numbers(found: Candidate) -> bool:
    """Return whether labels or numbers are beside at least one column of aligned numbers."""
    fewest = 1 if found.goes_on else 2 if found.header and len(found.columns) > 2 else 3
    if len(found.columns) < 2 or len(found.lines) < fewest:
        return False
    numeric = [i for i in range(1, len(found.columns)) if _is_numeric(found, i)]
    if not numeric or _is_contents(found, numeric) or _is_code(found) or _is_formulas(found, numeric):
        return False
    if (
        not found.header
        and not found.goes_on
        and (_is_matrix(found) or (len(numeric) == 1 and _is_form(found, numeric[0])))
    ):
        return False
    if _is_index(found, numeric) or _holds_prose(found):
        return False
    texts = [i for i in range(len(found.columns)) if i not in numeric]
    if any(_is_prose(_segments(found, i)) for i in texts):
        return False
    longest = [len(s.words) for line in found.lines for s in line.cells.get(0, ())]
    return sum(longest) <= MOST_LABEL_WORDS * len(longest)


def is_table_of_words(found: Candidate) -> bool:
    """Return whether short texts fill at least three aligned columns below a marked header row."""
    rows = [*found.header, *found.body]
    is_marked = found.goes_on or (len(rows) >= 4 and found.has_marked_head)
    if len(found.columns) < 3 or not is_marked or _is_code(found):
        return False
    cells = [str(c) for row in rows for c in row if c is not None]
    if len(cells) < 0.7 * len(rows) * len(found.columns) or _is_contents(found, []):
        return False
    if sum(len(c.split()) for c in cells) > 5 * len(cells):
        return False
    columns = [_segments(found, i) for i in range(len(found.columns))]
    return all(_is_aligned(c) for c in columns) and not any(map(_is_prose, columns))


def prose_beside(found: Candidate) -> int | None:
    """Return the first or last column if it contains running text: a paragraph beside a table."""
    if len(found.columns) < 3:
        return None
    return next((i for i in (0, len(found.columns) - 1) if _is_prose(_segments(found, i))), None)


def _segments(found: Candidate, column: int) -> list[Segment]:
    return [s for line in found.lines for s in line.cells.get(column, ())]


def _is_numeric(found: Candidate, column: int) -> bool:
    """Return whether most of a column's cells are numbers whose edges or middles are aligned."""
    cells = [s for s in _segments(found, column) if not s.is_blank]
    numbers = [s for s in cells if s.is_number]
    needed = max(1 if found.goes_on else 2, 0.25 * len(found.lines))
    return len(numbers) >= needed and len(numbers) >= 0.6 * len(cells) and _is_aligned(numbers)


def _is_form(found: Candidate, column: int) -> bool:
    """Return whether an unnamed column mixes dates and numbers, like the values of a form."""
    texts = [s.text for s in _segments(found, column) if s.is_number]
    dates = sum(bool(DATE.search(t)) for t in texts)
    return 0 < dates < len(texts)


def _is_aligned(segments: Sequence[Segment]) -> bool:
    """Return whether most segments share their left edge, right edge, middle or decimal point."""
    if not segments:
        return False
    places = [
        [s.x0 for s in segments],
        [s.x1 for s in segments],
        [(s.x0 + s.x1) / 2 for s in segments],
        [_point(s) for s in segments],
        [s.words[-1].x1 if not s.text.endswith((")", "%")) else s.x1 - 0.35 * s.words[-1].size for s in segments],
    ]
    return any(_most_within(p) >= 0.6 * len(segments) for p in places)


def _most_within(places: list[float]) -> int:
    """Return the largest number of places within the tolerance of aligned edges."""
    places = sorted(places)
    first = best = 0
    for last, place in enumerate(places):
        while place - places[first] > 2 * ALIGNED:
            first += 1
        best = max(best, last - first + 1)
    return best


def _point(segment: Segment) -> float:
    """Return the position of a number's decimal point, assuming characters of equal width."""
    text = segment.text
    tail = len(text) - text.rindex(".") if "." in text else 0
    return segment.x1 - (segment.x1 - segment.x0) * tail / max(1, len(text))


def _is_prose(segments: Sequence[Segment]) -> bool:
    """Return whether segments are lines of running text: long, full and breaking within sentences."""
    if len(segments) < 3:
        return False
    words = sum(len(s.words) for s in segments) / len(segments)
    widest = max(s.x1 - s.x0 for s in segments)
    full = sum(s.x1 - s.x0 > 0.8 * widest for s in segments) / len(segments)
    lower = sum(s.text[:1].islower() for s in segments) / len(segments)
    return words >= 3.5 and full >= 0.5 and lower >= 0.35


def _holds_prose(found: Candidate) -> bool:
    """Return whether cells are parts of sentences: many words, mostly beginning in lower case."""
    texts = [str(c) for row in found.body for c in row if c is not None and not NUMBER.fullmatch(str(c))]
    lower = sum(t[:1].islower() for t in texts)
    return sum(len(t.split()) for t in texts) >= 3.5 * len(texts) and lower >= 0.5 * len(texts) > 0


def _is_matrix(found: Candidate) -> bool:
    """Return whether the table is a few numbers in rows and columns without any word."""
    return len(found.body) < FEW and not any(WORD.search(str(c)) for row in found.body for c in row if c is not None)


def _is_index(found: Candidate, numeric: Sequence[int]) -> bool:
    """Return whether it is a two-column index with dot leaders from terms to pages."""
    leaders = sum(line.row.has_leader for line in found.lines)
    return leaders >= 0.5 * len(found.lines) and len(numeric) > 1 and all(i - 1 not in numeric for i in numeric)


def _is_contents(found: Candidate, numeric: Sequence[int]) -> bool:
    """Return whether it is a table of contents: titles with ascending page numbers."""
    titles = [" ".join(str(c) for c in row if c is not None) for row in [*found.header, *found.body[:1]]]
    if any(CONTENTS.fullmatch(t.strip()) for t in [found.above, *titles]):
        return True
    if len(numeric) != 1 or numeric[0] != len(found.columns) - 1 or len(found.columns) > 3:
        return False
    last = [str(row[-1]) for row in found.body if row[-1] is not None]
    if not all(re.fullmatch(r"\d{1,4}", c) for c in last):
        return False
    rises = all(int(a) <= int(b) for a, b in pairwise(last))
    leaders = sum(line.row.has_leader for line in found.lines)
    is_bare = not found.header and not found.goes_on and len(last) >= 4
    return rises and (leaders >= 0.5 * len(found.lines) or is_bare)


def _is_code(found: Candidate) -> bool:
    texts = [" ".join(w.text for w in row.words) for row in found.rows]
    return sum(bool(CODE.search(t)) for t in texts) >= 0.3 * len(texts)


def _is_formulas(found: Candidate, numeric: Sequence[int]) -> bool:
    """Return whether lines are equations, or all numbers are those of equations or list items."""
    labels = [str(row[0]) for row in found.body if row[0] is not None]
    if labels and sum(bool(FORMULA.search(t)) for t in labels) >= 0.4 * len(labels):
        return True
    cells = [str(row[i]) for row in found.body for i in numeric if row[i] is not None]
    values = [c for c in cells if NUMBER.fullmatch(c) and not NO_VALUE.fullmatch(c)]
    numbered = [c for c in values if EQUATION_NUMBER.fullmatch(c)]
    counts = [int(re.sub(r"\D", "", c)) for c in numbered]
    return len(numbered) == len(values) and all(a < b for a, b in pairwise(counts))
