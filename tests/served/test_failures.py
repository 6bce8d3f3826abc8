"""What clients see of a run that fails, and that its thread goes on."""

import pytest
from langgraph_sdk.client import SyncLangGraphClient

from tests.support.graph_server import MODEL
from tests.support.model_server import ModelServer, Reply
from tests.support.model_thoughts import lookup

ASKED = {"question": "What is the amount of North?"}
BY_MODEL = {"model": MODEL}


@pytest.mark.parametrize(
    ("replies", "says"),
    [
        ([Reply(status=500)], "ModelUnavailable: openai:stand-in: the server answered 500: .*scripted error"),
        ([Reply(status=429)], "ModelUnavailable: openai:stand-in: 429 after all retries: wait, or check the quota"),
        ([Reply("{}", cut=True)], "ModelUnavailable: openai:stand-in: could not connect"),
    ],
    ids=["500", "429", "cut off"],
)
def test_a_model_that_fails_is_named_and_the_next_turn_is_answered(
    client: SyncLangGraphClient, thinking: ModelServer, replies: list, says: str
) -> None:
    thinking.enqueue(*replies).responder = lookup
    thread = client.threads.create()["thread_id"]
    with pytest.raises(Exception, match=says) as failure:
        client.runs.wait(thread, "tablerag", input=ASKED, context=BY_MODEL)
    assert "\n" not in str(failure.value)
    assert client.threads.get(thread)["status"] == "error"
    result = client.runs.wait(thread, "tablerag", input={"question": "What is the amount of South?"}, context=BY_MODEL)
    assert (result["answer"], len(result["steps"])) == ("800", 1)


def test_a_model_that_sends_nothing_ends_the_turn_without_an_answer(
    client: SyncLangGraphClient, thinking: ModelServer
) -> None:
    thinking.enqueue("", "").responder = lookup
    thread = client.threads.create()["thread_id"]
    result = client.runs.wait(thread, "tablerag", input=ASKED, context=BY_MODEL)
    assert (result["verdict"], client.threads.get(thread)["status"]) == ("none", "idle")
    assert "openai:stand-in sent 2 invalid replies" in result["explanation"]


def test_a_failed_turn_is_gone_on_with_where_it_stopped(client: SyncLangGraphClient, thinking: ModelServer) -> None:
    thinking.enqueue({"sql": "SELECT `nothing` FROM `nowhere`"}, Reply(status=503)).responder = lookup
    thread = client.threads.create()["thread_id"]
    stream = list(client.runs.stream(thread, "tablerag", input=ASKED, context=BY_MODEL, stream_mode="custom"))
    (error,) = [part.data for part in stream if part.event == "error"]
    assert error["error"] == "ModelUnavailable" and error["message"].startswith("openai:stand-in: the server answered")
    assert client.threads.get_state(thread)["next"] == ["nl2sql"]
    assert client.runs.wait(thread, "tablerag", input=None, context=BY_MODEL)["answer"] == "1,200"


@pytest.mark.parametrize(
    ("asked", "context", "says"),
    [
        ({"question": " "}, {}, "ConfigError: no question given"),
        (ASKED, {"max_iterations": 99}, "invalid context: max_iterations: Input should be less than"),
        (
            ASKED,
            {"corpus": "nowhere"},
            "ConfigError: unknown corpus 'nowhere': expected one of 'default', .*'items'",
        ),
        (
            ASKED,
            {"corpsu": "items"},
            "ConfigError: unknown context field 'corpsu': expected one of corpus, model",
        ),
        (ASKED, {"model": "gpt"}, "ConfigError: unknown model 'gpt': expected PROVIDER:NAME such as .*, or offline"),
    ],
    ids=["question", "bound", "corpus", "field", "model"],
)
def test_what_cannot_be_asked_is_said_in_one_line(
    client: SyncLangGraphClient, asked: dict, context: dict, says: str
) -> None:
    with pytest.raises(Exception, match=says) as failure:
        client.runs.wait(None, "tablerag", input=asked, context=context)
    assert "\n" not in str(failure.value)


def test_hd_rag_refuses_an_unknown_context_field(client: SyncLangGraphClient) -> None:
    with pytest.raises(Exception, match="ConfigError: unknown context field 'corpsu': expected one of corpus, model"):
        client.runs.wait(None, "hd_rag", input=ASKED, context={"corpsu": "items"})
