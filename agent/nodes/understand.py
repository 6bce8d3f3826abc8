"""understand: start a turn, answer asides, and rewrite a follow-up as a standalone question."""

from typing import Any

from langgraph.runtime import Runtime

from tablerag.agent import events
from tablerag.agent.asides import aside_of, reply_to
from tablerag.agent.context import Context
from tablerag.agent.ports import Contents, Hints, Overview, ReasonerFor
from tablerag.agent.reasoning import NoQuestion, ResolveTask
from tablerag.agent.run_context import context_of
from tablerag.agent.serialization import add_usage, turns_of
from tablerag.agent.state import State
from tablerag.agent.turns import begin_turn

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
    """Return the standalone question, or the answer to an aside."""
    context = context_of(runtime, Context)
    reasoner = reasoner_for(context)
    update = begin_turn(state, context, reasoner.name)
    question = update["asked"]
    aside = aside_of(question)
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
