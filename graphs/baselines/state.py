"""State of the baselines' graphs: a question, its answer with the cost, and the steps."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from typing_extensions import TypedDict

from tablerag.agent.reasoning import Usage
from tablerag.agent.state import UsageState
from tablerag.agent.turns import MAX_QUESTION_CHARS
from tablerag.tools.errors import ConfigError
from tablerag.tools.records import Chunk

__all__ = ["BaselineInput", "BaselineState", "answered", "begun", "cost", "sources_of"]


class BaselineInput(TypedDict):
    """The input."""

    question: str


class BaselineState(BaselineInput):
    """The nodes' shared state, and the output."""

    answer: str
    """"" if there is none."""
    explanation: str
    stopped_by: str
    """answered | no_evidence | iteration_limit; "" while it runs."""
    iterations: int
    """Searches, statements or programs so far."""
    sql: list[str]
    steps: list[dict[str, Any]]
    """One entry per iteration."""
    documents: list[str]
    """The documents that were retrieved, best first; not set by baselines that search several times or not at all."""
    model: str
    usage: UsageState


def begun(state: BaselineState) -> str:
    """Return the question; raises ConfigError if it is empty or too long."""
    question = state["question"].strip()
    if not 0 < len(question) <= MAX_QUESTION_CHARS:
        raise ConfigError(f"question has {len(question)} characters, expected 1 to {MAX_QUESTION_CHARS}")
    return question


def answered(answer: str, explanation: str = "") -> dict[str, str]:
    """Return the update that ends a graph, with or without an answer."""
    stopped_by = "answered" if answer.strip() else "no_evidence"
    return {"answer": answer.strip(), "explanation": explanation, "stopped_by": stopped_by}


def sources_of(chunks: Sequence[Chunk]) -> list[str]:
    """Return the documents of chunks, each once."""
    return list(dict.fromkeys(c.source for c in chunks))


def cost(state: BaselineState, usage: Usage) -> UsageState:
    """Return the cost of the run with this usage added."""
    return UsageState(**asdict(Usage(**(state.get("usage") or {})) + usage))
