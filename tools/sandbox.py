"""Runs a model's Python over DataFrames in a locked-down child process; only texts come back.

A fresh ``python -I`` for each program, with an empty environment and pipes for stdin and stdout. Its layers, from the
outside in; each holds without those below it:

- the parent kills the child at the deadline, and reads no more than MAX_OUTPUT bytes of it;
- the kernel's limits: processor seconds, address space, no file may grow (FSIZE 0), no process or thread may start
  (NPROC 0), and no descriptor beyond stdin, stdout and stderr may be had (NOFILE 3): whatever the program gets hold of,
  it can open no file, pipe or socket, for reading or writing;
- where it is permitted: a network namespace without any network, and the user ``nobody`` where the parent is root
  (NPROC does not bind root); no new rights by set-user-id programs, and no tracing;
- an audit hook that refuses every event of Python but a few harmless ones: open, socket, subprocess, os.system, fork,
  ctypes and imports among what it refuses;
- a look at the program before it runs: imports but of a few modules, names with two underscores in front, eval, getattr
  and the ways of pandas and numpy to files are refused with a reason that a model can act on.

It is Python all the same: code that breaks the interpreter itself meets the kernel's layers only, and could use the
rest of its seconds and memory, no more.
"""

import json
import os
import selectors
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.errors import ConfigError, ProgramFailed

__all__ = ["Frame", "Limits", "run_program"]

CHILD = Path(__file__).with_name("sandbox_child.py")
MAX_OUTPUT = 2_000_000
"""Bytes of output that are read before the child is killed."""
START_S = 60.0
"""Seconds that loading pandas may take, on a busy machine too."""
ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""The child may start no threads."""


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
    """JSON-safe cells."""


def run_program(code: str, tables: Mapping[str, Frame], limits: Limits | None = None) -> list[str]:
    """Run a program over ``tables`` and return its variable ``answer`` as texts.

    Raises ProgramFailed, with a reason for whoever wrote the program, and ConfigError where pandas is not installed.
    """
    limits = limits or Limits()
    job = {
        "code": code,
        "tables": {name: {"columns": list(t.columns), "rows": [list(r) for r in t.rows]} for name, t in tables.items()},
        "limits": {"seconds": limits.seconds, "memory_mb": limits.memory_mb},
    }
    reply = _reply(json.dumps(job).encode(), limits)
    if "missing" in reply:
        raise ConfigError(f"programs over DataFrames need pandas ({reply['missing']}): pip install 'tablerag[eval]'")
    answer = reply.get("answer")
    if not isinstance(answer, list):
        raise ProgramFailed(str(reply.get("error", "it gave no answer")))
    if not answer:
        raise ProgramFailed("the variable answer is empty")
    return [str(a) for a in answer]


def _reply(job: bytes, limits: Limits) -> dict[str, Any]:
    """Hand the job to a child, and read its one JSON object."""
    child = subprocess.Popen(
        [sys.executable, "-I", str(CHILD)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=ENVIRONMENT,
        cwd="/",
        close_fds=True,
    )
    try:
        output = _read(child, job, time.monotonic() + START_S + limits.seconds)
    finally:
        child.kill()
        child.wait()
        for pipe in (child.stdin, child.stdout):
            if pipe and not pipe.closed:
                pipe.close()
    try:
        reply = json.loads(output)
    except ValueError:
        reply = None
    if isinstance(reply, dict):
        return reply
    raise ProgramFailed(
        f"it was ended: more than {limits.seconds} s of work, {limits.memory_mb} MB of memory, or a crash"
    )


def _read(child: "subprocess.Popen[bytes]", job: bytes, deadline: float) -> bytes:
    """Write the job, then read until the child ends; both no longer than until the deadline."""
    if child.stdin is None or child.stdout is None:
        raise ProgramFailed("it has no pipes")
    left, parts = memoryview(job), bytearray()
    with selectors.DefaultSelector() as ready:
        os.set_blocking(child.stdin.fileno(), False)
        ready.register(child.stdin, selectors.EVENT_WRITE)
        ready.register(child.stdout, selectors.EVENT_READ)
        while (wait := deadline - time.monotonic()) > 0 and len(parts) <= MAX_OUTPUT:
            for key, _ in ready.select(wait):
                if key.fileobj is child.stdout:
                    read = os.read(child.stdout.fileno(), 65536)
                    if not read:
                        return bytes(parts)
                    parts += read
                    continue
                try:
                    left = left[os.write(child.stdin.fileno(), left[:65536]) :]
                except BrokenPipeError:
                    left = left[:0]
                if not left:
                    ready.unregister(child.stdin)
                    child.stdin.close()
    return b""
