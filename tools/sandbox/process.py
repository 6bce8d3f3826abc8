"""Runs a model's Python over DataFrames in locked-down child processes; only rows of plain cells come back.

A Sandbox keeps one ``python -I`` process with pandas loaded, an empty environment and pipes for stdin and stdout. Every
program runs in a fork that locks itself down first and exits with the program, so no program sees another's state. The
layers, from the outside in; each one holds without those below it:

- the parent processes kill a program at its deadline and read at most MAX_OUTPUT bytes from it;
- kernel limits: CPU seconds, address space, no file may grow (FSIZE 0), no process or thread may start (NPROC 0), and
  no new descriptor (NOFILE 0, not even to replace stdin, stdout or stderr): the program cannot open any file, pipe or
  socket, for reading or writing;
- where permitted: an empty network namespace, and the user ``nobody`` if the parent is root (NPROC does not bind
  root); no privileges from set-user-id programs, and no tracing;
- on Linux (x86-64, 64-bit ARM) a seccomp filter that allows the 26 system calls that computing needs. Elsewhere a
  warning says that it is missing; a program could then send signals to the user's other processes;
- an audit hook that allows a few harmless events of Python. It refuses open, socket, subprocess, os.system, fork,
  ctypes, imports and everything else;
- a check of the source (language.py). It refuses imports of all but a few modules, names with a leading underscore,
  eval, getattr, and the file access of pandas and numpy, with a reason that a model can act on.

It is still Python: code that breaks the interpreter itself meets the kernel's layers only, and could use the rest of
its CPU seconds and memory, but nothing else.
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
"""The child is killed if its reply is longer, in bytes; its own limit is slightly lower."""
START_S = 60.0
"""Time limit for loading pandas, generous enough for a busy machine."""
WAITING = 4
"""Wall-clock seconds per CPU second; the child itself waits slightly less."""
ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""The child cannot start threads."""
Rows = tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one program."""

    seconds: int = 10
    memory_mb: int = 2000
    """Address space, including pandas."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A table to pass to a program as a DataFrame."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    """JSON-safe cells; dates are ISO 8601 strings."""
    types: Sequence[ColumnType] = ()
    """Type of each column; if empty, pandas infers them."""


class Sandbox:
    """Runs programs one at a time. Not thread-safe.

    The child process starts with the first program, and restarts after a program that crashed it.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        """Raises ConfigError if pandas is not installed."""
        if find_spec("pandas") is None:
            raise ConfigError("programs over DataFrames require pandas: pip install 'tablerag[eval]'")
        self._limits = limits or Limits()
        self._child: subprocess.Popen[bytes] | None = None
        self._warned = False

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def run(self, code: str, tables: Mapping[str, Frame]) -> Rows:
        """Run a program over ``tables`` and return the first 1000 rows of its variable ``answer``.

        Each item of a Series or list is a row with one cell; any other value is one row with one cell.
        Raises ProgramFailed with a reason for the program's author.
        """
        given = {
            name: {"columns": list(t.columns), "rows": [list(r) for r in t.rows], "types": list(t.types)}
            for name, t in tables.items()
        }
        reply = self._reply(json.dumps({"code": code, "tables": given}).encode() + b"\n")
        if not reply.get("filtered", True) and not self._warned:
            self._warned = True
            LOG.warning("the sandbox has no system call filter on this machine: its other layers still hold")
        if "rows" not in reply:
            raise ProgramFailed(str(reply.get("error") or self._ended()))
        return tuple(tuple(row) for row in reply["rows"])

    def close(self) -> None:
        """Kill the child process and any program that still runs."""
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
        return f"the program was killed: it exceeded {seconds} s or {memory} MB, or crashed"

    def _reply(self, job: bytes) -> dict[str, Any]:
        """Send the job to the child and return its JSON object; an empty one if the child is gone."""
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
            start_new_session=True,  # its own process group, which close() kills
        )
        assert child.stdin is not None
        os.set_blocking(child.stdin.fileno(), False)
        return child


def run_program(code: str, tables: Mapping[str, Frame], limits: Limits | None = None) -> list[str]:
    """Run one program in its own sandbox, and return its answer as strings, one per row.

    Raises ProgramFailed with a reason for the program's author, and ConfigError if pandas is not installed.
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
    """Write the job, then read one line; b"" if the child exits, writes too much, or misses the deadline."""
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
