"""Whose number counts, for each type of question."""

import pytest

from tablerag.agent.hd_rag.answer_text import written
from tablerag.agent.hd_rag.reasoning import QuestionType, Recap, Scale
from tablerag.agent.hd_rag.settling import settle
from tablerag.tools.calculator import calculate


def recap(kind: QuestionType, answer: tuple[str, ...], scale: Scale = "", formula: str = "") -> Recap:
    return Recap("", kind, (), "", answer, scale, formula)


@pytest.mark.parametrize(
    ("kind", "answer", "scale", "formula", "settled", "by"),
    [
        ("span", ("Deloitte",), "", "1 + 1", ("Deloitte",), "reasoner"),
        ("multi-span", ("a", "b"), "", "", ("a", "b"), "reasoner"),
        ("count", ("3",), "", "1 + 1", ("3",), "reasoner"),
        ("count", ("two",), "", "1 + 1", ("2",), "calculator"),
        ("count", ("few",), "", "1 / 2", ("few",), "reasoner"),
        ("count", (), "", "1 + 1", (), "reasoner"),
        ("arithmetic", ("-12.5",), "million", "44.1 - 56.7", ("-12.6",), "calculator"),
        ("arithmetic", (), "million", "44.1 - 56.7", (), "reasoner"),
        ("arithmetic", ("less",), "million", "44.1 - 56.7", ("-12.6",), "calculator"),
        ("arithmetic", ("less",), "million", "$3 million - $5 million", ("-2",), "calculator"),
        ("arithmetic", ("-22.22",), "percent", "(44.1 - 56.7) / 56.7 * 100", ("-22.2222",), "calculator"),
        ("arithmetic", ("-22.22",), "percent", "(44.1 - 56.7) / 56.7", ("-22.2222",), "calculator"),
        ("arithmetic", ("22.22%",), "percent", "(44.1 - 56.7) / 56.7", ("-22.2222",), "calculator"),
        ("arithmetic", ("a quarter",), "percent", "1 / 4", ("25",), "calculator"),
        ("arithmetic", ("a quarter",), "percent", "1 / 4 * 100", ("25",), "calculator"),
        ("arithmetic", ("a tenth",), "percent", "(1100 - 1000) / 1000", ("10",), "calculator"),
        ("arithmetic", ("0",), "percent", "(1250 - 1000) / 1000", ("25",), "calculator"),
        ("arithmetic", ("0",), "", "1 / 30000", ("0.00003333",), "calculator"),
        ("arithmetic", ("2.5",), "", "1.25 + 1.25005", ("2.5001",), "calculator"),
        ("arithmetic", ("2.5",), "percent", "12.5% - 10%", ("2.5",), "calculator"),
        ("arithmetic", ("1.75",), "million", "$1.5 million + $250 thousand", ("1.75",), "calculator"),
        ("arithmetic", ("about 7",), "", "3 + 4", ("7",), "calculator"),
        ("arithmetic", ("(5)",), "", "1 - 6", ("-5",), "calculator"),
        ("arithmetic", ("0",), "percent", "1 / 3 * 100", ("33.3333",), "calculator"),
    ],
)
def test_the_rule_by_question_type(
    kind: QuestionType, answer: tuple[str, ...], scale: Scale, formula: str, settled: tuple[str, ...], by: str
) -> None:
    found = settle(recap(kind, answer, scale, formula), calculate(formula) if formula else None)
    assert (found.answer, found.by) == (settled, by)


def test_a_refused_formula_leaves_the_reasoners_number_and_says_why() -> None:
    found = settle(recap("arithmetic", ("7",)), None, "it divides by zero")
    assert (found.answer, found.by) == (("7",), "reasoner")
    assert "it divides by zero" in found.note


def test_the_calculators_unit_is_kept() -> None:
    found = settle(recap("arithmetic", ("2",), "", "12% - 10%"), calculate("12% - 10%"))
    assert (found.scale, written(found.answer, found.scale)) == ("percent", "2 %")
    found = settle(recap("arithmetic", ("-2",), "million", "$3 - $5"), calculate("$3 - $5"))
    assert written(found.answer, found.scale, found.currency) == "-$2 million"


def test_another_number_of_the_reasoner_is_told_but_rounding_is_not() -> None:
    assert "reasoner computed -13" in settle(recap("arithmetic", ("-13",)), calculate("44.1 - 56.7")).note
    assert settle(recap("arithmetic", ("33.33",)), calculate("100 / 3")).note == ""


def test_every_number_has_the_scale() -> None:
    assert written(["$45.5", "$62.9"], "million") == "$45.5 million; $62.9 million"
    assert written(["12", "13 %"], "percent") == "12 %; 13 %"
    assert written(["12", "none"], "thousand") == "12 thousand; none"
