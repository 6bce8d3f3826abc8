"""Where the graph goes next: pure functions of the state."""

from typing import Literal

from tablerag.agent.state import State

__all__ = [
    "after_approve",
    "after_cross_validate",
    "after_decompose",
    "after_execute",
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


def after_decompose(state: State) -> Literal["retrieve", "finish"]:
    """Gather evidence for the subquery, or finish when enough is known."""
    return "retrieve" if state.get("subquery") else "finish"


def after_retrieve(state: State) -> Literal["nl2sql", "cross_validate"]:
    """Skip SQL when no retrieved chunk maps to a table, and for a sentence that was chosen."""
    return "nl2sql" if state.get("schemas") and not state.get("chosen") else "cross_validate"


def after_nl2sql(state: State) -> Literal["approve", "execute", "cross_validate"]:
    """Run the statement, after a person's approval if configured; skip it if the tables cannot answer."""
    if not state.get("candidate_sql"):
        return "cross_validate"
    return "approve" if state.get("approve_sql") else "execute"


def after_approve(state: State) -> Literal["execute", "nl2sql", "cross_validate"]:
    """Run an approved statement; rewrite a rejected one while repairs are left."""
    return "execute" if state.get("approval") != "rejected" else after_execute(state)


def after_execute(state: State) -> Literal["nl2sql", "cross_validate"]:
    """Rewrite a failed statement while repairs are left."""
    failed = state.get("result") is None
    return "nl2sql" if failed and len(state["attempts"]) <= state["max_sql_repairs"] else "cross_validate"


def after_cross_validate(state: State) -> Literal["decompose", "finish"]:
    """Iterate until the bound is reached; a chosen reading needs one iteration."""
    return "finish" if state.get("chosen") or state["iteration"] >= state["max_iterations"] else "decompose"
