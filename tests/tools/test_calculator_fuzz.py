"""Formulas that nobody wrote: the calculator computes what fractions compute, or refuses; the fuzzer notices others."""

import random
from decimal import Decimal

import pytest

from benchmarks import calculator_fuzz
from benchmarks.calculator_fuzz import Formula, changed, formula, main, trouble
from tablerag.tools.calculator import Calculation, calculate


def test_random_formulas_are_computed_or_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--cases", "1500", "--seed", "7"]) == 0, capsys.readouterr().out
    assert "seed 7: 1500 formulas" in capsys.readouterr().out


def test_cases_are_the_same_for_the_same_seed() -> None:
    assert [formula(random.Random(f"1 {n}")) for n in range(50)] == [
        formula(random.Random(f"1 {n}")) for n in range(50)
    ]


@pytest.mark.parametrize(
    ("made", "noticed"),
    [
        (Calculation(Decimal("3.0000000001")), "expected 3"),
        (Calculation(Decimal(3), "$"), "has the unit '$'"),
        (Calculation(Decimal("NaN")), "InvalidOperation|no number"),
    ],
)
def test_a_wrong_result_is_noticed(made: Calculation, noticed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert trouble(changed("(1 + 2)")) == ("computed", "")
    monkeypatch.setattr(calculator_fuzz, "calculate", lambda text: made)
    assert any(part in trouble(changed("(1 + 2)"))[1] for part in noticed.split("|"))


def test_a_crash_and_a_formula_of_nothing_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calculator_fuzz, "calculate", lambda text: 1 // 0)
    assert trouble(Formula("1", None)) == ("crashed", "ZeroDivisionError: integer division or modulo by zero")
    monkeypatch.setattr(calculator_fuzz, "calculate", lambda text: calculate("1"))
    assert "it is no formula" in trouble(changed("1 2"))[1]


def test_slow_formulas_fail_the_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(calculator_fuzz, "SLOW_S", -1.0)
    assert main(["--cases", "1"]) == 1
    assert "took" in capsys.readouterr().out
