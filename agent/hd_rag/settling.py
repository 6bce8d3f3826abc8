"""Decide between the reasoner's number and the calculator's, by type of question.

span, multi-span   the reasoner's words: nothing is computed
count              the reasoner's number; the calculator's whole one only where the reasoner gives no number
arithmetic         the calculator's number, wherever it computes the formula; else the reasoner's

No answer means that the document does not answer; a formula does not override that. The calculator's number is
converted to the answer's scale. A formula may omit the factor 100 of a percentage, or spell out "million": of its
possible values, the one nearest to the reasoner's number counts.
"""

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from tablerag.agent.hd_rag.reasoning import Recap, Scale
from tablerag.agent.stated_numbers import stated_numbers
from tablerag.tools.calculator import Calculation, figures, plain_text, rounded
from tablerag.tools.number_words import power_of

__all__ = ["Settled", "settle"]

FACTORS: dict[str, Decimal] = {
    "percent": Decimal(100),
    **{scale: Decimal(1).scaleb(-power_of(scale)) for scale in ("thousand", "million", "billion")},
}
"""Factors between a formula's number and the answer's, by scale."""


@dataclass(frozen=True, slots=True)
class Settled:
    """The final answer, and whose number it is."""

    answer: tuple[str, ...]
    by: Literal["reasoner", "calculator"]
    scale: Scale
    note: str = ""
    currency: str = ""
    """The currency sign of the calculator's number."""


def settle(recap: Recap, calculated: Calculation | None, refusal: str = "") -> Settled:
    """Return the final answer; ``refusal`` is why the calculator did not compute."""
    own = Settled(recap.answer, "reasoner", recap.scale)
    if not recap.answer or recap.question_type in ("span", "multi-span"):
        return own
    if calculated is None:
        return replace(own, note=f"Could not compute the formula: {refusal}." if refusal else "")
    stated = _number(recap.answer)
    if recap.question_type == "count":
        whole = calculated.value == calculated.value.to_integral_value()
        if stated is not None or not whole:
            return own
        return Settled((plain_text(calculated.value),), "calculator", recap.scale)
    value = _in_scale(recap, calculated, stated)
    scale = "percent" if calculated.unit == "%" and not recap.scale else recap.scale
    currency = calculated.unit if calculated.unit != "%" else ""
    number = plain_text(rounded(value))
    return Settled((number,), "calculator", scale, _difference(stated, value), currency)


def _number(answer: tuple[str, ...]) -> Decimal | None:
    """Return the reasoner's number; None if there is none, or several."""
    text = answer[0].strip() if len(answer) == 1 else ""
    negative = text.startswith("(") and text.endswith(")")
    try:
        number = Decimal(text.strip("()").replace(",", "").rstrip("%").strip())
    except ArithmeticError:
        found = stated_numbers(text)
        number = found[0].value if len(found) == 1 else None
    if number is None or not number.is_finite():
        return None
    return -number if negative else number


def _in_scale(recap: Recap, calculated: Calculation, stated: Decimal | None) -> Decimal:
    """Return the calculator's number in the answer's scale."""
    value = calculated.value
    if recap.scale not in FACTORS or (recap.scale == "percent" and calculated.unit == "%"):
        return value
    other = value * FACTORS[recap.scale]
    if stated:
        return min((value, other), key=lambda v: abs(abs(v) - abs(stated)))
    # With no number to compare: a percentage formula without 100 is a share, and a spelled-out scale is removed.
    if recap.scale == "percent":
        return value if Decimal(100) in figures(recap.formula) else other
    return other if calculated.scaled else value


def _difference(stated: Decimal | None, value: Decimal) -> str:
    """Return a note if the reasoner's number differs by more than rounding."""
    if stated is None or abs(stated - value) <= max(Decimal("0.01"), abs(value) / 1000):
        return ""
    return f"The reasoner computed {plain_text(stated)}; the answer is the calculator's."
