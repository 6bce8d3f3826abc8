"""What a served stream shows while a question is answered."""

import re
from pathlib import Path

from langgraph_sdk.client import SyncLangGraphClient

from docs.generated import filled
from tests.support.graph_server import MODEL
from tests.support.model_server import ModelServer
from tests.support.model_thoughts import RAW, lookup

EVENTS = Path(__file__).resolve().parents[2] / "docs" / "reference" / "events.md"
MODES = ["custom", "messages-tuple", "updates", "values"]


def documented_keys() -> dict[str, list[str]]:
    """Return the keys of each event as the reference's table lists them; those of nested objects are in brackets."""
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| (.+) \|$", filled(EVENTS.read_text(encoding="utf-8")), re.MULTILINE)
    return {name: re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)", "", keys)) for name, keys in rows}


def test_events_tool_calls_and_tokens_come_in_order(client: SyncLangGraphClient, thinking: ModelServer) -> None:
    thinking.enqueue({"sql": "SELECT nothing FROM sales"})
    thinking.responder = lookup
    asked = {"question": "What is the amount of North?"}
    stream = list(client.runs.stream(None, "tablerag", input=asked, context={"model": MODEL}, stream_mode=MODES))
    assert not [part.data for part in stream if part.event == "error"]
    custom = [part.data for part in stream if part.event == "custom"]
    assert [event["type"] for event in custom] == [
        "turn", "subquery", "evidence", "sql", "sql_error", "sql", "rows", "verdict", "answer"
    ]  # fmt: skip
    assert [event["attempt"] for event in custom if event["type"] in ("sql", "sql_error")] == [1, 1, 2]
    documented = documented_keys()
    assert [e["type"] for e in custom if e.keys() != {"type", *documented[e["type"]]}] == []
    messages = [part.data[0] for part in stream if part.event == "messages"]
    calls = [call["name"] for m in messages for call in m.get("tool_calls") or []]
    assert calls == ["search_documents", "execute_sql"]
    assert [m["name"] for m in messages if m["type"] == "tool"] == calls
    tokens = [m["content"] for m in messages if m["type"] == "AIMessageChunk"]
    final = [part.data for part in stream if part.event == "values"][-1]
    assert len(tokens) > 5 and "".join(tokens) == final["messages"][-1]["content"]
    assert final["answer"] == "1,200"
    # Each token is one of the answer's: no thought of the model ever shows.
    assert not [mark for mark in RAW[:-1] if mark in "".join(tokens)]
    assert {m["id"] for m in messages if m["type"] == "AIMessageChunk"} == {final["messages"][-1]["id"]}
