"""Questions that say after the words what is left out or included, and what a file's year and a code stand for."""

import pytest

from tablerag.agent.offline.reading.reader import is_vetoed
from tests.agent.offline.conftest import Ask, misread

FILES = {
    "orders_2024.csv": """Order No.,Order Date,Customer No.,Region,Status,Amount (EUR)
24-1,2024-02-01,C-11,North,delivered,100
24-2,2024-07-02,C-12,South,cancelled,70
24-3,2025-01-03,C-11,South,delivered,30
24-4,2024-09-04,C-13,North,open,60
""",
    "orders_2025.csv": """Order No.,Order Date,Customer No.,Region,Status,Amount (EUR)
25-1,2025-02-01,C-12,North,delivered,200
25-2,2025-03-02,C-12,South,cancelled,40
25-3,2025-08-03,C-13,South,open,90
25-4,2025-09-04,C-11,South,delivered,10
25-5,2025-11-05,C-11,North,cancelled,25
""",
    "customers.csv": """Customer No.,Name,City
C-11,Alder GmbH,Trier
C-12,Birch SARL,Metz
C-13,Cedar Ltd,Konz
""",
    "guest_covers.csv": """Month,Hall,Dinners
2025-01,East,10
2025-02,East,20
2025-04,East,5
2025-05,West,7
2025-10,West,9
""",
    "stock_count.csv": """Article,Shelf,On hand,Minimum
Brake pad,A,40,50
Chain,A,12,10
Brake pad,B,6,5
""",
}

CASES = [
    ("How many orders did we take in 2025, cancelled ones not counted?", [(3,)]),
    ("How many non-cancelled orders were there in 2025?", [(3,)]),
    ("Total amount of the 2025 orders, cancelled orders excluded", [(300,)]),
    ("What is the total amount of the 2025 orders? Leave cancelled orders out.", [(300,)]),
    ("Wie viele Bestellungen gab es 2025, stornierte nicht mitgezählt?", [(3,)]),
    ("How many orders were there in 2025 (all statuses)?", [(5,)]),
    ("How many orders were placed in 2025, also open and cancelled?", [(5,)]),
    ("Total amount of the 2024 orders", [(260,)]),
    ("How many more (or fewer) orders in 2025 than in 2024, cancelled ones left out?", [(0,)]),
    ("What percentage of the 2025 orders was cancelled in the South?", [(100 / 3,)]),
    ("dinners per quarter", [("2025-Q1", 30), ("2025-Q2", 12), ("2025-Q4", 9)]),
    ("How many brake pads do we have?", [(46,)]),
    ("How many brake pads are on shelf A?", [(40,)]),
    ("Which articles are below the minimum?", [("Brake pad",)]),
]
REFUSED = [
    "What is the password for orders in the South?",
    "How many litres of orders did we have in 2025?",
    "Which customers were never cancelled?",
]


def test_the_rows_meant_are_read(ask: Ask) -> None:
    assert not misread(ask, CASES)


@pytest.mark.parametrize("question", REFUSED)
def test_what_is_asked_for_is_not_left(ask: Ask, question: str) -> None:
    assert is_vetoed(ask(question))
