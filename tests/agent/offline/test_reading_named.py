"""Questions whose answers need the names of codes, two dates of a row, or the kinds that a table of periods has."""

import pytest

from tests.agent.offline.conftest import Ask, is_unsure, misread

FILES = {
    "orders_2025.csv": """Order no.,Ordered,Supplier,Promised,Delivered,Amount (EUR),Status
B-1,2025-01-04,S10,2025-01-20,2025-01-18,100,delivered
B-2,2025-02-04,S11,2025-02-20,2025-02-25,900,delivered
B-3,2025-03-04,S10,2025-03-20,2025-03-29,800,delivered
B-4,2025-04-04,S12,2025-04-20,,50,refused
B-5,2025-05-04,S12,2025-05-20,2025-05-20,300,cancelled
B-6,2025-06-04,S10,2025-06-20,2025-06-19,70,delivered
""",
    "suppliers.csv": """Code,Name,Town
S10,Alder GmbH,Trier
S11,Birch SARL,Metz
S12,Cedar Ltd,Konz
""",
    "prices_2025.csv": """SKU,Article,Weight (kg),Price (EUR)
101,Stool,4,40
102,Bench,9,90
103,Shelf,6,60
104,Table,20,200
""",
    "prices_2026.csv": """SKU,Article,Weight (kg),Price (EUR)
101,Stool,4,44
102,Bench,9,85
103,Shelf,6,60
105,Lamp,1,30
""",
    "visitors.csv": """Month,Pool,Adults,Children
2025-01,East,10,5
2025-02,East,20,5
2025-01,West,7,1
2025-02,West,9,2
""",
    "crew.csv": """First name,Surname,Department,Gross pay / month (EUR),Discount (%)
Ann,Able,Bakery,2000,10
Bob,Best,Bakery,2400,15
Cid,Cole,Office,3000,15
""",
}
CASES = [
    ("Which suppliers had a cancelled order?", [("B-5", "Cedar Ltd")]),
    ("Top 2 suppliers by amount", [("Alder GmbH", 970), ("Birch SARL", 900)]),
    ("How many orders arrived later than promised?", [(2,)]),
    ("Wie viele Bestellungen kamen später an als zugesagt?", [(2,)]),
    ("How many supplier orders were delivered after the promised date?", [(2,)]),
    ("Total amount of the orders, refused and cancelled ones left out", [(1870,)]),
    ("Which articles changed their price from the 2025 list to the 2026 one?", [("Bench", 90, 85), ("Stool", 40, 44)]),
    ("How many visitors did the East pool have?", [(40,)]),
    ("What does the bakery cost us in gross pay each month?", [(4400,)]),
    ("Who gets a 15 percent discount?", [("Bob", "Best"), ("Cid", "Cole")]),
    ("What is the heaviest article of 2025?", [("Table", 20)]),
]
REFUSED = [
    "How many orders did visitors place?",
    "What is the mobile number of Alder GmbH?",
]


def test_the_rows_meant_are_read(ask: Ask) -> None:
    assert not misread(ask, CASES)


@pytest.mark.parametrize("question", REFUSED)
def test_what_is_not_understood_is_not_sure(ask: Ask, question: str) -> None:
    assert is_unsure(ask(question))
