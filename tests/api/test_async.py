"""AsyncTableRAG: the same answers, and a loop that stays free."""

import asyncio
import time
from pathlib import Path

import pytest

from tablerag import AnswerEvent, AsyncTableRAG, ConfigError, TableRAG

QUESTION = "How many orders were placed by Bar Aurora?"


def test_it_answers_as_the_other_does(rag: TableRAG) -> None:
    async def asked() -> list:
        client = AsyncTableRAG.over(rag.services)
        events = [event async for event in client.stream(QUESTION)]
        return [events[-1], await client.ask(QUESTION), await client.tables(), await client.describe("orders")]

    last, answer, tables, orders = asyncio.run(asked())
    assert last == AnswerEvent(answer=answer) and answer == rag.ask(QUESTION)
    assert (tables, orders) == (rag.tables(), rag.describe("orders"))


def test_threads_and_approval(rag: TableRAG) -> None:
    async def asked() -> list[str]:
        client = AsyncTableRAG.over(rag.services)
        first = await client.ask("What is the total quantity of the orders in the region North?", thread="a")
        second = await client.ask("What about South?", thread="a", approve=lambda request: True)
        return [first.text, second.text, second.steps[0].approval]

    assert asyncio.run(asked()) == ["2150", "1956", "approved"]


def test_the_loop_stays_free(tmp_path: Path, ingested: Path) -> None:
    async def longest_pause(work: asyncio.Task) -> float:
        longest = 0.0
        while not work.done():
            started = time.perf_counter()
            await asyncio.sleep(0.005)
            longest = max(longest, time.perf_counter() - started)
        await work
        return longest

    async def used() -> list[float]:
        async with AsyncTableRAG(tmp_path / "home", model="offline") as client:
            calls = (
                client.ingest(ingested / "reports" / "orders.csv"),
                client.ask(QUESTION),
                client.sql("SELECT COUNT(*) FROM orders a, orders b, orders c WHERE a.order_id < b.order_id"),
            )
            return [await longest_pause(asyncio.ensure_future(call)) for call in calls]

    # A blocked loop would pause as long as the statement runs, which is a second; imports hold the interpreter's lock.
    assert asyncio.run(used())[2] < 0.5


def test_many_questions_at_once(rag: TableRAG) -> None:
    async def asked() -> list[str]:
        client = AsyncTableRAG.over(rag.services)
        return [a.text for a in await asyncio.gather(*(client.ask(QUESTION) for _ in range(4)))]

    assert asyncio.run(asked()) == ["15"] * 4


def test_errors_are_the_same(rag: TableRAG) -> None:
    with pytest.raises(ConfigError, match="unknown corpus 'nowhere'"):
        asyncio.run(AsyncTableRAG.over(rag.services, corpus="nowhere").ask(QUESTION))
