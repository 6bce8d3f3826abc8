"""Questions in the words of people who do not know how their files are laid out."""

import pytest

from tests.agent.offline.conftest import Ask, is_unsure, misread

FILES = {
    "Lines.csv": """Line No,Line name,Home depot,Length (km),First departure,Last departure
T1,Quay - Stadium,NO,12.5,05:10,23:10
T3,Park - Mill,SO,9.5,05:20,23:25
12,Ashton - Southmoor,NO,20,05:40,22:10
25,Ashton - Hill,SO,31,05:50,21:10
""",
    "depots.csv": """Code,Depot,District,Bays,Depot manager
NO,Northgate,Ashton,40,Ann Able
SO,Southmoor,Southmoor,30,Bob Best
EA,Eastgate,Southmoor,20,Cid Cole
""",
    "vehicles.csv": """Fleet no,Type,Depot,Bought
3001,Bus,NO,2019-02-01
3002,Bus,SO,2020-02-01
3003,Tram,SO,2021-02-01
3004,Bus,EA,2022-02-01
""",
    "breakdowns_2024_25.csv": """Incident,Date,Vehicle,Cause,Delay (min),Repair cost (EUR)
B-1,2024-03-01,3001,Engine,60,900
B-2,2024-05-01,3002,Doors,30,300
B-3,2025-01-01,3002,Engine,30,200
B-4,2025-02-01,3004,Brakes,60,100
""",
    "PurchaseOrders2024.csv": """PO Number,OrderDate,Supplier,Status,Net amount (EUR)
P-1,2024-01-02,Alder GmbH,Ordered,100
P-2,2024-02-02,Birch SARL,Delivered,900
P-3,2024-03-02,Alder GmbH,Delivered,600
P-4,2024-04-02,Alder GmbH,Cancelled,500
""",
    "suppliers.csv": """Supplier,Country,Framework contract,Contract end
Alder GmbH,Germany,yes,2026-03-31
Birch SARL,France,no,2025-06-30
Cedar Ltd,Ireland,no,2027-01-31
""",
    "staff.csv": """Name,Job title,Depot,Hired,Hours/week
Dan Dove,Bus Driver,Northgate,2001-05-01,39
Eve East,Bus Driver,Southmoor,2015-05-01,20
Fay Fox,Mechanic,Northgate,2025-02-01,39
""",
    "courses.csv": """Course,Place,Fee per person (EUR)
First aid,Ashton,120
Welding,Hill,450
Steering,Hill,380
""",
    "meals.csv": """Site,Year,Meals
East,2024,100
West,2024,90
Hill,2024,70
East,2025,80
West,2025,95
Hill,2025,60
""",
    "grants.csv": """Grant,Funder,Status,Awarded (EUR),Customer since
G-1,Blake Trust,Closed,900,2009
G-2,Orr Fund,Open,500,2012
G-3,Orr Fund,Open,800,2015
""",
    "prices 2025.csv": """Part No,Description,List price (EUR)
A-10,Door,400
A-11,Mirror,90
""",
}
CASES = [
    ("How long is line 25 in km?", [(31,)]),
    ("What is the last departure of T3?", [("23:25",)]),
    ("longest line", [("Ashton - Hill", 31)]),
    ("How many buses belong to the Northgate depot?", [(1,)]),
    ("Which vehicle broke down most often?", [(3002, 2)]),
    ("How many breakdowns were there in 2024?", [(2,)]),
    ("How many breakdowns did vehicles of the Southmoor depot have?", [(2,)]),
    ("What is the total delay of breakdowns in hours?", [(3.0,)]),
    ("How many purchase orders were cancelled?", [(1,)]),
    ("What is the total net amount of the Alder orders that were delivered?", [(600,)]),
    ("Which suppliers have no framework contract?", [("Birch SARL",), ("Cedar Ltd",)]),
    ("When does the contract of Birch SARL run out?", [("2025-06-30",)]),
    ("How many bays does Southmoor have?", [(30,)]),
    ("How many bus drivers work less than 39 hours a week?", [(1,)]),
    ("Who has worked for us the longest?", [("Dan Dove", "2001-05-01")]),
    ("Which courses cost more than 400 euros per person?", [("Welding", 450)]),
    ("What is the list price of part A-11?", [(90,)]),
    ("Which supplier did we order from most often?", [("Alder GmbH", 3)]),
    ("Which sites served fewer meals in 2025 than in 2024?", [("East", -20), ("Hill", -10)]),
    ("Top 2 funders by amount awarded", [("Blake Trust", 900), ("Orr Fund", 1300)]),
    ("Which funder has awarded us the most?", [("Orr Fund", 1300)]),
    ("How many grants are closed?", [(1,)]),
    ("How many people work in Northgate?", [(2,)]),
    ("How many poeple were hired since 2015?", [(2,)]),
]
UNSURE = [
    "What is the number of the phone of Ann Able?",
    "What did we pay for catering vehicles?",
    "Which are the two longest lines after Ashton - Hill?",
    "What was the total revenue of vehicles?",
]


def test_the_rows_meant_are_read(ask: Ask) -> None:
    assert not misread(ask, CASES)


@pytest.mark.parametrize("question", UNSURE)
def test_what_is_not_understood_is_not_sure(ask: Ask, question: str) -> None:
    assert is_unsure(ask(question))
