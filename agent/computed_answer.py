"""Recomputes intermediate answers with the calculator: a model's arithmetic is not trusted."""

import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

from tablerag.agent.reasoning import Validation
from tablerag.agent.stated_numbers import stated_numbers
from tablerag.tools.calculator import Calculation, plain_text, rounded
from tablerag.tools.errors import FormulaRefused

__all__ = ["computed", "computes"]

SCALES = tuple(Decimal(10) ** power for power in (0, 2, 3, 6, 9))
"""Factors by which an answer and its formula may differ: percent, thousands, millions."""
SAME = Decimal("0.005")
OPERATORS = "+-*/"
DIGITS = re.compile(r"(?<![\w.,])[-−]?\d+(?:,\d{3})*(?:\.\d+)?(?![\d,.]*\d)")


def computed(validation: Validation, calculate: Callable[[str], Calculation]) -> Validation:
    """Return the validation with its answer recomputed; unchanged if there is nothing to compute or it is right.

    A formula that is refused leaves the answer as it is, and the reason says so.
    """
    formula = validation.formula.strip()
    if not validation.intermediate_answer or not computes(formula):
        return validation
    try:
        found = calculate(formula)
    except FormulaRefused as refused:
        return replace(validation, reason=f"{validation.reason} Not computed: {refused}.".strip())
    said = f"Computed: {formula} = {found.text}."
    if any(_same(n.value, found.value) for n in stated_numbers(validation.intermediate_answer)):
        return replace(validation, reason=f"{validation.reason} {said}".strip())
    said = f"{said} The model's answer was {validation.intermediate_answer!r}."
    answer = _with_number(validation.intermediate_answer, found)
    return replace(validation, intermediate_answer=answer, reason=f"{validation.reason} {said}".strip())


def _with_number(answer: str, found: Calculation) -> str:
    """Return an answer with the computed number in place of its one, unit and scale kept; else the number alone."""
    stated = stated_numbers(answer)
    run = DIGITS.search(answer)
    if len(stated) != 1 or run is None:
        return found.text
    plain = Decimal(run[0].replace(",", "").replace("−", "-"))
    if not plain or not found.value:
        return found.text
    scale = stated[0].value / plain
    # The formula may be in ones or in the answer's scale, a share or a percentage: what is nearest is meant.
    meant = [found.value, found.value / scale] + ([found.value * 100] if stated[0].unit == "%" else [])
    number = min(meant, key=lambda n: abs((n / plain).copy_abs().log10()))
    return answer[: run.start()] + plain_text(rounded(number)) + answer[run.end() :]


def computes(formula: str) -> bool:
    """Return whether a formula has anything to compute."""
    return any(sign in formula.strip().lstrip("-+ ") for sign in OPERATORS)


def _same(stated: Decimal, found: Decimal) -> bool:
    """Return whether both are the same number up to rounding and scale."""
    return any(abs(stated * a - found * b) <= SAME * abs(found * b) for a in SCALES for b in SCALES if 1 in (a, b))
