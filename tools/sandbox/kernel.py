"""Kernel limits on privileges, network, files, processes, memory and time. They cannot be undone."""

import contextlib
import ctypes
import os
import resource
import signal

from tablerag.tools.sandbox.seccomp import install_filter

__all__ = ["WAITING", "lock"]

NOBODY = 65534
CLONE_NEWUSER, CLONE_NEWNET, CLONE_NEWIPC = 0x10000000, 0x40000000, 0x08000000
PR_SET_DUMPABLE = 4
CAPABILITIES_V3 = 0x20080522
WAITING = 3
"""Wall-clock seconds per CPU second, so that a busy machine does not kill a program."""


def lock(seconds: int, memory_mb: int) -> bool:
    """Lock this process down permanently; return False if the system call filter cannot be installed.

    Without the filter nothing is safe: a program could trace or kill the user's other processes.
    """
    libc = ctypes.CDLL(None)
    # Where permitted. The filter below does not depend on it.
    libc.unshare(CLONE_NEWNET | CLONE_NEWIPC | (0 if os.getuid() == 0 else CLONE_NEWUSER))
    if os.getuid() == 0:
        with contextlib.suppress(PermissionError):  # in some containers root cannot change users
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
    libc.capset((ctypes.c_uint32 * 2)(CAPABILITIES_V3, 0), (ctypes.c_uint32 * 6)())
    libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    os.chdir("/")
    _end_after(seconds * WAITING)
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


def _end_after(seconds: int) -> None:
    """Have the kernel end this process by SIGALRM, which the filter lets nobody block, handle or cancel."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    signal.alarm(max(seconds, 1))
