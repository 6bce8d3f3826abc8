"""Rows that sum up others: totals, subtotals and averages, told by their label and by their numbers."""

import math
import re
from collections.abc import Sequence
from decimal import Decimal

from ingestion.document import Amount, RawCell
from ingestion.tables.cells import cell_text
from ingestion.tables.typing.cells import without_marks
from ingestion.tables.typing.numbers import read_number

__all__ = ["total_rows"]

LABEL = re.compile(
    r"(?:grand |sub-?\s?|overall |net )?(?:totals?|sum|subtotals?)\b.*|.*\btotal"
    r"|gesamt(?:summe)?|zwischensumme|summe|insgesamt|total g[ée]n[ée]ral|sous-total|suma|totale"
    r"|totaal|合计|总计|小计|總計|合計",
    re.IGNORECASE,
)
EXACT = re.compile(
    r"(?:grand |overall |sub-?\s?)?(?:totals?|sum)s?|gesamt(?:summe)?|summe|insgesamt|subtotals?|totale?|suma|"
    r"合计|总计|小计|總計|合計|average|averages|mean|durchschnitt|moyenne|平均",
    re.IGNORECASE,
)
TOLERANCE = Decimal("0.006")
"""Rounded parts may miss a total that is called so by this share of it."""
LABEL_COLUMNS = 3
MOST_ROWS = 5000
"""Longer tables are records, not statements: only their last row may sum up."""
LOOKED_BACK = 200
LEAST_TELLING = 100
"""Smaller sums come about by chance."""
Numbers = Sequence[Sequence[Decimal | None]]


def total_rows(rows: Sequence[Sequence[RawCell]]) -> frozenset[int]:
    """Return the places of rows that sum up others; rows are given without their path.

    A label such as "Total" alone is enough; "Total sales" must be the sum of rows above it in some column
    or close the table; any other row must be the exact sum of rows above it in all of its columns.
    """
    found: set[int] = set()
    numbers = [[_number(c) for c in row] for row in rows] if len(rows) <= MOST_ROWS else []
    for i in range(len(rows)) if numbers else [len(rows) - 1]:
        label = _label(rows[i])
        is_total = EXACT.fullmatch(label) or (
            LABEL.fullmatch(label) and (i == len(rows) - 1 or _is_sum(numbers, i, found))
        )
        if is_total or (numbers and _is_sum_throughout(numbers, i, found)):
            found.add(i)
    return frozenset(found)


def _number(cell: RawCell) -> Decimal | None:
    """Return an amount; None for percentages, years in text columns' company and all that is no number."""
    if isinstance(cell, (bool, str)) or cell is None:
        text = without_marks(cell.strip()) if isinstance(cell, str) else ""
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


def _is_sum(numbers: Numbers, i: int, totals: set[int]) -> bool:
    """Tell whether a row is, rounding aside, the sum of a run of rows right above it in some column."""
    return any(
        wanted and _run_that_sums(numbers, i, column, totals, abs(TOLERANCE * wanted))
        for column, wanted in enumerate(numbers[i])
    )


def _is_sum_throughout(numbers: Numbers, i: int, totals: set[int]) -> bool:
    """Tell whether a row is the exact sum of one run of rows right above it in all of its columns."""
    wanted = {c: n for c, n in enumerate(numbers[i]) if n}
    if not wanted or max(map(abs, wanted.values())) < LEAST_TELLING or i < 2:
        return False
    runs = {_run_that_sums(numbers, i, c, totals, Decimal(0)) for c in wanted}
    (run, *others) = runs
    return not others and run >= (2 if len(wanted) > 1 else 3)


def _run_that_sums(numbers: Numbers, i: int, column: int, totals: set[int], near: Decimal) -> int:
    """Return how many rows above add up to a row's number, 0 when none do.

    Totals among them may stand for the rows that they sum up already.
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
