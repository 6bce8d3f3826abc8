"""AsyncTableRAG: the same answers, and a loop that stays free."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import pytest

from tablerag import AnswerEvent, AsyncTableRAG, ConfigError, TableRAG
from tablerag.tools.services import Services

QUESTION = "How many orders were placed by Bar Aurora?"


def test_it_answers_as_the_other_does(rag: TableRAG) -> None:
    async def asked() -> list:
        client = AsyncTableRAG.over(rag.services)
        events = [event async for event in client.stream(QUESTION)]
        return [events[-1], await client.ask(QUESTION), await client.tables(), await client.describe("orders")]

    last, answer, tables, orders = asyncio.run(asked())
    assert last == AnswerEvent(answer=answer) and answer == rag.ask(QUESTION)
    assert (tables, orders) == (rag.tables(), rag.describe("orders"))


async def approved(request: object) -> bool:
    return True


def test_threads_and_approval(rag: TableRAG) -> None:
    async def asked() -> list[str]:
        client = AsyncTableRAG.over(rag.services)
        first = await client.ask("What is the total quantity of the orders in the region North?", thread="a")
        second = await client.ask("What about South?", thread="a", approve=approved)
        return [first.text, second.text, second.steps[0].approval]

    assert asyncio.run(asked()) == ["2,150 kg", "1,956 kg", "approved"]


class HeldServices:
    """Services that keep a call waiting at every use until the event loop has run; ``blocked`` if it did not run."""

    def __init__(self, services: Services, longest_s: float) -> None:
        self._services, self._longest_s = services, longest_s
        self.loop_ran, self.uses, self.blocked = threading.Event(), 0, False

    def __getattr__(self, name: str) -> Any:
        self.uses += 1
        self.loop_ran.clear()
        self.blocked = self.blocked or not self.loop_ran.wait(self._longest_s)
        return getattr(self._services, name)


def is_blocking(call: Callable[[AsyncTableRAG], Awaitable[object]], services: Services, longest_s: float = 30) -> bool:
    """Return whether a client's call keeps the event loop from running while it uses its stores."""
    held = HeldServices(services, longest_s)

    async def used() -> None:
        work = asyncio.ensure_future(call(AsyncTableRAG.over(cast(Services, held), corpus="default")))
        while not work.done():
            held.loop_ran.set()
            await asyncio.sleep(0.001)
        await work

    asyncio.run(used())
    assert held.uses
    return held.blocked


async def streamed(client: AsyncTableRAG) -> list:
    return [event async for event in client.stream(QUESTION)]


CALLS = {
    "ask": lambda client: client.ask(QUESTION),
    "stream": streamed,
    "tables": lambda client: client.tables(),
    "describe": lambda client: client.describe("orders"),
    "sql": lambda client: client.sql("SELECT COUNT(*) FROM orders"),
    "retriever": lambda client: client.as_retriever().ainvoke("paid leave"),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_the_loop_stays_free(rag: TableRAG, call: Callable[[AsyncTableRAG], Awaitable[object]]) -> None:
    assert not is_blocking(call, rag.services)


def test_the_loop_stays_free_during_changes(tmp_path: Path, ingested: Path, rag: TableRAG) -> None:
    answer = rag.ask(QUESTION)
    with TableRAG(tmp_path / "home", model="offline") as empty:
        assert not is_blocking(lambda client: client.ingest(ingested / "reports" / "orders.csv"), empty.services)
        assert not is_blocking(lambda client: client.verify(answer), empty.services)
        assert not is_blocking(lambda client: client.remove("orders.csv"), empty.services)


def test_a_call_that_blocks_the_loop_is_noticed(rag: TableRAG) -> None:
    async def blocking(client: AsyncTableRAG) -> object:
        return client._rag.tables()

    assert is_blocking(blocking, rag.services, longest_s=0.2)


def test_many_questions_at_once(rag: TableRAG) -> None:
    async def asked() -> list[str]:
        client = AsyncTableRAG.over(rag.services)
        return [a.text for a in await asyncio.gather(*(client.ask(QUESTION) for _ in range(4)))]

    assert asyncio.run(asked()) == ["15"] * 4


def test_errors_are_the_same(rag: TableRAG) -> None:
    with pytest.raises(ConfigError, match="unknown corpus 'nowhere'"):
        asyncio.run(AsyncTableRAG.over(rag.services, corpus="nowhere").ask(QUESTION))
