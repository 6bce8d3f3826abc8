"""answer: compute the formula, decide whose number to give, and end the turn."""

from typing import Any

from langgraph.runtime import Runtime

from tablerag.agent.hd_rag import events
from tablerag.agent.hd_rag.answer_text import answer_markdown, written
from tablerag.agent.hd_rag.context import HdRagContext
from tablerag.agent.hd_rag.reasoning import Recap
from tablerag.agent.hd_rag.settling import Settled, settle
from tablerag.agent.hd_rag.state import HdRagState, recap_of
from tablerag.agent.ports import Calculate
from tablerag.agent.run_context import context_of
from tablerag.agent.speaking import say
from tablerag.tools.calculator import Calculation
from tablerag.tools.errors import FormulaRefused

__all__ = ["LEFT_OPEN", "NOT_READ", "NO_ANSWER", "NO_DOCUMENT", "answer"]

NO_ANSWER = "The documents do not answer this question."
LEFT_OPEN = "It is unclear which document is meant."
NOT_READ = (
    "The embedded reasoner cannot answer this question. To use a language model, set OPENAI_API_KEY or "
    "OPENAI_BASE_URL, and TABLERAG_MODEL."
)
NO_DOCUMENT = "No document shares a word or a meaning with the question."


def answer(state: HdRagState, runtime: Runtime[HdRagContext], *, calculate: Calculate) -> dict[str, Any]:
    """Write the answer with scale, formula and citations."""
    context, made = context_of(runtime, HdRagContext), recap_of(state)
    calculated, refusal = None, ""
    if made is not None and made.formula and context.calculator:
        calculated, refusal = _computed(made.formula, calculate)
    undecided = Settled((), "reasoner", "", state["selected_because"] or NO_DOCUMENT)
    settled = settle(made, calculated, refusal) if made is not None else undecided
    found = any(a.strip() for a in settled.answer)
    scale = settled.scale if found else ""
    outcome = {
        "question": state["asked"],
        "answer": written(settled.answer, scale, settled.currency) if found else _unanswered(made, state),
        "spans": list(settled.answer) if found else [],
        "scale": scale,
        "answered_by": settled.by if found else "",
        "calculated": calculated.text if calculated is not None else "",
        "explanation": " ".join(p for p in (_explained(made, settled), _unseen(state["unseen"], context.level)) if p),
        "citations": [c.model_dump() for c in made.citations] if made is not None and found else [],
    }
    runtime.stream_writer(events.answer(outcome))
    return outcome | {"messages": [say(answer_markdown(outcome, state))]}


def _unanswered(made: Recap | None, state: HdRagState) -> str:
    """Return why there is no answer: no document found or selected, question not read, or no answer in the document."""
    if made is None:
        return LEFT_OPEN if state["candidates"] else NO_ANSWER
    return NOT_READ if made.unread else NO_ANSWER


def _computed(formula: str, calculate: Calculate) -> tuple[Calculation | None, str]:
    try:
        return calculate(formula), ""
    except FormulaRefused as refused:
        return None, str(refused)


def _unseen(count: int, level: str) -> str:
    """Return that documents could not be found, and the command that adds their summaries."""
    if not count:
        return ""
    many = f"{count} documents have" if count > 1 else "One document has"
    return f"{many} no summaries and cannot be found: run `tablerag ingest PATH --summaries {level}`."


def _explained(made: Recap | None, settled: Settled) -> str:
    """Explain what was computed from which values."""
    if made is None:
        return settled.note
    if made.unread:
        return f"Could not answer: {made.unread}."
    parts = [made.computation, f"From {'; '.join(made.extracted)}." if made.extracted else "", settled.note]
    return " ".join(p.strip() for p in parts if p.strip())
