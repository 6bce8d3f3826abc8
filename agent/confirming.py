"""Confirmed answers: the request to confirm one, and the run of the statement that a person says is right."""

from collections.abc import Collection, Mapping, Sequence
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

__all__ = ["changed_since", "confirmation_request", "confirmed_entry", "is_to_confirm", "run_confirmed"]

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
    services: Services, corpus: str, tables: Sequence[TableSchema], question: str, sql: str, by: str, key: str = ""
) -> tuple[ConfirmedEntry, SqlResult]:
    """Return the entry for a question and its statement, not kept yet, and the result; raises as run_confirmed().

    ``key`` is the name of the API key that is used, "" without one.
    """
    result, value = run_confirmed(services, corpus, tables, sql)
    day = datetime.now(UTC).date().isoformat()
    signed = key if by and key != by else ""
    entry = ConfirmedEntry(question=question, sql=result.sql, answer=value, by=by or key, key=signed, at=day, line=1)
    read = tables_read([entry])
    known = {"tables": fingerprints(tables, read), "excluded": _excluded(services, corpus, tables, read)}
    return entry.model_copy(update=known), result


def _excluded(services: Services, corpus: str, tables: Sequence[TableSchema], names: Collection[str]) -> dict[str, str]:
    """Return the conditions for rows that do not count, of tables by SQL name."""
    ruled = with_rules(tables, services.knowledge.of(corpus))
    return {s.name: s.rules.exclude for s in ruled if s.name in names and s.rules and s.rules.exclude}


def changed_since(
    services: Services, corpus: str, tables: Sequence[TableSchema], entry: ConfirmedEntry, value: str
) -> str:
    """Return what has changed since an answer was confirmed, "data" or "definition"; "" if nothing has.

    ``value`` is the answer of its statement now. The definition is which rows its tables exclude: those of then are in
    the statement.
    """
    defined = _excluded(services, corpus, tables, tables_read([entry]))
    if not entry.answer or value == entry.answer:
        return "definition" if entry.excluded and entry.excluded != defined else ""
    if not defined or entry.excluded == defined:
        return "data"
    as_then = presented(run_sql(services, entry.sql, tables, of_stored=True)[0], tables).plain[:MOST_SHOWN]
    return "definition" if as_then == entry.answer else "data"


def run_confirmed(services: Services, corpus: str, tables: Sequence[TableSchema], sql: str) -> tuple[SqlResult, str]:
    """Run a statement as a question would; return its result and what is shown of it.

    Raises SqlProblem if it is refused or fails, or reads no table.
    """
    schemas = with_rules(tables, services.knowledge.of(corpus))
    result, _ = run_sql(services, sql, schemas, of_stored=True)
    return result, presented(result, schemas).plain[:MOST_SHOWN]
