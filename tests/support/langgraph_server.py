"""A real `langgraph dev` server on a free port of loopback, over a home folder of the test's."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

__all__ = ["langgraph_server"]

ROOT = Path(__file__).resolve().parents[2]
START_S = 60


@contextmanager
def langgraph_server(folder: Path, **settings: str) -> Iterator[str]:
    """Serve ``folder / "home"`` with the offline reasoner, or what the settings say; yield the server's URL."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    env = os.environ | {
        "TABLERAG_HOME": str(folder / "home"),
        "TABLERAG_MODEL": "offline",
        "LANGSMITH_TRACING": "false",
        "LANGGRAPH_CLI_NO_ANALYTICS": "1",
        "LANGGRAPH_NO_VERSION_CHECK": "true",
        "LOG_LEVEL": "warning",
        **settings,
    }
    command = [sys.executable, "-m", "langgraph_cli", "dev", "--no-browser", "--no-reload", "--port", str(port)]
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=log, stderr=log)
        url = f"http://127.0.0.1:{port}"
        try:
            _wait(process, url, folder / "server.log")
            yield url
        finally:
            process.terminate()
            process.wait(timeout=20)


def _wait(process: subprocess.Popen, url: str, log: Path) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        try:
            if process.poll() is None and httpx.get(f"{url}/ok", timeout=2).status_code == 200:
                return
        except httpx.TransportError:
            pass
        if process.poll() is not None:
            break
        time.sleep(0.2)
    raise AssertionError(f"langgraph dev did not start:\n{log.read_text()[-3000:]}")
