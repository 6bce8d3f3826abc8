"""Old threads are deleted from the checkpointer, in the home folder or a database; newer ones stay."""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta

import pytest
from langgraph.checkpoint.base.id import uuid6

from tablerag.serving import checkpoints
from tablerag.serving.retention import first_id
from tablerag.tools.errors import ConfigError, StoreUnavailable
from tablerag.tools.settings import get_settings
from tests.support.mysql_server import MysqlServer

LAST_YEAR = datetime.now(UTC) - timedelta(days=365)


@pytest.fixture(params=["home", "postgres", "mysql"])
def place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Keep threads in each place in turn."""
    with ExitStack() as opened:
        if request.param == "postgres":
            monkeypatch.setenv("TABLERAG_CHECKPOINT_URL", request.getfixturevalue("postgres_url"))
        elif request.param == "mysql":
            server: MysqlServer = request.getfixturevalue("mysql_server")
            monkeypatch.setenv("TABLERAG_CHECKPOINT_URL", opened.enter_context(server.fresh_database(collation="")))
        get_settings.cache_clear()
        yield


async def put(*steps: tuple[str, str]) -> None:
    async with checkpoints.checkpointer() as saver:
        for thread, step in steps:
            config = {"configurable": {"thread_id": thread, "checkpoint_ns": ""}}
            saved = {"v": 1, "id": step, "ts": "", "channel_values": {}, "channel_versions": {}, "versions_seen": {}}
            await saver.aput(config, saved, {}, {})


async def left(*threads: str) -> set[str]:
    """Open the checkpointer until one of the threads is gone; return those that are still there."""
    found = set(threads)
    async with checkpoints.checkpointer() as saver:
        for _ in range(100):
            steps = {t: await saver.aget_tuple({"configurable": {"thread_id": t}}) for t in threads}
            found = {t for t, step in steps.items() if step}
            if found < set(threads):
                break
            await asyncio.sleep(0.05)
    return found


def test_threads_that_nobody_used_for_long_are_deleted(place: None, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = first_id(LAST_YEAR), str(uuid6())
    asyncio.run(put(("old", old), ("used again", old), ("used again", new), ("new", new)))
    assert asyncio.run(left("new", "no such thread")) == {"new"}
    monkeypatch.setenv("TABLERAG_THREADS_KEEP_DAYS", "30")
    get_settings.cache_clear()
    assert asyncio.run(left("old", "used again", "new")) == {"used again", "new"}


def test_a_database_of_another_collation_is_refused(mysql_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERAG_CHECKPOINT_URL", mysql_url)
    get_settings.cache_clear()
    with pytest.raises(ConfigError, match="has the collation utf8mb4_unicode_ci, and utf8mb4_.* is needed: make anoth"):
        asyncio.run(put())


def test_ids_are_in_the_order_of_their_times() -> None:
    now = datetime.now(UTC)
    assert first_id(now - timedelta(seconds=2)) < str(uuid6()) < first_id(now + timedelta(seconds=60))


@pytest.mark.parametrize(
    ("url", "says"),
    [
        (
            "oracle://u:geheim@127.0.0.1/t",
            "has the scheme oracle://: write postgresql://USER:PASSWORD@HOST/DATABASE or",
        ),
        ("mysql://u:geheim@127.0.0.1", "names no database: write"),
        ("nonsense", "is not a database URL"),
    ],
)
def test_a_url_that_cannot_be_used_is_refused_in_one_line(url: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERAG_CHECKPOINT_URL", url)
    get_settings.cache_clear()
    with pytest.raises(ConfigError, match=says) as raised:
        asyncio.run(put())
    assert "geheim" not in str(raised.value) and "\n" not in str(raised.value)


@pytest.mark.parametrize("scheme", ["postgresql", "mysql"])
def test_a_server_that_does_not_answer_is_named_without_its_password(
    scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "CONNECT_S", 0.3)
    monkeypatch.setenv("TABLERAG_CHECKPOINT_URL", f"{scheme}://u:geheim@127.0.0.1:1/t")
    get_settings.cache_clear()
    with pytest.raises(StoreUnavailable, match=rf"{scheme}://u:\*\*\*@127.0.0.1:1/t, does not answer"):
        asyncio.run(put())
