"""ask_back: stop where a question cannot be answered without asking, until a person replies."""

from typing import Any

from langgraph.types import interrupt

from tablerag.agent.asking_back import read_reply, request_for
from tablerag.agent.state import State

__all__ = ["ask_back"]


def ask_back(state: State) -> dict[str, Any]:
    """Ask, and let the conversation go on with the reply; the question back stays as it is where nobody replies."""
    ask = state["ask"] or {"question": "", "choices": []}
    reply, asked = None, 0
    while reply is None:
        reply = read_reply(interrupt(request_for(ask, unread=asked > 0)), ask["choices"])
        asked += 1
    if not reply:
        return {"told": ""}
    return {"told": reply, "ask": None, "draft": None, "understood": f"{state['understood']} ({reply})"}
