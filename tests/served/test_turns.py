"""Conversations on a served thread: content of both kinds, follow-ups, asides, edits, and nothing that leaks."""

from typing import Any

import pytest
from langgraph.pregel.remote import RemoteGraph
from langgraph_sdk.client import SyncLangGraphClient

from tests.support.graph_server import MODEL
from tests.support.model_server import ModelServer
from tests.support.model_thoughts import lookup


@pytest.fixture
def thread(client: SyncLangGraphClient) -> str:
    return client.threads.create()["thread_id"]


def human(content: Any, **more: Any) -> dict[str, Any]:
    return {"messages": [{"type": "human", "content": content, **more}]}


def block(text: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": text}]


def texts(messages: list[dict[str, Any]]) -> list[str]:
    return [m["content"] if isinstance(m["content"], str) else m["content"][0]["text"] for m in messages]


def asked_in(state: dict[str, Any]) -> list[str]:
    return texts([m for m in state["messages"] if m["type"] == "human"])


def first_seen(client: SyncLangGraphClient, thread: str, message: dict[str, Any]) -> dict[str, Any]:
    """Return the state that a message first stands in, as agent-chat-ui finds what it forks from."""
    history = client.threads.get_history(thread, limit=100)
    return next(s for s in reversed(history) if any(m["id"] == message["id"] for m in s["values"].get("messages", [])))


def test_a_plain_message_chooses_a_reading(client: SyncLangGraphClient, thread: str) -> None:
    """As Studio and every chat client send it: messages alone, no interrupt."""
    ask = client.runs.wait
    unsure = ask(thread, "tablerag", input=human("What is the amount of Aurora?"), context={"corpus": "invoices"})
    assert unsure["messages"][-1]["content"].startswith("Not sure which you mean:\n\n1. ")
    number = next(n for n, r in enumerate(unsure["readings"], start=1) if r["value"] == 400)
    chosen = ask(thread, "tablerag", input=human(block(f"{number}.")), context={"corpus": "invoices"})
    assert (chosen["verdict"], chosen["readings"]) == ("sql_only", [])
    assert "400" in chosen["answer"] and chosen["citations"][0]["source"] == "invoices.csv"
    again = ask(thread, "tablerag", input=human("7"), context={"corpus": "invoices"})
    assert "choose a number" in again["messages"][-1]["content"]


def test_turns_of_one_thread_do_not_leak(client: SyncLangGraphClient, thread: str) -> None:
    ask = client.runs.wait
    first = ask(thread, "tablerag", input=human(block("What is the total amount?"), id="m1"))
    assert (first["answer"], first["verdict"], first["iterations"]) == ("2,000", "sql_only", 1)
    assert first["citations"][0]["source"] == "sales.csv"

    follow_up = ask(thread, "tablerag", input=human("and of North?"))
    assert (follow_up["answer"], follow_up["iterations"], len(follow_up["sql"])) == ("1,200", 1, 1)
    assert follow_up["question"] == "and of North?"

    for aside, reply in (("thanks!", "You are welcome"), ("What tables do you have?", "sales: 2 rows")):
        said = ask(thread, "tablerag", input=human(aside))
        assert reply in said["messages"][-1]["content"]
        assert (said["sql"], said["citations"], said["steps"], said["verdict"]) == ([], [], [], "none")

    other = ask(thread, "tablerag", input={"question": "What is the amount of South?"})
    assert (other["answer"], other["question"]) == ("800", "What is the amount of South?")
    assert len(other["steps"]) == 1
    assert asked_in(other) == [
        "What is the total amount?", "and of North?", "thanks!", "What tables do you have?",
        "What is the amount of South?",
    ]  # fmt: skip


def test_an_edited_message_forks_the_thread(client: SyncLangGraphClient, thread: str) -> None:
    client.runs.wait(thread, "tablerag", input=human("What is the total amount?"))
    second = client.runs.wait(thread, "tablerag", input=human(block("What is the amount of North?"), id="m2"))
    (message,) = [m for m in second["messages"] if m["id"] == "m2"]
    parent = first_seen(client, thread, message)["parent_checkpoint"]
    # agent-chat-ui sends an edit as plain text without an id.
    edited = client.runs.wait(thread, "tablerag", input=human("What is the amount of South?"), checkpoint=parent)
    assert edited["answer"] == "800"
    assert asked_in(edited) == ["What is the total amount?", "What is the amount of South?"]
    assert client.threads.get_state(thread)["values"]["answer"] == "800"


def test_the_same_id_with_another_text_is_another_question(client: SyncLangGraphClient, thread: str) -> None:
    client.runs.wait(thread, "tablerag", input=human("What is the amount of North?", id="m1"))
    changed = client.runs.wait(thread, "tablerag", input=human("What is the amount of South?", id="m1"))
    assert (changed["answer"], asked_in(changed)) == ("800", ["What is the amount of South?"])


def test_an_answer_is_given_again(client: SyncLangGraphClient, thread: str) -> None:
    first = client.runs.wait(thread, "tablerag", input=human("What is the total amount?"))
    seen = first_seen(client, thread, first["messages"][-1])
    again = client.runs.wait(thread, "tablerag", input=None, checkpoint=seen["parent_checkpoint"])
    assert again["answer"] == first["answer"]
    assert again["messages"][-1]["id"] != first["messages"][-1]["id"]
    assert len(again["messages"]) == len(first["messages"])


def test_a_remote_graph_is_asked_like_a_local_one(
    client: SyncLangGraphClient, thread: str, thinking: ModelServer
) -> None:
    thinking.responder = lookup
    remote = RemoteGraph("tablerag", sync_client=client)
    config = {"configurable": {"thread_id": thread}}
    context = {"model": MODEL}
    assert remote.invoke({"question": "What is the amount of North?"}, config, context=context)["answer"] == "1,200"
    result = remote.invoke({"question": "and of South?"}, config, context=context)
    assert (result["answer"], result["understood"]) == ("800", "What is the amount of South?")
    assert remote.get_state(config).values["answer"] == "800"
