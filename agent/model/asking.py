"""Asks a chat model: sends a prompt, parses the reply, and asks once more if it is invalid."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from string import Template
from typing import TypeVar

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.runnables import RunnableConfig
from langgraph.config import get_stream_writer

from tablerag.agent import events
from tablerag.agent.model.prompts import REASK
from tablerag.agent.model.replies import without_thinking
from tablerag.agent.reasoning import Said, Thought, Usage
from tablerag.tools.errors import ReplyInvalid
from tablerag.tools.model_calls import TimedChat, telling_retries, tokens_of
from tablerag.tools.models import model_errors

__all__ = ["ASKED", "ModelAsker", "NotSearched", "OutOfSteps", "Ungrounded", "fill", "usage_of"]

T = TypeVar("T")
ASKED = 2
"""How often a reply is asked for before it counts as invalid."""

MAX_SAID_CHARS = 8_000
"""As far as a reply is kept in the conversation: one that runs on would fill the model's context."""
CUT = " [cut]"


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


class OutOfSteps(Ungrounded):
    """The reply is another step where none is left."""


class NotSearched(Ungrounded):
    """The reply gives up before anything but the question itself was searched for; ``missing`` is what it lacks."""

    def __init__(self, missing: str) -> None:
        super().__init__('only the question was searched for so far: "find" what is missing in other words')
        self.missing = missing


class ModelAsker:
    """Asks one chat model under one system prompt; keeps nothing."""

    def __init__(self, model_name: str, chat: BaseChatModel | TimedChat, system: str) -> None:
        self._name = model_name
        self._chat = chat
        self._system = system

    def ask(
        self,
        prompt: str,
        read: Callable[[AIMessage], T],
        given_up: Callable[[ReplyInvalid], T] | None = None,
        before: Sequence[Said] = (),
    ) -> Thought[T]:
        """Ask after what was said before, read the reply, and ask once more with the reason when it does not fit.

        What ``given_up`` makes of the last problem is thought when no reply fits; without it, raises ReplyInvalid.
        """
        said = [Said("user", prompt)]
        usage = Usage()
        problem = ReplyInvalid("nothing was asked")
        for _ in range(ASKED):
            reply = self._call([*before, *said])
            usage += _usage(reply)
            said.append(Said("assistant", _kept(without_thinking(reply.text)) or "(no text)"))
            try:
                return Thought(read(reply), usage, tuple(said))
            except ReplyInvalid as error:
                problem = error
                said.append(Said("user", fill(REASK, problem=error)))
        if not isinstance(problem, Ungrounded):
            last = f"{self._name} sent {ASKED} invalid replies (the last: {problem}): try a more capable model"
            problem = ReplyInvalid(last)
        if given_up is None:
            raise problem
        return Thought(given_up(problem), usage, tuple(said[:-1]))

    def _call(self, said: Sequence[Said]) -> AIMessage:
        messages: list[BaseMessage] = [SystemMessage(self._system)]
        messages += [HumanMessage(s.text) if s.role == "user" else AIMessage(s.text) for s in said]
        quiet: RunnableConfig = {"tags": ["nostream"]}  # else chat clients show the raw reply for a moment
        with model_errors(self._name), telling_retries(_tell_retry):
            return self._chat.invoke(messages, config=quiet)


def _tell_retry(pause_s: float) -> None:
    with suppress(RuntimeError, KeyError):  # asked outside of a graph
        get_stream_writer()(events.retry(pause_s))


def _kept(text: str) -> str:
    return text if len(text) <= MAX_SAID_CHARS else text[:MAX_SAID_CHARS] + CUT


def _usage(reply: AIMessage) -> Usage:
    return Usage(1, *tokens_of(reply))
