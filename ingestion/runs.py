"""Ingest runs: each holds a lock while alive, so that others know whose unfinished data they may delete."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from tablerag.tools.errors import StoreUnavailable, TableRagError
from tablerag.tools.private_folder import make_private
from tablerag.tools.services import Services
from tablerag.tools.summary_corpora import summary_corpora

__all__ = ["Run", "is_dead", "sweep"]


@dataclass(frozen=True, slots=True)
class Run:
    """One running ingest, doctor or removal."""

    id: str

    @staticmethod
    @contextmanager
    def started(services: Services) -> Iterator["Run"]:
        """Hold a run's lock; delete what dead runs left before it, and what this one replaced after it."""
        folder = _folder(services)
        run = Run(uuid.uuid4().hex[:16])
        try:
            make_private(folder)
            held = FileLock(folder / f"{run.id}.lock").acquire()
        except OSError as error:
            raise StoreUnavailable(
                f"cannot write to {services.settings.home} ({error.strerror}): make it writable, free space on its "
                "disk, or set TABLERAG_HOME to another folder"
            ) from error
        with held:
            sweep(services, run)
            try:
                yield run
            except StoreUnavailable:
                # Only what gives a full disk room again: an index may still have to apply what it has logged, and would
                # do so after the deletion. The next run deletes the rest.
                with suppress(TableRagError):
                    mine = (v for v in services.catalog.unfinished() if v.run == run.id)
                    services.database.tables.drop([t for v in mine for t in v.stored_tables])
                raise
            sweep(services, run)
            services.database.backend.settle()
        with suppress(OSError):
            (folder / f"{run.id}.lock").unlink()


def _folder(services: Services) -> Path:
    return services.settings.home / "runs"


def is_dead(services: Services, run_id: str) -> bool:
    """Return whether the process of a run has ended: its lock is free."""
    if not run_id:
        return True
    path = _folder(services) / f"{run_id}.lock"
    if not path.exists():
        return True
    try:
        with FileLock(path, timeout=0):
            pass
    except Timeout:
        return False
    with suppress(OSError):
        path.unlink()
    return True


def sweep(services: Services, run: Run) -> int:
    """Delete the unfinished versions of this run and of dead ones; return their number."""
    alive: dict[str, bool] = {run.id: False}
    doomed = []
    for version in services.catalog.unfinished():
        if version.run not in alive:
            alive[version.run] = not is_dead(services, version.run)
        if not alive[version.run]:
            doomed.append(version)
    if doomed:  # first, as it needs no room on a full disk
        services.database.tables.drop([t for v in doomed for t in v.stored_tables])
    for corpus in {v.corpus for v in doomed}:
        ids = [v.document_id for v in doomed if v.corpus == corpus]
        for name in (corpus, *summary_corpora(services, corpus)):
            services.vector_store(name).delete_documents(ids)
            services.lexical_index(name).delete_documents(ids)
    if doomed:
        services.large_values.delete_documents([v.document_id for v in doomed])
        services.catalog.finish([v.document_id for v in doomed])
    return len(doomed)
