"""understand: start a turn, answer asides, take a choice of a reading, and rewrite a follow-up."""

from typing import Any

from langgraph.runtime import Runtime

from tablerag.agent import events
from tablerag.agent.asides import aside_of, reply_to
from tablerag.agent.asking_back import choice_of
from tablerag.agent.choices import GONE, Offered, choice_in, current_tables, no_such_reading
from tablerag.agent.context import Context
from tablerag.agent.ports import Contents, Hints, Overview, ReasonerFor
from tablerag.agent.reasoning import NoQuestion, ResolveTask
from tablerag.agent.run_context import context_of
from tablerag.agent.serialization import add_usage, turns_of
from tablerag.agent.state import State
from tablerag.agent.turns import CLEARED, begin_turn

__all__ = ["understand"]


def understand(
    state: State,
    runtime: Runtime[Context],
    *,
    reasoner_for: ReasonerFor,
    contents: Contents,
    overview: Overview,
    hints: Hints,
) -> dict[str, Any]:
    """Return the standalone question, the answer to an aside, or the statement of the reading that is chosen."""
    context = context_of(runtime, Context)
    reasoner = reasoner_for(context)
    update = begin_turn(state, context, reasoner.name)
    choices = (state.get("ask") or {}).get("choices") or ()
    question = update["understood"] = choice_of(update["asked"], choices)
    picked = question != update["asked"]
    number = None if picked else choice_in(question, _offered_readings(state))
    if number is not None:
        update |= _choice(state, number, contents, context)
        runtime.stream_writer(events.turn(question, update["understood"], context.corpus, reasoner.name))
        if update["chosen"]:
            runtime.stream_writer(events.subquery(1, update["subquery"]))
            if update["candidate_sql"]:
                runtime.stream_writer(events.sql(1, 1, update["candidate_sql"]))
        return update
    aside = None if picked else aside_of(question)
    turns = turns_of(state)
    if aside is None and turns:
        # What the conversation's words are stored as is known from the tables that it was about.
        _, schemas = overview(f"{turns[-1].question} {question}", context)
        known = {"schemas": tuple(schemas), "earlier": tuple(hints(turns[-1].question, schemas))}
        task = ResolveTask(question=question, history=turns, hints=tuple(hints(question, schemas)), **known)
        thought = reasoner.resolve(task)
        update["usage"] = add_usage(update, thought.usage)
        if isinstance(thought.value, NoQuestion):
            aside = "help"
        else:
            update["understood"] = thought.value.text
    if aside is not None:
        update["draft"] = {"answer": reply_to(aside, *contents(context)), "reason": ""}
    runtime.stream_writer(events.turn(question, update["understood"], context.corpus, reasoner.name))
    return update


def _offered_readings(state: State) -> list[dict[str, Any]]:
    offered = state.get("offered")
    return offered["readings"] if offered else []


def _choice(state: State, number: int, contents: Contents, context: Context) -> dict[str, Any]:
    """Return the statement of a chosen reading, or a reply that there is none."""
    offered, readings = state.get("offered"), _offered_readings(state)
    if offered is None or number == 0:
        return {"draft": {"answer": no_such_reading(readings), "reason": ""}}
    schemas = current_tables(Offered(**offered), contents(context)[2])
    if schemas is None:
        return {"draft": {"answer": GONE, "reason": ""}, "offered": None}
    chosen = readings[number - 1]
    if not chosen["sql"]:  # of a sentence, which is looked up again
        about = {"understood": offered["question"], "subquery": offered["question"]}
        return CLEARED | about | {"chosen": chosen, "iteration": 1}
    return CLEARED | {
        "understood": offered["question"],
        "chosen": chosen,
        "schemas": schemas,
        "subquery": chosen["meaning"],
        "candidate_sql": chosen["sql"],
        "iteration": 1,
        "max_sql_repairs": 0,  # another statement would be another reading
    }
