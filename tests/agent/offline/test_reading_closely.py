"""Questions whose wrong reading is near: another energy, a cost for a price, a code where it is used."""

import pytest

from tests.agent.offline.conftest import Ask, is_unsure, misread

FILES = {
    "energy.csv": """Site,Month,Electricity kWh,Heat kWh (wood chips),Own solar kWh
Kehl,2025-01,6000,9000,100
Kehl,2025-02,5000,9900,300
Weil,2025-01,2000,3000,50
Weil,2025-02,2500,2000,60
""",
    "machine_sales.csv": """Invoice no,Date,Customer,Machine type,Net price (EUR),Cost (EUR)
R-1,2025-03-01,Hof Elsen,Tractor,900,700
R-2,2025-03-04,Hof Klein,Baler,300,250
R-3,2025-04-02,Hof Elsen,Tractor,500,450
""",
    "complaints.csv": """Ticket,Code,Received,Handled by,Phone
C-1,K1,2025-01-02,Ann Able,555 001
C-2,K2,2025-01-05,Bob Best,555 002
C-3,K1,2025-02-07,Ann Able,555 003
""",
    "complaint_codes.csv": """Code,Area,Meaning
K1,Transport,Delivered late
K2,Product,Scratched
K3,Product,Wrong colour
""",
    "fleet.csv": """Vehicle,Plate,Built,Next inspection
V01,KL AB 12,1999,2026-02-01
V02,KL CD 34,2015,2026-05-01
V03,KL EF 56,2001,
""",
    "workshop.csv": """Job,Vehicle,Date in,Parts (EUR),Labour (EUR)
W1,V01,2025-01-01,100,50
W2,V01,2025-02-01,30,20
W3,V02,2024-03-01,120,10
""",
    "budget.csv": """Studio,Cost type,Budget (EUR),Actual (EUR)
Esch,Marketing,100,120
Trier,Marketing,100,90
Esch,Rent,500,500
""",
    "offices.csv": """Office,Opened,Head
Berlin,2001-05-01,Ann Able
Lyon,2010-06-01,Bob Best
""",
    "team.csv": """Name,Office,Start date
Dan Dove,Berlin,2011-01-01
Eve East,Berlin,2012-01-01
Fay Fox,Lyon,2013-01-01
""",
    "museum_visits.csv": """Museum,Month,Number of visitors,Phone calls,Phone
Harbour museum,2025-01,1200,140,5550101
Harbour museum,2025-02,1350,155,5550108
Castle museum,2025-01,410,120,5550123
Castle museum,2025-02,530,131,5550999
""",
    "production.csv": """Line,Week,Made pcs,of which scrap
A,1,100,4
B,1,300,6
""",
}
CASES = [
    ("How much heat did Kehl use in 2025?", [(18_900,)]),
    ("How much electricity did all sites use in 2025, in MWh?", [(15.5,)]),
    ("How much did we sell in machines in March 2025?", [(1_200,)]),
    ("What does complaint code K1 stand for?", [("Delivered late",)]),
    ("Which vehicles were built before 2002?", [("V01",), ("V03",)]),
    ("What did the workshop jobs of V01 cost, parts and labour together?", [(200,)]),
    ("Which studios went over their marketing budget?", [("Esch",)]),
    ("How many complaints did we receive in January and February 2025 together?", [(3,)]),
    ("How many workshop jobs came in during 2024 and 2025?", [(3,)]),
    ("What share of the pieces made was scrap?", [(2.5,)]),
    ("How many visitors did the museums have in total?", [(3_490,)]),
]
UNSURE = [
    "When does the Berlin team start?",
    "What is Ann Able's phone number?",
    "Which sites used more electricity than agreed?",
]


def test_the_nearest_reading_is_not_taken_for_the_right_one(ask: Ask) -> None:
    assert not misread(ask, CASES)


@pytest.mark.parametrize("question", UNSURE)
def test_what_may_mean_another_thing_is_not_sure(ask: Ask, question: str) -> None:
    assert is_unsure(ask(question))
