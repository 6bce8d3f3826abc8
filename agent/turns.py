"""The start of a turn: which question is asked now, and what of the thread is to be forgotten."""

from typing import Any

from langchain_core.messages import AnyMessage, HumanMessage

from agent.context import Context
from agent.state import State
from tools.errors import ConfigError

__all__ = ["MAX_QUESTION_CHARS", "begin_turn"]

MAX_QUESTION_CHARS = 4000


def begin_turn(state: State, context: Context, model: str) -> dict[str, Any] | None:
    """Return the update that starts a turn, or None when one is under way.

    A turn begins with a ``question`` in the input, or with a human message that no turn has answered.
    Raises ConfigError when there is neither on a thread's first turn, or the question is too long.
    """
    message = _last_human(state.get("messages") or [])
    given = (state.get("question") or "").strip()
    message_id = message.id if message else None
    if not given and state.get("asked") and (message is None or message_id == state.get("turn_message_id")):
        return None
    question = given or (message.text.strip() if message else "")
    if not question:
        raise ConfigError('there is no question: give {"question": "..."} or a human message with text')
    if len(question) > MAX_QUESTION_CHARS:
        raise ConfigError(
            f"the question has {len(question)} characters: at most {MAX_QUESTION_CHARS} are read, shorten it"
        )
    return {
        "asked": question,
        "turn_message_id": message_id,
        "model": model,
        "steps": [],
        "iteration": 0,
        "draft": None,
        "usage": {"calls": 0, "input_tokens": 0, "output_tokens": 0},
        "max_iterations": context.max_iterations,
        "max_sql_repairs": context.max_sql_repairs,
    }


def _last_human(messages: list[AnyMessage]) -> HumanMessage | None:
    return next((m for m in reversed(messages) if isinstance(m, HumanMessage)), None)
