"""Threads in the checkpointers that programs use: closed in the middle of a turn, opened again, and gone on with."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

import psycopg
import pytest
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.serde.event_hooks import register_serde_event_listener
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.types import Command
from psycopg.rows import dict_row

from tablerag.agent.context import Context
from tablerag.graphs.deployment import Deployment
from tablerag.graphs.tablerag import build
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.services import Services

Opened = Callable[[], AbstractContextManager[BaseCheckpointSaver]]
CONFIG = {"configurable": {"thread_id": "t"}}


def strict() -> JsonPlusSerializer:
    """Read nothing back but what LangGraph itself knows to be safe."""
    return JsonPlusSerializer(allowed_msgpack_modules=None)


@pytest.fixture(params=["sqlite", "postgres"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Opened:
    """Return a function that opens the same checkpointer again and again."""

    @contextmanager
    def sqlite() -> Iterator[SqliteSaver]:
        with closing(sqlite3.connect(tmp_path / "threads.db", check_same_thread=False)) as connection:
            yield SqliteSaver(connection, serde=strict())

    @contextmanager
    def postgres() -> Iterator[PostgresSaver]:
        url = request.getfixturevalue("postgres_url")
        with psycopg.connect(url, autocommit=True, prepare_threshold=0, row_factory=dict_row) as connection:
            saver = PostgresSaver(connection, serde=strict())
            saver.setup()
            yield saver

    return sqlite if request.param == "sqlite" else postgres


@pytest.fixture
def unknown_types() -> Iterator[list[dict]]:
    """Return what is read back that is no plain value, as it is found."""
    found: list[dict] = []
    unregister = register_serde_event_listener(found.append)
    yield found
    unregister()


def test_a_thread_outlives_its_process(
    services: Services, tmp_path: Path, opened: Opened, unknown_types: list[dict]
) -> None:
    (tmp_path / "sales.csv").write_text("Region,Amount\nNorth,1200\nSouth,800\n")
    ingest([tmp_path / "sales.csv"], services, "default")
    wired = build(Deployment(services))
    with opened() as saver:
        graph = wired.compile(checkpointer=saver)
        waiting = graph.invoke({"question": "What is the total amount?"}, CONFIG, context=Context(approve_sql=True))
        assert waiting["__interrupt__"]
    with opened() as saver:
        graph = wired.compile(checkpointer=saver)
        assert graph.get_state(CONFIG).next == ("approve",)
        assert graph.invoke(Command(resume={"decisions": [{"type": "approve"}]}), CONFIG)["answer"] == "2,000"
    with opened() as saver:
        graph = wired.compile(checkpointer=saver)
        result = graph.invoke({"question": "What is the amount of North?"}, CONFIG)
        assert (result["answer"], result["iterations"]) == ("1,200", 1)
        texts = [m.text for m in result["messages"] if m.type == "human"]
        assert texts == ["What is the total amount?", "What is the amount of North?"]
    assert unknown_types == []
