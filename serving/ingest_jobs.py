"""Ingests that the page started: one at a time for each corpus, each a thread that tells how far it is."""

import logging
import threading
import uuid
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from starlette.exceptions import HTTPException

from tablerag.ingestion.pipeline import Progress, ingest
from tablerag.ingestion.report import report_of
from tablerag.tools.errors import TableRagError
from tablerag.tools.services import Services

__all__ = ["JOBS", "IngestJob", "IngestJobs"]

LOG = logging.getLogger(__name__)
KEPT_JOBS = 200


@dataclass(slots=True)
class IngestJob:
    """One ingest of uploaded files, as the page shows it."""

    id: str
    corpus: str
    state: Literal["running", "done", "failed"] = "running"
    done: int = 0
    total: int = 0
    source: str = ""
    """The file at work."""
    report: dict[str, Any] | None = None
    error: str = ""


class IngestJobs:
    """The jobs of this process, the latest ones kept after their end. Safe to share between threads."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[str, IngestJob] = OrderedDict()
        self._busy: set[str] = set()
        self._lock = threading.Lock()

    def get(self, job_id: str) -> IngestJob | None:
        """Return the job of that id, or None."""
        with self._lock:
            return self._jobs.get(job_id)

    @contextmanager
    def alone_in(self, corpus: str) -> Iterator[None]:
        """Hold a corpus against other writers of the page; 409 while another one is at work."""
        self._take(corpus)
        try:
            yield
        finally:
            self._release(corpus)

    def start(self, corpus: str, saved: Callable[[], list[Path]], services: Services) -> IngestJob:
        """Ingest in a thread the files that ``saved`` stores and returns; 409 while another ingest is at work."""
        self._take(corpus)
        try:
            paths = saved()
            job = IngestJob(uuid.uuid4().hex, corpus, total=len(paths))
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
            job.done, job.total, job.source = step.done, step.total, step.source

        try:
            report = ingest(paths, services, job.corpus, apart=True, on_progress=show)
            _drop_unread(paths, services, job.corpus)
            job.report = report_of(job.corpus, report.entries)
        except TableRagError as error:
            job.error = str(error)
        except Exception as error:
            # The thread's edge: whoever waits for the job must hear of its end.
            LOG.exception("an ingest of uploaded files failed")
            job.error = f"unexpected {type(error).__name__}: the server's log says more"
        # Whoever hears that it has ended may write at once.
        self._release(job.corpus)
        job.state = "done" if job.report else "failed"

    def _take(self, corpus: str) -> None:
        with self._lock:
            if corpus in self._busy:
                raise HTTPException(409, f"the corpus {corpus!r} is being changed just now: wait until that ends")
            self._busy.add(corpus)

    def _release(self, corpus: str) -> None:
        with self._lock:
            self._busy.discard(corpus)


def _drop_unread(paths: list[Path], services: Services, corpus: str) -> None:
    """Delete files of which no version was ever read: nobody could list or remove them."""
    known = {d.path for d in services.catalog.documents(corpus)}
    for path in paths:
        if str(path) not in known:
            path.unlink(missing_ok=True)


JOBS = IngestJobs()
