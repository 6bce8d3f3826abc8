"""Tells a full disk from other reasons why a store cannot be written: each library words it differently."""

import errno
import os
import shutil
from pathlib import Path

__all__ = ["FREE_SPACE", "has_room", "is_full"]

FREE_SPACE = "free space on its disk and try again"
SAYS = (*(os.strerror(n).lower() for n in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)), "disk is full", "disk full")
LEAST_FREE_BYTES = 32_000_000
"""With less, a library that gives no reason has most likely run out of space."""


def has_room(folder: Path, size: int = 0) -> bool:
    """Return whether the disk of a folder has room for so many bytes and some to spare; True if that is not known."""
    try:
        return shutil.disk_usage(folder).free >= LEAST_FREE_BYTES + size
    except OSError:
        return True


def is_full(error: BaseException, folder: Path | None = None) -> bool:
    """Return whether an error of a store means that there is no room left, on the disk of its folder if it has one."""
    said = str(error).lower()
    return any(words in said for words in SAYS) or (folder is not None and not has_room(folder))
