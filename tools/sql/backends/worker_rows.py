"""The rows of a statement that runs in a worker, and what its refusals mean for any engine."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tablerag.tools.errors import SqlFailed, SqlProblem, SqlRejected
from tablerag.tools.sql.backends.tables import Rows
from tablerag.tools.sql.backends.worker_messages import Chunk, Refusal
from tablerag.tools.sql.backends.workers import QueryWorkers

__all__ = ["refused", "worker_rows"]

Problem = Callable[[Refusal], SqlProblem]
"""Returns the error for a refusal."""


@contextmanager
def worker_rows(workers: QueryWorkers, sql: str, timeout_s: float, problem: Problem) -> Iterator[Rows]:
    """Yield the rows of a statement, which is ended after ``timeout_s``; raises WorkerDied with its worker."""
    with workers.worker() as worker, worker.running(sql, timeout_s) as parts:
        first = _chunk(next(parts), problem)
        yield Rows(first.columns, _rows(first, parts, problem))


def _rows(first: Chunk, parts: Iterator[Chunk | Refusal], problem: Problem) -> Iterator[tuple[Any, ...]]:
    yield from first.rows
    for part in parts:
        yield from _chunk(part, problem).rows


def _chunk(part: Chunk | Refusal, problem: Problem) -> Chunk:
    if isinstance(part, Refusal):
        raise problem(part)
    return part


def refused(refusal: Refusal, timeout_s: float) -> SqlProblem | None:
    """Return the error for a refusal that means the same for every engine; None for one in the engine's own words."""
    match refusal.why:
        case "timed out":
            return SqlFailed(f"the statement ran longer than {timeout_s:g} s: filter earlier, or join on equal columns")
        case "memory":
            return SqlFailed("the statement needs more memory than there is: join and repeat shorter texts")
        case "died":
            return SqlFailed("the engine ended with the statement, which may need more memory than there is")
        case "not one SELECT":
            return SqlRejected("expected one SELECT")
    return None
