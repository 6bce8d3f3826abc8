"""The server's queue looks for runs when one comes, not twice a second."""

import asyncio
import sys
import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from langgraph_runtime_inmem import database, ops, queue

from tablerag.serving import run_queue
from tablerag.serving.run_queue import prompt_queue


@pytest.fixture
def queued(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return a run, and an empty store to which it can be added."""
    thread, now = uuid.uuid4(), datetime.now(UTC)
    store = {"threads": [{"thread_id": thread}], "runs": [], "assistants": []}
    monkeypatch.setattr(database, "GLOBAL_STORE", store)
    return {"run_id": uuid.uuid4(), "thread_id": thread, "status": "pending", "created_at": now}


async def taken(runs: AsyncIterator[Any]) -> list[uuid.UUID]:
    return [run["run_id"] async for run, _ in runs]


def test_a_run_that_comes_while_the_queue_waits_is_taken_at_once(queued: dict[str, Any]) -> None:
    async def waits() -> list[uuid.UUID]:
        async with prompt_queue():
            waiting = asyncio.create_task(taken(ops.Runs.next(wait=True, limit=1)))
            await asyncio.sleep(0)  # it waits now
            database.GLOBAL_STORE["runs"].append(queued | {"created_at": datetime.now(UTC)})
            with pytest.raises(Exception, match="not found"):  # any change of a thread's status
                await ops.Threads.set_joint_status(_connection(), uuid.uuid4(), uuid.uuid4(), "success", "tablerag")
            return await waiting

    assert asyncio.run(waits()) == [queued["run_id"]]


def test_the_end_of_a_run_starts_the_next_of_its_thread(queued: dict[str, Any]) -> None:
    running = queued | {"run_id": uuid.uuid4(), "status": "running"}
    database.GLOBAL_STORE["runs"] += [running, queued]

    async def ends() -> tuple[list[uuid.UUID], list[uuid.UUID]]:
        async with prompt_queue():
            before = await taken(ops.Runs.next(wait=False, limit=1))
            waiting = asyncio.create_task(taken(ops.Runs.next(wait=True, limit=1)))
            await asyncio.sleep(0)
            await ops.Runs.set_status(_connection(), running["run_id"], "success")
            return before, await waiting

    assert asyncio.run(ends()) == ([], [queued["run_id"]])


def test_runs_that_cannot_start_do_not_hide_one_that_can(queued: dict[str, Any]) -> None:
    """Ten wait for the run before them in their thread, ten are of a thread that is gone; one is free."""
    store, started = database.GLOBAL_STORE, uuid.uuid4()
    store["threads"].append({"thread_id": started})
    store["runs"] += [queued | {"run_id": uuid.uuid4(), "status": "running"}]
    store["runs"] += [queued | {"run_id": uuid.uuid4()} for _ in range(10)]
    store["runs"] += [queued | {"run_id": uuid.uuid4(), "thread_id": uuid.uuid4()} for _ in range(10)]
    store["runs"] += [queued | {"thread_id": started}]

    async def looks() -> list[uuid.UUID]:
        async with prompt_queue():
            return await taken(ops.Runs.next(wait=False, limit=9))

    assert asyncio.run(looks()) == [queued["run_id"]]
    assert len(store["runs"]) == 12  # those of the lost thread are removed


def test_no_more_runs_are_taken_than_workers_are_free(queued: dict[str, Any]) -> None:
    threads = [uuid.uuid4() for _ in range(4)]
    database.GLOBAL_STORE["threads"] += [{"thread_id": name} for name in threads]
    database.GLOBAL_STORE["runs"] += [queued | {"run_id": name, "thread_id": name} for name in threads]

    async def looks() -> list[list[uuid.UUID]]:
        async with prompt_queue():
            return [await taken(ops.Runs.next(wait=False, limit=3)) for _ in range(2)]

    assert asyncio.run(looks()) == [threads[:3], threads[3:]]


@pytest.mark.parametrize(
    ("waited_s", "running", "workers", "stalled"),
    [(60, 9, 9, True), (60, 10, 10, False), (60, 1, 10, False), (0, 9, 9, False)],
    ids=["free", "busy", "ending", "new"],
)
def test_a_server_is_stalled_whose_free_worker_takes_no_run(
    queued: dict[str, Any], monkeypatch: pytest.MonkeyPatch, waited_s: float, running: int, workers: int, stalled: bool
) -> None:
    """A worker whose run has ended may still be at its end, and is not free."""
    monkeypatch.setattr(queue, "WORKERS", set(range(workers)))
    monkeypatch.setitem(sys.modules, "langgraph_api.config", SimpleNamespace(N_JOBS_PER_WORKER=10))
    monkeypatch.setattr(run_queue, "_latest_start", float("-inf"))
    since = datetime.now(UTC) - timedelta(seconds=waited_s)
    old = {"created_at": since, "updated_at": since}
    others = [queued | {"thread_id": uuid.uuid4(), "status": "running"} | old for _ in range(running)]
    database.GLOBAL_STORE["runs"] += [*others, others[0] | {"status": "pending"}]
    assert not run_queue.is_stalled()  # the one that waits is of a thread that is busy
    database.GLOBAL_STORE["runs"].append(queued | old)
    assert run_queue.is_stalled() == stalled


def test_threads_that_are_deleted_at_once_leave_the_others(
    queued: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def slowly(*_: object) -> None:
        await asyncio.sleep(0)

    monkeypatch.setattr(ops, "_delete_checkpoints_for_thread", slowly)
    monkeypatch.setattr(ops.Threads, "handle_event", slowly)
    names = [uuid.uuid4() for _ in range(4)]
    database.GLOBAL_STORE["threads"][:] = [{"thread_id": name, "metadata": {}} for name in names]
    database.GLOBAL_STORE["crons"] = []

    async def deleted() -> list[uuid.UUID]:
        async with prompt_queue():
            await asyncio.gather(*(ops.Threads.delete(_connection(), name) for name in names[:2]))
            return [t["thread_id"] for t in database.GLOBAL_STORE["threads"]]

    assert asyncio.run(deleted()) == names[2:]


def test_the_runtime_is_as_before_afterwards() -> None:
    before = ops.Runs.next, ops.Runs.put, ops.Threads.delete, ops.Threads.set_joint_status

    async def opened() -> None:
        async with prompt_queue():
            assert ops.Runs.next is not before[0]

    asyncio.run(opened())
    assert (ops.Runs.next, ops.Runs.put, ops.Threads.delete, ops.Threads.set_joint_status) == before


def _connection() -> database.InMemConnectionProto:
    return database.InMemConnectionProto()
