"""cross_validate: compare the SQL result with the text (TableRAG, section 3.3)."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from langgraph.runtime import Runtime

from tablerag.agent import events
from tablerag.agent.causes import cause_of
from tablerag.agent.choices import GONE, offer
from tablerag.agent.computed_answer import computed
from tablerag.agent.context import Context
from tablerag.agent.disagreement import NO_CAUSE, PROVED, Disagreement, Passage, why_they_differ
from tablerag.agent.ports import Calculate, Joins, ReasonerFor
from tablerag.agent.presentation import presented
from tablerag.agent.readings import with_text
from tablerag.agent.reasoning import Thought, ValidateTask, Validation
from tablerag.agent.row_citations import row_citations
from tablerag.agent.run_context import context_of
from tablerag.agent.serialization import (
    add_usage,
    chunks_of,
    dialogue_of,
    dump,
    extracts_of,
    plan_of,
    said_more,
    schemas_of,
    settled_of,
    steps_of,
    supporting_of,
)
from tablerag.agent.state import State, StepState
from tablerag.agent.tool_messages import sql_messages
from tablerag.tools.knowledge.rewriting import applied
from tablerag.tools.records import Citation, SqlResult
from tablerag.tools.sql.ocr_words import ocr_words
from tablerag.tools.sql.unread_cells import unread_cells

__all__ = ["cross_validate"]

SHOWN_ROWS = 50
"""Result rows kept in a step: more would swell every checkpoint."""


def cross_validate(
    state: State, runtime: Runtime[Context], *, reasoner_for: ReasonerFor, calculate: Calculate, joins: Joins
) -> dict[str, Any]:
    """Ask for the intermediate answer and verdict, compute its formula, and close the iteration."""
    plan = plan_of(state.get("plan"))
    chunks, new = chunks_of(state["chunks"]), len(state.get("found") or ())
    schemas, shown = schemas_of(state["schemas"]), extracts_of(state.get("extracts"))
    added = {e.table for e in shown}
    task = ValidateTask(
        question=state["understood"],
        subquery=state["subquery"] or "",
        chunks=chunks,
        result=SqlResult(**state["result"]) if state["result"] else None,
        supporting=supporting_of(state["supporting"]),
        schemas=schemas,
        error=state["sql_error"],
        meaning=state.get("meaning") or "",
        purpose=plan.purpose if plan else "answer",
        assumption=plan.assumption if plan else "",
        unit=plan.unit if plan else "",
        found=chunks[len(chunks) - new :],
        extracts=shown,
        joins=tuple(j for j in joins(schemas) if {j.left, j.right} & added) if added else (),
        steps=steps_of(state),
        steps_left=state["max_iterations"] - state["iteration"],
        dialogue=dialogue_of(state),
        alternatives=tuple((a["table"], a["answer"]) for a in state.get("alternatives") or ()),
        asked=_asked(state),
        is_confirmed=state.get("is_confirmed", False),
    )
    chosen, settled = state.get("chosen"), state.get("settled")
    if chosen:
        thought = Thought(_of_chosen(chosen, task))
    elif settled:
        thought = Thought(settled_of(settled))
    else:
        thought = reasoner_for(context_of(runtime, Context)).cross_validate(task)
    validation = computed(thought.value, calculate)
    if validation.intermediate_answer:
        said = unread_cells(task.result, task.schemas), ocr_words(task.result, task.supporting, task.schemas)
        if task.result is not None and validation.verdict != "text_only":
            said = (*said, *(state.get("notes") or ()), *applied(task.result.sql, task.schemas))
        validation = replace(validation, reason=" ".join(filter(None, (validation.reason, *said))))
    step = _step(state, task, validation)
    runtime.stream_writer(events.verdict(step))
    messages = sql_messages(step) if step["sql"] else []
    update = {"steps": [*state["steps"], step], "usage": add_usage(state, thought.usage), "messages": messages}
    update["dialogue"] = said_more(state, thought.said)
    if validation.next is not None:
        update["next"] = asdict(validation.next)
    update["assumption"] = validation.assumption or task.assumption or state.get("assumption", "")
    if validation.ask is not None:
        update["ask"] = {"question": validation.ask.question, "choices": list(validation.ask.choices)}
    if chosen or validation.final:
        update["draft"] = {"answer": validation.intermediate_answer, "reason": validation.reason}
    elif validation.readings and task.subquery.casefold() == task.question.casefold():
        readings = with_text(state.get("readings") or [], validation.readings)
        runtime.stream_writer(events.readings(state["iteration"], readings))
        update |= {"readings": readings, "offered": offer(state["understood"], readings, state["schemas"])}
    return update


def _asked(state: State) -> str:
    """Return what people have written: the conversation's questions, and the confirmed statements that were shown."""
    earlier = (turn["question"] for turn in state.get("history") or ())
    return "\n".join([*earlier, *state.get("examples", ()), state["asked"]])


