"""Questions over registers and lists: what was won, how lists of two years differ, what stock is worth."""

import pytest

from tests.agent.offline.conftest import Ask, is_unsure, misread

FILES = {
    "quotes_2025.csv": """Quote,Quote date,Sales person,Outcome,Offer EUR
Q1,2025-01-05,Ann Able,won,900
Q2,2025-02-05,Ann Able,lost,500
Q3,2025-02-07,Bob Best,won,700
Q4,2025-03-01,Bob Best,open,400
Q5,2025-03-02,Ann Able,lost,100
""",
    "tickets_2024.csv": """Ticket,Opened,Priority,Trade,Cost (EUR)
T1,2024-02-01,high,Plumbing,100
T2,2024-03-01,low,Heating,200
""",
    "tickets_2025.csv": """ticket no,opened on,priority,trade,cost_eur
T3,2025-02-01,high,Plumbing,150
T4,2025-03-01,low,Heating,250
T5,2025-04-01,high,Roof,50
T6,2025-05-01,medium,Roof,70
T7,2025-06-01,low,Heating,80
""",
    "menu_2024.csv": """No,Dish,Price (EUR)
D1,Soup,6
D2,Trout,18
D3,Crumble,7
""",
    "menu_2025.csv": """No,Dish,Price (EUR)
D1,Soup,6.5
D3,Crumble,7
D4,Goose,24
""",
    "spare_parts.csv": """Part,In stock,Minimum,Purchase price (EUR)
Fuse,10,20,2
Valve,5,2,30
Pump,0,1,400
""",
    "flats.csv": """Flat,Building ID,Rooms,Area m2
F1,B1,3,70
F2,B1,3,80
F3,B2,2,50
F4,B2,1,30
F5,B3,1,35
""",
    "buildings.csv": """Building ID,Building name,District,Caretaker
B1,Oak House,Altstadt,Edda Frohn
B2,Elm House,Nordhang,Marc Delvaux
B3,Ash House,Altstadt,Jan Birk
""",
    "renovations.csv": """Project,House,Planned finish,Actual finish,Status
New lift,Oak House,2025-05-01,2025-06-01,finished
Sauna,Elm House,2025-05-01,2025-04-20,finished
Roof,Elm House,2025-09-01,,running
""",
    "leases.csv": """Premises,Landlord,Monthly rent EUR,Monthly service charge EUR,Lease start
Shop A,Foncier SA,1000,100,2019-01-01
Shop B,Hausbau AG,2000,150,2021-05-01
""",
    "tolls.csv": """Trip,Country,Km tolled,Amount EUR
1,Austria,100,40
2,Austria,200,60
3,Italy,50,10
""",
    "bookings.csv": """Booking,Hall,Status
B1,Falken hall,confirmed
B2,Falken hall,confirmed
B3,Adler hall,confirmed
B4,Falken hall,cancelled
""",
    "contractor_bills.csv": """Bill,Contractor,Amount incl. VAT,Amount excl. VAT
K1,Dach Huber,120,100
K2,Dach Huber,240,200
""",
    "codes.csv": """Area,Code,Meaning
quote status,S1,cancelled
quote status,S2,handed over
""",
    "invoices.csv": """Invoice,Client,Net (EUR),VAT (EUR),Gross (EUR),Invoice date,Paid on
R1,Banque Orvelle,100,20,120,2025-01-31,2025-02-20
R2,Banque Orvelle,200,40,240,2025-02-28,
R3,Kita Ost,300,60,360,2025-02-28,2025-03-30
""",
}
CASES = [
    ("How many quotes did Ann Able lose in 2025?", [(2,)]),
    ("How many quotes did each sales person win in 2025?", [("Ann Able", 1), ("Bob Best", 1)]),
    ("What percentage of the 2025 quotes did we win?", [(40.0,)]),
    ("Quelle part des tickets de 2025 avait la priorité haute ?", [(40.0,)]),
    ("How many more tickets did we get in 2025 than in 2024?", [(3,)]),
    ("What did we spend on the 2025 tickets per trade (plumbing, heating and so on)?",
     [("Heating", 330), ("Plumbing", 150), ("Roof", 120)]),
    ("Please split the 2025 tickets by priority: low, medium, high.", [("high", 2), ("low", 2), ("medium", 1)]),
    ("Which dishes disappeared from the menu between 2024 and 2025?", [("Trout",)]),
    ("By how much did the price of the soup go up from the 2024 to the 2025 menu?", [(0.5,)]),
    ("What are our spare parts worth at purchase prices?", [(170,)]),
    ("What's the average area of our three-room flats?", [(75.0,)]),
    ("How many flats do we have in each district?", [("Altstadt", 3), ("Nordhang", 2)]),
    ("Who is the caretaker of Oak House?", [("Edda Frohn",)]),
    ("Which renovation projects were finished later than planned?", [("New lift",)]),
    ("How much rent do we pay per month altogether?", [(3_000,)]),
    ("What did we pay for tolls in Austria?", [(100,)]),
    ("What did the contractor Dach Huber bill altogether, without VAT?", [(300,)]),
    ("What did we invoice Banque Orvelle altogether, net of VAT?", [(300,)]),
]  # fmt: skip
UNSURE = [
    "How many quotes were cancelled?",
    "What did confirmed bookings of the Falken hall bring in?",
]


def test_lists_are_read_in_plain_words(ask: Ask) -> None:
    assert not misread(ask, CASES)


@pytest.mark.parametrize("question", UNSURE)
def test_another_thing_than_what_is_asked_for_is_not_sure(ask: Ask, question: str) -> None:
    assert is_unsure(ask(question))
