"""The processes of the soak test, each of which can be killed and started again."""

import json
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

__all__ = ["FAKETIME", "Chroma", "HostProcess", "free_port"]

FAKETIME = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1")
READY_S = 60.0
SERVE = "import sys; from chromadb.cli.cli import app; sys.argv[0] = 'chroma'; app()"
ROOT = Path(__file__).resolve().parent.parent


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Chroma:
    """A Chroma server over one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder, self.port = folder, free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def is_running(self) -> bool:
        """Whether its process has not ended."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start it, and wait until it takes connections."""
        where = ("--path", str(self._folder / "data"), "--host", "127.0.0.1", "--port", str(self.port))
        self._folder.mkdir(exist_ok=True)
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen([sys.executable, "-c", SERVE, "run", *where], stdout=log, stderr=log)
        until = time.monotonic() + READY_S
        while time.monotonic() < until and self.is_running:
            with socket.socket() as tried:
                if not tried.connect_ex(("127.0.0.1", self.port)):
                    return
            time.sleep(0.1)
        raise RuntimeError(f"Chroma did not start: {self._folder / 'log'}")

    def kill(self) -> None:
        """End it with SIGKILL."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()


class HostProcess:
    """A host in a process of its own, with a home of its own."""

    def __init__(self, name: str, folder: Path, settings: dict[str, Any], on_answer: Callable[..., None]) -> None:
        self.name, self._folder = name, folder
        self._settings = {**settings, "home": str(folder / name)}
        self._on_answer = on_answer
        self._process: subprocess.Popen[str] | None = None
        self._done: queue.Queue[dict[str, Any]] = queue.Queue()

    @property
    def is_running(self) -> bool:
        """Whether its process has not ended."""
        return self._process is not None and self._process.poll() is None

    def start(self, skew_s: int = 0) -> None:
        """Start it, with a clock that is ahead by so many seconds, and wait until it takes commands."""
        # Its monotonic clock too: where libfaketime leaves that alone, sleeping fails.
        skewed = ["env", f"LD_PRELOAD={FAKETIME}", f"FAKETIME={skew_s:+d}s"] if skew_s else []
        self._done = queue.Queue()
        with (self._folder / f"{self.name}.log").open("ab") as log:
            self._process = subprocess.Popen(
                [*skewed, sys.executable, "-m", "benchmarks.soak_host", json.dumps(self._settings)],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        threading.Thread(target=self._read, args=(self._process, self._done, skew_s), daemon=True).start()
        if self.result(READY_S).get("what") != "ready":
            raise RuntimeError(f"{self.name} did not start: {self._folder / self.name}.log")

    def _read(self, process: subprocess.Popen[str], done: "queue.Queue[dict[str, Any]]", skew_s: int) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            message = json.loads(line)
            if message["what"] == "answer":
                self._on_answer(self.name, message | {"at": message["at"] - skew_s})
            else:
                done.put(message)
        done.put({"what": "died"})

    def tell(self, do: str, **command: Any) -> None:
        """Give it a command; result() waits for its end."""
        assert self._process is not None and self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps({"do": do, **command}) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            return

    def result(self, seconds: float) -> dict[str, Any]:
        """Return how the command ended; ``what`` is "died" if the process did, "stuck" if it takes longer."""
        try:
            return self._done.get(timeout=seconds)
        except queue.Empty:
            return {"what": "stuck"}

    def kill(self) -> None:
        """End it with SIGKILL."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
