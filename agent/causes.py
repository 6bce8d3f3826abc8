"""Why a question has no answer: five causes, told apart step by step and said in words at the end."""

from collections.abc import Sequence
from typing import TypedDict

from tablerag.agent.state import State, StepState
from tablerag.tools.records import SqlResult

__all__ = ["CAUSES", "Cause", "cause_of", "doubt_of", "last_cause", "not_run", "said_of"]

CAUSES = {
    "table_not_found": "No table was found that the question could be about.",
    "value_not_found": "What the question names is not stored as it is written:",
    "sql_failed": "No statement for the question could be run:",
    "no_rows": "A statement for the question ran, and nothing fits it:",
    "not_in_tables": "The tables that were found give no sure answer:",
}


class Cause(TypedDict):
    """Why a step has no SQL result; two empty texts when it has one."""

    cause: str
    cause_detail: str


def cause_of(state: State, result: SqlResult | None) -> Cause:
    """Return why the step that ends now, with this result, found nothing in tables."""
    if not state["schemas"]:
        return Cause(cause="table_not_found", cause_detail="")
    if state.get("missing"):
        return Cause(cause="value_not_found", cause_detail=state["missing"] or "")
    if result:
        empty = result.empty
        return Cause(cause="no_rows" if empty else "", cause_detail=empty.says if empty else "")
    failed = state["attempts"] and (state.get("candidate_sql") or state.get("approval"))
    return Cause(cause="sql_failed" if failed else "not_in_tables", cause_detail=state["sql_error"] or "")


def last_cause(steps: Sequence[StepState]) -> StepState | None:
    """Return the last step that has no answer and a cause for it."""
    return next((s for s in reversed(steps) if s["cause"] and not s["intermediate_answer"]), None)


def doubt_of(steps: Sequence[StepState]) -> str:
    """Say which value that an answered step looked for is stored nowhere: a count of 0 may only be a spelling."""
    doubted = next((s for s in steps if s["cause"] == "value_not_found" and s["intermediate_answer"]), None)
    return said_of(doubted) if doubted else ""


def not_run(steps: Sequence[StepState]) -> str:
    """Say why a statement that a person edited or rejected was not run."""
    left = next((s for s in steps if s["error"] and s.get("approval") in ("edited", "rejected")), None)
    return f"The statement was not run: {left['error'].rstrip('.')}." if left else ""


def said_of(step: StepState) -> str:
    """Say a step's cause in a sentence."""
    said = f"{CAUSES[step['cause']]} {step['cause_detail']}".strip()
    return said if said.endswith((".", "!", "?")) else f"{said}."
