"""A real `langgraph dev` server on loopback, in a folder of its own, with documents, and a stand-in for the model."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient

from tablerag.ingestion.pipeline import ingest
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tests.support.model_server import ModelServer
from tests.support.page_corpora import PAGE_CORPORA
from tests.tools.access.guarded_documents import CELLS, RIGHTS

__all__ = [
    "ALL_KEY",
    "CORPORA",
    "EMEA_KEY",
    "ITEMS",
    "MODEL",
    "PAYROLL_KEY",
    "SALES_KEY",
    "GraphServer",
    "amount_of",
    "client",
    "fill_corpora",
    "graph_server",
    "keyed_server",
    "running_graph_server",
    "thinking",
]

ROOT = Path(__file__).resolve().parents[2]
START_S = 180.0
STOP_S = 20.0
MODEL = "openai:stand-in"
"""The context's ``model`` that asks the stand-in; without it the offline reasoner answers."""
ITEMS = 120


def amount_of(item: int) -> int:
    """Return the amount of a row of the corpus ``items``, which no other has."""
    return 100_003 + 7 * item


CORPORA = {
    "default": {"sales.csv": "Region,Amount\nNorth,1200\nSouth,800\n"},
    "payroll": {"salaries.csv": "Person,Salary\nAda,7000\nBob,5000\n"},
    "invoices": {
        "invoices.csv": "Invoice,Customer,Net amount (EUR),Gross amount (EUR)\n"
        "I1,Aurora,100,119\nI2,Lumen,200,238\nI3,Aurora,300,357\n"
    },
    "items": {"items.csv": "Item,Amount\n" + "".join(f"item {i},{amount_of(i)}\n" for i in range(ITEMS))},
}
SALES_KEY, PAYROLL_KEY, ALL_KEY = "sales-key-4f1c", "payroll-key-9a2d", "all-key-77b0"
EMEA_KEY = "emea-key-c31e"
"""Sees a part of the corpus ``guarded``."""
KEYS = {
    SALES_KEY: ["default"],
    PAYROLL_KEY: ["payroll"],
    ALL_KEY: ["*"],
    EMEA_KEY: RIGHTS | {"corpora": ["guarded"], "name": "EMEA desk"},
}


@dataclass(frozen=True)
class GraphServer:
    """A running server; ``folder`` holds its home, its log and what it persists."""

    url: str
    folder: Path
    process: subprocess.Popen[bytes]

    @property
    def log(self) -> str:
        """What it has written so far."""
        return (self.folder / "server.log").read_text(errors="replace")


def fill_corpora(folder: Path, corpora: Mapping[str, Mapping[str, str]] = CORPORA) -> None:
    """Ingest the files of each corpus into the folder's home."""
    services = Services(Settings(home=folder / "home", model="offline", _env_file=None))
    for corpus, files in corpora.items():
        (folder / corpus).mkdir()
        for name, text in files.items():
            (folder / corpus / name).write_text(text, encoding="utf-8")
        report = ingest([folder / corpus], services, corpus)
        assert all(e.status == "added" for e in report.entries), report.entries
    services.close()


@contextmanager
def running_graph_server(
    folder: Path,
    jobs: int = 10,
    *,
    eager: bool = False,
    start_s: float = START_S,
    config: str = "langgraph.json",
    **settings: str,
) -> Iterator[GraphServer]:
    """Start a server over the folder's home that works on several runs at once, and stop it afterwards.

    An ``eager`` one saves its list of threads every second. ``settings`` are added to its environment.

    Raises AssertionError with the end of its log when it does not start.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = ["--config", str(ROOT / config), "--port", str(port), "--n-jobs-per-worker", str(jobs)]
    module = "tests.support.eager_server" if eager else "tablerag.serving"
    command = [sys.executable, "-m", module, "dev", "--no-browser", "--no-reload", *options]
    with (folder / "server.log").open("ab") as log:
        # It persists into the folder it runs in.
        process = subprocess.Popen(command, cwd=folder, env=_environment(folder, settings), stdout=log, stderr=log)
    server = GraphServer(f"http://127.0.0.1:{port}", folder, process)
    try:
        _wait_until_ready(server, start_s)
        yield server
    finally:
        process.terminate()
        process.wait(STOP_S)


def _environment(folder: Path, settings: Mapping[str, str]) -> dict[str, str]:
    return os.environ | {
        "PYTHONPATH": str(ROOT),
        "TABLERAG_HOME": str(folder / "home"),
        "TABLERAG_MODEL": "offline",
        "LANGSMITH_TRACING": "false",
        "LANGGRAPH_CLI_NO_ANALYTICS": "1",
        "LANGGRAPH_NO_VERSION_CHECK": "true",
        "LANGGRAPH_STRICT_MSGPACK": "true",
        "LOG_LEVEL": "warning",
        **settings,
    }


def _wait_until_ready(server: GraphServer, start_s: float) -> None:
    deadline = time.monotonic() + start_s
    # One client: each would load the certificates of authorities, for a hundred times the time of the request.
    with httpx.Client(timeout=2) as probe:
        while time.monotonic() < deadline and server.process.poll() is None:
            try:
                if probe.get(f"{server.url}/ok").status_code == 200:
                    return
            except httpx.TransportError:
                pass
            time.sleep(0.1)
    raise AssertionError(f"langgraph dev did not start:\n{server.log[-3000:]}")


@pytest.fixture(scope="session")
def _shared_model() -> Iterator[ModelServer]:
    server = ModelServer().start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def graph_server(tmp_path_factory: pytest.TempPathFactory, _shared_model: ModelServer) -> Iterator[GraphServer]:
    """Return a server without keys, shared by the whole run: its threads and corpora keep tests apart."""
    folder = tmp_path_factory.mktemp("served")
    fill_corpora(folder, CORPORA | PAGE_CORPORA)
    model = {"OPENAI_BASE_URL": _shared_model.url, "TABLERAG_LLM_RETRIES": "0", "TABLERAG_LLM_TIMEOUT_S": "5"}
    limits = {"TABLERAG_UPLOAD_MAX_MB": "0.05", "TABLERAG_UPLOAD_MAX_FILES": "3"}
    with running_graph_server(folder, eager=True, **model, **limits) as server:
        yield server


@pytest.fixture(scope="session")
def keyed_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphServer]:
    """Return a server with the API keys KEYS and the baselines, shared by the whole run."""
    folder = tmp_path_factory.mktemp("keyed")
    fill_corpora(folder, CORPORA | {"guarded": CELLS})
    keys = json.dumps(KEYS)
    with running_graph_server(folder, eager=True, config="langgraph.evaluation.json", TABLERAG_API_KEYS=keys) as server:
        yield server


@pytest.fixture
def client(graph_server: GraphServer) -> Iterator[SyncLangGraphClient]:
    """Return a client of the shared server."""
    with get_sync_client(url=graph_server.url) as opened:
        yield opened


@pytest.fixture
def thinking(_shared_model: ModelServer) -> Iterator[ModelServer]:
    """Return the model's stand-in behind the shared server, with nothing said or heard yet."""
    _shared_model.forget()
    yield _shared_model
    _shared_model.forget()
