"""Rows that sum up others: totals, subtotals and averages, found by their labels and their numbers."""

import math
import re
from collections.abc import Sequence
from decimal import Decimal

from tablerag.ingestion.document import Amount, RawCell
from tablerag.ingestion.tables.cells import cell_text, is_typed, is_words
from tablerag.ingestion.tables.hierarchy import OWN_TOTAL
from tablerag.ingestion.tables.typing.cells import without_marks
from tablerag.ingestion.tables.typing.numbers import read_number
from tablerag.tools.number_words import SIGNS

__all__ = ["parent_rows", "total_rows"]

LABEL = re.compile(
    r"(?:grand |sub-?\s?|overall |net )?(?:totals?|sum|subtotals?)\b.*|.*\btotal"
    r"|gesamt(?:summe)?|zwischensumme|summe|insgesamt|total g[ée]n[ée]ral|sous-total|suma|totale"
    r"|totaal|(?:всего|итого)\b.*|合计|总计|小计|總計|合計",
    re.IGNORECASE,
)
EXACT = re.compile(
    r"(?:grand |overall |sub-?\s?)?(?:totals?|sum)s?|gesamt(?:summe)?|summe|insgesamt|subtotals?|totale?|suma|"
    r"всего|итого|合计|总计|小计|總計|合計|average|averages|mean|durchschnitt|moyenne|平均",
    re.IGNORECASE,
)
NET = re.compile(
    r"\b(?:net|profit|loss|income|margin|surplus|deficit|ebitd?a?|remaining|after|total|proceeds|cash flows?)\b"
    r"|净|利润|余额|结余|毛利",
    re.IGNORECASE,
)
"""Labels of rows that are the result of a subtraction."""
RATIO = re.compile(r"%|\b(?:ratio|rates?|per|percent(?:age)?)\b", re.IGNORECASE)
NIL = frozenset("-–—−")
LESS = re.compile(r"(?:less|deduct|minus)\b|减", re.IGNORECASE)
BALANCE = re.compile(
    r".*\b(?:balances?|outstanding|(?:non|un)-?vested|closing|ending|end of (?:the )?(?:year|period|quarter|month))\b.*"
    r"|[期年]末.*",
    re.IGNORECASE,
)
TOLERANCE = Decimal("0.006")
"""Rounding: rows with the label of a total may differ from the sum by this share."""
LABEL_COLUMNS = 3
MOST_ROWS = 5000
"""Longer tables are records: only their last row may be a total."""
LOOKED_BACK = 200
SUBTRACTED = 8
"""Rows above a net row in which its minuend is looked for."""
LEAST_SUMMED = 3
"""Rows that a total among records must sum up: two may match by chance."""
LEAST_TELLING = 100
"""Smaller sums may match by chance."""
LEAST_DIGITS = 3
TELLING_DIGITS = 5
"""Digits that must agree exactly: fewer may match by chance."""
LONG = 50
"""Rows of a longer table have so many sums that some match by chance: more digits must agree."""
DIGITS = re.compile(r"\d+")
Numbers = Sequence[Sequence[Decimal | None]]


def total_rows(
    rows: Sequence[Sequence[RawCell]], parents: frozenset[int] = frozenset(), *, is_records: bool = False
) -> frozenset[int]:
    """Return the indexes of rows that sum up others; ``rows`` are without their path, ``parents`` already known.

    The label "Total" is enough. "Total sales" must also be the sum of rows above it in some column, or the last row.
    Any other row must be the exact sum of rows above it in all of its columns, or their difference; the weaker its
    label, the more digits must agree. Among records a label is required.
    """
    found = set(parents)
    numbers = [[_number(c) for c in row] for row in rows] if len(rows) <= MOST_ROWS else []
    if numbers and not any(is_typed(c) for row in rows for c in row):
        return frozenset(found)  # a list of words, such as "Sex | Total"
    labels = [_label(row) for row in rows] if numbers else []
    has_labels = numbers and sum(bool(row) and is_words(row[0]) for row in rows) >= 0.6 * len(rows)
    for i in range(len(rows)) if numbers else [len(rows) - 1]:
        label = _label(rows[i])
        is_total = (_is_labelled_record if is_records else _is_labelled)(rows, numbers, i, label, found)
        is_unnamed = bool(has_labels) and not cell_text(rows[i][0])
        if is_total or (numbers and not is_records and _tells_itself(numbers, labels, i, found, is_unnamed=is_unnamed)):
            found.add(i)
    return frozenset(found)


