"""Kernel limits on privileges, network, files, processes, memory and time. They cannot be undone."""

import contextlib
import ctypes
import os
import resource
import sys

from tablerag.tools.sandbox.seccomp import install_filter

__all__ = ["lock"]

NOBODY = 65534
CLONE_NEWUSER, CLONE_NEWNET, CLONE_NEWIPC = 0x10000000, 0x40000000, 0x08000000
PR_SET_DUMPABLE = 4


def lock(seconds: int, memory_mb: int) -> bool:
    """Lock this process down permanently; return whether the system call filter is installed too."""
    if sys.platform == "linux":
        _leave_network()
    if os.getuid() == 0:
        with contextlib.suppress(PermissionError):  # in some containers root cannot change users
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
    os.chdir("/")
    for what, most in (
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, memory_mb * 1_000_000),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 0),  # open descriptors stay open; a closed one cannot be reused
    ):
        resource.setrlimit(what, (most, most))
    return install_filter()


def _leave_network() -> None:
    """Enter namespaces without a network where permitted, and forbid tracing of this process."""
    libc = ctypes.CDLL(None)
    libc.unshare(CLONE_NEWNET | CLONE_NEWIPC | (0 if os.getuid() == 0 else CLONE_NEWUSER))
    libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
