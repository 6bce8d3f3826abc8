"""Answers are held against gold answers as people write both."""

import pytest

from tablerag.evaluation.metrics.gold import is_right, read_gold, scores_of

RIGHT = [
    (1774500, ["EUR 1,774,500"]),
    (1774500, ["1.774.500 €"]),
    (1774500, ["1.77 million"]),
    ("1,774,500 EUR", ["1774500.0"]),
    ("$1.2 million", ["1,234,567"]),
    ("$1.2m", ["1.2 million US dollars"]),
    (19.714285714285715, ["19.71"]),
    (12.3, ["12.3456"]),
    ("12.5 %", ["0.125"]),
    (0.125, ["12.5%"]),
    ("12.5 %", ["12.5 percent"]),
    ("5.2 MWh", ["5,200 kWh"]),
    ("24 days", ["24"]),
    ("340 km²", ["340 square kilometres"]),
    ("5 m", ["5 metres"]),
    (3, ["Three orders"]),
    ("5-7", ["5–7"]),
    ("1.2 million", ["About 1.2 million euros in 2025."]),
    ("Zürich", ["zurich"]),
    ("Hansen & Co.", ["Hansen & Co"]),
    ("E. Hansen", ["e hansen"]),
    ("the North", ["North"]),
    ("2025-03-14", ["14 March 2025"]),
    ("12 March", ["It ends on 12 March."]),
    ("Lyon", ["The office moved to Lyon."]),
    ("yes", ["Yes, all of them."]),
    ("Ann; Bo", ["Ann", "Bo"]),
    (["Ann", "Bo", "Cy"], ["Cy", "ann", "Bo"]),
    (["Ann", "Bo", "Cy"], ["Ann, Bo and Cy"]),
    (["Ann", "Bo", "Cy"], ["Ann, Bo, and Cy."]),
    (["Ann", "Bo"], ["1. Ann\n2. Bo"]),
    (["Ann", "Bo"], ["Ann (3 orders)", "Bo (2 orders)"]),
    (["Marks and Spencer", "Bo"], ["Marks and Spencer, Bo"]),
    (["Smith, John", "Lee, Ann"], ["Lee, Ann", "Smith, John"]),
    ([1200, 3400], ["1,200, 3,400"]),
    (["Ann"], ["Ann"]),
    (["Ann", "Ann"], ["Ann"]),
    (None, []),
]
WRONG = [
    (1774500, ["1,774,510"]),
    (1774500, ["1.8 million"]),
    (1774500, ["1,774,500", "2"]),
    (24, ["23"]),
    (3, ["thirty-three"]),
    (3, ["three million"]),
    (3, ["four"]),
    (24, [" ".join(["24", *["and more"] * 30])]),
    ("12.50", ["12.54"]),
    ("12.5 %", ["0.13"]),
    ("007", ["7"]),
    ("A-17", ["17"]),
    ("5 m", ["5 million"]),
    ("Lyon", ["Paris"]),
    ("Lyon", ["Lyon", "Paris"]),
    ("Lyon", []),
    ("no", ["Another one"]),
    ("2025-03-14", ["2025-03-15"]),
    (["Ann", "Bo"], ["Ann"]),
    (["Ann", "Bo"], ["Ann", "Bo", "Cy"]),
    (["York", "Bo"], ["New York", "Bo"]),
    (None, ["Lyon"]),
]


@pytest.mark.parametrize(("gold", "values"), RIGHT)
def test_right_values(gold, values):
    assert is_right(read_gold(gold), values)


@pytest.mark.parametrize(("gold", "values"), WRONG)
def test_wrong_values(gold, values):
    assert not is_right(read_gold(gold), values)


def test_part_of_a_list_has_a_part_of_f1():
    assert scores_of(read_gold(["Ann", "Bo"]), ["Ann"]) == {"right": 0.0, "f1": pytest.approx(2 / 3)}
    assert scores_of(read_gold(["Ann", "Bo"]), ["Bo", "Ann"]) == {"right": 1.0, "f1": 1.0}
    assert scores_of(read_gold(None), []) == {"right": 1.0, "f1": 1.0}
    assert scores_of(read_gold(None), ["x"]) == {"right": 0.0, "f1": 0.0}
