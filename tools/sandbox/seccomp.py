"""A seccomp filter: the kernel refuses every system call except the few that computing needs.

Requires Linux 3.17 or newer on x86-64 or 64-bit ARM. The filter is a BPF program (see seccomp(2) and linux/filter.h)
that compares the processor architecture, then the number of the call with each allowed one. All other calls fail with
EPERM: socket, connect, open, clone, fork, execve, kill, ptrace, and those that later kernels add.
"""

import ctypes
import errno
import platform
import struct
import sys

__all__ = ["install_filter", "program_of"]

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, FILTER_MODE = 38, 22, 2
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | errno.EPERM
LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
NUMBER_AT, ARCHITECTURE_AT = 0, 4
"""Offsets in struct seccomp_data."""

CALLS = {
    # name: number on x86-64, on 64-bit ARM
    "read": (0, 63), "write": (1, 64), "close": (3, 57), "lseek": (8, 62), "fstat": (5, 80), "mmap": (9, 222),
    "mprotect": (10, 226), "munmap": (11, 215), "mremap": (25, 216), "madvise": (28, 233), "brk": (12, 214),
    "futex": (202, 98), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "sigaltstack": (131, 132),
    "clock_gettime": (228, 113), "clock_nanosleep": (230, 115), "gettimeofday": (96, 169), "getrusage": (98, 165),
    "getpid": (39, 172), "gettid": (186, 178), "getrandom": (318, 278), "sched_yield": (24, 124),
    "restart_syscall": (219, 128), "exit": (60, 93), "exit_group": (231, 94),
}  # fmt: skip
ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
"""The kernel's identifier (AUDIT_ARCH_...) and the column of CALLS for each machine."""


class _Program(ctypes.Structure):
    """struct sock_fprog."""

    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]


def program_of(machine: str) -> bytes:
    """Return the filter for a machine, named as in ``platform.machine()``. Raises KeyError for others."""
    architecture, column = ARCHITECTURES[machine]
    numbers = [call[column] for call in CALLS.values()]
    # A jump skips that many instructions. The last instruction allows, the one before it refuses.
    steps = [(LOAD, 0, 0, ARCHITECTURE_AT), (JUMP_IF_EQUAL, 0, len(numbers) + 1, architecture), (LOAD, 0, 0, NUMBER_AT)]
    steps += [(JUMP_IF_EQUAL, len(numbers) - i, 0, number) for i, number in enumerate(numbers)]
    steps += [(RETURN, 0, 0, REFUSE), (RETURN, 0, 0, ALLOW)]
    return b"".join(struct.pack("HBBI", *step) for step in steps)


def install_filter() -> bool:
    """Install the filter permanently for this process; return False if the kernel does not support it."""
    if sys.platform != "linux" or platform.machine() not in ARCHITECTURES or sys.maxsize < 2**32:
        return False
    code = program_of(platform.machine())
    program = _Program(len(code) // 8, code)
    prctl = ctypes.CDLL(None).prctl
    prctl.argtypes = [ctypes.c_int, ctypes.c_ulong, ctypes.c_void_p, ctypes.c_ulong, ctypes.c_ulong]
    if prctl(PR_SET_NO_NEW_PRIVS, 1, None, 0, 0):
        return False
    return prctl(PR_SET_SECCOMP, FILTER_MODE, ctypes.addressof(program), 0, 0) == 0