def _is_labelled(rows: Sequence[Sequence[RawCell]], numbers: Numbers, i: int, label: str, totals: set[int]) -> bool:
    """Return whether a row has the label of a total and its numbers do not contradict it."""
    is_last = i == len(rows) - 1
    return bool(EXACT.fullmatch(label) or (LABEL.fullmatch(label) and (is_last or _is_sum(numbers, i, totals))))


def _is_labelled_record(
    rows: Sequence[Sequence[RawCell]], numbers: Numbers, i: int, label: str, totals: set[int]
) -> bool:
    """Return the same among records, where "Total" may be a company and "Total Recall" a film."""
    if EXACT.fullmatch(label):
        first = cell_text(rows[i][0]).rstrip(": ")
        return (i == len(rows) - 1 and first in ("", label)) or _is_sum(numbers, i, totals)
    own = OWN_TOTAL.fullmatch(label)
    group = cell_text(rows[i - 1][0]) if i else ""
    is_group = own is not None and group.casefold() in (part.casefold() for part in own.groups() if part)
    return bool(LABEL.fullmatch(label)) and _is_sum(numbers, i, totals, least=1 if is_group else LEAST_SUMMED)


def parent_rows(rows: Sequence[Sequence[RawCell]], paths: Sequence[Sequence[RawCell]]) -> frozenset[int]:
    """Return the indexes of rows whose numbers are the sums of the rows indented below them.

    ``paths`` are the sections of each row, outermost first, parallel to the rows; None where there is none.
    """
    inner = [tuple(p for p in path if p) for path in paths]
    found = set()
    for i, row in enumerate(rows):
        own = (*inner[i], cell_text(row[0])) if row else ()
        below = []
        for j in range(i + 1, len(rows)):
            if inner[j][: len(own)] != own:
                break
            below += [j] if inner[j] == own else []
        if len(below) > 1 and _is_sum_of([_number(c) for c in row], [[_number(c) for c in rows[j]] for j in below]):
            found.add(i)
    return frozenset(found)


def _is_sum_of(wanted: Sequence[Decimal | None], parts: Numbers) -> bool:
    """Return whether numbers are, up to rounding, the sums of parts in every column that has both."""
    pairs = [(n, [v for p in parts if (v := p[c]) is not None]) for c, n in enumerate(wanted) if n is not None]
    summed = [(n, sum(own, Decimal(0))) for n, own in pairs if len(own) > 1]
    return any(n for n, _ in summed) and all(abs(n - total) <= abs(TOLERANCE * n) for n, total in summed)


def _number(cell: RawCell) -> Decimal | None:
    """Return an amount, 0 for a dash; None for percentages and anything else."""
    if isinstance(cell, (bool, str)) or cell is None:
        text = without_marks(cell.strip()) if isinstance(cell, str) else ""
        if text.strip(f"{SIGNS} ") in NIL:
            return Decimal(0)
        reading = read_number(text) if text and len(text) < 40 else None
        return reading.point if reading and reading.unit != "%" else None
    if isinstance(cell, (int, float, Decimal)):
        return Decimal(str(cell)) if math.isfinite(cell) else None
    return Decimal(str(cell.value)) if isinstance(cell, Amount) and cell.unit != "%" else None


def _label(row: Sequence[RawCell]) -> str:
    """Return the first text of a row's first columns, without a colon."""
    texts = [cell_text(c) for c in row[:LABEL_COLUMNS] if isinstance(c, str) and cell_text(c)]
    exact = next((t for t in texts if EXACT.fullmatch(t.rstrip(": "))), "")
    return (exact or (texts[0] if texts else "")).rstrip(": ")


def _is_sum(numbers: Numbers, i: int, totals: set[int], least: int = 2) -> bool:
    """Return whether a row is, up to rounding, the sum of at least ``least`` rows right above it in some column."""
    return any(
        wanted and _run_that_sums(numbers, i, column, totals, abs(TOLERANCE * wanted)) >= least
        for column, wanted in enumerate(numbers[i] if numbers else ())
    )


