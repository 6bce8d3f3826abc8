"""finish: give the answer with its SQL, citations and verdict, also when the bound is reached."""

from collections.abc import Mapping, Sequence
from typing import Any

from langgraph.runtime import Runtime

from tablerag.agent import events
from tablerag.agent.answer_text import answer_markdown
from tablerag.agent.asking_back import asked_back
from tablerag.agent.causes import CAUSES, OF_TABLES, cause_sentence, doubt_of, last_cause, missing_words, not_run
from tablerag.agent.context import Context
from tablerag.agent.disagreement import CONFLICT_CAUSES, NO_CAUSE, Disagreement
from tablerag.agent.ports import LeftOut, ReasonerFor, Unread
from tablerag.agent.presenting.finished import Finished, finished
from tablerag.agent.readings import unsure_answer
from tablerag.agent.reasoning import ConcludeTask, Verdict
from tablerag.agent.run_context import context_of
from tablerag.agent.serialization import add_usage, schemas_of, steps_of
from tablerag.agent.speaking import say
from tablerag.agent.state import State, StepState, UsageState
from tablerag.agent.turns import CLEARED, OF_ONE_TURN
from tablerag.tools.counting import counted

__all__ = ["NO_ANSWER", "finish"]

BY_SQL: tuple[Verdict, ...] = ("agree", "conflict", "sql_only")
NO_ANSWER = "No reliable answer was found in the documents."


def finish(
    state: State, runtime: Runtime[Context], *, reasoner_for: ReasonerFor, left_out: LeftOut, unread: Unread
) -> dict[str, Any]:
    """Close the turn: the draft of decompose, or a conclusion drawn from the steps. The working state is dropped."""
    steps = state["steps"]
    answer, explanation, stopped_by, usage = _drawn(state, runtime, reasoner_for)
    answered = bool(answer.strip())
    ended = stopped_by == "budget" and not answered  # before any answer: the explanation is all there is to say
    if not answered and not stopped_by and len(steps) >= state["max_iterations"] and steps:
        stopped_by = "iteration_limit"
    cause = None if answered or ended else last_cause(steps)
    conflict = _conflict_cause(steps) if answered else NO_CAUSE
    readings = [] if answered else state.get("readings") or []
    ask = None if answered else state.get("ask")
    refusal = explanation if ended else _refusal(readings, ask, cause)
    alternatives = (state.get("alternatives") or []) if final_verdict(steps) in BY_SQL and answered else []
    assumption = state.get("assumption", "") if answered else ""
    explained = "" if ask else _explained(explanation, steps, cause, conflict, ended)
    explained = _unsure(state, cause) if readings else _assumed(explained, assumption, alternatives)
    by_text = answered and final_verdict(steps) not in BY_SQL
    notes = [*(_unread(state, unread) if by_text else ()), *left_out(state["understood"], context_of(runtime, Context))]
    outcome = {
        **CLEARED,
        **OF_ONE_TURN,
        "question": state["asked"],
        **(finished(answer, steps) if answered else Finished(refusal)).as_dict(),
        "verdict": final_verdict(steps) if answered else "none",
        "explanation": " ".join(filter(None, (state.get("set_aside", ""), explained, *notes))),
        "assumption": assumption,
        "alternatives": alternatives,
        "ask": ask,
        "cause": cause["cause"] if cause else "",
        "conflict_cause": conflict,
        "sql": [s["sql"] for s in steps if s["sql"] and not s["error"]] if answered else [],
        "citations": _citations(steps) if answered else [],
        "iterations": len(steps),
        "stopped_by": stopped_by or ("answered" if answered else "no_evidence"),
        "readings": readings,
        "usage": usage,
    }
    runtime.stream_writer(events.answer(outcome))
    message = say(answer_markdown(outcome, model=state["model"]))
    if not steps:  # follow-ups do not refer to an aside
        return outcome | {"messages": [message]}
    if not readings and not state.get("chosen"):  # after one reading, another may be chosen
        outcome["offered"] = None
    turn = {
        "question": state["asked"],
        "understood": state["understood"],
        "answer": outcome["raw"] if answered else refusal * bool(ask),
    }
    return outcome | {"messages": [message], "history": [*(state.get("history") or []), turn]}


