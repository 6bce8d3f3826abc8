"""Intermediate answers computed by the calculator: a model's arithmetic over text and table is not trusted."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

from agent.reasoning import Validation
from agent.stated_numbers import stated_numbers
from tools.calculator import Calculation
from tools.errors import FormulaRefused

__all__ = ["computed"]

SCALES = tuple(Decimal(10) ** power for power in (0, 2, 3, 6, 9))
"""By which an answer and its formula may differ: a share in percent, a figure in millions."""
SAME = Decimal("0.005")
OPERATORS = "+-*/"


def computed(validation: Validation, calculate: Callable[[str], Calculation]) -> Validation:
    """Return the validation with its answer computed; it stays where there is nothing to compute, or it is right.

    A formula that is refused leaves the answer as it is, and the reason says so.
    """
    formula = validation.formula.strip()
    if not validation.intermediate_answer or not any(sign in formula.lstrip("-+ ") for sign in OPERATORS):
        return validation
    try:
        found = calculate(formula)
    except FormulaRefused as refused:
        return replace(validation, reason=f"{validation.reason} Not computed: {refused}.".strip())
    said = f"Computed: {formula} = {found.text}."
    if any(_same(n.value, found.value) for n in stated_numbers(validation.intermediate_answer)):
        return replace(validation, reason=f"{validation.reason} {said}".strip())
    said = f"{said} The answer given was {validation.intermediate_answer!r}."
    return replace(validation, intermediate_answer=found.text, reason=f"{validation.reason} {said}".strip())


def _same(stated: Decimal, found: Decimal) -> bool:
    """Tell whether both are one number, rounded or in another scale."""
    return any(abs(stated * a - found * b) <= SAME * abs(found * b) for a in SCALES for b in SCALES if 1 in (a, b))
