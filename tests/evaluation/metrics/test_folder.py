"""Answers are compared with gold answers by value, not by how they are written."""

import pytest

from tablerag.evaluation.metrics.folder import Given, key_of, matches, written_numbers


def cell(value, text="", unit=""):
    return Given(text or str(value), ("result",), ((value,),), unit)


def table(*rows):
    return Given("", tuple(f"c{n}" for n in range(len(rows[0]))), rows)


RIGHT = [
    (cell(6577), {"number": 6577}),
    (cell(12.3456), {"number": 12.3}),
    (cell(19.7143), {"number": 19.714285714285715}),
    (table(("Ann", 5000)), {"number": 5000}),
    (Given("They have 24 days of leave."), {"number": 24}),
    (Given("About 1.77 million euros."), {"number": 1774500}),
    (Given("Revenue rose by 12.3 %"), {"number": 12.34}),
    (Given("EUR 1,774,500"), {"number": 1774500}),
    (cell(1774500, "EUR 1.77 million", "EUR"), {"number": 1.7745, "unit": "EUR million"}),
    (Given("1.7745"), {"number": 1.7745, "unit": "EUR million"}),
    (cell(1787, unit="thousand EUR"), {"number": 1787000}),
    (cell(5200, unit="kWh"), {"number": 5.2, "unit": "MWh"}),
    (Given("12.5 %", ("a",), ((3,),), computed=True), {"number": 12.5}),
    (cell("Lyon"), {"text": "lyon"}),
    (cell("2025-03-14"), {"text": "14 March 2025"}),
    (table(("Lyon", 3), ("Lyon", 4)), {"text": "Lyon"}),
    (Given("The office moved to Lyon."), {"text": "Paris", "also": ["Lyon"]}),
    (Given("It ends on 14.03.2025."), {"text": "14 March 2025"}),
    (Given("Yes, all of them."), {"text": "yes"}),
    (cell(24), {"text": "24 days"}),
    (table(("Ann", "Lyon"), ("Bo ", "Paris")), {"items": ["bo", "Ann"]}),
    (table(("Ann", "Berg"), ("Bo", "Lie")), {"items": ["Ann Berg", "Bo Lie"]}),
    (table(("Ann",), ("Bo",)), {"items": ["Ann", "Bo"], "ordered": True}),
    (Given("Ann, Bo and Cy"), {"items": ["Ann", "Bo", "Cy"]}),
    (table(("North", 2, 30.5), ("South", 1, 4)), {"rows": [["South", 4.0], ["North", 30.5]]}),
    (table((2025, 3, 30), (2025, 4, 31)), {"rows": [["2025-03", 30], ["2025-04", 31]]}),
    (table(("Mar", 30), ("Apr", 31)), {"rows": [["2025-03", 30], ["April", 31]]}),
    (table(("Q1", 30), ("Q2", 31)), {"rows": [["2025 Q1", 30], ["Q2 2025", 31]]}),
    (table(("North", "open", 2), ("South", "shut", 1)), {"rows": [[["North", "open"], 2], [["South", "shut"], 1]]}),
]
WRONG = [
    (cell(6578), {"number": 6577}),
    (cell(0.123), {"number": 12.3}),
    (cell(12.4), {"number": 12.3}),
    (table((1,), (2,)), {"number": 2}),
    (Given("In 2024 there were 23 days."), {"number": 24}),
    (cell(1787), {"number": 1787000}),
    (cell("Paris"), {"text": "Lyon"}),
    (cell(1), {"text": "yes"}),
    (table(("Lyon",), ("Paris",)), {"text": "Lyon"}),
    (Given("Our"), {"text": "Our office"}),
    (Given("Another one"), {"text": "no"}),
    (Given("Lyon " + "and more " * 30), {"text": "Lyon"}),
    (table(("Ann",), ("Bo",), ("Cy",)), {"items": ["Ann", "Bo"]}),
    (table(("Bo",), ("Ann",)), {"items": ["Ann", "Bo"], "ordered": True}),
    (table(("North", 30), ("South", 4)), {"rows": [["North", 4], ["South", 30]]}),
    (table(("North", 30), ("South", 4), ("East", 1)), {"rows": [["North", 30], ["South", 4]]}),
    (Given("anything"), {"none": True}),
]


@pytest.mark.parametrize(("given", "gold"), RIGHT)
def test_right_answers(given, gold):
    assert matches(given, gold)


@pytest.mark.parametrize(("given", "gold"), WRONG)
def test_wrong_answers(given, gold):
    assert not matches(given, gold)


@pytest.mark.parametrize(
    ("cell", "key"),
    [
        (3.0, "3"),
        ("2025-03-14 00:00", "2025-03-14"),
        ("14 Mar 2025", "2025-03-14"),
        ("14/03/2025", "2025-03-14"),
        ("03/14/2025", "2025-03-14"),
        ("March 14, 2025", "2025-03-14"),
        ("mars 2025", "2025-03"),
        ("Dez", "month 12"),
        ("Q3/2024", "2024-q3"),
    ],
)
def test_keys_have_one_form(cell, key):
    assert key_of(cell) == key


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1.774.500,50 EUR", [1774500.5]),
        ("12,5 %", [12.5]),
        ("1.774", [1.774, 1774]),
        ("1,774", [1774, 1.774]),
        ("1'774'500 and 0.125", [1774500, 0.125]),
        ("2,3 Mrd. Euro", [2.3e9]),
        ("5 m", [5e6, 5]),
        ("1.8 million", [1.8e6]),
        ("−3 of 10–20", [-3, 10, 20]),
    ],
)
def test_numbers_are_read_in_any_notation(text, numbers):
    assert [number for number, _, _ in written_numbers(text)] == pytest.approx(numbers)
