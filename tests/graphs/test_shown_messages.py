"""Every text of a thread that a chat client shows, over documents whose names, headers and cells are live Markdown."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from tablerag.agent.context import Context
from tablerag.graphs.deployment import Deployment
from tablerag.graphs.tablerag import build
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.services import Services
from tests.support.hostile_markdown import HOSTILE, live_in
from tests.support.model_server import ModelServer, Reply

LEAK = "![x](http://evil.example/leak)"
CONFIG = {"configurable": {"thread_id": "t"}}


@pytest.fixture
def poisoned(services: Services, tmp_path: Path) -> Services:
    cells = "".join(f'"{" ".join(text.split())}",{number}\n' for number, text in enumerate(HOSTILE, start=1))
    (tmp_path / "sales ![x](evil.com).csv").write_text(f'"Region {LEAK}",Amount\nNorth,100\n{cells}')
    (tmp_path / "notes.md").write_text(f"# Notes {LEAK}\n\nAmounts of the North are counted in May. {LEAK}\n")
    ingest([tmp_path / "sales ![x](evil.com).csv", tmp_path / "notes.md"], services, "default")
    return services


def texts_in(value: Any) -> Iterator[str]:
    """Yield every text of a value, keys too."""
    if isinstance(value, dict):
        for key, held in value.items():
            yield from (*texts_in(key), *texts_in(held))
    elif isinstance(value, list):
        for held in value:
            yield from texts_in(held)
    elif isinstance(value, str):
        yield value


def shown(result: dict[str, Any]) -> list[str]:
    """Return what chat clients show: messages, calls of tools, results as they are and parsed, requests."""
    found = []
    for message in result["messages"]:
        if message.type == "human":  # what the user wrote
            continue
        found.append(message.text)
        for call in getattr(message, "tool_calls", ()):
            found += texts_in(call["args"])
        if message.type == "tool":
            found += texts_in(json.loads(message.text))
    requests = [r for i in result.get("__interrupt__", ()) for r in i.value["action_requests"]]
    return found + [r["description"] for r in requests]


def is_live(result: dict[str, Any]) -> list[tuple[str, list[str]]]:
    return [(text, live) for text in shown(result) if (live := live_in(text))]


@pytest.mark.parametrize("question", ["What is the total amount?", "Amount by region", "What is counted in May?"])
def test_nothing_of_a_document_is_live(poisoned: Services, question: str) -> None:
    graph = build(Deployment(poisoned)).compile(checkpointer=InMemorySaver())
    waiting = graph.invoke({"question": question}, CONFIG, context=Context(approve_sql=True))
    assert is_live(waiting) == []
    ended = graph.invoke(Command(resume={"type": "approve"}), CONFIG) if "__interrupt__" in waiting else waiting
    assert [m.name for m in ended["messages"] if m.type == "tool"]
    assert is_live(ended) == []


def test_the_rows_in_a_thread_are_those_of_the_document(poisoned: Services) -> None:
    result = build(Deployment(poisoned)).compile().invoke({"question": "What is the total amount?"}, context=Context())
    total = 100 + sum(range(1, len(HOSTILE) + 1))
    assert list(json.loads(result["messages"][-2].text).values()) == [total]


def test_nothing_of_an_obedient_model_is_live(poisoned: Services, model_server: ModelServer) -> None:
    """A statement with the document's words in its literals and names, then one that fails, with an error."""
    table = poisoned.catalog.tables("default")[0]
    region = table.columns[0].name
    say = f"SELECT `{region}`, '{LEAK}' AS `{LEAK}` FROM `{table.name}` ORDER BY `amount` LIMIT 5"
    wrong = f"SELECT `{LEAK}` FROM `{table.name}`"
    model_server.responder = lambda _: Reply(json.dumps({"answer": LEAK, "missing": LEAK}))
    for statement in (say, wrong):
        model_server.enqueue({"sql": statement, "purpose": "answer"})
        settings = poisoned.settings.model_copy(update={"model": "openai:x", "openai_base_url": model_server.url})
        with_model = Services(settings)
        result = build(Deployment(with_model)).compile().invoke({"question": "Which regions?"}, context=Context())
        with_model.close()
        assert any(m.name == "execute_sql" for m in result["messages"])
        assert is_live(result) == []