def _drawn(state: State, runtime: Runtime[Context], reasoner_for: ReasonerFor) -> tuple[str, str, str, UsageState]:
    """Return the answer, its explanation, what stopped the turn, and the usage until then."""
    draft, steps = state["draft"], state["steps"]
    if draft is not None:
        return draft["answer"], draft["reason"], draft.get("stopped_by", ""), state["usage"]
    task = ConcludeTask(question=state["understood"], steps=steps_of(state))
    thought = reasoner_for(context_of(runtime, Context)).conclude(task)
    explanation = f"{thought.value.explanation} Stopped at the limit of {counted(len(steps), 'iteration')}.".strip()
    stopped_by = thought.value.stopped_by or "iteration_limit"
    return thought.value.answer, explanation, stopped_by, add_usage(state, thought.usage)


def _unread(state: State, unread: Unread) -> Sequence[str]:
    """Return which connected tables a text was not compared with."""
    return unread(state["understood"], schemas_of(state["overview_schemas"]))


def _refusal(readings: Sequence[dict[str, Any]], ask: Mapping[str, Any] | None, cause: StepState | None) -> str:
    """Return what to say without an answer: a question back, readings to choose from, or what is wrong with a table."""
    if ask:
        return asked_back(ask)
    if readings:
        return unsure_answer(readings)
    return (cause["error"] if cause and cause["cause"] in OF_TABLES else "") or NO_ANSWER


def _assumed(explanation: str, assumption: str, alternatives: Sequence[Mapping[str, Any]]) -> str:
    """Return the explanation with the reading that was taken, and what other tables give."""
    parts = [explanation]
    if assumption:
        parts.append(f"Assumed: {assumption.rstrip('.')}.")
    parts += [f"The same over {a['title'] or a['table']} ({a['source']}): {a['answer']}." for a in alternatives]
    return " ".join(p for p in parts if p)


def _unsure(state: State, cause: StepState | None) -> str:
    """Return which words of the question no table has, and why the likeliest reading is not the answer."""
    words = state["unmentioned"]
    missing = f"{CAUSES['not_in_tables']} {missing_words(words)}." if words else ""
    detail = cause["cause_detail"] if cause and cause["cause"] != "not_in_tables" else ""  # names the same words
    return f"{missing} {detail}".strip()


def _conflict_cause(steps: Sequence[StepState]) -> Disagreement:
    """Return the first known cause of a conflict."""
    return next((s["conflict_cause"] for s in steps if s["conflict_cause"]["cause"]), NO_CAUSE)


def _explained(
    explanation: str, steps: Sequence[StepState], cause: StepState | None, conflict: Disagreement, ended: bool
) -> str:
    """Return the cause of no answer, the reasoner's explanation or else the last step's reason, and notes."""
    if ended:
        return ""  # it is the answer
    if not explanation and not cause and steps:
        explanation = steps[-1]["reason"]
    told = cause and not (explanation and cause["cause"] == "unsure")  # it says no more than that there is none
    doubts = [f"In doubt: {s['doubt']}." for s in steps if s.get("doubt") and s["intermediate_answer"]]
    parts = [*doubts, cause_sentence(cause) if cause and told else "", explanation, doubt_of(steps), not_run(steps)]
    parts.append("" if told else _when(steps))
    if conflict["cause"] and conflict["says"] not in explanation:
        parts.append(f"They differ in {CONFLICT_CAUSES[conflict['cause']].differ_in}: {conflict['says']}.")
    return " ".join(p for p in parts if p)


def _when(steps: Sequence[StepState]) -> str:
    """Return when connected databases were read, which may have changed since, and joined; "" for documents."""
    receipts = [r for s in steps if (r := s.get("receipt") or {}).get("computed_at")]
    if not receipts:
        return ""
    at = f"{str(receipts[-1]['computed_at']).replace('T', ' ').removesuffix('+00:00')} UTC"
    joined = dict.fromkeys(name for r in receipts for name in r.get("joined") or ())
    if not joined:
        return f"Computed at {at} from the connected database."
    named = [f"the connected database {name}" if name else "the documents" for name in joined]
    return f"Computed at {at} by joining rows of {', '.join(named[:-1])} and {named[-1]}."


def final_verdict(steps: Sequence[StepState]) -> Verdict:
    """Return the verdict of the whole answer.

    A conflict in any step is a conflict; otherwise the last step that found something decides, since the final answer
    comes from it.
    """
    verdicts: list[Verdict] = [s["verdict"] for s in steps if s["verdict"] != "none"]
    if "conflict" in verdicts:
        return "conflict"
    return verdicts[-1] if verdicts else "none"


def _citations(steps: Sequence[StepState]) -> list[dict[str, Any]]:
    """Return the steps' citations in order, each once."""
    seen = {(c["source"], c["locator"], c["quote"]): c for s in steps if s["verdict"] != "none" for c in s["citations"]}
    return list(seen.values())
