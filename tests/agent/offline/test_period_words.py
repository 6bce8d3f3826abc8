"""Conditions on dates are written from what they compare, in English, whatever the question's words."""

import pytest

from tablerag.agent.offline.reading.query import Condition, Measure, Query, Ref, Source
from tablerag.agent.offline.reading.saying import period_words
from tablerag.agent.offline.reading.shifts import Series


@pytest.mark.parametrize(
    ("operator", "values", "words"),
    [
        ("between", ("2025-03-01", "2025-03-31"), "is in March 2025"),
        ("between", ("2025-03-01", "2025-03-31 23:59:59"), "is in March 2025"),
        ("between", ("2025-04-01", "2025-06-30"), "is in Q2 2025"),
        ("between", ("2025-03-01", "2025-05-31"), "is from March to May 2025"),
        ("between", ("2024-01-01", "2024-12-31"), "is in 2024"),
        ("between", ("2023-01-01", "2024-12-31"), "is between 2023 and 2024"),
        ("between", ("2024-10-15", "2024-12-31"), "is between 2024-10-15 and 2024-12-31"),
        ("between", ("2025-03-14", "2025-03-14"), "is on 2025-03-14"),
        (">=", ("2025-10-01",), "is 2025-10-01 or later"),
        ("<=", ("2025-03-31",), "is 2025-03-31 or earlier"),
        ("month", (3,), "is in March"),
        ("quarter", (3,), "is in Q3"),
        ("between", (10.0, 20.0), ""),
        ("=", ("North",), ""),
        ("empty", (), ""),
    ],
)
def test_periods_are_said_by_their_dates(operator: str, values: tuple, words: str) -> None:
    assert period_words(operator, values) == words


def test_the_words_of_a_question_in_another_language_are_not_repeated() -> None:
    date = Ref("orders", "order_date", "Order Date")
    condition = Condition(date, "between", ("2025-03-01", "2025-03-31"), label="im März 2025")
    assert condition.words() == "Order Date is in March 2025"


SALES = Source("sales", "sales", "Net sales 2024")


def test_the_columns_of_a_wide_table_are_named_by_the_first_and_the_last() -> None:
    months = [(name, Measure("sum", Ref("sales", name.lower(), name))) for name in ("Jan", "Feb", "Dec")]
    assert Series(SALES, (), tuple(months)).words() == 'Total of each column from Jan to Dec in "Net sales 2024"'


@pytest.mark.parametrize(("limit", "way"), [(1, "the highest total of"), (3, "the 3 highest totals of")])
def test_several_ranked_groups_are_said_in_the_plural(limit: int, way: str) -> None:
    total = Measure("sum", Ref("sales", "kg", "Quantity (kg)"), 1000, "tonnes")
    query = Query(SALES, shown=(Ref("sales", "customer", "Customer"),), measures=(total,), by=total, limit=limit)
    assert query.words() == f"Customer with {way} Quantity (kg) in tonnes"
