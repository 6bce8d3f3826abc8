"""The child process of tools/sandbox/process.py: loads pandas, then runs each program in a locked-down fork.

Its arguments are the SECONDS and MEMORY_MB of one program. It reads one job per line from stdin and writes one JSON
object per line to stdout: {rows, filtered}, {error}, or {} for a fork that was killed. process.py describes the layers.
A fork has only its own pipe: it can reach neither other jobs nor their replies.
"""

import gc
import importlib
import io
import json
import os
import select
import signal
import sys
import time
from typing import Any

from tablerag.tools.sandbox.frames import frames, rows_of, warm_up
from tablerag.tools.sandbox.kernel import lock
from tablerag.tools.sandbox.language import ALLOWED_IMPORTS, checked, safe_builtins, watch

MAX_OUTPUT = 2_000_000
"""Maximum bytes of one reply."""
WAITING = 3
"""Wall-clock seconds per CPU second, so that a busy machine does not kill a program."""


def main() -> None:
    """Load the modules that programs use, then run jobs until stdin ends."""
    seconds, memory_mb = map(int, sys.argv[1:])
    for name in ALLOWED_IMPORTS:
        importlib.import_module(name)
    warm_up()
    gc.freeze()  # the garbage collector would otherwise touch, and so copy, every page in each fork
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(run_apart(line, seconds, memory_mb) + b"\n")
        sys.stdout.buffer.flush()


def run_apart(job: bytes, seconds: int, memory_mb: int) -> bytes:
    """Run a job in a fork of this process; return its one-line reply."""
    read_end, write_end = os.pipe()
    copy = os.fork()
    if not copy:
        try:
            os.dup2(write_end, 1)
            _work(job, seconds, memory_mb)
        finally:
            os._exit(0)
    os.close(write_end)
    try:
        reply = _read(read_end, time.monotonic() + WAITING * max(seconds, 1))
    finally:
        os.kill(copy, signal.SIGKILL)
        os.waitpid(copy, 0)
        os.close(read_end)
    return reply if reply and b"\n" not in reply else b"{}"


def _read(pipe: int, deadline: float) -> bytes:
    """Read the pipe to its end; b"" after the deadline, an error if there is too much."""
    parts = bytearray()
    while (left := deadline - time.monotonic()) > 0 and select.select([pipe], [], [], left)[0]:
        part = os.read(pipe, 65536)
        parts += part
        if len(parts) > MAX_OUTPUT:
            return json.dumps({"error": f"answer larger than {MAX_OUTPUT} bytes"}).encode()
        if not part:
            return bytes(parts)
    return b""


def _work(job: bytes, seconds: int, memory_mb: int) -> None:
    """Lock this process down, run the job and write its reply to descriptor 1."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 2)
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    sys.stdout = sys.stderr = io.StringIO()
    filtered = lock(seconds, memory_mb)
    sys.addaudithook(watch)
    try:
        reply = _reply(**json.loads(job))
    except MemoryError:
        reply = {"error": "out of memory"}
    except BaseException as error:
        reply = {"error": f"{type(error).__name__}: {error}"[:2000]}
    left = memoryview(json.dumps(reply | {"filtered": filtered}).encode())
    while left:
        left = left[os.write(1, left) :]


def _reply(code: str, tables: dict[str, Any]) -> dict[str, Any]:
    program = compile(checked(code), "program", "exec")
    space = {
        "__builtins__": safe_builtins(), "__name__": "program", "tables": frames(tables), "pd": sys.modules["pandas"],
        "np": sys.modules["numpy"],
    }  # fmt: skip
    exec(program, space)
    if "answer" not in space:
        return {"error": "the program must set a variable named answer"}
    return {"rows": rows_of(space["answer"])}
