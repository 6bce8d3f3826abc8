"""Background ingests of uploaded files: one at a time per corpus, each in a thread that notes its progress in SQL."""

import logging
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from starlette.exceptions import HTTPException

from tablerag.ingestion.manifest import container_of
from tablerag.ingestion.pipeline import Progress, ingest
from tablerag.ingestion.report import report_of
from tablerag.ingestion.runs import Run
from tablerag.tools.errors import TableRagError
from tablerag.tools.services import Services
from tablerag.tools.upload_jobs import IngestJob, State, UploadJobs

__all__ = ["alone_in", "start"]

LOG = logging.getLogger(__name__)
UNLOCKED_S = 0.5
"""A client that sees the end of an ingest may write at once, and the corpus is unlocked a moment later."""
NOTED_S = 0.5
"""How often progress is written, and a cancellation looked for."""


class Cancelled(Exception):
    """Somebody cancelled the ingest."""


@contextmanager
def alone_in(corpus: str, services: Services) -> Iterator[None]:
    """Lock a corpus against other changes from the page, in all processes; 409 if it is locked already."""
    with ExitStack() as held:
        until = time.monotonic() + UNLOCKED_S
        while not held.enter_context(UploadJobs(services).alone_in(corpus)):
            if time.monotonic() > until:
                raise HTTPException(409, f"corpus {corpus!r} is busy: wait until the current change has finished")
            time.sleep(UNLOCKED_S / 10)
        yield


def start(corpus: str, saved: Callable[[], list[Path]], services: Services) -> IngestJob:
    """Ingest the files that ``saved`` stores and returns, in a thread; 409 if the corpus is locked."""
    with ExitStack() as until_failed:
        until_failed.enter_context(alone_in(corpus, services))
        paths = saved()
        started = datetime.now(UTC).isoformat(timespec="microseconds")
        job = IngestJob(uuid.uuid4().hex, corpus, [p.name for p in paths], started, total=len(paths))
        UploadJobs(services).begin(job)
        locked = until_failed.pop_all()
    threading.Thread(target=_run, args=(job, paths, services, locked), daemon=True).start()
    return job


def _run(job: IngestJob, paths: list[Path], services: Services, locked: ExitStack) -> None:
    try:
        with locked:
            job.state = _ended(job, paths, services)
            # Before it is unlocked: others take a job that runs without its lock for one whose process was killed.
            UploadJobs(services).note(job)
    except TableRagError:
        LOG.exception("could not note the end of an upload: it is reported as failed when its lease has expired")


def _ended(job: IngestJob, paths: list[Path], services: Services) -> State:
    """Ingest the files of a job; return the state that it ends in."""
    jobs, noted = UploadJobs(services), time.monotonic()

    def show(step: Progress) -> None:
        nonlocal noted
        is_new = (job.stage, job.source) != (step.stage, step.doing)
        job.done, job.total, job.source, job.stage = step.done, step.total, step.doing, step.stage
        if step.stage == "done" or not (is_new or time.monotonic() > noted + NOTED_S):
            return
        if jobs.is_cancelled(job):
            raise Cancelled
        if time.monotonic() > noted + NOTED_S or step.stage != "reading":
            jobs.note(job)
            noted = time.monotonic()

    try:
        report = ingest(paths, services, job.corpus, on_progress=show)
        _drop_unread(paths, services, job.corpus)
        job.report = report_of(job.corpus, report.entries)
        return "done"
    except Cancelled:
        _clear(paths, services, job.corpus)
        return "cancelled"
    except TableRagError as error:
        job.error = str(error)
    except Exception:
        # Nothing above this thread would report it, and the page polls until the job ends.
        LOG.exception("ingest of uploaded files failed")
        job.error = "unexpected error: see the server log"
    with suppress(TableRagError):
        _drop_unread(paths, services, job.corpus)
    return "failed"


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
