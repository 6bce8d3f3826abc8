"""The heaps that threads of the server share."""

import ctypes
import platform
import subprocess
import sys

import pytest

from tablerag.serving import arenas

COUNTED = """
import ctypes, threading
from tablerag.serving.arenas import share_arenas
assert share_arenas() is True
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
barrier = threading.Barrier(8)
def use():
    barrier.wait()
    libc.malloc(100)
    barrier.wait()
threads = [threading.Thread(target=use) for _ in range(8)]
[t.start() for t in threads]; [t.join() for t in threads]
libc.malloc_stats()
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the limit is glibc's")
def test_threads_share_two_heaps() -> None:
    run = subprocess.run([sys.executable, "-c", COUNTED], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    assert run.stderr.count("Arena ") == arenas.ARENAS


def test_another_c_library_has_no_such_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda name: object())
    assert arenas.share_arenas() is False
