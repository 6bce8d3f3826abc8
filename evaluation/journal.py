"""A file of JSON lines, one record a line; killing the process at any moment leaves it readable."""

import json
import os
import threading
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import BaseModel, ValidationError

from tablerag.tools.errors import ConfigError

__all__ = ["Journal"]

R = TypeVar("R", bound=BaseModel)


class Journal(Generic[R]):
    """Records of one type in one file; append() is thread-safe."""

    def __init__(self, path: Path, kind: type[R]) -> None:
        self.path, self._kind = path, kind
        self._lock = threading.Lock()

    def read(self) -> list[R]:
        """Return the records without an incomplete last line; the file stays as it is. Raises ConfigError."""
        whole, _ = self._data()
        return [self._record(number, line) for number, line in enumerate(whole.splitlines(), start=1)]

    def repair(self) -> None:
        """Remove an incomplete last line that a killed process left; call it only while holding the run's lock."""
        whole, rest = self._data()
        if rest:
            with self.path.open("r+b") as file:
                file.truncate(len(whole))

    def _data(self) -> tuple[bytes, bytes]:
        """Return the complete lines, and the bytes after them."""
        data = self.path.read_bytes() if self.path.exists() else b""
        end = data.rfind(b"\n") + 1
        return data[:end], data[end:]

    def _record(self, number: int, line: bytes) -> R:
        try:
            return self._kind.model_validate(json.loads(line))
        except (ValidationError, ValueError) as error:
            reason = " ".join(str(error).split())[:200]
            raise ConfigError(f"{self.path}, line {number}: invalid line ({reason}): delete it") from error

    def append(self, record: R) -> None:
        """Write one line in a single call and flush it to disk."""
        line = record.model_dump_json().encode() + b"\n"
        with self._lock:
            file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
            try:
                os.write(file, line)
                os.fsync(file)
            finally:
                os.close(file)
