"""Forgets what langgraph-runtime-inmem keeps of runs that are gone: message queues, last messages, numbers of attempts.

It never removes them, about 4 kB of each run without a thread. Other runtimes keep none of this.
"""

from collections.abc import Iterable
from typing import Any

__all__ = ["EndedRuns"]

LEAST = 200
"""Runs that are not worth a search."""


class EndedRuns:
    """What the runtime keeps of runs; searched again when it has doubled."""

    def __init__(self) -> None:
        self._searched_at = LEAST

    def forget(self, runs: Iterable[dict[str, Any]]) -> None:
        """Forget all but these runs, and those that a client still listens to."""
        from langgraph_runtime_inmem import database, inmem_stream

        streams, attempts = inmem_stream.get_stream_manager(), database.GLOBAL_RETRY_COUNTER
        if max(len(streams.control_keys), len(attempts._counters)) < self._searched_at:
            return
        known = {run["run_id"] for run in runs}
        for kept in (streams.queues, streams.control_queues, streams.control_keys, streams.message_stores):
            _forget(kept, known, streams.queues)
        for counted in (attempts._counters, attempts._locks):
            for run in counted.keys() - known:
                del counted[run]
        self._searched_at = max(LEAST, 2 * len(streams.control_keys), 2 * len(attempts._counters))


def _forget(kept: Any, known: set[Any], listening: Any) -> None:
    """Remove runs that are neither known nor listened to from a dict of dicts by thread."""
    for thread, by_run in list(kept.items()):
        heard = {run for run, queues in listening.get(thread, {}).items() if queues}
        for run in by_run.keys() - known - heard:
            del by_run[run]
        if not by_run:
            del kept[thread]
