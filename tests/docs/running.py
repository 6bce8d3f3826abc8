"""Runs what a page documents, as a user with no key and no setting would."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from tests.docs.pages import ROOT

__all__ = ["Done", "Run", "running"]

WIDTH = "200"
"""Columns of the terminal, so that no line is wrapped."""


@dataclass(frozen=True)
class Done:
    """A run that has ended."""

    status: int
    out: str
    err: str


class Run:
    """Asks the zygote for one run after another."""

    def __init__(self, orders: IO[str], replies: IO[str]) -> None:
        self._orders, self._replies = orders, replies

    def __call__(self, folder: Path, arguments: Sequence[str] = (), code: str = "") -> Done:
        """Run ``tablerag`` with arguments, or Python code, in a folder."""
        files = {name: str(folder / f".{name}") for name in ("stdout", "stderr")}
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.defpath}"
        environment = {"PATH": path, "HOME": str(folder), "LANG": "C.UTF-8"}
        order = {"folder": str(folder), "environment": environment, "arguments": list(arguments), "code": code} | files
        self._orders.write(json.dumps(order) + "\n")
        self._orders.flush()
        status = int(self._replies.readline())
        return Done(status, *(Path(files[name]).read_text(encoding="utf-8") for name in ("stdout", "stderr")))


@contextmanager
def running() -> Iterator[Run]:
    """Start the zygote, and stop it afterwards."""
    command = [sys.executable, "-W", "ignore", "-m", "tests.docs.zygote"]
    pipe = subprocess.PIPE
    # The command line's consoles take their width at import.
    environment = os.environ | {"COLUMNS": WIDTH}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin and process.stdout
        yield Run(process.stdin, process.stdout)
        process.stdin.close()
