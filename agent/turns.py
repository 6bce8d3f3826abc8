"""The start of a turn: reads its question and resets the last turn's state."""

import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any
from uuid import uuid4

from langchain_core.messages import AnyMessage, HumanMessage

from tablerag.agent.context import Context
from tablerag.agent.reasoning import Usage
from tablerag.agent.state import State
from tablerag.tools.errors import ConfigError

__all__ = ["CLEARED", "MAX_QUESTION_CHARS", "OF_ONE_TURN", "asked_question", "begin_turn"]

CLEARED: dict[str, Any] = {
    "chunks": [],
    "schemas": [],
    "candidate_sql": None,
    "meaning": "",
    "notes": [],
    "is_confirmed": False,
    "attempts": [],
    "sql_error": None,
    "refusal": "",
    "result": None,
    "supporting": [],
    "missing": None,
    "doubt": "",
    "other_candidates": [],
    "agreement": "",
    "approval": "",
    "plan": None,
    "settled": None,
    "found": [],
    "extracts": [],
}
"""What belongs to one subquery only."""
OF_ONE_TURN: dict[str, Any] = {
    "dialogue": [],
    "next": None,
    "shown_whole": [],
    "overview_chunks": [],
    "overview_schemas": [],
    "examples": [],
    "confirmed_sql": [],
    "set_aside": "",
    "draft": None,
}
"""What a turn passes between its nodes. With CLEARED it is most of the state: nothing of it is kept when the turn ends,
since a server holds the state of every thread."""

MAX_QUESTION_CHARS = 4000
SURROGATES = re.compile("[\ud800-\udfff]")


def begin_turn(state: State, context: Context, model: str) -> dict[str, Any]:
    """Return the update that starts a turn: its question, with the last turn's values reset. Raises ConfigError."""
    question, added = asked_question(state)
    return {
        "asked": question,
        "understood": question,
        "messages": added,
        "model": model,
        **OF_ONE_TURN,
        "steps": [],
        "assumption": "",
        "alternatives": [],
        "ask": None,
        "iteration": 0,
        "readings": [],
        "unmentioned": [],
        "chosen": None,
        "usage": asdict(Usage()),
        "max_iterations": context.max_iterations,
        "max_sql_repairs": context.max_sql_repairs,
        "approve_sql": context.approve_sql,
        "pause_to_ask": context.pause_to_ask,
        "confirm_answers": context.confirm_answers,
        "corpus": context.corpus,
        "told": "",
    }


def asked_question(state: Mapping[str, Any]) -> tuple[str, list[AnyMessage]]:
    """Return the turn's question and the messages to add.

    The question is the input's ``question``, which is added to the messages, or else the last human message.
    Raises ConfigError if there is neither, or the question is too long.
    """
    message = _last_human(state.get("messages") or [])
    asked = state.get("question") or ""
    if not isinstance(asked, str):
        raise ConfigError(f"question must be a string, got {type(asked).__name__}")
    given = _readable(asked)
    question = given or (_readable(message.text) if message else "")
    if not question:
        raise ConfigError("no question given: write one, in `question` or as a human message")
    if len(question) > MAX_QUESTION_CHARS:
        raise ConfigError(f"question has {len(question)} characters, the limit is {MAX_QUESTION_CHARS}: shorten it")
    return question, [HumanMessage(given, id=str(uuid4()))] if given else []


def _readable(text: str) -> str:
    """Return a text without halves of characters, which cannot be sent on or stored."""
    return SURROGATES.sub("\ufffd", text.strip())


def _last_human(messages: list[AnyMessage]) -> HumanMessage | None:
    return next((m for m in reversed(messages) if isinstance(m, HumanMessage)), None)
