"""Which column a number is compared with if none is named: one of the rows that are asked about."""

import pytest

from tests.agent.offline.conftest import Ask, is_unsure, misread

FILES = {
    "orders.csv": """Order No,Date,Employee No,Product,Quantity,Unit Price,Total
O-1,2025-01-10,E-1,Desk,20,250,5000
O-2,2025-01-22,E-2,Desk,2,250,500
O-3,2025-02-03,E-2,Lamp,10,40,400
O-4,2025-04-14,E-1,Lamp,100,40,4000
O-5,2025-05-20,E-3,Chair,3,90,270
""",
    "visits.csv": """Visit No,Date,Employee No,Town
V-1,2025-01-11,E-1,Kiel
V-2,2025-02-12,E-1,Trier
V-3,2025-03-13,E-3,Kiel
V-4,2025-03-19,E-2,Bonn
V-5,2025-04-02,E-3,Trier
""",
    "employees.csv": """Employee No,Name,Department,Salary (EUR)
E-1,Anna Berg,Sales,2900
E-2,Tom Wulf,Sales,3900
E-3,Ida Krog,Service,4100
""",
}


def test_an_amount_is_of_the_rows_themselves_rather_than_of_a_table_that_is_looked_up(ask: Ask) -> None:
    cases = [
        ("How many orders over 3000 euros were there?", [(2,)]),
        ("How many orders over 3000 were there?", [(2,)]),
        ("How many orders of at least €4,000 were there?", [(2,)]),
        ("Which orders are above EUR 450?", [("O-1",), ("O-2",), ("O-4",)]),
        ("How many orders by Tom Wulf over 450 euros were there?", [(1,)]),
    ]
    assert not misread(ask, cases)
    assert not any(is_unsure(ask(question)) for question, _ in cases)


def test_a_bound_is_of_another_table_if_its_column_is_named(ask: Ask) -> None:
    reading = ask("How many orders were handled by employees with a salary over 3000 euros?")
    assert reading.result.rows == ((3,),) and not is_unsure(reading)


@pytest.mark.parametrize("amount", ["3000 euros", "€3,000", "3000"])
def test_an_amount_that_the_rows_have_no_column_for_is_unsure(ask: Ask, amount: str) -> None:
    assert is_unsure(ask(f"How many visits over {amount} were there?"))
