"""Numbers and words of an answer against what was shown."""

import pytest

from tablerag.agent.model.grounding import numbers_in, sentence_with, strays, unknown_figures
from tablerag.tools.calculator import figures
from tests.support.fakes import chunk


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ("60", ["60"]),
        ("1,774,500 EUR", ["1774500"]),
        ("about 1.8 million", ["1774500"]),
        ("23.3%", ["0.23333333"]),
        ("23.3 %", ["23.3333"]),
        ("1,774.5 thousand", ["1774500"]),
        ("5 March 2024", ["2024-03-05"]),
        ("-12", ["-12"]),
        ("North; South", []),
        ("Ann Lee (1984)", ["born in 1984"]),
        ("3-1", ["3-1"]),
    ],
)
def test_what_was_shown_is_known(answer: str, shown: list[str]) -> None:
    assert strays(answer, numbers_in(shown)) == []


@pytest.mark.parametrize(
    ("answer", "shown", "unknown"),
    [
        ("4711", ["60"], ["4711"]),
        ("in 2019", ["2018"], ["2019"]),
        ("60 of 61", ["60"], ["61"]),
        ("1.9 million", ["1774500"], ["1.9 million"]),
        ("6", ["600"], ["6"]),
    ],
)
def test_what_was_not_shown_is_named(answer: str, shown: list[str], unknown: list[str]) -> None:
    assert strays(answer, numbers_in(shown)) == unknown


def test_two_known_numbers_may_be_combined_at_the_end_only() -> None:
    known = numbers_in(["524500", "450000"])
    assert strays("74500", known) == ["74500"]
    assert strays("74500", known, combined=True) == []
    assert strays("16.6 %", known, combined=True) == []
    assert strays("12345", known, combined=True) == ["12345"]


@pytest.mark.parametrize(
    ("formula", "unknown"),
    [
        ("56.7-44.1", []),
        ("56.7-44.2", ["44.2"]),
        ("(56.7 - 44.1) / 44.1 * 100", []),
        ("(0.12 + 12%) / 2", []),
        ("0.13 * 1,200", ["0.13"]),
        ("$56.7 million * 365", []),
        ("__import__('os').getpid(77)", ["77"]),
    ],
)
def test_the_figures_of_a_formula_are_known_ones(formula: str, unknown: list[str]) -> None:
    known = numbers_in(["56.7 and 44.1", "12 %", "1,200"])
    assert unknown_figures(figures(formula), known) == unknown


def test_the_sentence_that_holds_an_answer_is_cited() -> None:
    text = chunk("It rained.\nThe plant is run by Ada Birch. All went well.", source="notes.md")
    assert sentence_with("ada birch", [text]).quote == "The plant is run by Ada Birch."
    assert sentence_with("Bo", [text]) is None
    assert sentence_with("", [text]) is None
