"""Runs a model's Python over DataFrames in locked-down child processes; only rows of plain cells come back.

Python cannot confine Python: numpy alone reads and writes any address of its process. So nothing about a program's text
is checked, and the kernel is the boundary. A Sandbox keeps one ``python -I`` process with pandas loaded, which has an
empty environment and no descriptor of the parent but a socket. Every program runs in a fork of it that locks itself
down first and ends with the program:

- a seccomp filter allows only the system calls that computing needs (Linux on x86-64 or 64-bit ARM). A program cannot
  open, list or change files, use sockets, start a process or thread, send or handle signals, trace, share memory or
  make it executable. Without the filter no program runs: ConfigError;
- only /dev/null and the pipe for the reply are open, and no other descriptor can be;
- CPU seconds and wall-clock time (SIGALRM), address space, no file may grow, no process may start; the parent reads at
  most MAX_REPLY bytes and kills what outlives the time limit;
- where permitted: no capabilities, an empty network namespace, and the user ``nobody`` if the parent is root.

A job goes from the parent to the fork in an anonymous file and its reply comes back through a pipe, each used once.
No program can reach another one's job or reply: they never enter the process that is forked. protocol.py says what a
reply means. A program can compute a wrong answer, use up its seconds and memory, and claim any rows as its answer, but
nothing else.
"""

import contextlib
import json
import os
import selectors
import signal
import socket
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
from tablerag.tools.sandbox.protocol import CONFINED, MAX_REPLY, RUN, UNCONFINED, Rows, decoded

__all__ = ["Frame", "Limits", "Sandbox", "run_program"]

CHILD = "from tablerag.tools.sandbox.child import main; main()"
START_S = 60.0
"""Time limit for loading pandas, generous enough for a busy machine."""
WAITING = 4
"""Wall-clock seconds per CPU second; the kernel ends a program slightly earlier."""
ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""The child cannot start threads."""
NOT_CONFINED = (
    "programs of a model run only where the kernel can confine them: use Linux on x86-64 or 64-bit ARM, with seccomp"
)
NOT_STARTED = f"the sandbox did not start: check that {sys.executable} -I -c 'import pandas' works"


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

    The child process starts with the first program, and restarts after a program that had to be killed.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        """Raises ConfigError if pandas is not installed, or the machine cannot confine programs."""
        if find_spec("pandas") is None:
            raise ConfigError("programs over DataFrames require pandas: pip install 'tablerag[eval]'")
        if sys.platform != "linux":
            raise ConfigError(NOT_CONFINED)
        self._limits = limits or Limits()
        self._child: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def run(self, code: str, tables: Mapping[str, Frame]) -> Rows:
        """Run a program over ``tables`` and return the first 1000 rows of its variable ``answer``.

        Each item of a Series or list is a row with one cell; any other value is one row with one cell.
        Raises ProgramFailed with a reason for the program's author, and ConfigError where nothing confines programs.
        """
        given = {
            name: {"columns": list(t.columns), "rows": [list(r) for r in t.rows], "types": list(t.types)}
            for name, t in tables.items()
        }
        reply = self._reply_to(json.dumps({"code": code, "tables": given}).encode())
        if not reply:
            seconds, memory = self._limits.seconds, self._limits.memory_mb
            raise ProgramFailed(f"the program was killed: it exceeded {seconds} s or {memory} MB, or crashed")
        if len(reply) > MAX_REPLY:
            raise ProgramFailed(f"the program was killed: it wrote more than {MAX_REPLY} bytes")
        return decoded(reply)

    def answer(self, code: str, tables: Mapping[str, Frame]) -> list[str]:
        """Run a program as ``run`` does, and return its answer as strings, one per row; raise also if it is empty."""
        texts = [", ".join(_text(c) for c in row if c is not None) for row in self.run(code, tables)]
        if not any(texts):
            raise ProgramFailed("the variable answer is empty")
        return [t for t in texts if t]

    def close(self) -> None:
        """Kill the child process and any program that still runs."""
        child, self._child = self._child, None
        if self._socket:
            self._socket.close()
        if child is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()

    def _reply_to(self, job: bytes) -> bytes:
        """Have the child run a job; return all that the program's process wrote, b"" if it was killed."""
        connection = self._connection()
        read_end, write_end = os.pipe()
        with os.fdopen(read_end, "rb"), os.fdopen(os.memfd_create("job"), "w+b") as stored:
            with os.fdopen(write_end, "wb"), contextlib.suppress(OSError):  # _read sees that the child is gone
                stored.write(job)
                stored.seek(0)
                socket.send_fds(connection, [RUN], [stored.fileno(), write_end])
            reply = _read(read_end, connection, time.monotonic() + WAITING * max(self._limits.seconds, 1))
        if reply is None or len(reply) > MAX_REPLY:
            self.close()
        return reply or b""

    def _connection(self) -> socket.socket:
        """Return the socket to the child, which is started if there is none."""
        if self._child is not None and self._socket:
            return self._socket
        ours, theirs = socket.socketpair()
        with theirs:
            self._child, self._socket = _started(theirs, self._limits), ours
        ours.settimeout(START_S)
        said = _received(ours)
        if said != CONFINED:
            self.close()
            raise ConfigError(NOT_CONFINED if said == UNCONFINED else NOT_STARTED)
        return ours


def _started(connection: socket.socket, limits: Limits) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-I", "-c", CHILD, str(limits.seconds), str(limits.memory_mb)],
        stdin=connection.fileno(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=ENVIRONMENT,
        cwd="/",
        close_fds=True,
        start_new_session=True,  # its own process group, which close() kills
    )


def _received(connection: socket.socket) -> bytes:
    """Return the child's next message, b"" if it is gone or sends none in time."""
    try:
        return connection.recv(1)
    except OSError:
        return b""


def _read(pipe: int, connection: socket.socket, deadline: float) -> bytes | None:
    """Read the pipe until it is closed and the child says that the program's process is gone.

    Returns more than MAX_REPLY bytes if there are more, and None if the child is gone or the deadline passed.
    """
    parts = bytearray()
    with selectors.DefaultSelector() as ready:
        ready.register(pipe, selectors.EVENT_READ)
        ready.register(connection, selectors.EVENT_READ)
        while ready.get_map() and (wait := deadline - time.monotonic()) > 0:
            for key, _ in ready.select(wait):
                if key.fileobj is connection:
                    if not _received(connection):
                        return None
                    ready.unregister(connection)
                elif part := os.read(pipe, 65536):
                    parts += part
                    if len(parts) > MAX_REPLY:
                        return bytes(parts)
                else:
                    ready.unregister(pipe)
        return None if ready.get_map() else bytes(parts)


def run_program(code: str, tables: Mapping[str, Frame], limits: Limits | None = None) -> list[str]:
    """Run one program in its own sandbox, and return its answer as strings, one per row.

    Raises ProgramFailed with a reason for the program's author, and ConfigError if pandas is not installed.
    """
    with Sandbox(limits) as sandbox:
        return sandbox.answer(code, tables)


def _text(cell: Cell) -> str:
    return f"{cell:.10g}" if isinstance(cell, float) else str(cell).strip()
