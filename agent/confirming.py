"""Confirmed answers: the request to confirm one, and the run of the statement that a person says is right."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from tablerag.agent.offline.confirmed import tables_read
from tablerag.agent.presentation import presented
from tablerag.tools.evidence import run_sql
from tablerag.tools.knowledge.checking import fingerprints
from tablerag.tools.knowledge.entries import ConfirmedEntry
from tablerag.tools.knowledge.resolving import with_rules
from tablerag.tools.markdown import escaped
from tablerag.tools.records import SqlResult, TableSchema
from tablerag.tools.services import Services

__all__ = ["confirmation_request", "confirmed_entry", "is_to_confirm", "run_confirmed"]

ACTION = "confirm_answer"
MOST_SHOWN = 500


def is_to_confirm(state: Mapping[str, Any]) -> bool:
    """Tell whether a finished turn waits for a person: one about tables that neither asks back nor offers readings."""
    if not state.get("confirm_answers") or state["ask"] or state["readings"]:
        return False
    return state["verdict"] != "text_only" and any(s["tables"] for s in state["steps"])


def confirmation_request(question: str, answer: str, sql: str, problem: str) -> dict[str, Any]:
    """Return the interrupt's value that asks whether an answer is right; its description is rendered as Markdown.

    ``sql`` is the statement that may be confirmed as it is; without one, it can only be written or passed on.
    """
    about = f"Is this right?\n\n{escaped(question)}\n{escaped(answer)}\n\n"
    ways = "Approve to keep it for questions like it, edit the statement to correct it, or reject to keep nothing."
    if not sql:
        ways = "Edit to write the statement that answers it, or reject to keep nothing."
    first = f"{escaped(problem)}\n\n" if problem else ""
    decisions = ["approve", "edit", "reject"] if sql else ["edit", "reject"]
    return {
        "action_requests": [{"name": ACTION, "args": {"sql": sql}, "description": f"{first}{about}{ways}"}],
        "review_configs": [{"action_name": ACTION, "allowed_decisions": decisions}],
    }


def confirmed_entry(
    services: Services, corpus: str, tables: Sequence[TableSchema], question: str, sql: str, by: str
) -> tuple[ConfirmedEntry, SqlResult]:
    """Return the entry for a question and its statement, not kept yet, and the result; raises as run_confirmed()."""
    result, value = run_confirmed(services, corpus, tables, sql)
    day = datetime.now(UTC).date().isoformat()
    entry = ConfirmedEntry(question=question, sql=result.sql, answer=value, by=by, at=day, line=1)
    return entry.model_copy(update={"tables": fingerprints(tables, tables_read([entry]))}), result


def run_confirmed(services: Services, corpus: str, tables: Sequence[TableSchema], sql: str) -> tuple[SqlResult, str]:
    """Run a statement as a question would; return its result and what is shown of it.

    Raises SqlProblem if it is refused or fails, or reads no table.
    """
    schemas = with_rules(tables, services.knowledge.of(corpus))
    result, _ = run_sql(services, sql, schemas, of_stored=True)
    return result, presented(result, schemas).plain[:MOST_SHOWN]