def _of_chosen(chosen: Mapping[str, Any], task: ValidateTask) -> Validation:
    """Return the answer of a reading that a person chose: nobody needs to be asked whether it is meant."""
    if not chosen["sql"]:
        citation = Citation(**chosen["citation"])
        if not any(c.id == citation.chunk_id for c in task.chunks):
            return Validation("", "none", GONE)
        return Validation(chosen["text"], "text_only", f"The text says: “{citation.quote}”, as chosen.", (citation,))
    answer = presented(task.result, task.schemas).plain
    if not answer:
        return Validation("", "none", "The statement found nothing." if task.result else task.error or "")
    cut = " The result is truncated: there are more rows." if task.result and task.result.truncated else ""
    reason = chosen.get("reason") or f"{chosen['meaning']}, as chosen."
    return Validation(answer, "sql_only", f"{reason} Computed by SQL over the whole table.{cut}")


def _citations(task: ValidateTask, validation: Validation) -> list[Citation]:
    """Return the result's supporting rows, then the reasoner's own citations."""
    if task.result is None or validation.verdict not in ("agree", "sql_only", "conflict"):
        return list(validation.citations)
    return [*row_citations(task.result, task.supporting, task.schemas), *validation.citations]


def _conflict(task: ValidateTask, validation: Validation) -> Disagreement:
    """Return the cause of a conflict: proved by the numbers, else given by the reasoner, else found in the wording."""
    if validation.verdict != "conflict" or task.result is None:
        return NO_CAUSE
    passages = [Passage(c.quote, c.source) for c in validation.citations if c.quote]
    found = why_they_differ(task.subquery, task.result, task.supporting, task.schemas, passages)
    if validation.cause and found["cause"] not in (*PROVED, validation.cause):
        return Disagreement(cause=validation.cause, says=validation.reason)
    return found


def _step(state: State, task: ValidateTask, validation: Validation) -> StepState:
    result = task.result
    failed = state["attempts"][-1]["sql"] if state["attempts"] else None
    rows = [list(row) for row in result.rows[:SHOWN_ROWS]] if result else []
    return StepState(
        iteration=state["iteration"],
        subquery=task.subquery,
        tables=[s.name for s in task.schemas],
        sql=result.sql if result else failed,
        error=state["sql_error"],
        columns=list(result.columns) if result else [],
        rows=rows,
        truncated=bool(result and (result.truncated or len(result.rows) > SHOWN_ROWS)),
        supporting=state["supporting"],
        receipt=result.receipt.model_dump() if result and result.receipt else None,
        presented=presented(result, task.schemas, task.supporting).model_dump(mode="json") if result else None,
        intermediate_answer=validation.intermediate_answer,
        verdict=validation.verdict,
        reason=validation.reason,
        agreement=state.get("agreement", ""),
        doubt=state.get("doubt", ""),
        approval=state.get("approval", ""),
        **cause_of(state, result),
        conflict_cause=_conflict(task, validation),
        citations=dump(_citations(task, validation)),
    )
