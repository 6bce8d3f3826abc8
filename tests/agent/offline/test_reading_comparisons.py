"""Questions that hold two columns of a row against each other, over real files."""

import time

from tablerag.agent.offline.question import read_question
from tests.agent.offline.conftest import Ask, misread

FILES = {
    "pharmacy_stock.csv": """Ward,Medicine,Qty Available,Min Level,Price (EUR)
North,Aspirin,5,10,2
North,Insulin,30,20,9
South,Aspirin,12,10,2
South,Morphine,1,4,15
South,Saline,40,40,1
""",
    "course_fees.csv": """Course,Tutor,Planned Participants,Actual Participants,Budget (EUR),Actual Cost (EUR)
Pottery,Ann,12,9,500,650
Yoga,Ben,20,25,300,290
Chess,Ann,8,8,100,180
Guitar,Cleo,10,4,800,790
""",
    "lager_werkstatt.csv": """Teil;Bestand;Mindestbestand;Regal
Schraube M4;100;250;A
Mutter M4;300;250;B
Dichtung;4;10;A
""",
}

CASES = [
    ("Which medicines are below their minimum level?", [("Aspirin",), ("Morphine",)]),
    ("How many medicines in the South ward are under the minimum?", [(1,)]),
    ("medicines with less available than the minimum", [("Aspirin",), ("Morphine",)]),
    ("Which courses went over budget?", [("Pottery",), ("Chess",)]),
    ("Which courses had fewer participants than planned?", [("Pottery",), ("Guitar",)]),
    ("Which courses of Ann overspent?", [("Pottery",), ("Chess",)]),
    ("How many courses stayed below their budget?", [(2,)]),
    ("Which course exceeded its budget by the largest amount?", [("Pottery", 150)]),
    ("Which course had the biggest overspend?", [("Pottery", 150)]),
    ("By how much are Ann's courses over or under budget in total?", [(230,)]),
    ("How much over budget was Chess?", [(80,)]),
    ("Which course exceeded its budget the most?", [("Pottery", 150)]),
    ("What is the total actual cost of courses over budget?", [(830,)]),
    ("By what percentage did Chess go over its budget?", [(80.0,)]),
    ("Welche Teile liegen unter dem Mindestbestand?", [("Schraube M4",), ("Dichtung",)]),
    ("Wie viele Teile im Regal A sind unter dem Mindestbestand?", [(2,)]),
]


def test_two_columns_are_compared(ask: Ask) -> None:
    assert not misread(ask, CASES)


def test_a_question_of_digits_is_read_in_time() -> None:
    begun = time.process_time()
    assert not read_question("How many " + "1" * 3_900).comparisons
    assert time.process_time() - begun < 2, "11 s with a search from every digit"
