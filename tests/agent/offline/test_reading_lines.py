"""Orders with several lines, amounts of money that no column has, and verbs that are another table's rows."""

import pytest

from tests.agent.offline.conftest import Ask, is_unsure, misread

FILES = {
    "order_lines.csv": """Order No,Line,Customer No,Order Date,Article,Pieces,Status
1001,1,C01,2024-02-03,Lamp,4,shipped
1001,2,C01,2024-02-03,Desk,1,cancelled
1001,3,C01,2024-02-03,Chair,6,shipped
1002,1,C02,2024-05-09,Lamp,2,shipped
1002,2,C02,2024-05-09,Chair,2,shipped
1003,1,C02,2025-01-20,Desk,1,cancelled
1004,1,C01,2025-03-11,Lamp,9,shipped
1004,2,C01,2025-03-11,Lamp,1,shipped
1005,1,C03,2025-03-30,Chair,20,shipped
""",
    "customers.csv": """Customer No,Name,City
C01,Bern AG,Bern
C02,Kiel GmbH,Kiel
C03,Fjord AS,Oslo
""",
    "prices.csv": "Article,Unit price (EUR)\nLamp,49.50\nChair,89.00\nDesk,250.00\n",
    "staff.csv": """Name,Department,Annual pay (EUR)
Ada Brook,Sales,50000
Bo Ash,IT,60000
Cy Dale,Sales,45000
""",
    "vehicles.csv": """Plate,Model,Fuel,Bought
V-1,Sprinter,diesel,2020-01-02
V-2,Golf,petrol,2021-03-04
V-3,Crafter,diesel,2022-05-06
""",
    "refuels.csv": """Refuel,Plate,Filled on,Litres
R1,V-1,2025-03-02,60
R2,V-2,2025-03-03,40
R3,V-3,2025-03-09,50
R4,V-1,2025-04-01,55
""",
    "complaints.csv": """Ticket,Customer,Date,Severity,Days open
T1,Bern AG,2025-01-04,low,3
T2,Bern AG,2025-02-04,high,12
T3,Kiel GmbH,2025-02-09,low,7
T4,Fjord AS,2025-03-01,low,30
T5,Fjord AS,2025-03-08,medium,1
T6,Fjord AS,2025-03-09,high,2
""",
}
CASES = [
    ("How many orders do we have?", [(5,)]),
    ("How many order lines do we have?", [(9,)]),
    ("How many orders were there in 2024?", [(2,)]),
    ("How many orders did Bern AG place?", [(2,)]),
    ("How many lines do the orders of Bern AG have?", [(5,)]),
    ("How many orders are there per customer?", [("Bern AG", 2), ("Fjord AS", 1), ("Kiel GmbH", 2)]),
    ("How many orders per month in 2025?", [("2025-01", 1), ("2025-03", 2)]),
    ("What percentage of orders were cancelled?", [(40,)]),
    ("How many more orders were there in 2025 than in 2024?", [(1,)]),
    ("How many customers ordered chairs?", [(3,)]),
    ("How many customers placed orders in 2024?", [(2,)]),
    ("Which customer ordered the most pieces?", [("Bern AG", 21)]),
    ("How many customers complained?", [(3,)]),
    ("Which customer complained the most?", [("Fjord AS", 3)]),
    # a value of another table is meant rather than what it resembles
    ("How many litres of diesel were refuelled in March 2025?", [(110,)]),
    ("How many litres of diesel were refuelled?", [(165,)]),
    # as is another table's header
    ("What is the total quantity of pieces of lamps ordered?", [(16,)]),
]
WHOLE = [
    ("Show the whole price table", "Article and Unit price (EUR)"),
    ("Show the staff table", "Name, Department and Annual pay (EUR)"),
    ("Zeige alle Kunden", "Customer No, Name and City"),
    ("Show the complaints of Kiel GmbH", "Ticket, Customer, Date and 2 more columns"),
]
REFUSED = [
    "How many refunds did Fjord AS get?",  # complaints are no refunds
    "What are the total expenses?",  # what staff are paid is not all that is spent
    "Total amount of expenses by department",
    "How much did we spend on Sales?",
    "How much did we make with Bern AG?",  # no days and no pieces
    "How much did Bern AG get?",
    "How much did we earn from Bern AG?",
    "How many order lines were lost?",
]


def test_what_has_several_lines_is_counted_once(ask: Ask) -> None:
    assert not misread(ask, CASES)


@pytest.mark.parametrize("question", REFUSED)
def test_no_other_amount_is_taken(ask: Ask, question: str) -> None:
    assert is_unsure(ask(question))


@pytest.mark.parametrize(("question", "header"), WHOLE)
def test_all_columns_of_a_table_are_shown(ask: Ask, question: str, header: str) -> None:
    reading = ask(question)
    assert not is_unsure(reading)
    assert reading.query.words().startswith(header)
