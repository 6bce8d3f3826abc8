"""A seccomp filter: the kernel refuses every system call except the few that computing needs.

Requires Linux 3.17 or newer on x86-64 or 64-bit ARM. The filter is a BPF program (see seccomp(2) and linux/filter.h)
that compares the processor architecture, then the number of the call with each allowed one. All other calls fail with
EPERM: socket, connect, open, clone, fork, execve, kill, ptrace, those that later kernels add, and those of 32-bit
programs (i386, x32). Memory cannot be made executable. No signal can be handled or blocked.
"""

import ctypes
import errno
import platform
import struct
import sys

__all__ = ["install_filter", "program_of"]

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, FILTER_MODE = 38, 22, 2
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | errno.EPERM
LOAD, JUMP_IF_EQUAL, JUMP_IF_ANY, RETURN = 0x20, 0x15, 0x45, 0x06
NUMBER_AT, ARCHITECTURE_AT, PROTECTION_AT = 0, 4, 32
"""Offsets in struct seccomp_data; the last one is the low half of the third argument."""
PROT_EXEC = 4

CALLS = {
    # name: number on x86-64, on 64-bit ARM
    "read": (0, 63), "write": (1, 64), "close": (3, 57), "mmap": (9, 222), "mprotect": (10, 226), "munmap": (11, 215),
    "mremap": (25, 216), "madvise": (28, 233), "brk": (12, 214), "futex": (202, 98), "clock_gettime": (228, 113),
    "clock_nanosleep": (230, 115), "gettimeofday": (96, 169), "getrusage": (98, 165), "getpid": (39, 172),
    "gettid": (186, 178), "getrandom": (318, 278), "sched_yield": (24, 124), "restart_syscall": (219, 128),
    "exit": (60, 93), "exit_group": (231, 94),
}  # fmt: skip
PROTECTING = ("mmap", "mprotect")
"""Calls whose third argument says what memory may be used for."""
ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
"""The kernel's identifier (AUDIT_ARCH_...) and the column of CALLS for each machine."""


class _Program(ctypes.Structure):
    """struct sock_fprog."""

    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]


def program_of(machine: str) -> bytes:
    """Return the filter for a machine, named as in ``platform.machine()``. Raises KeyError for others."""
    architecture, column = ARCHITECTURES[machine]
    numbers = [call[column] for call in CALLS.values()]
    # A jump skips that many instructions from the next one.
    refuse = 3 + len(numbers)
    check, allow = refuse + 1, refuse + 4
    steps = [(LOAD, 0, 0, ARCHITECTURE_AT), (JUMP_IF_EQUAL, 0, refuse - 2, architecture), (LOAD, 0, 0, NUMBER_AT)]
    for at, (name, number) in enumerate(zip(CALLS, numbers, strict=True), 3):
        steps.append((JUMP_IF_EQUAL, (check if name in PROTECTING else allow) - at - 1, 0, number))
    steps += [(RETURN, 0, 0, REFUSE), (LOAD, 0, 0, PROTECTION_AT), (JUMP_IF_ANY, 0, 1, PROT_EXEC)]
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
