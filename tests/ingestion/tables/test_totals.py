"""Rows that sum up others, from a file of tables."""

import pytest

from tests.support.table_cases import Case, read_cases


@pytest.mark.parametrize("case", read_cases("totals.txt"), ids=str)
def test_totals(case: Case) -> None:
    totals = case.built().totals
    assert ["+" if i in totals else "" for i in range(len(case.grid))] == case.marks
