"""Runs a model's Python over DataFrames in locked-down child processes; only rows of plain cells come back.

A Sandbox keeps one ``python -I`` with pandas loaded, an empty environment and pipes for stdin and stdout. Every program
runs in a fork of it that locks itself up first and ends with the program, so none sees what another left. The layers,
from the outside in; each holds without those below it:

- its parents kill it at the deadline, and read no more than MAX_OUTPUT bytes of it;
- the kernel's limits: processor seconds, address space, no file may grow (FSIZE 0), no process or thread may start
  (NPROC 0), and no descriptor beyond stdin, stdout and stderr may be had (NOFILE 0, also in place of one of these):
  whatever the program gets hold of, it can open no file, pipe or socket, for reading or writing;
- where it is permitted: a network namespace without any network, and the user ``nobody`` where the parent is root
  (NPROC does not bind root); no new rights by set-user-id programs, and no tracing;
- on Linux (x86-64, 64-bit ARM) a seccomp filter: the kernel refuses every system call but 26 that computing needs.
  Elsewhere a warning says that it is missing; the user's own processes could then be sent signals;
- an audit hook that refuses every event of Python but a few harmless ones: open, socket, subprocess, os.system, fork,
  ctypes and imports among what it refuses;
- a look at the program before it runs (language.py): imports but of a few modules, names with an underscore in
  front, eval, getattr and the ways of pandas and numpy to files are refused with a reason that a model can act on.

It is Python all the same: code that breaks the interpreter itself meets the kernel's layers only, and could use the
rest of its seconds and memory, no more.
"""

import contextlib
import json
import logging
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from types import TracebackType
from typing import Any

from tablerag.tools.errors import ConfigError, ProgramFailed
from tablerag.tools.records import Cell, ColumnType

__all__ = ["Frame", "Limits", "Sandbox", "run_program"]

LOG = logging.getLogger(__name__)
CHILD = "from tablerag.tools.sandbox.child import main; main()"
MAX_OUTPUT = 2_100_000
"""Bytes of a reply that are read before the child is killed; its own bound is a little lower."""
START_S = 60.0
"""Seconds that loading pandas may take, on a busy machine too."""
WAITING = 4
"""Seconds on the clock for each of the processor's; the child itself waits a little less."""
ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""The child may start no threads."""
Rows = tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Limits:
    """What one program may use."""

    seconds: int = 10
    memory_mb: int = 2000
    """Of address space, pandas included."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A table as the program sees it."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    """JSON-safe cells; dates are ISO 8601 texts."""
    types: Sequence[ColumnType] = ()
    """Of each column; none: as pandas guesses them."""


class Sandbox:
    """Runs programs one after the other; not for several threads at once.

    The child starts with the first program, and anew after one that took it down.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        """Raise ConfigError where pandas is not installed."""
        if find_spec("pandas") is None:
            raise ConfigError("programs over DataFrames need pandas: pip install 'tablerag[eval]'")
        self._limits = limits or Limits()
        self._child: subprocess.Popen[bytes] | None = None
        self._warned = False

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def run(self, code: str, tables: Mapping[str, Frame]) -> Rows:
        """Run a program over ``tables`` and return its variable ``answer`` as rows, the first 1000 of them.

        A DataFrame's rows are rows, a Series' or a list's items rows of one cell, any other value is one row of one.
        Raises ProgramFailed, with a reason for whoever wrote the program.
        """
        given = {
            name: {"columns": list(t.columns), "rows": [list(r) for r in t.rows], "types": list(t.types)}
            for name, t in tables.items()
        }
        reply = self._reply(json.dumps({"code": code, "tables": given}).encode() + b"\n")
        if not reply.get("filtered", True) and not self._warned:
            self._warned = True
            LOG.warning("the sandbox has no filter of system calls here: its other layers hold")
        if "rows" not in reply:
            raise ProgramFailed(str(reply.get("error") or self._ended()))
        return tuple(tuple(row) for row in reply["rows"])

    def close(self) -> None:
        """End the child, and a program that may still run."""
        child, self._child = self._child, None
        if child is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        for pipe in (child.stdin, child.stdout):
            if pipe:
                pipe.close()

    def _ended(self) -> str:
        seconds, memory = self._limits.seconds, self._limits.memory_mb
        return f"it was ended: more than {seconds} s of work, {memory} MB of memory, or a crash"

    def _reply(self, job: bytes) -> dict[str, Any]:
        """Hand the job to the child, and read its one JSON object; of a child that is gone, an empty one."""
        waiting = WAITING * max(self._limits.seconds, 1)
        if self._child is None:
            waiting += START_S
            self._child = self._started()
        line = _exchanged(self._child, job, time.monotonic() + waiting)
        try:
            reply = json.loads(line)
        except ValueError:
            reply = None
        if isinstance(reply, dict):
            return reply
        self.close()
        return {}

    def _started(self) -> "subprocess.Popen[bytes]":
        limits = [str(self._limits.seconds), str(self._limits.memory_mb)]
        child = subprocess.Popen(
            [sys.executable, "-I", "-c", CHILD, *limits],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            env=ENVIRONMENT,
            cwd="/",
            close_fds=True,
            start_new_session=True,  # a group of its own, which close() ends as one
        )
        assert child.stdin is not None
        os.set_blocking(child.stdin.fileno(), False)
        return child


def run_program(code: str, tables: Mapping[str, Frame], limits: Limits | None = None) -> list[str]:
    """Run one program in a sandbox of its own, and return its answer as texts, one for each row.

    Raises ProgramFailed, with a reason for whoever wrote the program, and ConfigError where pandas is not installed.
    """
    with Sandbox(limits) as sandbox:
        rows = sandbox.run(code, tables)
    texts = [", ".join(_text(c) for c in row if c is not None) for row in rows]
    if not any(texts):
        raise ProgramFailed("the variable answer is empty")
    return [t for t in texts if t]


def _text(cell: Cell) -> str:
    return f"{cell:.10g}" if isinstance(cell, float) else str(cell).strip()


def _exchanged(child: "subprocess.Popen[bytes]", job: bytes, deadline: float) -> bytes:
    """Write the job, then read one line; b"" where the child ends, says too much, or takes until the deadline."""
    assert child.stdin is not None and child.stdout is not None
    left, parts = memoryview(job), bytearray()
    with selectors.DefaultSelector() as ready:
        ready.register(child.stdin, selectors.EVENT_WRITE)
        ready.register(child.stdout, selectors.EVENT_READ)
        while (wait := deadline - time.monotonic()) > 0 and len(parts) <= MAX_OUTPUT:
            for key, _ in ready.select(wait):
                if key.fileobj is child.stdout:
                    read = os.read(child.stdout.fileno(), 65536)
                    parts += read
                    if not read or read.endswith(b"\n"):
                        return bytes(parts) if read else b""
                    continue
                try:
                    left = left[os.write(child.stdin.fileno(), left[:65536]) :]
                except BrokenPipeError:
                    left = left[:0]
                if not left:
                    ready.unregister(child.stdin)
    return b""
