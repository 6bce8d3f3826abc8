"""Runs: an ingest, a removal or a repair holds a lease while it writes, so that others know whose leavings to delete.

A lease is in SQL, for all hosts to see. A lock in the home tells the processes there for certain, whatever the clocks.
"""

import threading
import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from filelock import FileLock, Timeout

from tablerag.tools.catalog import Unfinished
from tablerag.tools.chunks import delete_chunks
from tablerag.tools.errors import LeaseLost, StoreUnavailable, TableRagError
from tablerag.tools.leases import LOST
from tablerag.tools.private_folder import make_private
from tablerag.tools.services import Services
from tablerag.tools.summary_corpora import summary_corpora

__all__ = ["Run", "alive", "sweep"]


@dataclass(frozen=True, slots=True)
class Run:
    """One running ingest, doctor or removal."""

    id: str
    lost: threading.Event
    """Set once another host has taken the lease away."""
    begun: list[Unfinished] = field(default_factory=list)
    """All versions of documents that this run has begun to write."""

    @staticmethod
    @contextmanager
    def started(services: Services, *, sweeps: bool = True) -> Iterator["Run"]:
        """Hold a run's lease; delete what dead runs left before it, if it ``sweeps``, and what it replaced after it."""
        services.catalog.create()
        if services.database.is_server:
            services.catalog.check_vectors(on_server="+" in services.settings.resolved_vector_store)
        run_id = uuid.uuid4().hex[:16]
        with _locked(services, run_id):
            with services.leases.held(run_id) as lost:
                run = Run(run_id, lost)
                if sweeps:
                    sweep(services)
                try:
                    yield run
                except LeaseLost:
                    with suppress(TableRagError):
                        _give_up(services, run)
                    raise
                except StoreUnavailable:
                    # Only what gives a full disk room again: an index may still have to apply what it has logged, and
                    # would do so after the deletion. The next run deletes the rest.
                    with suppress(TableRagError):
                        mine = (v for v in services.catalog.unfinished() if v.run == run.id)
                        services.database.tables.drop([t for v in mine for t in v.stored_tables])
                    raise
                if sweeps:
                    sweep(services, run)
            services.database.backend.settle()  # after the last commit, which ends the lease

    def begin(self, services: Services, corpus: str, versions: Mapping[str, Sequence[str]]) -> None:
        """Record versions as unfinished before they are written: document ids with the names of their stored tables."""
        services.catalog.begin(self.id, corpus, versions)
        for document_id, names in versions.items():
            self.begun.append(
                Unfinished(document_id=document_id, corpus=corpus, run=self.id, stored_tables=tuple(names))
            )

    def check(self) -> None:
        """Raise LeaseLost once another host has taken the lease away."""
        if self.lost.is_set():
            raise LeaseLost(LOST)


@contextmanager
def _locked(services: Services, run_id: str) -> Iterator[None]:
    path = _lock(services, run_id)
    try:
        make_private(path.parent)
        held = FileLock(path).acquire()
        services.claim_home()
    except OSError as error:
        raise StoreUnavailable(
            f"cannot write to {services.settings.home} ({error.strerror}): make it writable, free space on its "
            "disk, or set TABLERAG_HOME to another folder"
        ) from error
    with held:
        yield
    with suppress(OSError):
        path.unlink()


def _lock(services: Services, run_id: str) -> Path:
    return services.settings.home / "runs" / f"{run_id}.lock"


def _has_ended(services: Services, run_id: str) -> bool | None:
    """Return whether a run of this home has ended: its lock is free. None for a run without a lock here."""
    path = _lock(services, run_id)
    if not run_id or not path.exists():
        return None
    try:
        with FileLock(path, timeout=0):
            return True
    except Timeout:
        return False


def alive(services: Services, runs: Collection[str]) -> set[str]:
    """Return which of these runs may still write."""
    leased, ended = services.leases.alive(), {run: _has_ended(services, run) for run in runs}
    return {run for run in runs if ended[run] is False or (ended[run] is None and run in leased)}


def sweep(services: Services, run: Run | None = None) -> int:
    """Delete the unfinished versions of this run and of dead ones; return their number."""
    mine = {run.id} if run else set()
    ended = {r: _has_ended(services, r) for r in {v.run for v in services.catalog.unfinished()} - mine}
    dead = {r for r, known in ended.items() if known is not False and services.leases.revoke(r, ended=bool(known))}
    # Read again: before its lease was revoked, a run may have published what was unfinished.
    doomed = [v for v in services.catalog.unfinished() if v.run in dead | mine]
    if doomed:  # first, as it needs no room on a full disk
        services.database.tables.drop([t for v in doomed for t in v.stored_tables])
    for corpus in {v.corpus for v in doomed}:
        ids = [v.document_id for v in doomed if v.corpus == corpus]
        for name in (corpus, *summary_corpora(services, corpus)):
            delete_chunks(services, name, ids)
    if doomed:
        services.large_values.delete_documents([v.document_id for v in doomed])
        services.catalog.finish({v.corpus for v in doomed}, [v.document_id for v in doomed])
    services.leases.end(dead)
    for run_id in dead:
        with suppress(OSError):
            _lock(services, run_id).unlink()
    return len(doomed)


def _give_up(services: Services, run: Run) -> None:
    """Delete what a run has written since another host cleaned up after it."""
    for corpus in {v.corpus for v in run.begun}:
        mine = {v.document_id: v.stored_tables for v in run.begun if v.corpus == corpus}
        for document_id in services.catalog.published(corpus, mine):
            del mine[document_id]
        services.catalog.begin("", corpus, mine)
    sweep(services)
