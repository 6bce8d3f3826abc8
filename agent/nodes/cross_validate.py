"""cross_validate: hold SQL result and text against each other (TableRAG, section 3.3)."""

from typing import Any

from langgraph.runtime import Runtime

from tablerag.agent import events
from tablerag.agent.causes import cause_of
from tablerag.agent.computed_answer import computed
from tablerag.agent.context import Context
from tablerag.agent.disagreement import NO_CAUSE, PROVED, Disagreement, Passage, why_they_differ
from tablerag.agent.plain import add_usage, chunks_of, dump, schemas_of, supporting_of
from tablerag.agent.ports import Calculate, ReasonerFor
from tablerag.agent.reasoning import ValidateTask, Validation
from tablerag.agent.row_citations import row_citations
from tablerag.agent.state import State, StepState
from tablerag.agent.tool_messages import sql_messages
from tablerag.tools.records import Citation, SqlResult

__all__ = ["cross_validate"]

SHOWN_ROWS = 50
"""Result rows kept in a step: more would swell every checkpoint."""


def cross_validate(
    state: State, runtime: Runtime[Context], *, reasoner_for: ReasonerFor, calculate: Calculate
) -> dict[str, Any]:
    """Ask for the intermediate answer and verdict, have its formula computed, and close the iteration."""
    result = SqlResult(**state["result"]) if state["result"] else None
    supporting = supporting_of(state["supporting"])
    thought = reasoner_for(runtime.context or Context()).cross_validate(
        ValidateTask(
            question=state["understood"],
            subquery=state["subquery"],
            chunks=chunks_of(state["chunks"]),
            result=result,
            supporting=supporting,
            schemas=schemas_of(state["schemas"]),
            error=state["sql_error"],
        )
    )
    validation = computed(thought.value, calculate)
    citations = list(validation.citations)
    if result is not None and validation.verdict in ("agree", "sql_only", "conflict"):
        citations = [*row_citations(result, supporting, schemas_of(state["schemas"])), *citations]
    step = _step(state, result, validation, citations, _conflict(state, result, validation))
    runtime.stream_writer(events.verdict(step))
    messages = sql_messages(step) if step["sql"] else []
    return {"steps": [*state["steps"], step], "usage": add_usage(state, thought.usage), "messages": messages}


def _conflict(state: State, result: SqlResult | None, validation: Validation) -> Disagreement:
    """Name the cause of a conflict: what the numbers prove, else what the reasoner says, else what the words say."""
    if validation.verdict != "conflict" or result is None:
        return NO_CAUSE
    passages = [Passage(c.quote, c.source) for c in validation.citations if c.quote]
    schemas = schemas_of(state["schemas"])
    found = why_they_differ(state["subquery"], result, supporting_of(state["supporting"]), schemas, passages)
    if validation.cause and found["cause"] not in (*PROVED, validation.cause):
        return Disagreement(cause=validation.cause, says=validation.reason)
    return found


def _step(
    state: State,
    result: SqlResult | None,
    validation: Validation,
    citations: list[Citation],
    conflict: Disagreement,
) -> StepState:
    failed = state["attempts"][-1]["sql"] if state["attempts"] else None
    rows = [list(row) for row in result.rows[:SHOWN_ROWS]] if result else []
    return StepState(
        iteration=state["iteration"],
        subquery=state["subquery"],
        tables=[s["name"] for s in state["schemas"]],
        sql=result.sql if result else failed,
        error=state["sql_error"],
        columns=list(result.columns) if result else [],
        rows=rows,
        truncated=bool(result and (result.truncated or len(result.rows) > SHOWN_ROWS)),
        supporting=state["supporting"],
        receipt=result.receipt.model_dump() if result and result.receipt else None,
        intermediate_answer=validation.intermediate_answer,
        verdict=validation.verdict,
        reason=validation.reason,
        agreement=state.get("agreement", ""),
        approval=state.get("approval", ""),
        **cause_of(state),
        conflict_cause=conflict,
        citations=dump(citations),
    )
