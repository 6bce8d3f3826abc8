"""Calls of chat models that end in time: a limit for the whole call, with its retries."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from functools import partial
from typing import Any, TypeVar

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage
from langchain_core.rate_limiters import InMemoryRateLimiter
from langchain_core.runnables import Runnable, RunnableBinding, RunnableConfig
from langchain_core.tracers.context import register_configure_hook

__all__ = [
    "CALL",
    "CallTimedOut",
    "PauseBefore",
    "Pacing",
    "TimedChat",
    "in_time",
    "telling_retries",
    "timed",
    "tokens_of",
]

T = TypeVar("T")
CALL = "model call"
"""Name of the threads of calls."""
PauseBefore = Callable[[Exception, int], float | None]
"""From an error and the number of tries so far to the seconds before the next try; None if there should be none."""


class CallTimedOut(Exception):
    """A model's whole reply did not arrive in time."""


class CallClock(BaseCallbackHandler):
    """The time that is left of one call; stops a reply that is still streaming when it is over."""

    raise_error = True
    run_inline = True

    def __init__(self, limit_s: float) -> None:
        self._limit_s = limit_s
        self.restart()

    def restart(self) -> None:
        """Begin again, as when a call has waited for its turn."""
        self._ends = time.monotonic() + self._limit_s

    def left(self) -> float:
        """Return the seconds left; negative after the end."""
        return self._ends - time.monotonic()

    def on_llm_new_token(self, token: Any, **kwargs: Any) -> None:
        """Raise CallTimedOut, which closes the stream: nobody waits for it any more."""
        if self.left() <= 0:
            raise CallTimedOut


_CLOCK: ContextVar[CallClock | None] = ContextVar("clock_of_a_call", default=None)
_RETRY: ContextVar[Callable[[float], object] | None] = ContextVar("told_of_retries", default=None)
# With this hook LangChain passes the clock to every model called in the same context.
register_configure_hook(_CLOCK, inheritable=True)


class Pacing(InMemoryRateLimiter):
    """A rate limiter whose waits do not count as time of the call."""

    def acquire(self, *, blocking: bool = True) -> bool:
        """Wait for a turn if ``blocking``; return whether the call may be made."""
        clock = _CLOCK.get()
        if not blocking or clock is None:
            return super().acquire(blocking=blocking)
        while not super().acquire(blocking=False):
            clock.restart()
            time.sleep(self.check_every_n_seconds)
        return True


def in_time(call: Callable[[CallClock], T], limit_s: float) -> T:
    """Return what a call returns, or raise its error; raise CallTimedOut after ``limit_s`` seconds.

    The call runs in a thread of its own, which is left to itself when the time is over: no client can be stopped while
    it reads from a silent server. It is a daemon, so that it never keeps the process alive.
    """
    clock, reply, context = CallClock(limit_s), Future[T](), copy_context()
    context.run(_CLOCK.set, clock)

    def run() -> None:
        try:
            reply.set_result(context.run(call, clock))
        except BaseException as error:  # raised by result() below, in the caller's thread
            reply.set_exception(error)

    threading.Thread(target=run, name=CALL, daemon=True).start()
    while not wait([reply], max(clock.left(), 0)).done:
        if clock.left() <= 0:
            raise CallTimedOut
    return reply.result()


@contextmanager
def telling_retries(tell: Callable[[float], object]) -> Iterator[None]:
    """Have ``tell`` called, in a call's thread, with the seconds of the pause before each retry."""
    before = _RETRY.set(tell)
    try:
        yield
    finally:
        _RETRY.reset(before)


def _with_retries(call: Callable[[], T], retries: int, pause_before: PauseBefore, clock: CallClock) -> T:
    """Call again after errors that pass, while the time suffices."""
    for tried in range(retries):
        try:
            return call()
        except Exception as error:  # pause_before knows which ones pass
            pause = pause_before(error, tried)
            if pause is None or pause >= clock.left():
                raise
            if tell := _RETRY.get():
                tell(pause)
            time.sleep(pause)
    return call()


class TimedChat(RunnableBinding[LanguageModelInput, AIMessage]):
    """A chat model whose calls end after ``limit_s`` seconds, retries included. ``invoke()`` raises CallTimedOut.

    What it binds and what it makes for structured output has the same limit; ``stream()`` has none.
    """

    limit_s: float
    retries: int = 0
    pause_before: PauseBefore = lambda error, tried: None

    def invoke(self, input: LanguageModelInput, config: RunnableConfig | None = None, **kwargs: Any) -> AIMessage:
        """Ask, and again after errors that pass."""
        call = partial(super().invoke, input, config, **kwargs)
        return in_time(lambda clock: _with_retries(call, self.retries, self.pause_before, clock), self.limit_s)

    def bind(self, **kwargs: Any) -> "TimedChat":
        """Return the model with parameters of its calls."""
        return self._over(self.bound.bind(**kwargs))

    def bind_tools(self, tools: Any, **kwargs: Any) -> "TimedChat":
        """Return the model with tools that it may call."""
        return self._over(self.bound.bind_tools(tools, **kwargs))  # type: ignore[attr-defined]

    def with_structured_output(self, schema: Any, **kwargs: Any) -> "TimedChat":
        """Return the model with replies of this schema."""
        return self._over(self.bound.with_structured_output(schema, **kwargs))  # type: ignore[attr-defined]

    def _over(self, bound: Runnable[Any, Any]) -> "TimedChat":
        return TimedChat(bound=bound, limit_s=self.limit_s, retries=self.retries, pause_before=self.pause_before)


def tokens_of(reply: AIMessage) -> tuple[int, int, int]:
    """Return the tokens of a call: read, written, and how many of those read the server had cached."""
    counted = reply.usage_metadata
    if counted is None:
        return 0, 0, 0
    cached = counted.get("input_token_details", {}).get("cache_read") or 0
    return counted["input_tokens"], counted["output_tokens"], cached


def timed(
    chat: "BaseChatModel | TimedChat",
    limit_s: float,
    retries: int = 0,
    pause_before: PauseBefore = lambda error, tried: None,
) -> TimedChat:
    """Return a chat model whose calls end after ``limit_s`` seconds; one that has a limit keeps it."""
    if isinstance(chat, TimedChat):
        return chat
    return TimedChat(bound=chat, limit_s=limit_s, retries=retries, pause_before=pause_before)
