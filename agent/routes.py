"""Where the graph goes next: pure functions of the state."""

from typing import Literal

from tablerag.agent.confirming import is_to_confirm
from tablerag.agent.state import State

__all__ = [
    "after_approve",
    "after_ask_back",
    "after_cross_validate",
    "after_decompose",
    "after_confirm",
    "after_execute",
    "after_finish",
    "after_nl2sql",
    "after_retrieve",
    "after_understand",
]


def after_understand(state: State) -> Literal["decompose", "retrieve", "approve", "execute", "finish"]:
    """Answer an aside at once; run a chosen reading's statement or look up its sentence; decompose everything else."""
    if state.get("draft"):
        return "finish"
    if not state.get("chosen"):
        return "decompose"
    if not state.get("candidate_sql"):
        return "retrieve"
    return "approve" if state.get("approve_sql") else "execute"


def after_decompose(state: State) -> Literal["retrieve", "approve", "execute", "finish"]:
    """Gather evidence for the subquery, or finish when enough is known; run a confirmed statement."""
    if state.get("chosen"):
        return "approve" if state.get("approve_sql") else "execute"
    return "retrieve" if state.get("subquery") else "finish"


def after_retrieve(state: State) -> Literal["nl2sql", "cross_validate"]:
    """Skip SQL when no chunk maps to a table, and where names were searched for or the answer is known already."""
    plan = state.get("plan")
    searched = plan and (plan["find"] or state.get("result"))
    skips = state.get("chosen") or state.get("settled") or searched
    return "nl2sql" if state.get("schemas") and not skips else "cross_validate"


def after_nl2sql(state: State) -> Literal["approve", "execute", "retrieve", "cross_validate"]:
    """Run the statement, after a person's approval if configured; search if that takes its place."""
    if not state.get("candidate_sql"):
        plan = state.get("plan")
        return "retrieve" if plan and plan["find"] else "cross_validate"
    return "approve" if state.get("approve_sql") else "execute"


def after_approve(state: State) -> Literal["execute", "nl2sql", "retrieve", "cross_validate"]:
    """Run an approved statement; rewrite a rejected one while repairs are left."""
    return "execute" if state.get("approval") != "rejected" else after_execute(state)


def after_execute(state: State) -> Literal["nl2sql", "retrieve", "cross_validate"]:
    """Rewrite a failed statement while repairs are left and it changes; look up the names that a bridge found."""
    failed = state.get("result") is None
    plan = state.get("plan")
    if not failed and plan and plan["purpose"] == "bridge":
        return "retrieve"
    attempts = state["attempts"]
    repeats = failed and attempts[-1] in attempts[:-1]
    return "nl2sql" if failed and not repeats and len(attempts) <= state["max_sql_repairs"] else "cross_validate"


def after_cross_validate(state: State) -> Literal["decompose", "ask_back", "finish"]:
    """Iterate until the bound is reached or the answer is known; a chosen reading needs one iteration."""
    last = state["iteration"] >= state["max_iterations"]
    if state.get("ask") and state.get("pause_to_ask") and not last:
        return "ask_back"
    return "finish" if state.get("chosen") or state.get("draft") or last else "decompose"


def after_ask_back(state: State) -> Literal["decompose", "finish"]:
    """Go on with a person's reply; without one, the question back is all there is to say."""
    return "decompose" if state.get("told") else "finish"


def after_finish(state: State) -> Literal["confirm", "__end__"]:
    """Have an answer confirmed if configured."""
    return "confirm" if is_to_confirm(state) else "__end__"


def after_confirm(state: State) -> Literal["execute", "__end__"]:
    """Answer with a corrected statement."""
    return "execute" if state.get("candidate_sql") else "__end__"
