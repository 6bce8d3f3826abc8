"""The child process of tools/sandbox/process.py: loads pandas, then runs each program in a locked-down fork.

Its arguments are the SECONDS and MEMORY_MB of one program; its stdin is a socket to the parent (protocol.py). Jobs and
replies never pass through its own memory, which every later program inherits.
"""

import gc
import importlib
import io
import json
import os
import resource
import socket
import sys
from typing import Any

from tablerag.tools.sandbox.frames import frames, rows_of, warm_up
from tablerag.tools.sandbox.kernel import lock
from tablerag.tools.sandbox.protocol import CONFINED, ENDED, MAX_NAME, MAX_REPLY, MAX_TEXT, UNCONFINED, encoded

__all__ = ["MODULES", "main"]

MODULES = (
    "math re datetime statistics collections itertools functools decimal fractions json string pandas numpy".split()
)
"""Loaded before the first program, as a program cannot open the file of another one."""
MAX_DESCRIPTORS = 64


def main() -> None:
    """Load the modules that programs use, then run jobs until the parent closes its end."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (MAX_DESCRIPTORS, MAX_DESCRIPTORS))
    seconds, memory_mb = map(int, sys.argv[1:])
    for name in MODULES:
        importlib.import_module(name)
    warm_up()
    gc.freeze()  # the garbage collector would otherwise touch, and so copy, every page in each fork
    with socket.socket(fileno=os.dup(0)) as parent:
        parent.send(CONFINED if _confines(seconds, memory_mb) else UNCONFINED)
        while True:
            request, descriptors, _, _ = socket.recv_fds(parent, 1, 2)
            if not request:
                return
            job, reply = descriptors
            _run_apart(job, reply, seconds, memory_mb)
            parent.send(ENDED)


def _confines(seconds: int, memory_mb: int) -> bool:
    """Return whether a fork can be locked down on this machine, tried before there is any program."""
    copy = os.fork()
    if not copy:
        try:
            os._exit(0 if lock(seconds, memory_mb) else 1)
        finally:
            os._exit(1)
    return os.waitpid(copy, 0)[1] == 0


def _run_apart(job: int, reply: int, seconds: int, memory_mb: int) -> None:
    """Run a job in a fork of this process, and wait for its end: the kernel bounds its time."""
    copy = os.fork()
    if not copy:
        try:
            _work(job, reply, seconds, memory_mb)
        finally:
            os._exit(0)
    os.close(job)
    os.close(reply)
    os.waitpid(copy, 0)


def _work(job: int, reply: int, seconds: int, memory_mb: int) -> None:
    """Read the job, lock this process down, run the program and write its reply to descriptor 1."""
    with open(job, "rb") as file:
        given = file.read()
    os.dup2(reply, 1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 2)
    os.closerange(3, MAX_DESCRIPTORS)
    sys.stdout = sys.stderr = io.StringIO()
    if not lock(seconds, memory_mb):
        return
    try:
        made = encoded(_reply(**json.loads(given)))
        if len(made) > MAX_REPLY:
            raise ValueError(f"the answer is larger than {MAX_REPLY} bytes")
    except BaseException as error:
        made = encoded({"raised": [type(error).__name__[:MAX_NAME], _reason(error)]})
    left = memoryview(made)
    while left:
        left = left[os.write(1, left) :]


def _reply(code: str, tables: dict[str, Any]) -> dict[str, Any]:
    program = compile(code, "program", "exec", dont_inherit=True)
    space = {"__name__": "__main__", "tables": frames(tables), "pd": sys.modules["pandas"], "np": sys.modules["numpy"]}
    exec(program, space)
    return {"rows": rows_of(space["answer"])} if "answer" in space else {}


def _reason(error: BaseException) -> str:
    """Return an exception's text for the program's author; what the kernel refused is explained."""
    text = str(error)[:MAX_TEXT].encode("utf-8", "replace").decode()
    if isinstance(error, ImportError):
        return f"{text}; use only {', '.join(MODULES)}"
    if isinstance(error, OSError):
        return f"{text}; a program has no files, network or processes: use the given tables"
    return text
