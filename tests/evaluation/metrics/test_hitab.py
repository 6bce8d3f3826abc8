"""HiTab's denotation: values in order, numbers with their marks, texts without regard to case."""

import pytest

from tablerag.evaluation.metrics.hitab import denotation
from tablerag.evaluation.metrics.units import as_shares, without_units


@pytest.mark.parametrize(
    ("gold", "given", "right"),
    [
        ([52.1], ["52.1%"], 1),
        ([139337], ["139,337"], 1),
        ([22.0], ["(22)"], 1),
        ([-22.0], ["(22)"], 0),
        ([52.1], ["52.2"], 0),
        (["fishing", "mining"], ["Fishing", "mining"], 1),
        (["fishing", "mining"], ["mining", "fishing"], 0),
        (["fishing"], ["fishing", "mining"], 0),
        (["2016"], ["2016.0"], 1),
        (["nan"], ["NaN"], 1),
        ([1000], ["1_000"], 0),
        ([1.0], [], 0),
    ],
)
def test_denotation(gold: list[str | float], given: list[str], right: int) -> None:
    assert denotation(gold, given) == right


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        ("$20 million", "20"),
        ("-$12.6 million", "-12.6"),
        ("US$ 1,040 thousand", "1,040"),
        ("EUR 5", "5"),
        ("(3.5) %", "(3.5)%"),
        ("5 apples", "5"),
        ("1,041 thousand dollars", "1,041"),
        ("30 percent", "30%"),
        ("12 kg/m²", "12"),
        ("5 of all that came late", "5 of all that came late"),
        ("2016 to 2017", "2016 to 2017"),
        ("", ""),
    ],
)
def test_units_are_left_out_of_amounts_alone(value: str, plain: str) -> None:
    assert without_units([value]) == [plain]


def test_a_percentage_is_read_as_the_share_that_it_states() -> None:
    assert as_shares(["66.4156 %", "\u22125 percent", "12", "none"]) == ["0.664156", "-0.05", "12", "none"]
