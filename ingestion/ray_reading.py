"""Reads documents on a Ray cluster: one task for each file, which reads, types, chunks and embeds it.

A task is sent the file's bytes, so nodes need no shared file system. It reads them in a reader process, with the limits
of a local ingest. This module is the only one that knows Ray, which is imported at first use.
"""

import os
import re
import socket
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from logging import CRITICAL
from types import TracebackType
from typing import Any, Self

from tablerag.ingestion.in_order import InOrder
from tablerag.ingestion.ray_task import Installation, Sent, Task, read_sent
from tablerag.ingestion.reader_pool import share_mb
from tablerag.ingestion.reader_worker import Job, OnPage, Outcome, Reading, UnpackJob
from tablerag.ingestion.readers import READERS
from tablerag.ingestion.readers.ocr import installed
from tablerag.tools.errors import ConfigError, UnreadableDocument
from tablerag.tools.settings import Settings

__all__ = ["LOCAL", "RayReaders", "is_address"]

LOCAL = "local"
"""The address of a Ray that this process starts, on loopback, and ends."""
CLIENT = "ray://"
ADDRESS = re.compile(r"(?:ray://)?(?P<host>[\w.-]+|\[[0-9A-Fa-f:]+\]):(?P<port>\d{1,5})")
CONNECT_S = 15.0
"""Seconds in which a cluster must let this process in."""
REACH_S = 4.0
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
"""How a client of gRPC begins, with its empty settings."""
ANSWERS = (b"\0", b"\x15", b"\x16")
"""How a server of gRPC answers: with the length of its settings, or in TLS."""
MOST_TASKS = 256
PER_CPU = 2
"""Tasks for each CPU of the cluster, so that none waits for the next file."""
MOST_SENT = 500_000_000
"""Bytes of files that are being read; beyond it only the next one is sent."""
RETRIES = 3
"""How often Ray reads a file again whose worker or node was lost."""
SHARED_BY = 6
"""Into how many parts a small file's memory is divided at most, as in reader_pool.py."""
STORE_BYTES = 1_000_000_000
"""The object store of a Ray that this process starts."""


def is_address(text: str) -> bool:
    """Return whether a text is the address of a Ray, rather than a path.

    >>> [is_address(text) for text in ("auto", "ray://head:10001", "10.0.0.7:6379", "reports")]
    [True, True, True, False]
    """
    return text in (LOCAL, "auto") or ADDRESS.fullmatch(text) is not None


class RayReaders:
    """A ReadAll on a Ray cluster, which is connected to when the first file is to be read.

    Raises ConfigError for a missing package, a text that is no address, a cluster that cannot be reached and a node
    with another version of TableRAG. A process that is connected to a Ray already uses that one.
    """

    def __init__(self, address: str = LOCAL, task: Task = read_sent) -> None:
        if find_spec("ray") is None:
            raise ConfigError('ingesting on Ray needs ray: pip install "tablerag[ray]"')
        if not is_address(address):
            raise ConfigError(f"invalid Ray address {address!r}: expected HOST:PORT, ray://HOST:PORT or auto")
        self._address, self._task = address, task
        self._ray: Any = None
        self._is_mine = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._is_mine:
            self._ray.shutdown()
        self._ray, self._is_mine = None, False

    def __call__(
        self,
        jobs: Sequence[Job],
        settings: Settings,
        waiting: Callable[[], object] = lambda: None,
        on_page: OnPage | None = None,
    ) -> Iterator[tuple[Job, Outcome]]:
        """Yield every job with its outcome, as ReadAll describes."""
        if not jobs:
            return
        if self._ray is None:
            self._ray, self._is_mine = _connected(self._address, settings)
        reading = replace(Reading.of(settings), embeds=settings.embedding == "embedded")
        pages = _pages(self._ray, jobs, on_page) if on_page and reading.ocr else None

        def tick() -> None:
            if pages:
                pages()
            waiting()

        pool = _Tasks(self._ray, self._task, reading, tick, pages and pages.actor)
        try:
            yield from pool.outcomes(jobs)
        except BaseException:
            pool.end()
            raise
        pool.close()


