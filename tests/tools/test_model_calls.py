"""Calls of models end in time, whatever the server sends."""

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage

from tablerag.tools.errors import ModelUnavailable
from tablerag.tools.model_calls import CallTimedOut, in_time, timed
from tablerag.tools.models import model_errors, open_chat_model
from tablerag.tools.settings import Settings
from tests.support.model_server import ModelServer, Reply

OF_AN_HOUR = {"type": "function", "function": {"name": "hour", "description": "The hour", "parameters": {}}}


def settings(server: ModelServer, **changes: Any) -> Settings:
    fields = {"openai_base_url": server.url, "llm_retries": 0, "llm_timeout_s": 0.5, "_env_file": None}
    return Settings(**(fields | changes))


def took(call: Any) -> float:
    begun = time.monotonic()
    with pytest.raises(ModelUnavailable, match="timed out: increase TABLERAG_LLM_TIMEOUT_S"), model_errors("openai:x"):
        call()
    return time.monotonic() - begun


def test_a_reply_that_never_ends_is_given_up(model_server: ModelServer) -> None:
    model_server.enqueue(*[Reply(endless=" ")] * 3)
    chat = open_chat_model("openai:x", settings(model_server))
    assert took(lambda: chat.invoke("Hello")) < 1.5
    assert took(lambda: chat.bind(max_tokens=5).invoke("Hello")) < 1.5
    assert took(lambda: chat.bind_tools([OF_AN_HOUR]).invoke("Hello")) < 1.5


def test_a_stream_that_never_ends_is_given_up_and_closed(model_server: ModelServer) -> None:
    model_server.enqueue(Reply(endless="word "))
    chat = open_chat_model("openai:x", settings(model_server))
    assert took(lambda: chat.bind(stream=True).invoke("Hello")) < 1.5
    assert model_server.hung_up.wait(5), "the client hangs up when the time is over"


def test_retries_share_the_time_of_their_call(model_server: ModelServer) -> None:
    model_server.enqueue(*[Reply(status=503)] * 9)
    chat = open_chat_model("openai:x", settings(model_server, llm_retries=8, llm_timeout_s=1.5))
    begun = time.monotonic()
    with pytest.raises(ModelUnavailable, match="the server answered 503"), model_errors("openai:x"):
        chat.invoke("Hello")
    assert time.monotonic() - begun < 2
    assert 1 < len(model_server.requests) < 5


def test_a_reply_that_was_cut_off_is_asked_for_again(model_server: ModelServer) -> None:
    model_server.enqueue(Reply("ten", cut=True), "ten")
    chat = open_chat_model("openai:x", settings(model_server, llm_retries=1, llm_timeout_s=5))
    assert chat.invoke("How much?").text == "ten"


def test_waiting_for_a_turn_takes_no_time_of_the_call(model_server: ModelServer) -> None:
    model_server.responder = lambda body: Reply("ok")
    chat = open_chat_model("openai:x", settings(model_server, llm_calls_per_minute=150, llm_timeout_s=0.6))
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda n: chat.invoke(f"Say {n}").text, range(4))) == ["ok"] * 4


def test_a_model_of_the_callers_own_has_the_limit_too() -> None:
    class Slow(GenericFakeChatModel):
        def _generate(self, *given: Any, **more: Any) -> Any:
            time.sleep(0.8)
            return super()._generate(*given, **more)

    chat = timed(Slow(messages=iter([AIMessage("late")])), 0.2)
    assert timed(chat, 9) is chat
    with pytest.raises(CallTimedOut):
        chat.invoke("Hello")


def test_errors_of_a_call_are_its_callers() -> None:
    with pytest.raises(ZeroDivisionError):
        in_time(lambda clock: 1 / 0, 5)
    assert in_time(lambda clock: clock.left() <= 5, 5)
