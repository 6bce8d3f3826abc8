"""Background ingests of uploaded files: one at a time per corpus, each in a thread that reports progress."""

import logging
import threading
import uuid
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from starlette.exceptions import HTTPException

from tablerag.ingestion.manifest import container_of
from tablerag.ingestion.pipeline import Progress, Stage, ingest
from tablerag.ingestion.report import report_of
from tablerag.ingestion.runs import Run
from tablerag.tools.errors import TableRagError
from tablerag.tools.services import Services

__all__ = ["JOBS", "IngestJob", "IngestJobs"]

LOG = logging.getLogger(__name__)
KEPT_JOBS = 200
LISTED_JOBS = 20


class Cancelled(Exception):
    """Somebody cancelled the ingest."""


@dataclass(slots=True)
class IngestJob:
    """One ingest of uploaded files, as the page polls it."""

    id: str
    corpus: str
    files: list[str] = field(default_factory=list)
    started_at: str = ""
    state: Literal["running", "done", "failed", "cancelled"] = "running"
    stage: Stage = "reading"
    done: int = 0
    total: int = 0
    source: str = ""
    """The file being read."""
    report: dict[str, Any] | None = None
    error: str = ""


class IngestJobs:
    """The jobs of this process; the latest stay after they end. Thread-safe."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[str, IngestJob] = OrderedDict()
        self._busy: set[str] = set()
        self._cancelled: set[str] = set()
        self._lock = threading.Lock()

    def get(self, job_id: str) -> IngestJob | None:
        """Return the job with an id, or None."""
        with self._lock:
            return self._jobs.get(job_id)

    def of(self, corpus: str) -> list[IngestJob]:
        """Return the latest jobs of a corpus, the latest first."""
        with self._lock:
            return [j for j in reversed(self._jobs.values()) if j.corpus == corpus][:LISTED_JOBS]

    def cancel(self, job: IngestJob) -> None:
        """Have a job end at its next step; documents that it has published stay."""
        self._cancelled.add(job.id)

    @contextmanager
    def alone_in(self, corpus: str) -> Iterator[None]:
        """Lock a corpus against other writes from the page; 409 if it is locked already."""
        self._take(corpus)
        try:
            yield
        finally:
            self._release(corpus)

    def start(self, corpus: str, saved: Callable[[], list[Path]], services: Services) -> IngestJob:
        """Ingest the files that ``saved`` stores and returns, in a thread; 409 if the corpus is locked."""
        self._take(corpus)
        try:
            paths = saved()
            started = datetime.now(UTC).isoformat(timespec="seconds")
            job = IngestJob(uuid.uuid4().hex, corpus, [p.name for p in paths], started, total=len(paths))
            thread = threading.Thread(target=self._run, args=(job, paths, services), daemon=True)
            with self._lock:
                self._jobs[job.id] = job
                while len(self._jobs) > KEPT_JOBS:
                    self._jobs.popitem(last=False)
            thread.start()
        except BaseException:
            self._release(corpus)
            raise
        return job

    def _run(self, job: IngestJob, paths: list[Path], services: Services) -> None:
        def show(step: Progress) -> None:
            job.done, job.total, job.source, job.stage = step.done, step.total, step.doing, step.stage
            if job.id in self._cancelled and step.stage != "done":
                raise Cancelled

        cancelled = False
        try:
            report = ingest(paths, services, job.corpus, on_progress=show)
            _drop_unread(paths, services, job.corpus)
            job.report = report_of(job.corpus, report.entries)
        except Cancelled:
            cancelled = True
        except TableRagError as error:
            job.error = str(error)
        except Exception:
            # Nothing above this thread would report it, and the page polls until the job ends.
            LOG.exception("ingest of uploaded files failed")
            job.error = "unexpected error: see the server log"
        if cancelled:
            _clear(paths, services, job.corpus)
        # Release first: a client that sees the end may write at once.
        self._release(job.corpus)
        self._cancelled.discard(job.id)
        job.state = "cancelled" if cancelled else "done" if job.report else "failed"

    def _take(self, corpus: str) -> None:
        with self._lock:
            if corpus in self._busy:
                raise HTTPException(409, f"corpus {corpus!r} is busy: wait until the current change has finished")
            self._busy.add(corpus)

    def _release(self, corpus: str) -> None:
        with self._lock:
            self._busy.discard(corpus)


def _clear(paths: list[Path], services: Services, corpus: str) -> None:
    """Delete what a cancelled ingest has written, and its files."""
    try:
        with Run.started(services):  # deletes what ended runs have left
            pass
        _drop_unread(paths, services, corpus)
    except TableRagError:
        LOG.exception("could not delete what a cancelled ingest has written: the next ingest does")


def _drop_unread(paths: list[Path], services: Services, corpus: str) -> None:
    """Delete files that never became a document: nobody could list or remove them."""
    known = {str(container_of(Path(d.path))) for d in services.catalog.documents(corpus)}
    for path in paths:
        if str(path) not in known:
            path.unlink(missing_ok=True)


JOBS = IngestJobs()