class _Tasks(InOrder):
    """Threads that each wait for one task."""

    def __init__(
        self, ray: Any, task: Task, reading: Reading, waiting: Callable[[], object], tell_page: Any = None
    ) -> None:
        found = ray.cluster_resources()
        threads = min(MOST_TASKS, PER_CPU * max(1, int(found.get("CPU", 1))) + 1)
        super().__init__(threads, threads, waiting, MOST_SENT)
        self._ray, self._reading, self._tell_page = ray, reading, tell_page
        self._expected = Installation.here(ocr=reading.ocr)
        self._most_memory = max((n["Resources"].get("memory", 0.0) for n in ray.nodes() if n["Alive"]), default=0.0)
        self._remote = ray.remote(task)
        self._running: set[Any] = set()
        self._lock = threading.Lock()

    def _outcome(self, job: Job | UnpackJob) -> Outcome | bytes:
        """Read one file; read it again in a new process, with all memory, if there was too little or a crash."""
        import numpy as np

        assert isinstance(job, Job)
        try:
            data = self._ray.put(np.fromfile(job.file.on_disk, np.uint8))
        except OSError as error:
            return UnreadableDocument(f"cannot be opened: {error.strerror}")
        full = self._reading
        shared = replace(full, memory_mb=share_mb(job.size, full.memory_mb, SHARED_BY))
        outcome, may_do_better = self._ran(Sent(job, shared, False, self._expected, self._tell_page), data)
        if may_do_better and not self._is_ended:
            outcome, _ = self._ran(Sent(job, full, True, self._expected, self._tell_page), data)
        if isinstance(outcome, ConfigError):
            raise outcome
        return outcome

    def _ran(self, sent: Sent, data: Any) -> tuple[Outcome | bytes, bool]:
        """Run a task; Ray runs it again elsewhere if its worker or node is lost."""
        errors = self._ray.exceptions
        memory = min(sent.reading.memory_mb * 1e6, self._most_memory)
        options = {"num_cpus": 1, "memory": memory, "max_retries": RETRIES, "scheduling_strategy": "SPREAD"}
        try:
            ref = self._remote.options(name="tablerag: read", **options).remote(sent, data)
            with self._lock:
                self._running.add(ref)
            try:
                return self._ray.get(ref)
            finally:
                with self._lock:
                    self._running.discard(ref)
        except errors.RayTaskError as error:
            if "No module named 'tablerag" in str(error):
                raise ConfigError(
                    "a node of the Ray cluster has no tablerag: install the same version on every node"
                ) from error
            reason = f"its Ray task failed ({type(error.cause or error).__name__})"
        except errors.RayError as error:
            reason = f"its Ray task was lost {RETRIES + 1} times ({type(error).__name__})"
        return UnreadableDocument(f"was not read, as {reason}: run `tablerag ingest --retry-failed`"), False

    def end(self) -> None:
        """Cancel all tasks."""
        self._stop()
        with self._lock:
            running = list(self._running)
        for ref in running:
            self._ray.cancel(ref, force=True)
        super().end()


class _Pages:
    """Asks for the pages that the nodes read by OCR, and tells of them here."""

    def __init__(self, ray: Any, jobs: Mapping[str, Job], on_page: OnPage) -> None:
        self.actor = ray.remote(PagesRead).options(num_cpus=0).remote()
        self._ray, self._jobs, self._on_page = ray, jobs, on_page

    def __call__(self) -> None:
        for document_id, (page, pages) in self._ray.get(self.actor.taken.remote()).items():
            self._on_page(self._jobs[document_id], page, pages)


class PagesRead:
    """An actor: the page of each document that is read by OCR now."""

    def __init__(self) -> None:
        self._new: dict[str, tuple[int, int]] = {}

    def tell(self, document_id: str, page: int, pages: int) -> None:
        """Note that a page is about to be read, of how many."""
        self._new[document_id] = (page, pages)

    def taken(self) -> dict[str, tuple[int, int]]:
        """Return what was noted since the last call: page and number of pages, by document id."""
        new, self._new = self._new, {}
        return new


