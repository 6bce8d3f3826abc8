"""Who sold the most: by the money of the rows, else by their quantity, and never by how many rows there are."""

from collections.abc import Callable, Mapping

import pytest

from tests.agent.offline.conftest import Ask, Readings, is_unsure, misread

ORDERS = """Order No,Date,Employee No,Region,Product,Quantity,Unit Price,Total
O-1,2025-01-10,E-1,North,Desk,2,250,500
O-2,2025-01-22,E-2,South,Lamp,20,40,800
O-3,2025-02-03,E-2,South,Lamp,10,40,400
O-4,2025-04-14,E-1,South,Lamp,5,40,200
O-5,2025-05-20,E-3,North,Desk,12,250,3000
"""
FILES = {
    "orders.csv": ORDERS,
    "employees.csv": """Employee No,Name,Department,Salary (EUR)
E-1,Anna Berg,Sales,2900
E-2,Tom Wulf,Sales,3900
E-3,Ida Krog,Service,3100
""",
}


def test_what_sold_the_most_has_the_highest_amount(ask: Ask) -> None:
    cases = [
        ("Which region sold the most?", [("North", 3500)]),
        ("Which product sold the least?", [("Lamp", 1400)]),
        ("Which employee sold the most?", [("Ida Krog", 3000)]),
        ("Which region bought the most?", [("North", 3500)]),
        ("Welche Region hat am meisten verkauft?", [("North", 3500)]),
        ("Quelle région a le plus vendu ?", [("North", 3500)]),
    ]
    assert not misread(ask, cases)
    assert not any(is_unsure(ask(question)) for question, _ in cases)


def test_rows_and_pieces_are_counted_if_they_are_asked_for(ask: Ask) -> None:
    assert not misread(
        ask,
        [
            ("Which region has the most orders?", [("South", 3)]),
            ("Which region sold the most lamps?", [("South", 35)]),
        ],
    )


def test_who_sold_the_most_is_no_question_of_what_the_staff_earn(ask: Ask) -> None:
    reading = ask("Who sold the most?")
    assert "Salary" not in reading.query.words()


@pytest.mark.parametrize("question", ["Which product sold the most?", "Which product was sold the most?"])
def test_without_an_amount_the_quantity_counts(
    readings_of: Callable[[Mapping[str, str]], Readings], question: str
) -> None:
    sales = "\n".join(",".join(line.split(",")[:6]) for line in ORDERS.splitlines()) + "\n"
    reading = readings_of({"sales.csv": sales})(question)[0]
    assert reading.result.rows == (("Lamp", 35),) and not is_unsure(reading)
