"""Which messages choose a reading, and which are questions."""

import pytest

from tablerag.agent.choices import choice_in, current_tables, no_such_reading, offer
from tests.support.fakes import SALES

READINGS = [
    {"meaning": 'Total of "Net (EUR)" where "Carrier" is \'DHL\'', "sql": "SELECT SUM(`net`) FROM `sales`"},
    {"meaning": 'Average of "Net (EUR)" where "Carrier" is \'DHL\'', "sql": "SELECT AVG(`net`) FROM `sales`"},
    {"meaning": "Number of rows where \"Carrier\" is 'DHL'", "sql": "SELECT COUNT(*) FROM `sales`"},
]


@pytest.mark.parametrize(
    ("message", "number"),
    [
        ("2", 2),
        (" 2. ", 2),
        ("(3)", 3),
        ("#1", 1),
        ("no. 2", 2),
        ("Option 3", 3),
        ("the second", 2),
        ("The second one, please!", 2),
        ("2nd", 2),
        ("the last one", 3),
        ("I meant the first", 1),
        ("das zweite", 2),
        ("la deuxième", 2),
        ("average", 2),
        ("the average of net", 2),
        ("number of rows", 3),
        (READINGS[0]["meaning"], 1),
        ("7", 0),
        ("0", 0),
        ("99", 0),
        ("2013", None),
        ("100", None),
        ("DHL", None),
        ("average?", None),
        ("and by phone?", None),
        ("What is the average cost of UPS?", None),
        ("thanks", None),
        ("second quarter of 2025", None),
    ],
)
def test_a_message_chooses_a_reading(message: str, number: int | None) -> None:
    assert choice_in(message, READINGS) == number


@pytest.mark.parametrize(("message", "number"), [("2", 0), ("7.", 0), ("second", None), ("yes", None), ("", None)])
def test_without_readings_only_a_number_is_no_question(message: str, number: int | None) -> None:
    assert choice_in(message, []) == number


def test_one_reading_is_confirmed_by_yes() -> None:
    assert choice_in("Yes.", READINGS[:1]) == 1
    assert choice_in("yes", READINGS) is None


def test_the_reply_to_a_wrong_number_says_which_exist() -> None:
    assert "from 1 to 3" in no_such_reading(READINGS)
    assert "only one" in no_such_reading(READINGS[:1])
    assert "no list to choose from" in no_such_reading([])


def test_only_the_tables_that_are_read_are_kept_and_looked_up_again() -> None:
    other = SALES.model_copy(update={"name": "other"})
    offered = offer("q", READINGS, [s.model_dump(mode="json") for s in (SALES, other)])
    assert [s["name"] for s in offered["schemas"]] == ["sales"]
    changed = SALES.model_copy(update={"stored_as": "sales_v2"})
    assert current_tables(offered, [changed, other])[0]["stored_as"] == "sales_v2"
    assert current_tables(offered, [other]) is None