def _pages(ray: Any, jobs: Sequence[Job], on_page: OnPage) -> _Pages | None:
    """Return what asks for pages, if there may be some."""
    scans = {j.document_id: j for j in jobs if READERS.get(j.file.on_disk.suffix.lower()) in ("pdf", "picture")}
    return _Pages(ray, scans, on_page) if scans and installed() else None


def _connected(address: str, settings: Settings) -> tuple[Any, bool]:
    """Return Ray, connected, and whether this process has to disconnect it."""
    ray = import_module("ray")
    if ray.is_initialized():
        return ray, False
    quiet = {"log_to_driver": False, "logging_level": CRITICAL}
    # Else Ray prints a paragraph on standard output for each worker that is lost; the report says what came of it.
    import_module("ray._private.worker").__dict__["print_to_stdstream"] = lambda data, ignore_prefix: None
    if address == LOCAL:
        usage = import_module("ray._common.usage.usage_lib")
        usage.set_usage_stats_enabled_via_env_var(False)
        with _loopback():
            ray.init(
                LOCAL,
                num_cpus=settings.workers or os.cpu_count(),
                object_store_memory=STORE_BYTES,
                include_dashboard=False,
                _node_ip_address="127.0.0.1",
                **quiet,
            )
        return ray, True
    address = _found(address)
    host = _reached(address)
    failed = _begun(lambda: _joined(ray, address, host, quiet))
    if failed is not None:
        raise ConfigError(f"Ray at {address} cannot be used: {failed}") from None
    return ray, True


def _found(address: str) -> str:
    """Return the address of the Ray that runs on this machine, or that RAY_ADDRESS names, for ``auto``."""
    if address != "auto":
        return address
    services = import_module("ray._private.services")
    try:
        return services.get_ray_address_from_environment("auto", None)
    except ConnectionError as error:
        raise ConfigError(
            "no Ray runs on this machine: run `ray start --head`, or give --ray an address such as ray://HOST:10001"
        ) from error


def _reached(address: str) -> str:
    """Return the host of an address; raise ConfigError if nothing listens there, for which Ray would wait minutes."""
    parts = ADDRESS.fullmatch(address)
    if not parts:
        raise ConfigError(f"invalid Ray address {address!r}: expected HOST:PORT or ray://HOST:PORT")
    host = parts["host"].strip("[]")
    try:
        with socket.create_connection((host, int(parts["port"])), REACH_S) as connection:
            connection.sendall(PREFACE)
            speaks = connection.recv(1)[:1] in ANSWERS
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ConfigError(
            f"no Ray answers at {address} ({reason}): check the address, and that the cluster runs"
        ) from error
    if not speaks:
        raise ConfigError(f"what answers at {address} is not Ray: check the address")
    return host


def _joined(ray: Any, address: str, host: str, quiet: Mapping[str, Any]) -> None:
    if address.startswith(CLIENT):
        ray.init(address, **quiet)
    elif host in ("localhost", "::1") or host.startswith("127."):
        with _loopback():
            ray.init(address, _node_ip_address=host, **quiet)
    else:
        ray.init(address, **quiet)


@contextmanager
def _loopback() -> Iterator[None]:
    """Have Ray listen on and connect to 127.0.0.1, as it does on macOS; on Linux it would replace that address."""
    constants: Any = import_module("ray._private.ray_constants")
    before, constants.ENABLE_RAY_CLUSTER = constants.ENABLE_RAY_CLUSTER, False
    try:
        yield
    finally:
        constants.ENABLE_RAY_CLUSTER = before


def _begun(connect: Callable[[], object]) -> str | None:
    """Connect in a thread, as Ray waits long for what does not answer; return what went wrong in a line."""
    failed: list[str] = []

    def run() -> None:
        try:
            connect()
        except Exception as error:  # Ray raises many kinds, also those of gRPC
            failed.append(" ".join(str(error).split())[:200] or type(error).__name__)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(CONNECT_S)
    if thread.is_alive():
        return f"it did not answer within {CONNECT_S:.0f} s; check that this is the address of a Ray"
    return failed[0] if failed else None
