"""Ingests of uploaded files, in the SQL database: any process of a deployment reports them and can cancel them."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal

from sqlalchemy import ColumnElement, delete, insert, select, update

from tablerag.tools.catalog_tables import JOBS
from tablerag.tools.services import Services

__all__ = ["IngestJob", "State", "UploadJobs"]

State = Literal["running", "done", "failed", "cancelled"]
KEPT_JOBS = 200
LISTED_JOBS = 20
STOPPED = "the server was stopped before it had read all files: upload those that are missing again"


@dataclass(slots=True)
class IngestJob:
    """One ingest of uploaded files, as the page polls it."""

    id: str
    corpus: str
    files: list[str] = field(default_factory=list)
    started_at: str = ""
    """ISO 8601, UTC."""
    state: State = "running"
    stage: Literal["reading", "storing", "indexing", "done"] = "reading"
    done: int = 0
    total: int = 0
    source: str = ""
    """The file being read."""
    report: dict[str, Any] | None = None
    error: str = ""


NAMES = frozenset(f.name for f in fields(IngestJob))


class UploadJobs:
    """The jobs of a deployment; the latest stay after they end."""

    def __init__(self, services: Services) -> None:
        self._database = services.database
        self._leases = services.leases
        self._create = services.catalog.create

    @contextmanager
    def alone_in(self, corpus: str) -> Iterator[bool]:
        """Lock a corpus against other changes from a page; yield False if one is under way, in any process."""
        self._create()
        with self._leases.alone(_lock_of(corpus)) as taken:
            yield taken

    def begin(self, job: IngestJob) -> None:
        """Note a job, by whoever is alone in its corpus: what is still running there has ended with its process."""
        for other in self._found(JOBS.c.corpus == job.corpus, JOBS.c.state == "running"):
            self.note(_stopped(other))
        with self._database.writing("begin an upload") as connection:
            connection.execute(insert(JOBS).values(job_id=job.id, corpus=job.corpus, is_cancelled=0, **_columns(job)))
        oldest = select(JOBS.c.job_id).order_by(JOBS.c.started_at.desc()).offset(KEPT_JOBS).limit(KEPT_JOBS)
        if old := [r.job_id for r in self._database.select(oldest)]:
            with self._database.writing("forget uploads") as connection:
                connection.execute(delete(JOBS).where(JOBS.c.job_id.in_(old)))

    def note(self, job: IngestJob) -> None:
        """Note how far a job is."""
        with self._database.writing("note an upload") as connection:
            connection.execute(update(JOBS).where(_is(job)).values(**_columns(job)))

    def get(self, job_id: str) -> IngestJob | None:
        """Return the job with an id, or None."""
        return next(iter(self._seen(JOBS.c.job_id == job_id)), None)

    def of(self, corpus: str) -> list[IngestJob]:
        """Return the latest jobs of a corpus, the latest first."""
        return self._seen(JOBS.c.corpus == corpus)

    def cancel(self, job: IngestJob) -> None:
        """Have a job end at its next step; documents that it has published stay."""
        with self._database.writing("cancel an upload") as connection:
            connection.execute(update(JOBS).where(_is(job)).values(is_cancelled=1))

    def is_cancelled(self, job: IngestJob) -> bool:
        """Return whether somebody cancelled a job."""
        return any(r.is_cancelled for r in self._database.select(select(JOBS.c.is_cancelled).where(_is(job))))

    def _seen(self, wanted: ColumnElement[bool]) -> list[IngestJob]:
        """Return jobs; one whose process has stopped as failed."""
        found = self._found(wanted)
        if all(j.state != "running" for j in found):
            return found
        alive = self._leases.alive()
        return [_stopped(j) if j.state == "running" and _lock_of(j.corpus) not in alive else j for j in found]

    def _found(self, *wanted: ColumnElement[bool]) -> list[IngestJob]:
        if not self._database.has_table(JOBS.name):
            return []
        rows: Sequence[Any] = self._database.select(
            select(JOBS.c.record).where(*wanted).order_by(JOBS.c.started_at.desc(), JOBS.c.job_id).limit(LISTED_JOBS)
        )
        # A newer version may note more.
        return [IngestJob(**{n: v for n, v in json.loads(r.record).items() if n in NAMES}) for r in rows]


def _is(job: IngestJob) -> ColumnElement[bool]:
    return JOBS.c.job_id == job.id


def _lock_of(corpus: str) -> str:
    """Return the name of a corpus's lease."""
    return f"uploads {hashlib.sha256(corpus.encode()).hexdigest()[:40]}"


def _stopped(job: IngestJob) -> IngestJob:
    job.state, job.error = "failed", STOPPED
    return job


def _columns(job: IngestJob) -> dict[str, Any]:
    return {"state": job.state, "started_at": job.started_at, "record": json.dumps(asdict(job))}
