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
SIGN_BEFORE = re.compile(r"[-−]\s?(?P<money>[^\w\s.,]+\s?|[A-Z]{3}\s?)$")
"""A sign that stands before a currency and not before the digits."""
DIGITS = re.compile(r"(?<![\w.,])[-−]?\d+(?:,\d{3})*(?:\.\d+)?(?![\d,.]*\d)")


def computed(validation: Validation, calculate: Callable[[str], Calculation]) -> Validation:
    """Return the validation with its answer recomputed; unchanged if it is right or has no formula.

    If the formula is refused, the answer is unchanged and the reason says so.
    """
    formula = validation.formula.strip()
    if not validation.intermediate_answer or not computes(formula):
        return validation
    try:
        found = calculate(formula)
    except FormulaRefused as refused:
        return replace(validation, reason=f"{validation.reason} Not computed: {refused}.".strip())
    note = f"Computed: {formula} = {found.text}."
    if any(_same(n.value, found.value) for n in stated_numbers(validation.intermediate_answer)):
        return replace(validation, reason=f"{validation.reason} {note}".strip())
    note = f"{note} The model's answer was {validation.intermediate_answer!r}."
    answer = _with_number(validation.intermediate_answer, found)
    return replace(validation, intermediate_answer=answer, reason=f"{validation.reason} {note}".strip())


def _with_number(answer: str, found: Calculation) -> str:
    """Return an answer with its number replaced by the computed one in its scale; else the computed one alone."""
    stated = stated_numbers(answer)
    run = DIGITS.search(answer)
    if len(stated) != 1 or run is None:
        return found.text
    written = Decimal(run[0].replace(",", "").replace("−", "-"))
    if not written or not found.value:
        return found.text
    scale = stated[0].value / written
    # The formula may be in ones or in the answer's scale, a share or a percentage: take the nearest.
    meant = [found.value, found.value / scale] + ([found.value * 100] if stated[0].unit == "%" else [])
    number = min(meant, key=lambda n: abs((n / written).copy_abs().log10()))
    before, text = answer[: run.start()], plain_text(rounded(number))
    if signed := SIGN_BEFORE.search(before):  # "-$4.9 million": one sign, where it stands
        before = before if text.startswith("-") else before[: signed.start()] + signed["money"]
        text = text.removeprefix("-")
    return before + text + answer[run.end() :]


def computes(formula: str) -> bool:
    """Return whether a formula has an operator."""
    return any(sign in formula.strip().lstrip("-+ ") for sign in OPERATORS)


def _same(stated: Decimal, found: Decimal) -> bool:
    """Return whether both are the same number up to rounding and scale."""
    return any(abs(stated * a - found * b) <= SAME * abs(found * b) for a in SCALES for b in SCALES if 1 in (a, b))
