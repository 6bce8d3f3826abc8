"""The runtime keeps nothing of runs that are gone."""

import asyncio
import uuid

import pytest
from langgraph_runtime_inmem import database, inmem_stream

from tablerag.serving.ended_runs import LEAST, EndedRuns


class Attempts:
    """The runtime's counter, without its file."""

    def __init__(self, runs: list[uuid.UUID]) -> None:
        self._counters = dict.fromkeys(runs, 1)
        self._locks = {run: asyncio.Lock() for run in runs}


@pytest.fixture
def streams(monkeypatch: pytest.MonkeyPatch) -> inmem_stream.StreamManager:
    opened = inmem_stream.StreamManager()
    monkeypatch.setattr(inmem_stream, "stream_manager", opened)
    return opened


def test_only_runs_that_are_stored_or_listened_to_are_kept(
    streams: inmem_stream.StreamManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = [uuid.uuid4() for _ in range(LEAST)]
    stored, heard = runs[0], runs[1]
    attempts = Attempts(runs)
    monkeypatch.setattr(database, "GLOBAL_RETRY_COUNTER", attempts)

    async def work() -> None:
        for run in runs:
            await streams.put(run, run, inmem_stream.Message(topic=f"run:{run}:control".encode(), data=b"done"))
            await streams.put(run, run, inmem_stream.Message(topic=f"run:{run}:stream".encode(), data=b""))
        await streams.add_queue(heard, heard)

    asyncio.run(work())
    ended = EndedRuns()
    ended.forget([{"run_id": stored}])
    for kept in (streams.queues, streams.control_queues, streams.control_keys):
        assert set(kept) == {stored, heard}
    assert attempts._counters.keys() == attempts._locks.keys() == {stored}


def test_few_runs_are_not_searched(streams: inmem_stream.StreamManager, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = [uuid.uuid4() for _ in range(LEAST - 1)]
    attempts = Attempts(runs)
    monkeypatch.setattr(database, "GLOBAL_RETRY_COUNTER", attempts)
    EndedRuns().forget([])
    assert attempts._counters.keys() == set(runs)
