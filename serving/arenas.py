"""Bounds the memory that the C library keeps for threads.

Each thread may get a heap of its own, and what one frees there the others cannot use: with the many threads of a
server, replacing documents grew it by megabytes a minute. Two heaps hold what is in use, and little more.
"""

import ctypes

__all__ = ["share_arenas"]

M_ARENA_MAX = -8
"""glibc's number of the parameter, from malloc.h."""
ARENAS = 2


def share_arenas() -> bool:
    """Have threads that start from now on share ARENAS heaps; return False where the C library has no such limit."""
    try:
        return bool(ctypes.CDLL(None).mallopt(M_ARENA_MAX, ARENAS))
    except (AttributeError, OSError, TypeError):  # musl, macOS, Windows
        return False
