"""A run's file of JSON lines: one record a line, written whole or not at all, safe to kill at any moment."""

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
    """Records of one kind in one file; append() may be called from several threads."""

    def __init__(self, path: Path, kind: type[R]) -> None:
        self.path, self._kind = path, kind
        self._lock = threading.Lock()

    def read(self) -> list[R]:
        """Return the records, less a last line that is not whole, and change nothing. Raises ConfigError."""
        whole, _ = self._data()
        return [self._record(number, line) for number, line in enumerate(whole.splitlines(), start=1)]

    def mend(self) -> None:
        """Cut off a last line that a killed process left unfinished: only for who alone writes the file."""
        whole, rest = self._data()
        if rest:
            with self.path.open("r+b") as file:
                file.truncate(len(whole))

    def _data(self) -> tuple[bytes, bytes]:
        """Return the whole lines, and what stands behind them."""
        data = self.path.read_bytes() if self.path.exists() else b""
        end = data.rfind(b"\n") + 1
        return data[:end], data[end:]

    def _record(self, number: int, line: bytes) -> R:
        try:
            return self._kind.model_validate(json.loads(line))
        except (ValidationError, ValueError) as error:
            said = " ".join(str(error).split())[:200]
            raise ConfigError(f"{self.path}, line {number}: is no line of a run ({said}): take the line out") from error

    def append(self, record: R) -> None:
        """Write one line, in one call, and see it to the disk."""
        line = record.model_dump_json().encode() + b"\n"
        with self._lock:
            file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
            try:
                os.write(file, line)
                os.fsync(file)
            finally:
                os.close(file)