def _tells_itself(numbers: Numbers, labels: Sequence[str], i: int, totals: set[int], *, is_unnamed: bool) -> bool:
    """Return whether a row's numbers show that it sums up others."""
    wanted = {c: n for c, n in enumerate(numbers[i]) if n is not None}
    if not any(wanted.values()) or not i or RATIO.search(labels[i]):
        return False
    if not is_unnamed and (not is_words(labels[i]) or _is_next(labels[i], labels[i - 1])):
        return False  # a record named by a number, code or day: its sums are chance
    if is_unnamed and all(numbers[i - 1][c] == n for c, n in wanted.items()):
        return True  # the subtotal of a single item
    if _is_sum_throughout(numbers, i, wanted, totals, is_unnamed=is_unnamed):
        return True
    if BALANCE.fullmatch(labels[i]) and any(
        abs(n) >= LEAST_TELLING and _run_that_sums(numbers, i, c, totals, Decimal(0)) > 2 for c, n in wanted.items()
    ):
        return True
    may_be_left = is_unnamed or NET.search(labels[i]) or LESS.match(labels[i - 1])
    return bool(may_be_left) and _is_left(numbers, labels, i, wanted, totals)


def _is_sum_throughout(
    numbers: Numbers, i: int, wanted: dict[int, Decimal], totals: set[int], *, is_unnamed: bool
) -> bool:
    """Return whether a row is the exact sum of one run of rows right above it in all of its columns."""
    plain, whole = dict.fromkeys(wanted, Decimal(0)), dict.fromkeys(wanted, Decimal(0))
    terms = dict.fromkeys(wanted, 0)
    for above in range(i - 1, max(-1, i - LOOKED_BACK), -1):
        for c in wanted:
            number = numbers[above][c]
            if number is not None:
                terms[c] += bool(number)
                whole[c] += number
                plain[c] += 0 if above in totals else number
        if (whole == wanted or plain == wanted) and max(terms.values()) > 1:
            return is_unnamed or _is_telling(wanted, terms, i - above, len(numbers))
    return False


def _is_next(label: str, before: str) -> bool:
    """Return whether two labels differ in their numbers only, such as "INV-0041" and "INV-0042"."""
    return label != before and DIGITS.sub("0", label) == DIGITS.sub("0", before)


def _is_telling(wanted: dict[int, Decimal], terms: dict[int, int], run: int, rows: int) -> bool:
    """Return whether a matching sum in a table of so many rows has too many digits or columns to be chance."""
    summed = {c: n for c, n in wanted.items() if n and terms[c] > 1}
    if rows > LONG:
        return _digits(summed) >= TELLING_DIGITS + len(str(rows))
    if max(map(abs, summed.values()), default=0) < LEAST_TELLING or _digits(summed) < LEAST_DIGITS:
        return False
    return run >= (2 if len(summed) > 1 else 3) or _digits(summed) >= TELLING_DIGITS


def _digits(numbers: dict[int, Decimal]) -> int:
    return sum(len(n.normalize().as_tuple().digits) for n in numbers.values() if n)


def _is_left(numbers: Numbers, labels: Sequence[str], i: int, wanted: dict[int, Decimal], totals: set[int]) -> bool:
    """Return whether a row is, in all of its columns, a row above minus the rows between."""
    if _digits(wanted) < TELLING_DIGITS:
        return False
    first = min(c for c, n in wanted.items() if n)
    for above in range(i - 2, max(-1, i - SUBTRACTED), -1):
        between = range(above + 1, i)
        for taken in ([k for k in between if k not in totals], [k for k in between if k in totals][-1:]):
            # Subtrahends are printed without a minus, or labelled "Less".
            if not taken or any((numbers[k][first] or 0) < 0 and not LESS.match(labels[k]) for k in taken):
                continue
            if all(_left(numbers, above, taken, c) == n for c, n in wanted.items()):
                return any(numbers[k][c] for k in taken for c in wanted)
    return False


def _left(numbers: Numbers, above: int, taken: Sequence[int], column: int) -> Decimal:
    return (numbers[above][column] or Decimal(0)) - sum((numbers[k][column] or Decimal(0)) for k in taken)


def _run_that_sums(numbers: Numbers, i: int, column: int, totals: set[int], near: Decimal) -> int:
    """Return how many rows above add up to a row's number; 0 if none do.

    Totals among them may replace the rows that they sum up.
    """
    wanted = numbers[i][column] or Decimal(0)
    plain = with_totals = Decimal(0)
    count = 0
    for above in range(i - 1, max(-1, i - LOOKED_BACK), -1):
        number = numbers[above][column]
        if number is None:
            continue
        count += 1
        with_totals += number
        plain += 0 if above in totals else number
        if count > 1 and number and min(abs(plain - wanted), abs(with_totals - wanted)) <= near:
            return i - above
    return 0
