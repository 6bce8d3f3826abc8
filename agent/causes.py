"""Why a question has no answer: ten causes, determined step by step and explained at the end."""

from collections.abc import Sequence
from typing import TypedDict

from tablerag.agent.approval import NO_REASON, REJECTED
from tablerag.agent.headers import in_headers
from tablerag.agent.serialization import schemas_of
from tablerag.agent.state import State, StepState
from tablerag.tools.errors import TableLost
from tablerag.tools.records import SqlResult, TableSchema

__all__ = [
    "CAUSES", "OF_TABLES", "Cause", "cause_of", "cause_sentence", "doubt_of", "last_cause", "missing_words", "not_run",
    "without_numbers", "without_rows",
]  # fmt: skip

CAUSES = {
    "table_not_found": "No table matches the question.",
    "value_not_found": "A value in the question is not in the tables:",
    "sql_failed": "The SQL for the question could not be run:",
    "no_rows": "The SQL ran, but no row matched:",
    "empty_table": "Nothing can be computed from a table without rows:",
    "text_column": "A column of text cannot be added up:",
    "table_lost": "The answer may be in a table that cannot be read:",
    "table_replaced": "A document changed meanwhile:",
    "unsure": "The tables found do not give a sure answer.",
    "not_in_tables": "No column or value matches",
}
OF_TABLES = ("empty_table", "text_column", "table_lost", "table_replaced")
"""What is wrong with a table, which is all that an answer has to say."""
LOST = ("table_lost", "table_replaced")
MOST_WORDS = 3
"""Words of the question that a cause names."""
LONGEST_WORD = 40


class Cause(TypedDict):
    """Why a step has no SQL result; both fields are empty if it has one."""

    cause: str
    cause_detail: str


def cause_of(state: State, result: SqlResult | None) -> Cause:
    """Return why the current step found nothing in tables."""
    if not state["schemas"]:
        return Cause(cause="table_not_found", cause_detail="")
    schemas = schemas_of(state["schemas"])
    error = state["sql_error"] or ""
    if refusal := state.get("refusal"):
        return Cause(cause=refusal, cause_detail=error)
    if not result and TableLost.is_told_by(error):  # found when the statement ran
        return Cause(cause="table_replaced" if TableLost.replaced in error else "table_lost", cause_detail=error)
    if missing := state.get("missing"):
        return Cause(cause="value_not_found", cause_detail=in_headers(missing, schemas))
    if result:
        empty = result.empty
        return Cause(cause="no_rows" if empty else "", cause_detail=in_headers(empty.says, schemas) if empty else "")
    failed = state["attempts"] and (state.get("candidate_sql") or state.get("approval"))
    if failed or state.get("readings") or not state.get("unmentioned"):
        return Cause(cause="sql_failed" if failed else "unsure", cause_detail=error)
    missing = missing_words(state["unmentioned"])
    told = any(f'"{w}"' in error for phrase in state["unmentioned"] for w in (phrase, *phrase.split()))
    return Cause(cause="not_in_tables", cause_detail=missing if told or not error else f"{missing}. {error}")


def without_rows(schema: TableSchema) -> str:
    """Return the reason why nothing is computed from a table that is a header alone."""
    return f"{_place_of(schema)} has no rows below its header."


def without_numbers(schema: TableSchema, header: str, cells: Sequence[object]) -> str:
    """Return the reason why a column of text is not added up, with the first cells that have letters."""
    texts = [str(c) for c in cells if c is not None]
    odd = list(dict.fromkeys([t for t in texts if any(map(str.isalpha, t))] or texts))[:MOST_WORDS]
    shown = f" ({missing_words(odd)})" if odd else ""
    return f'"{header}" of {_place_of(schema)} is text, not numbers{shown}: correct its cells, or set its type.'


def _place_of(schema: TableSchema) -> str:
    return f"{schema.within} of {schema.source}" if schema.within else schema.source


def missing_words(words: Sequence[str]) -> str:
    """Return the first words of the question that no table mentions, as a list in quotes."""
    *most, last = [f'"{w if len(w) <= LONGEST_WORD else w[:LONGEST_WORD] + "…"}"' for w in words[:MOST_WORDS]]
    return f"{', '.join(most)} or {last}" if most else last


def last_cause(steps: Sequence[StepState]) -> StepState | None:
    """Return the last step without an answer that has a cause."""
    return next((s for s in reversed(steps) if s["cause"] and not s["intermediate_answer"]), None)


def doubt_of(steps: Sequence[StepState]) -> str:
    """Return a note on an answered step whose value is in no table: a count of 0 may be a misspelling."""
    doubted = next((s for s in steps if s["cause"] == "value_not_found" and s["intermediate_answer"]), None)
    return cause_sentence(doubted) if doubted else ""


def not_run(steps: Sequence[StepState]) -> str:
    """Explain why a statement that was edited or rejected did not run."""
    stopped = next((s for s in steps if s["error"] and s.get("approval") in ("edited", "rejected")), None)
    error = stopped["error"].rstrip(".") if stopped and stopped["error"] else ""
    if error.startswith(REJECTED):
        reason = error.removeprefix(REJECTED)
        return "The statement was rejected." if reason == NO_REASON else f"The statement was rejected: {reason}."
    return f"The statement was not run: {error}." if error else ""


def cause_sentence(step: StepState) -> str:
    """Return a step's cause as a sentence; the error of a table that cannot be read is the answer, and said there."""
    detail, said = step["cause_detail"], CAUSES[step["cause"]]
    if step["cause"] in LOST and detail == step["error"]:
        return f"{said.rstrip(':')}."
    if said.endswith("."):
        detail = detail[:1].upper() + detail[1:]
    sentence = f"{said} {detail}".strip()
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."
