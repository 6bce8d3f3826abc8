"""nl2sql: pass the step's statement through, or have one SELECT written over the retrieved schemas."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

from langgraph.runtime import Runtime

from tablerag.agent import events
from tablerag.agent.choices import offer
from tablerag.agent.context import Context
from tablerag.agent.ports import ConfirmedFor, Hints, Joins, Mentions, OtherTables, ReasonerFor, Unmentioned
from tablerag.agent.readings import dumped_readings
from tablerag.agent.reasoning import (
    CannotAnswer,
    Reasoner,
    SqlAttempt,
    SqlQuery,
    SqlTask,
    Subquery,
    Thought,
    Usage,
    Validation,
)
from tablerag.agent.run_context import context_of
from tablerag.agent.serialization import (
    add_usage,
    chunks_of,
    dialogue_of,
    dump,
    dump_settled,
    plan_of,
    said_more,
    schemas_of,
)
from tablerag.agent.state import State
from tablerag.tools.knowledge.mentions import Mention, spellings
from tablerag.tools.records import TableSchema, ValueHint

__all__ = ["nl2sql"]


def nl2sql(
    state: State,
    runtime: Runtime[Context],
    *,
    reasoner_for: ReasonerFor,
    hints: Hints,
    joins: Joins,
    unmentioned: Unmentioned,
    mentions: Mentions,
    confirmed: ConfirmedFor,
    other_tables: OtherTables,
) -> dict[str, Any]:
    """Take the step's own statement, or ask the reasoner for one, showing it the failed attempts.

    If configured, several are asked for.
    """
    context, subquery = context_of(runtime, Context), state["subquery"] or ""
    schemas, dialogue = schemas_of(state["schemas"]), dialogue_of(state)  # it shows the values and joins already
    known = tuple(mentions(subquery, context))
    task = SqlTask(
        question=state["understood"],
        subquery=subquery,
        schemas=schemas,
        hints=tuple(_linked(subquery, schemas, known, hints)) if not dialogue else (),
        joins=tuple(joins(schemas)) if not dialogue else (),
        attempts=tuple(SqlAttempt(**a) for a in state["attempts"]),
        may_run=not state["approve_sql"],
        dialogue=dialogue,
        chunks=chunks_of(state["chunks"]),
        steps_left=state["max_iterations"] - state["iteration"],
        mentions=known,
        confirmed=tuple(confirmed(subquery, context)) if not dialogue else (),
    )
    reasoner = reasoner_for(context)
    plan = plan_of(state.get("plan"))
    given = plan is not None and plan.sql and not state["attempts"]
    thought = Thought(SqlQuery(plan.sql)) if plan and given else reasoner.write_sql(task)
    new = _set_aside(state, thought.value)
    if isinstance(thought.value, CannotAnswer):
        said = {m.said.casefold() for m in known}
        words = [] if state["attempts"] else list(unmentioned(state["understood"], context))
        update = _refused(state, runtime, thought.value, [w for w in words if w.casefold() not in said], schemas)
        return update | new | {"usage": add_usage(state, thought.usage), "dialogue": said_more(state, thought.said)}
    sql = thought.value.sql
    # A repair is not put to a vote, nor is a statement that a person will see before it runs.
    more = 0 if state["attempts"] or state["approve_sql"] else context.sql_candidates - 1
    others, usage = _others(reasoner, task, sql, more)
    runtime.stream_writer(events.sql(state["iteration"], len(state["attempts"]) + 1, sql))
    new |= _with_named(state, schemas, sql, other_tables(context) if reasoner.converses else ())
    if plan and not given:
        new["plan"] = asdict(replace(plan, sql=sql, purpose=thought.value.purpose))
    return new | {
        "dialogue": said_more(state, thought.said),
        "candidate_sql": sql,
        "chosen": None,  # a confirmed statement that failed or was rejected
        **_told(thought.value, known if reasoner.converses else None),
        "other_candidates": list(dict.fromkeys(others)),
        "usage": add_usage(state, thought.usage + usage),
    }


def _told(query: SqlQuery, known: Sequence[Mention] | None) -> dict[str, Any]:
    """Return what is said of a statement; a model reads the words of knowledge.yaml, ``known``, in its own way."""
    notes = list(query.notes) if known is None else [m.note for m in known]
    return {"meaning": query.meaning, "notes": notes, "is_confirmed": query.is_confirmed}


def _linked(
    subquery: str, schemas: Sequence[TableSchema], known: Sequence[Mention], hints: Hints
) -> Iterator[ValueHint]:
    """Yield the values that a subquery names, and those that it names in the other words of knowledge.yaml."""
    yield from hints(subquery, schemas)
    for text, _ in spellings(subquery, known):
        yield from (h for h in hints(text, schemas) if h.phrase.casefold() not in subquery.casefold())


def _with_named(
    state: State, schemas: Sequence[TableSchema], sql: str, others: Sequence[TableSchema]
) -> dict[str, Any]:
    """Return the update that adds the tables that a statement names and that were listed without their rows."""
    said, known = {w.casefold() for w in re.findall(r"\w+", sql)}, {s.name for s in schemas}
    more = [s for s in others if s.name.casefold() in said and s.name not in known]
    if not more:
        return {}
    return {
        "schemas": dump((*schemas, *more)),
        "overview_schemas": [*(state.get("overview_schemas") or []), *dump(more)],
    }


def _others(reasoner: Reasoner, task: SqlTask, sql: str, more: int) -> tuple[list[str], Usage]:
    """Ask for so many further statements; return those that are written, and what they used."""
    others, usage = list[str](), Usage()
    for _ in range(more):
        again = reasoner.write_sql(replace(task, others=(sql, *others)))
        usage += again.usage
        others += [again.value.sql] if isinstance(again.value, SqlQuery) else []
    return others, usage


def _set_aside(state: State, value: SqlQuery | CannotAnswer) -> dict[str, Any]:
    """Return the update that says of a person's statement that it fails: found by the reasoner, or when it ran."""
    failed = state["attempts"] and state["approval"] != "rejected"
    said = value.set_aside or ((state.get("chosen") or {}).get("failing", "") if failed else "")
    return {"set_aside": said} if said else {}


def _refused(
    state: State, runtime: Runtime[Context], why: CannotAnswer, words: list[str], schemas: Sequence[TableSchema]
) -> dict[str, Any]:
    """Return the update without a statement: another step in its place, or the readings that may be meant.

    ``words`` are those of the question that no table mentions.
    """
    if why.unread is not None:  # the others are known by another name, or only say what to compute
        words = [w for w in words if set(w.split()) & set(why.unread)]
    refused = {"candidate_sql": None, "other_candidates": [], "sql_error": why.reason, "unmentioned": words}
    refused["refusal"] = why.cause
    if why.instead is not None:
        return refused | _instead(why.instead)
    # A part of the question was asked: its readings do not answer the whole.
    whole = (state["subquery"] or "").casefold() == state["understood"].casefold()
    readings = dumped_readings(why.readings, schemas) if whole else []
    if not readings:
        return refused
    runtime.stream_writer(events.readings(state["iteration"], readings))
    return refused | {"readings": readings, "offered": offer(state["understood"], readings, dump(schemas))}


def _instead(step: Subquery | Validation) -> dict[str, Any]:
    """Return the update for a search or an answer that takes the statement's place."""
    if isinstance(step, Subquery):
        return {"plan": asdict(step)}
    return {"plan": None, "settled": dump_settled(step)}
