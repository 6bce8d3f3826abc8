"""The calculator in cross_validate: it computes what a model gives a formula for, and nothing else."""

import pytest

from tablerag.agent.computed_answer import computed
from tablerag.agent.reasoning import Validation
from tablerag.tools.calculator import calculate


def with_formula(answer: str, formula: str) -> Validation:
    return computed(Validation(answer, "text_only", "Both figures.", formula=formula), calculate)


@pytest.mark.parametrize(
    ("answer", "formula", "expected"),
    [
        ("12.6 million EUR", "56.7 - 44.1", "12.6 million EUR"),
        ("22.2 %", "(56.7 - 44.1) / 56.7", "22.2 %"),
        ("$1.75 million", "1500000 + 250000", "$1.75 million"),
        ("13 million EUR", "56.7 - 44.1", "12.6 million EUR"),
        ("250 million EUR", "1500 * 0.2", "300 million EUR"),
        ("250 million EUR", "1500000000 * 0.2", "300 million EUR"),
        ("25 %", "(1500 - 1000) / 1000 * 100", "50 %"),
        ("25 %", "(1500 - 1000) / 1000", "50 %"),
        ("$1,300 in all", "1,200 + 11", "$1211 in all"),
        ("a fall of 13, from 60", "56.7 - 44.1", "12.6"),
        ("0", "56.7 - 44.1", "12.6"),
        ("more than last year", "56.7 - 44.1", "12.6"),
        ("-$4.8 million", "98.7 - 103.6", "-$4.9 million"),
        ("-EUR 4.8 million", "103.6 - 98.7", "EUR 4.9 million"),
        ("13", "", "13"),
        ("13", "-12", "13"),
        ("", "1 + 1", ""),
    ],
)
def test_a_wrong_number_is_replaced_and_a_right_one_kept(answer: str, formula: str, expected: str) -> None:
    assert with_formula(answer, formula).intermediate_answer == expected


def test_the_reason_says_what_was_computed_or_why_not() -> None:
    assert "56.7 - 44.1 = 12.6. The model's answer was '13'" in with_formula("13", "56.7 - 44.1").reason
    assert with_formula("12.6", "56.7 - 44.1").reason == "Both figures. Computed: 56.7 - 44.1 = 12.6."
    refused = with_formula("13", "2**2**99")
    assert refused.intermediate_answer == "13" and "Not computed: powers" in refused.reason
