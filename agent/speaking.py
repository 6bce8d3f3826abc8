"""The finished answer, said word by word, so that clients which stream messages see it come in."""

import re
from collections.abc import Iterator
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

__all__ = ["say"]

PIECE = re.compile(r"\s*\S+|\s+$")


class Speaker(BaseChatModel):
    """A chat model that says one given text: the seam through which LangGraph streams messages by tokens."""

    text: str
    cache: bool = False

    @property
    def _llm_type(self) -> str:
        return "tablerag-answer"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=AIMessage(self.text))])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        for piece in PIECE.findall(self.text):
            yield ChatGenerationChunk(message=AIMessageChunk(piece))


def say(text: str) -> AIMessage:
    """Return the text as a message; within a node it is streamed to whoever listens to messages."""
    message = Speaker(text=text).invoke([])
    return AIMessage(text, id=message.id)
