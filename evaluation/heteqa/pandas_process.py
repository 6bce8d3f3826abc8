"""Runs pandas code in a locked-down child process, so that nothing a model writes is executed in this one."""

import json
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

from evaluation.heteqa.pandas_rules import checked
from tools.errors import ConfigError, TableRagError
from tools.records import Cell, ColumnType

__all__ = ["PandasFailed", "PandasProcess", "PandasRunner"]

CHILD = Path(__file__).with_name("pandas_child.py")
START_S = 60.0
"""How long pandas itself may take to load."""
Rows = tuple[tuple[Cell, ...], ...]


class PandasFailed(TableRagError):
    """The code did not run to its end; the message may be shown to the model."""


class PandasRunner(Protocol):
    """Whoever runs pandas code over one table, ``df``, and returns the rows it found."""

    def load(self, columns: Sequence[tuple[str, ColumnType]], rows: Sequence[Sequence[Cell]]) -> None:
        """Make ``df`` of typed columns; dates are ISO 8601 texts."""

    def run(self, code: str) -> Rows:
        """Return the rows that the code leaves in ``result``; raise PandasRejected or PandasFailed."""


class PandasProcess:
    """A PandasRunner: one child process, started at first use and anew after a job that took too long."""

    def __init__(self, timeout_s: float = 10.0) -> None:
        if find_spec("pandas") is None:
            raise ConfigError("pandas is not installed: it comes with `pip install tablerag[heteqa]`")
        self._timeout_s = timeout_s
        self._child: subprocess.Popen[str] | None = None
        self._replies: queue.Queue[str] = queue.Queue()
        self._folder = tempfile.TemporaryDirectory(prefix="tablerag-pandas-")
        self._table: dict[str, Any] | None = None

    def __enter__(self) -> "PandasProcess":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._stop()
        self._folder.cleanup()

    def load(self, columns: Sequence[tuple[str, ColumnType]], rows: Sequence[Sequence[Cell]]) -> None:
        """Make ``df`` of typed columns; a child that is started later is given it too."""
        self._table = {"columns": [list(c) for c in columns], "rows": [list(r) for r in rows]}
        if self._child is not None:
            self._asked(self._table, self._timeout_s)

    def run(self, code: str) -> Rows:
        """Check the code, run it, and return its rows."""
        checked(code)
        if self._child is None:
            self._start()
        reply = self._asked({"code": code}, self._timeout_s)
        if "error" in reply:
            raise PandasFailed(f"pandas stopped: {reply['error']}")
        return tuple(tuple(row) for row in reply["rows"])

    def _start(self) -> None:
        self._replies = queue.Queue()
        self._child = subprocess.Popen(
            [sys.executable, "-I", str(CHILD)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self._folder.name,
            env={"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
            text=True,
            encoding="utf-8",
        )
        threading.Thread(target=_gather, args=(self._child, self._replies), daemon=True).start()
        self._asked(self._table or {"columns": [], "rows": []}, START_S)

    def _asked(self, job: dict[str, Any], timeout_s: float) -> dict[str, Any]:
        child = self._child
        assert child is not None and child.stdin is not None
        try:
            child.stdin.write(json.dumps(job) + "\n")
            child.stdin.flush()
            line = self._replies.get(timeout=timeout_s)
        except queue.Empty as error:
            self._stop()
            raise PandasFailed(f"the code ran longer than {timeout_s:g} s") from error
        except OSError as error:
            self._stop()
            raise PandasFailed("the child process ended: the code may have taken all its memory") from error
        if not line:
            self._stop()
            raise PandasFailed("the child process ended: the code may have taken all its memory")
        return json.loads(line)

    def _stop(self) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        child.kill()
        child.wait()
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    continue  # what was still to be written has no reader any more


def _gather(child: "subprocess.Popen[str]", replies: "queue.Queue[str]") -> None:
    """Put each line of the child's into the queue, and "" at its end."""
    assert child.stdout is not None
    try:
        for line in child.stdout:
            replies.put(line)
    except ValueError:
        pass  # the pipe was closed by _stop()
    replies.put("")
