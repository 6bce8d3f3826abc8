"""Rows that sum up others, from a file of tables."""

import pytest

from tablerag.ingestion.tables.totals import total_rows
from tests.support.table_cases import Case, read_cases


@pytest.mark.parametrize("case", read_cases("totals.txt"), ids=str)
def test_totals(case: Case) -> None:
    totals = case.built().totals
    assert ["+" if i in totals else "" for i in range(len(case.grid))] == case.marks


@pytest.mark.parametrize(
    ("digits", "found"), [((123, 236, 154, 513), False), ((1204117, 2304220, 1500031, 5008368), True)]
)
def test_a_sum_in_a_long_table_needs_more_digits(digits: tuple[int, ...], found: bool) -> None:
    """Some of its many sums match by chance: a donor is no total of the three before."""
    names = [
        f"{first}{last}"
        for first in ("Al", "Be", "Ci", "Do", "Ed", "Fa")
        for last in ("bert", "dan", "gar", "lo", "mund", "rich", "ta", "wig", "ya", "zar")
    ]
    amounts = [*digits, *(7 * 10 ** (len(str(digits[0])) - 1) + i for i in range(len(names) - 4))]
    rows = [[name, str(amount)] for name, amount in zip(names, amounts, strict=True)]
    assert total_rows(rows) == (frozenset({3}) if found else frozenset())
