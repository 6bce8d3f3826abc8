"""A question back to the user: as text, as the request that a paused run waits with, and how the reply is parsed."""

from collections.abc import Mapping, Sequence
from typing import Any

from tablerag.agent.approval import only_decision
from tablerag.tools.markdown import escaped

__all__ = ["ACTION", "asked_back", "choice_of", "read_reply", "request_for"]

ACTION = "answer_question"
MOST_CHARS = 1000
"""Characters of a reply."""


def asked_back(ask: Mapping[str, Any]) -> str:
    """Return a question back to the user, with its choices as a numbered list."""
    return "\n".join([ask["question"], *(f"{i}. {choice}" for i, choice in enumerate(ask["choices"], start=1))])


def choice_of(message: str, choices: Sequence[str]) -> str:
    """Return the choice that a number names; the message itself otherwise."""
    plain = message.strip().rstrip(".)")
    return choices[int(plain) - 1] if plain.isdecimal() and 0 < int(plain) <= len(choices) else message


def request_for(ask: Mapping[str, Any], unread: bool = False) -> dict[str, Any]:
    """Return the interrupt's value, in the shape that agent-chat-ui draws as a form to fill in.

    It renders the description as Markdown.
    """
    again = "Could not read the last reply: write an answer, or reject.\n\n" * unread
    return {
        "action_requests": [{"name": ACTION, "args": {"answer": ""}, "description": again + escaped(asked_back(ask))}],
        "review_configs": [{"action_name": ACTION, "allowed_decisions": ["edit", "reject"]}],
    }


def read_reply(reply: Any, choices: Sequence[str]) -> str | None:
    """Parse the value that a run was resumed with: the answer, "" where a person gives none, None if it is unclear.

    Text, a choice's number, ``{"answer": ...}`` and the decisions of agent-chat-ui are read.
    """
    reply = only_decision(reply)
    if isinstance(reply, dict):
        if str(reply.get("type", "")).casefold() in ("reject", "ignore"):
            return ""
        edited = reply.get("edited_action") or reply
        args = edited.get("args") if isinstance(edited, dict) else None
        reply = args.get("answer") if isinstance(args, dict) else args or reply.get("answer")
    if isinstance(reply, bool) or not isinstance(reply, str | int):
        return None
    return choice_of(" ".join(str(reply).split())[:MOST_CHARS], choices) or None
