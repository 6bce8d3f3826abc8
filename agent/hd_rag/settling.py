"""Which number counts, the reasoner's or the calculator's: one rule for each type of question.

span, multi-span   the reasoner's words: nothing is computed
count              the reasoner's number; the calculator's whole one only where the reasoner gives no number
arithmetic         the calculator's number, wherever it computes the formula; else the reasoner's

No answer at all says that the document does not answer: no formula overrules that. The calculator's number is brought
to the answer's scale. A formula may leave out the factor 100 of a percentage, or write out "million": of the numbers
that it can mean, the one nearest to the reasoner's counts.
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
"""By which a formula's number may differ from the answer's."""


@dataclass(frozen=True, slots=True)
class Settled:
    """The answer, whose number it is, and what is to be said about that."""

    answer: tuple[str, ...]
    by: Literal["reasoner", "calculator"]
    scale: Scale
    note: str = ""
    currency: str = ""
    """The sign that the calculator's number carries."""


def settle(recap: Recap, calculated: Calculation | None, refusal: str = "") -> Settled:
    """Return the answer that counts; ``refusal`` says why the calculator did not compute."""
    own = Settled(recap.answer, "reasoner", recap.scale)
    if not recap.answer or recap.question_type in ("span", "multi-span"):
        return own
    if calculated is None:
        return replace(own, note=f"The formula was not computed: {refusal}." if refusal else "")
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
    """Read the reasoner's number; None where it gives none, or several."""
    text = answer[0].strip() if len(answer) == 1 else ""
    negative = text.startswith("(") and text.endswith(")")
    try:
        plain = Decimal(text.strip("()").replace(",", "").rstrip("%").strip())
    except ArithmeticError:
        found = stated_numbers(text)
        plain = found[0].value if len(found) == 1 else None
    if plain is None or not plain.is_finite():
        return None
    return -plain if negative else plain


def _in_scale(recap: Recap, calculated: Calculation, stated: Decimal | None) -> Decimal:
    """Return the calculator's number as the answer counts it."""
    plain = calculated.value
    if recap.scale not in FACTORS or (recap.scale == "percent" and calculated.unit == "%"):
        return plain
    other = plain * FACTORS[recap.scale]
    if stated:
        return min((plain, other), key=lambda v: abs(abs(v) - abs(stated)))
    # Nothing to compare with: a percentage whose formula has no 100 is a share, and a written scale is taken out.
    if recap.scale == "percent":
        return plain if Decimal(100) in figures(recap.formula) else other
    return other if calculated.scaled else plain


def _difference(stated: Decimal | None, value: Decimal) -> str:
    """Say that the reasoner's number was another one, beyond rounding."""
    if stated is None or abs(stated - value) <= max(Decimal("0.01"), abs(value) / 1000):
        return ""
    return f"The reasoner's own number was {plain_text(stated)}; the calculator's counts."
