"""Questions over tables with a column a month, a file a year, and lists in two versions, over real files."""

from tests.agent.offline.conftest import Readings

MONTHS = "Jan kWh,Feb kWh,Mar kWh,Apr kWh,May kWh,Jun kWh,Jul kWh,Aug kWh,Sep kWh,Oct kWh,Nov kWh,Dec kWh"
GERMAN = "Jan;Feb;Mär;Apr;Mai;Jun;Jul;Aug;Sep;Okt;Nov;Dez"
FRENCH = "janv.,févr.,mars,avr.,mai,juin,juil.,août,sept.,oct.,nov.,déc."
FILES = {
    "power_2023.csv": f"""Meter,Hospital,Ward,{MONTHS}
M1,Linden,Surgery,{",".join(["100"] * 12)}
M2,Linden,Kitchen,{",".join(["50"] * 12)}
M3,Ahorn,Surgery,{",".join(["200"] * 12)}
""",
    "power_2024.csv": f"""Meter,Hospital,Ward,{MONTHS}
M1,Linden,Surgery,{",".join(["110"] * 12)}
M2,Linden,Kitchen,{",".join(["45"] * 12)}
M3,Ahorn,Surgery,{",".join(["150"] * 12)}
""",
    "wasser_2024.csv": f"""Filiale;{GERMAN}
Nord;{";".join(["10"] * 12)}
Süd;{";".join(["20"] * 12)}
""",
    "frequentation_piscine_2024.csv": f"""Bassin,{FRENCH}
Grand,{",".join(["300"] * 12)}
Petit,{",".join(["100"] * 12)}
""",
    "Bakery Revenue 2024.csv": """Branch,Product line,Jan,Feb,Mar,Apr
Harbour,Bread,100,100,100,100
Harbour,Cake,50,50,50,50
Station,Bread,200,200,200,200
""",
    "Bakery Revenue 2025.csv": """Branch,Product line,Jan,Feb,Mar
Harbour,Bread,110,110,110
Harbour,Cake,40,40,40
Station,Bread,190,190,190
""",
    "menu_2024.csv": """Dish No,Dish,Course,Price (EUR)
D01,Soup,Starter,5
D02,Salad,Starter,7
D03,Steak,Main,22
D04,Pie,Dessert,6
""",
    "menu_2025.csv": """Dish No,Dish,Course,Price (EUR)
D01,Soup,Starter,6
D02,Salad,Starter,7
D03,Steak,Main,25
D05,Risotto,Main,15
D06,Sorbet,Dessert,5
""",
}

CASES = [
    # all months of a year
    ("total electricity use 2024 in MWh", [(12 * 305 / 1000,)]),
    ("How many kWh did the Linden hospital use in 2023?", [(1800,)]),
    ("electricity use 2024 of each hospital", [("Ahorn", 1800), ("Linden", 1860)]),
    ("power used in the kitchen in May 2024", [(45,)]),
    ("power use of Linden in the first quarter of 2024", [(465,)]),
    ("Wasserverbrauch der Filiale Nord 2024", [(120,)]),
    ("Wasser gesamt im Oktober 2024", [(30,)]),
    ("fréquentation de la piscine en 2024", [(4800,)]),
    ("What share of the power in 2024 was used by Ahorn?", [(100 * 1800 / 3660,)]),
    ("Station as % of our 2024 bakery revenue", [(100 * 800 / 1400,)]),
    ("Bakery revenue 2024 in thousand euros", [(1.4,)]),
    # two years
    ("how many kWh more or less did Ahorn use in 2024 than in 2023", [(-600,)]),
    ("How many kWh less did Ahorn use in 2024 compared to 2023?", [(600,)]),
    ("By how many percent did power use change from 2023 to 2024?", [(100 * (3660 - 4200) / 4200,)]),
    ("Which hospital cut its power use the most between 2023 and 2024?", [("Ahorn", -600)]),
    ("Bread revenue January-March 2025 vs the same months of 2024, change in euros", [(0,)]),
    ("Harbour revenue January-March 2025 compared with the same months of 2024, in percent", [(0.0,)]),
    ("Cake revenue: growth in % March 2025 vs March 2024", [(-20.0,)]),
    # versions
    ("What is new on the 2025 menu?", [("Risotto",), ("Sorbet",)]),
    ("What is on the 2025 menu that was not on the 2024 one?", [("Risotto",), ("Sorbet",)]),
    ("What was on the 2024 menu that isn't on the 2025 one?", [("Pie",)]),
    ("Which dishes were dropped between 2024 and 2025?", [("Pie",)]),
    ("How many dishes have exactly the same price on both menus?", [(1,)]),
    ("Which dish got the biggest price increase from 2024 to 2025?", [("Steak", 3)]),
    ("How many dishes became more expensive in 2025?", [(2,)]),
]

NOT_HELD = [
    "power use in 2021",
    "How many kWh more did Linden use in 2022 than in 2021?",
    "Bakery revenue in 2019",
    "Wasserverbrauch 2020",
]
"""No file and no row is of these years."""
VETOED = 0.4


def test_periods_are_columns_and_files(readings: Readings) -> None:
    wrong = {}
    for question, expected in CASES:
        found = readings(question)
        rows = [tuple(row) for row in found[0].result.rows] if found else []
        if sorted(map(_rounded, rows)) != sorted(map(_rounded, expected)):
            wrong[question] = (rows, found[0].query.words() if found else "")
    assert not wrong


def test_a_year_that_nothing_is_about_has_no_answer(readings: Readings) -> None:
    sure = {q: found[0].query.words() for q in NOT_HELD if (found := readings(q)) and found[0].confidence > VETOED}
    assert not sure


def _rounded(row: tuple[object, ...]) -> str:
    return str([round(float(c), 4) if isinstance(c, int | float) else c for c in row])
