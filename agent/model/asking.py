"""Asks a chat model: sends a prompt, parses the reply, and asks once more if it is invalid."""

from collections.abc import Callable, Sequence
from string import Template
from typing import Any, TypeVar

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.runnables import RunnableConfig

from tablerag.agent.model.prompts import REASK
from tablerag.agent.reasoning import Thought, Usage
from tablerag.tools.errors import ReplyInvalid
from tablerag.tools.model_calls import TimedChat, tokens_of
from tablerag.tools.models import STATUS_ERRORS, model_errors, refuses_tools

__all__ = ["ASKED", "ModelAsker", "Ungrounded", "fill", "usage_of"]

T = TypeVar("T")
ASKED = 2
"""How often a reply is asked for before it counts as invalid."""


def fill(prompt: str, **parts: object) -> str:
    """Fill a prompt's placeholders; a missing or unknown one is an error in the code."""
    template = Template(prompt)
    if set(template.get_identifiers()) != set(parts):
        raise KeyError(f"placeholders {sorted(template.get_identifiers())} are not {sorted(parts)}")
    return template.substitute({k: str(v) for k, v in parts.items()})


def usage_of(replies: Sequence[AIMessage]) -> Usage:
    """Return what the calls of these replies cost."""
    return sum(map(_usage, replies), Usage())


class Ungrounded(ReplyInvalid):
    """The reply says what nothing that the model was shown says."""


class ModelAsker:
    """Asks one chat model under one safety rule. Keeps nothing but whether its server takes tools."""

    def __init__(self, model_name: str, chat: BaseChatModel | TimedChat, safety: str) -> None:
        self._name = model_name
        self._chat = chat
        self._safety = safety
        self._takes_tools = True

    def ask(
        self,
        prompt: str,
        read: Callable[[AIMessage], T],
        tools: Sequence[dict[str, Any]] = (),
        ungrounded: Callable[[Ungrounded], T] | None = None,
    ) -> Thought[T]:
        """Ask, read the reply, and ask once more with the reason when it does not fit. Raises ReplyInvalid.

        What ``ungrounded`` makes of it is thought when the last reply still says what the model was not shown.
        """
        messages: list[BaseMessage] = [SystemMessage(self._safety), HumanMessage(prompt)]
        usage = Usage()
        problem = ReplyInvalid("nothing was asked")
        for _ in range(ASKED):
            reply = self._call(messages, tools)
            usage += _usage(reply)
            try:
                return Thought(read(reply), usage)
            except ReplyInvalid as error:
                problem = error
                again = HumanMessage(fill(REASK, problem=error))
                # Only the text goes back: a tool call without its result would be refused by servers.
                messages = [*messages, AIMessage(reply.text or "(no text)"), again]
        if ungrounded is not None and isinstance(problem, Ungrounded):
            return Thought(ungrounded(problem), usage)
        raise ReplyInvalid(f"{self._name} sent {ASKED} invalid replies (the last: {problem}): try a more capable model")

    def _call(self, messages: list[BaseMessage], tools: Sequence[dict[str, Any]]) -> AIMessage:
        quiet: RunnableConfig = {"tags": ["nostream"]}  # else chat clients show the raw reply for a moment
        with model_errors(self._name):
            if tools and self._takes_tools:
                try:
                    return self._chat.bind_tools(tools).invoke(messages, config=quiet)
                except STATUS_ERRORS as error:
                    if not refuses_tools(error):
                        raise
                reply = self._chat.invoke(messages, config=quiet)
                self._takes_tools = False  # only now: the tools may not have been the cause
                return reply
            return self._chat.invoke(messages, config=quiet)


def _usage(reply: AIMessage) -> Usage:
    return Usage(1, *tokens_of(reply))
