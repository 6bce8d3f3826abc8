"""The sandbox's layers, each by itself: what one of them stops where all others have failed."""

import platform
import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from tablerag.tools.sandbox.seccomp import ALLOW, ARCHITECTURES, CALLS, PROTECTING, REFUSE, program_of

ROOT = Path(__file__).parents[2]


def alone(layer: str, attempt: str) -> str:
    """Run trusted code under one layer only; return what it prints: what escapes, or the error."""
    script = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "import os, socket, subprocess, ctypes, threading, time, signal, mmap\n"
        "from tablerag.tools.sandbox import kernel\n"
        f"{layer}\n"
        "try:\n"
        f"    {attempt}\n"
        "    said = 'escaped'\n"
        "except BaseException as error:\n"
        "    said = type(error).__name__ + ': ' + str(error)\n"
        "os.write(1, said.encode())\n"
        "os._exit(0)\n"
    )
    done = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, timeout=60, check=False)
    return done.stdout or f"ended with {done.returncode}: {done.stderr[-300:]}"


LIMITS = "kernel.install_filter = lambda: False; kernel.lock(2, 1500)"


@pytest.mark.parametrize(
    ("attempt", "told"),
    [
        ("open('/etc/passwd')", "Too many open files"),
        ("open('/tmp/written-by-the-sandbox', 'w')", "Too many open files"),
        ("os.close(0) or open('/etc/passwd')", "Too many open files"),
        ("socket.socket()", "Too many open files"),
        ("os.pipe()", "Too many open files"),
        ("os.fork()", "Resource temporarily unavailable"),
        ("threading.Thread(target=print).start()", "can't start new thread"),
        ("os.system('id') and 1 / 0", "ZeroDivisionError"),
        ("os.ftruncate(1, 5)", "Invalid argument|File too large|EINVAL"),
        ("bytearray(3 * 10**9)", "MemoryError"),
        ("[i for i in iter(int, 1)]", "ended with -|MemoryError"),
        ("os.setuid(0)", "Operation not permitted"),
    ],
)
def test_the_kernels_limits_hold_alone(attempt: str, told: str) -> None:
    said = alone(LIMITS, attempt)
    assert re.search(told, said), said


FILTER = "assert kernel.install_filter()"
FILTERED = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() not in ARCHITECTURES, reason="no filter is made for this machine"
)
REFUSED_CALLS = [
    "open('/etc/passwd')",
    "open('/tmp/written-by-the-sandbox', 'w')",
    "os.listdir('/')",
    "os.remove('/tmp/nowhere')",
    "os.truncate('/tmp/nowhere', 0)",
    "socket.socket()",
    "socket.socketpair()",
    "os.pipe()",
    "os.fork()",
    "threading.Thread(target=print).start()",
    "os.execv('/bin/true', ['true'])",
    "os.posix_spawn('/bin/true', ['true'], {})",
    "os.kill(os.getpid(), 0)",
    "signal.signal(signal.SIGXCPU, signal.SIG_IGN)",
    "os.setuid(0)",
    "os.chroot('/')",
    "os.dup(1)",
    "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])",
    "signal.setitimer(signal.ITIMER_REAL, 0)",
    "mmap.mmap(-1, 4096, prot=7)",
]


@FILTERED
@pytest.mark.parametrize("attempt", REFUSED_CALLS)
def test_the_filter_of_system_calls_holds_alone(attempt: str) -> None:
    said = alone(FILTER, attempt)
    assert re.search("Operation not permitted|can't start new thread", said), said


@FILTERED
def test_calls_past_python_are_refused_and_computing_goes_on() -> None:
    """ptrace, connect, clone3 and unshare by their numbers, as code that broke out of Python would call them."""
    numbers = {"x86_64": (101, 42, 435, 272), "aarch64": (117, 203, 435, 97)}[platform.machine()]
    layer = f"libc = ctypes.CDLL(None, use_errno=True); {FILTER}"
    attempt = f"raise ValueError([(libc.syscall(n, 0, 0, 0), ctypes.get_errno()) for n in {numbers}])"
    assert alone(layer, attempt) == f"ValueError: {[(-1, 1)] * 4}"
    assert alone(layer, "raise ValueError(sum(range(10**6)), time.monotonic() > 0)").endswith("(499999500000, True)")


@FILTERED
def test_this_kernel_refuses_every_call_but_the_listed_ones() -> None:
    """Every number up to 1,023 is called, for this machine and as x32 where there is one; most do not exist yet.

    Linux 6.14 and newer let uretprobe and uprobe (335, 336 on x86-64) past every filter, and end a process that calls
    them from outside of a probe by SIGILL.
    """
    column = ARCHITECTURES[platform.machine()][1]
    allowed = {call[column] for call in CALLS.values()} | ({335, 336} if platform.machine() == "x86_64" else set())
    layer = f"libc = ctypes.CDLL(None, use_errno=True); {FILTER}"
    attempt = (
        f"raise ValueError([n for n in range(1024) if n not in {allowed} and "
        "(libc.syscall(n, -1, 0, 0, 0, 0, 0), ctypes.get_errno()) != (-1, 1)])"
    )
    assert alone(layer, attempt) == "ValueError: []"
    if platform.machine() == "x86_64":
        assert alone(layer, attempt.replace("syscall(n", "syscall(0x40000000 + n")) == "ValueError: []"


@FILTERED
@pytest.mark.skipif(platform.machine() != "x86_64", reason="32-bit x86 calls exist on x86-64 only")
def test_32_bit_calls_are_refused() -> None:
    """int 0x80 with the number of getpid for i386; a kernel without 32-bit calls ends the process."""
    code = "b'\\xb8\\x14\\x00\\x00\\x00\\xcd\\x80\\xc3'"
    layer = (
        f"page = mmap.mmap(-1, 4096, prot=7); page.write({code}); "
        "called = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))"
    )
    assert re.fullmatch(r"ValueError: \d+|ended with -\d+.*", alone(layer, "raise ValueError(called())"))
    assert re.fullmatch(r"ValueError: -1|ended with -\d+.*", alone(f"{layer}; {FILTER}", "raise ValueError(called())"))


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_the_filter_allows_what_is_listed_and_nothing_else(machine: str) -> None:
    """The filter's own few instructions, carried out here for every call there may be, with and without PROT_EXEC."""
    code = program_of(machine)
    steps = [struct.unpack_from("HBBI", code, at) for at in range(0, len(code), 8)]

    def verdict(architecture: int, number: int, protection: int = 3) -> int:
        at, loaded = 0, 0
        while True:
            kind, if_equal, if_not, value = steps[at]
            if kind == 0x06:
                return value
            if kind == 0x20:
                loaded = {0: number, 4: architecture, 32: protection}[value]
                at += 1
            else:
                true = loaded & value if kind == 0x45 else loaded == value
                at += 1 + (if_equal if true else if_not)

    name, column = ARCHITECTURES[machine]
    assert {n for n in range(1000) if verdict(name, n) == ALLOW} == {c[column] for c in CALLS.values()}
    executable = {n for n in range(1000) if verdict(name, n, 7) == ALLOW}
    assert executable == {c[column] for call, c in CALLS.items() if call not in PROTECTING}
    assert verdict(name, 0x40000000) == verdict(name ^ 1, CALLS["write"][column]) == REFUSE
