"""Counts model calls and tokens as replies arrive, also for questions that end in an error."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage
from langchain_core.outputs import LLMResult
from langchain_core.tracers.context import register_configure_hook

from tablerag.tools.model_calls import tokens_of

__all__ = ["CallCounter", "counted_calls"]


class CallCounter(BaseCallbackHandler):
    """Counts answered calls and their tokens."""

    def __init__(self) -> None:
        self.calls = self.input_tokens = self.output_tokens = self.cached_tokens = 0
        self._lock = threading.Lock()

    def on_llm_end(self, response: LLMResult, **kwargs: Any) -> None:
        """Count one call, unless no server sent the message, as when a graph streams its own answer."""
        messages = [getattr(g, "message", None) for candidates in response.generations for g in candidates[:1]]
        sent = [m for m in messages if isinstance(m, AIMessage) and m.response_metadata]
        with self._lock:
            self.calls += len(sent)
            for read, written, cached in map(tokens_of, sent):
                self.input_tokens += read
                self.output_tokens += written
                self.cached_tokens += cached

    def totals(self) -> dict[str, int]:
        """Return the counts under the field names of the records."""
        tokens = {"input_tokens": self.input_tokens, "output_tokens": self.output_tokens}
        return {"calls": self.calls, **tokens, "cached_tokens": self.cached_tokens}


_COUNTER: ContextVar[CallCounter | None] = ContextVar("calls_of_a_question", default=None)
# With this hook LangChain passes the counter to every model called in the same context, also in a graph's threads.
register_configure_hook(_COUNTER, inheritable=True)


@contextmanager
def counted_calls() -> Iterator[CallCounter]:
    """Count the model calls made in this context."""
    counter = CallCounter()
    token = _COUNTER.set(counter)
    try:
        yield counter
    finally:
        _COUNTER.reset(token)
