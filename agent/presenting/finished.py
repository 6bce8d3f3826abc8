"""The final answer: the reasoner's words, with the computed value written with its unit."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from tablerag.agent.model.grounding import numbers_in, strays
from tablerag.agent.presentation import Presented
from tablerag.agent.presenting.values import is_number
from tablerag.agent.state import StepState
from tablerag.agent.stated_numbers import stated_numbers
from tablerag.tools.number_words import currency_code
from tablerag.tools.records import Cell

__all__ = ["Finished", "finished"]

ENDS = (".", ",", ";", ":", "!", "?", ")")


@dataclass(frozen=True, slots=True)
class Finished:
    """An answer with what it was computed from."""

    text: str
    raw: str = ""
    shown: Presented = Presented()

    def as_dict(self) -> dict[str, Any]:
        """Return the keys of the graph's output."""
        shown = self.shown
        has_value = shown.value is not None and _states(self.raw, shown.value)
        return {
            "answer": self.text,
            "raw": self.raw,
            "value": shown.value if has_value else None,
            "unit": shown.unit if has_value else "",
            "scale": shown.scale if has_value else "",
            "table": shown.table.model_dump(mode="json") if shown.table else None,
            "chart": shown.chart.model_dump(mode="json") if shown.chart else None,
        }


def finished(answer: str, steps: Sequence[StepState]) -> Finished:
    """Return an answer as it is shown; only what is exactly the result of the step behind it is written anew."""
    answer = answer.strip()
    step = next((s for s in reversed(steps) if s["verdict"] != "none"), None)
    given = step.get("presented") if step and step["verdict"] != "text_only" else None
    if not given:
        return Finished(answer, answer)
    shown = Presented.model_validate(given)
    if answer == shown.plain:
        return Finished(shown.markdown, answer, shown)
    return Finished(_restated(answer, shown), answer, shown)


def _restated(answer: str, shown: Presented) -> str:
    """Return an answer in which the only number, if it is exactly the computed value, is written as values are."""
    stated = stated_numbers(answer)
    if shown.table is None or not is_number(shown.value) or len(stated) != 1 or answer.count(stated[0].text) != 1:
        return answer
    number, written = stated[0], shown.table.texts[0][0]
    exact = {str(shown.value), written.replace(",", "")}
    if number.about or number.scale or not any(_is_value(text, number.value) for text in exact):
        return answer
    before, after = answer.split(number.text)
    if number.unit:
        same = number.unit == (currency_code(shown.unit) or shown.unit) and not shown.scale
        return f"{before}{shown.text}{after}" if same else answer
    # The words that follow may be the unit: only the digits are written anew.
    return f"{before}{written if after and not after.startswith(ENDS) else shown.text}{after}"


def _is_value(text: str, value: Decimal) -> bool:
    try:
        return Decimal(text) == value
    except InvalidOperation:
        return False  # a duration or a date


def _states(text: str, cell: Cell) -> bool:
    """Return whether a text states a cell's number, in digits or, without any number, in words."""
    if not is_number(cell):
        return True
    unknown = strays(text, numbers_in([str(cell)]))
    return len(unknown) < max(1, len(stated_numbers(text)))
