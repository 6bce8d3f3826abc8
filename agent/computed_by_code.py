"""Answers that code makes of results and steps, where no model is asked."""

from collections.abc import Sequence

from tablerag.agent.presentation import presented
from tablerag.agent.reasoning import Step, ValidateTask, Validation

__all__ = ["last_answer", "of_result"]


def of_result(task: ValidateTask, why: str = "") -> Validation:
    """Return the values of a statement's result as the answer, with its meaning; ``why`` is added to the reason."""
    value = presented(task.result, task.schemas, task.supporting).plain
    if task.result is None or not value:
        reason = task.error or "" if task.result is None else "No row matches."
        return Validation("", "none", why if why in reason or not reason else f"{reason} {why}".strip())
    meaning = f"{task.meaning[0].upper()}{task.meaning[1:]}. " if task.meaning else ""
    cut = " The result is truncated: there are more rows." if task.result.truncated else ""
    return Validation(value, "sql_only", f"{meaning}Computed by SQL over the whole table.{cut} {why}".strip())


def last_answer(steps: Sequence[Step]) -> str:
    """Return the answer of the last step that has one; "" if there is none."""
    return next((s.intermediate_answer for s in reversed(steps) if s.intermediate_answer), "")
