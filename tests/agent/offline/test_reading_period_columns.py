"""Tables that keep the year in one column and the quarter or month in another."""

import pytest

from tests.agent.offline.conftest import Ask, misread

MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
FILES = {
    "revenue_by_quarter.csv": "Year,Quarter,Revenue (EUR),Cost (EUR)\n"
    + "".join(f"{y},Q{q},{y + q},{q}\n" for y in (2024, 2025) for q in (1, 2, 3, 4)),
    "utilities.csv": "Year,Month,Site,Electricity (kWh)\n"
    + "".join(
        f"{y},{m},{site},{own + m if m != 7 else own}\n"
        for y in (2024, 2025)
        for m in range(1, 13)
        for site, own in (("Lyon", y - 1000), ("Kiel", 30 * (13 - m)))
    ),
    "museum_visitors.csv": "Year,Month,Visitors\n"
    + "".join(f"{y},{name},{10 * y + i}\n" for y in (2024, 2025) for i, name in enumerate(MONTHS)),
    "orders.csv": "Order date,Amount (EUR)\n"
    + "".join(f"2025-{m:02d}-0{d},{1000 * m + d}\n" for m in range(1, 13) for d in (1, 2)),
}


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("What was the revenue in Q2 2025?", [(2027,)]),
        ("What was the revenue in the second quarter of 2024?", [(2026,)]),
        ("What was the cost in Q1 2024?", [(1,)]),
        ("How much electricity did Lyon use in March 2024?", [(1027,)]),
        ("How many visitors were there in May 2025?", [(20254,)]),
        ("How many visitors did the museum have from March to May 2025?", [(20252 + 20253 + 20254,)]),
        ("How many visitors came in 2024?", [(12 * 20240 + 66,)]),
        ("Which month of 2025 had the highest electricity consumption?", [(1, 1026 + 361)]),
        ("Which month of 2025 had the most visitors?", [("Dec", 20261)]),
        ("Visitors by quarter in 2025", [(f"Q{q + 1}", 3 * 20250 + 9 * q + 3) for q in range(4)]),
    ],
)
def test_a_period_is_read_over_both_columns(ask: Ask, question: str, rows: list[tuple[object, ...]]) -> None:
    assert misread(ask, [(question, rows)]) == {}


def test_months_stay_in_their_order(ask: Ask) -> None:
    assert [row[0] for row in ask("Visitors by month in 2025").result.rows] == MONTHS


def test_the_number_of_a_month_is_not_added_up(ask: Ask) -> None:
    reading = ask("Electricity per month in 2025")
    assert [row[0] for row in reading.result.rows] == [*range(1, 13)]
    assert "Total of Electricity (kWh) for each Month" in reading.query.words()
