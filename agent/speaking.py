"""Streams the finished answer word by word to clients that stream messages."""

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
    """A chat model that returns a given text: LangGraph streams tokens only from chat models."""

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
            yield ChatGenerationChunk(message=AIMessageChunk(content=piece))


def say(text: str) -> AIMessage:
    """Return the text as a message; within a node it is streamed token by token."""
    message = Speaker(text=text).invoke([])
    return AIMessage(text, id=message.id)
