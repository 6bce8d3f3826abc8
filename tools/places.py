"""Where documents are: paths of files, and URLs of objects such as s3://bucket/reports/sales.csv."""

import re
from pathlib import Path, PosixPath
from typing import Self

__all__ = ["UrlPath", "is_url", "place", "still_there"]

URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://(.*)", re.DOTALL)
FILE = "file"


class UrlPath(PosixPath):
    """The URL of an object, with the names and parents of a path. To this machine's file system it does not exist.

    >>> str(UrlPath("s3://bucket/reports/sales.csv").parent / "notes.md")
    's3://bucket/reports/notes.md'
    """

    def __str__(self) -> str:
        text = super().__str__()
        scheme, colon, rest = text.partition(":/")
        return f"{scheme}://{rest}" if colon and scheme == self.parts[0][:-1] else text

    @property
    def scheme(self) -> str:
        """The part before ``://``."""
        return self.parts[0][:-1]

    def expanduser(self) -> Self:
        """Return itself."""
        return self

    def resolve(self, strict: bool = False) -> Self:
        """Return itself."""
        return self

    def exists(self, *, follow_symlinks: bool = True) -> bool:
        """Return False."""
        return False

    def is_file(self, *, follow_symlinks: bool = True) -> bool:
        """Return False."""
        return False

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        """Return False."""
        return False


def is_url(text: str) -> bool:
    """Return whether a text is a URL rather than a path."""
    return URL.fullmatch(text) is not None


def place(given: str | Path) -> Path:
    """Return a path, or the UrlPath of a URL; a ``file://`` URL is a path.

    >>> place("s3://bucket/reports")
    UrlPath('s3://bucket/reports')
    >>> place("file:///srv/reports")
    PosixPath('/srv/reports')
    """
    found = None if isinstance(given, Path) else URL.fullmatch(given)
    if found is None:
        return Path(given) if isinstance(given, str) else given
    scheme, rest = found[1].lower(), found[2]
    return Path(rest) if scheme == FILE else UrlPath(f"{scheme}://{rest}")


def still_there(path: str) -> bool:
    """Return whether a file is there; objects at URLs are taken to be."""
    return is_url(path) or Path(path).exists()
