"""Questions about change, two versions of a list, wide tables, durations and bounded groups, over real files."""

from collections.abc import Callable

import pytest

from tests.agent.offline.conftest import Readings

FILES = {
    "cost_centres.csv": """Cost centre,Budget 2024 (EUR),Actual 2024 (EUR),Actual 2025 (EUR)
IT,1000,900,990
Sales,2000,2100,1800
Legal,500,450,600
""",
    "shipments.csv": """Shipment,Date,Carrier,City,Cost (EUR)
S-1,2024-02-03,DHL,Lyon,100
S-2,2024-05-10,UPS,Paris,50
S-3,2024-11-12,DHL,Paris,70
S-4,2025-01-15,UPS,Lyon,90
S-5,2025-03-20,DHL,Lyon,200
S-6,2025-06-01,DHL,Paris,40
S-7,2025-08-08,DHL,Lyon,30
""",
    "price_list_2024.csv": """Code,Article,Price (EUR)
A1,Desk,100
A2,Chair,50
A3,Lamp,20
A4,Shelf,80
""",
    "price_list_2025.csv": """Code,Article,Price (EUR)
A1,Desk,120
A2,Chair,50
A4,Shelf,75
A5,Stool,30
A6,Rug,60
""",
    "energy_use.csv": """Building,Jan,Feb,Mar,Apr,May,Jun
Town hall,10,20,30,15,5,5
School,40,30,20,10,10,10
""",
    "pupils.csv": """School,Pupils 2022/23,Pupils 2023/24,Pupils 2024/25
North,100,110,121
South,200,190,180
""",
    "permits.csv": """Permit,Received,Decided,District
P-1,2025-01-01,2025-01-11,Centre
P-2,2025-01-05,2025-01-25,Harbour
P-3,2025-02-01,2025-02-04,Centre
""",
}

CASES = [
    # columns of two years
    ("By how many percent did the actual cost of IT change from 2024 to 2025?", [(10.0,)]),
    ("What is the difference in actual cost of Sales between 2024 and 2025?", [(-300,)]),
    ("How much did the actual cost of Sales fall from 2024 to 2025?", [(300,)]),
    ("By how many percent did the pupils of North go up from 2022/23 to 2023/24?", [(10.0,)]),
    ("How many more pupils did North have in 2024/25 than in 2022/23?", [(21,)]),
    # dates
    ("How much more did shipments cost in 2025 than in 2024?", [(140,)]),
    ("How much less did shipments cost in 2024 than in 2025?", [(140,)]),
    ("Did the cost of shipments go up or down from 2024 to 2025?", [(140,)]),
    ("growth in shipment cost 2025 vs 2024 in %", [(100 * 140 / 220,)]),
    ("By how much did the number of shipments change from 2024 to 2025?", [(1,)]),
    ("Change in the cost of shipments in 2025 compared with the previous year", [(140,)]),
    # two values
    ("How much more did shipments to Lyon cost than to Paris?", [(260,)]),
    ("difference between Lyon and Paris in the cost of shipments", [(260,)]),
    ("How much less did shipments to Paris cost than to Lyon?", [(260,)]),
    # versions
    ("What is new on the 2025 price list compared with 2024?", [("Stool",), ("Rug",)]),
    ("Which articles were on the 2024 price list but are missing from the 2025 one?", [("Lamp",)]),
    ("Which articles got more expensive between the 2024 and the 2025 price list?", [("Desk", 100, 120)]),
    ("Which articles became cheaper on the 2025 price list compared with 2024?", [("Shelf", 80, 75)]),
    ("Which articles changed their price between 2024 and 2025?", [("Desk", 100, 120), ("Shelf", 80, 75)]),
    ("How many articles were added to the price list in 2025?", [(2,)]),
    # wide tables
    ("Energy use of the town hall in the first quarter", [(60,)]),
    ("What was the total energy use of the school in February?", [(30,)]),
    ("In which month was the energy use of the town hall highest?", [("Mar", 30)]),
    ("chart of the energy use of the school by month",
     [("Jan", 40), ("Feb", 30), ("Mar", 20), ("Apr", 10), ("May", 10), ("Jun", 10)]),
    ("Which building had the highest energy use in January?", [("School", 40)]),
    ("How much did the energy use of the school drop from January to June?", [(30,)]),
    # durations
    ("How many days does it take on average from received to decided?", [(11,)]),
    ("Which permit took longest to be decided?", [("P-2", 20)]),
    # groups with a bound
    ("Which carriers have more than 3 shipments?", [("DHL", 5)]),
    ("cities with total cost of shipments above EUR 200", [("Lyon", 420)]),
]  # fmt: skip

Ask = Callable[[str], list[tuple[object, ...]]]


@pytest.fixture
def ask(readings: Readings) -> Ask:
    def best(question: str) -> list[tuple[object, ...]]:
        found = readings(question)
        assert found, question
        assert found[0].query.words()
        return [tuple(row) for row in found[0].result.rows]

    return best


def test_every_form_is_answered(ask: Ask) -> None:
    wrong = {}
    for question, expected in CASES:
        rows = ask(question)
        if sorted(map(_rounded, rows)) != sorted(map(_rounded, expected)):
            wrong[question] = rows
    assert not wrong


def _rounded(row: tuple[object, ...]) -> str:
    return str([round(float(c), 4) if isinstance(c, int | float) else c for c in row])
