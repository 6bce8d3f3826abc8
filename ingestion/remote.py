"""Documents in object stores, by fsspec: finds them, and copies one to this machine while it is read.

Credentials are those of the store's own environment variables and files. Messages name URLs and kinds of errors, never
what a store's client says, which may repeat credentials.
"""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from tablerag.ingestion.formats import no_reader
from tablerag.ingestion.source_files import LeftOut, RemoteFile, SourceFile, readable
from tablerag.tools.errors import ConfigError, UnreadableDocument
from tablerag.tools.places import UrlPath

__all__ = ["SCHEMES", "find", "find_one", "near", "text_of"]

T = TypeVar("T")
S3, GOOGLE, AZURE = ("s3fs", "s3"), ("gcsfs", "gs"), ("adlfs", "az")
SCHEMES = {
    "s3": S3,
    "s3a": S3,
    "gs": GOOGLE,
    "gcs": GOOGLE,
    "az": AZURE,
    "abfs": AZURE,
    "abfss": AZURE,
    "memory": ("fsspec", "s3"),
}
"""The package and the extra of each scheme; memory is fsspec's own, of this process."""
ANSWER_S = 20.0
"""Seconds in which a store must say whether a folder is there."""
LONGEST_NAME = 120
MARKS = ("ETag", "etag", "md5Hash", "content_md5")
TIMES = ("LastModified", "last_modified", "mtime", "updated", "created")
REFUSED = ("PermissionError", "NoCredentials", "Credential", "Authentication", "RefreshError", "HttpError403", "Token")
UNREACHABLE = ("Connect", "Timeout", "ServiceRequestError", "gaierror", "ClientOSError", "ServerDisconnected")


def find(root: UrlPath, suffixes: set[str]) -> tuple[list[SourceFile], list[LeftOut]]:
    """Return the objects to read at or below a URL, and those left out, by name.

    Raises ConfigError for a URL that is not supported, not there, not allowed or not answering.
    """
    store, path = _opened(root)
    about = _told(root, lambda: _within(ANSWER_S, lambda: store.info(path)))
    if about["type"] == "file":
        return [_file(root, root.parent, path, about)], []
    found, left_out = [], []
    for key, described in sorted(_told(root, lambda: store.find(path, detail=True)).items()):
        inner = key.removeprefix(path.rstrip("/")).lstrip("/")
        names = inner.split("/")
        if described["type"] != "file" or not names[-1] or any(n.startswith((".", "~$")) for n in names):
            continue
        file = _file(root / inner, root, key, described)
        if str(file.path) != f"{str(root).rstrip('/')}/{inner}" or not inner.isprintable():
            left_out.append(LeftOut(file.path, file.source, "its name cannot be shown or has empty parts: rename it"))
        elif file.path.suffix.lower() not in suffixes:
            left_out.append(LeftOut(file.path, file.source, no_reader(file.path.name)))
        else:
            found.append(file)
    return found, left_out


def find_one(url: UrlPath) -> SourceFile | None:
    """Return the object at a URL, None if it is gone; raises ConfigError as find() does."""
    store, path = _opened(url)
    there = _told(url, lambda: _within(ANSWER_S, lambda: store.isfile(path)))
    return _file(url, url.parent, path, _told(url, lambda: store.info(path))) if there else None


@contextmanager
def near(file: SourceFile) -> Iterator[SourceFile]:
    """Yield a file that this machine has: a copy of a remote one, deleted afterwards. Raises UnreadableDocument."""
    if file.remote is None:
        yield file
        return
    assert isinstance(file.path, UrlPath)
    key, suffix = file.remote.key, file.path.suffix
    with TemporaryDirectory(prefix="tablerag-") as folder:
        held = Path(folder, file.path.stem[:LONGEST_NAME] + suffix)
        try:
            store, _ = _opened(file.path)
            _told(file.path, lambda: store.get_file(key, str(held)))
        except ConfigError as error:
            raise UnreadableDocument(str(error).removeprefix(f"{file.path}: ")) from error
        yield replace(file, held=held)


def text_of(path: UrlPath, most: int) -> str | None:
    """Return a small text file; None if there is none. Raises ConfigError if it is larger than ``most`` bytes."""
    store, key = _opened(path)
    if not _told(path, lambda: store.isfile(key)):
        return None
    if (_told(path, lambda: store.size(key)) or 0) > most:
        raise ConfigError(f"{path}: larger than the limit of {most} bytes")
    content: bytes = _told(path, lambda: store.cat_file(key))
    return content.decode("utf-8")


def _file(path: UrlPath, folder: UrlPath, key: str, about: Mapping[str, Any]) -> SourceFile:
    mark = next((str(about[m]) for m in MARKS if about.get(m)), "")
    mark = mark or next((str(about[t]) for t in TIMES if about.get(t)), "")
    return SourceFile(path, readable(str(path)), folder, remote=RemoteFile(key, int(about["size"] or 0), mark))


def _opened(url: UrlPath) -> tuple[Any, str]:
    """Return the file system of a URL, and the path in it; nothing is connected to yet."""
    if url.scheme not in SCHEMES:
        raise ConfigError(f"unsupported URL scheme {url.scheme!r}: expected one of {', '.join(SCHEMES)}")
    authority = url.parts[1] if len(url.parts) > 1 else ""
    if ":" in authority.partition("@")[0] and "@" in authority:
        raise ConfigError("a URL must not contain credentials: set them in the environment, see docs/how-to/ingest.md")
    if not authority and url.scheme != "memory":
        raise ConfigError(f"{url} names no bucket: expected a URL such as {url.scheme}://BUCKET/FOLDER")
    package, extra = SCHEMES[url.scheme]
    try:
        from fsspec.core import url_to_fs

        store, path = _told(url, lambda: _within(ANSWER_S, lambda: url_to_fs(str(url), use_listings_cache=False)))
    except ImportError as error:
        raise ConfigError(f'reading {url.scheme}:// needs {package}: pip install "tablerag[{extra}]"') from error
    return store, path


def _told(url: UrlPath, ask: Callable[[], T]) -> T:
    """Ask a store; raise ConfigError with one line for whatever its client raises."""
    try:
        return ask()
    except ImportError:
        raise
    except FileNotFoundError as error:
        raise ConfigError(f"{url}: no such bucket, folder or file") from error
    except Exception as error:  # each store's client has its own
        chain = [error, error.__cause__, error.__context__]
        kinds = " ".join(k.__name__ for e in chain if e is not None for k in type(e).__mro__)
        if any(k in kinds for k in UNREACHABLE):
            reason = "the store does not answer: check its endpoint and the network"
        elif any(k in kinds for k in REFUSED):
            reason = "access denied: check the store's credentials and their rights"
        else:
            reason = f"the store cannot be read ({type(error).__name__}): check its settings"
        raise ConfigError(f"{url}: {reason}") from error


def _within(seconds: float, ask: Callable[[], T]) -> T:
    """Ask in a thread, as clients may try for minutes; raise TimeoutError."""
    answers: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            answers.append(ask())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if errors:
        raise errors[0]
    if not answers:
        raise TimeoutError
    return answers[0]
