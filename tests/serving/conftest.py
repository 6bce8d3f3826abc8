"""One server and one browser for the tests of the page and its routes."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tablerag.ingestion.pipeline import ingest
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tests.support.graph_server import running_graph_server
from tests.support.model_server import ModelServer, Reply

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
QUIET = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run",
)  # fmt: skip
HACK = "<img src=x onerror=document.title='hacked'>"
SLOW_S = 2.0
PATIENCE_MS = 30_000
"""For what a busy machine may take; what is there is seen at once."""
DOCUMENTS = {
    "sales.csv": "Region,Revenue EUR,Units\nNorth,450000,120\nSouth,524500,80\nEast,800000,200\n",
    "visits.csv": "Month,Visits\n2025-01,310\n2025-02,420\n2025-03,390\n2025-04,505\n",
    "squares.csv": "Number,Square\n" + "".join(f"{i},{i * i}\n" for i in range(1, 131)),
    "notes.md": "# Notes\n\nThe total revenue was about 1.8 million EUR.\n\nThe total units sold were 410.\n",
}
ESCAPED = HACK.replace("<", "&lt;")
HOSTILE = {
    f"{HACK}.csv": f"Name,{HACK}\n<script>document.title='hacked'</script>,7\n",
    "page.html": f"<h1>{ESCAPED}</h1><table><caption>{ESCAPED}</caption><tr><th>Ship</th><th>Tonnes {ESCAPED}</th></tr>"
    f"<tr><td>{ESCAPED}</td><td>12</td></tr><tr><td>Ada</td><td>30</td></tr></table>"
    f"<p>The ship Ada {ESCAPED} carried 30 tonnes.</p>",
}


@pytest.fixture(scope="session")
def slow_model() -> Iterator[ModelServer]:
    """Return a stand-in for the model that takes its time."""
    slow = ModelServer().start()
    slow.responder = lambda request: Reply("{}", delay_s=SLOW_S)
    yield slow
    slow.stop()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, slow_model: ModelServer) -> Iterator[str]:
    """Return the URL of a server with the corpora default, hostile and nothing else; uploads are bounded to 50 kB."""
    folder = tmp_path_factory.mktemp("page")
    services = Services(Settings(home=folder / "home", model="offline", _env_file=None))
    for corpus, files in {"default": DOCUMENTS, "hostile": HOSTILE}.items():
        (folder / corpus).mkdir()
        for name, text in files.items():
            (folder / corpus / name).write_text(text, encoding="utf-8")
        report = ingest([folder / corpus], services, corpus)
        assert all(e.status == "added" for e in report.entries), report.entries
    services.close()
    limits = {"TABLERAG_UPLOAD_MAX_MB": "0.05", "TABLERAG_UPLOAD_MAX_FILES": "3"}
    with running_graph_server(folder, OPENAI_BASE_URL=slow_model.url, **limits) as running:
        yield running.url


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Return the system's Chromium, headless."""
    found = next((p for p in map(shutil.which, BROWSERS) if p), None)
    assert found, f"the page's tests need one of {', '.join(BROWSERS)} on the PATH: apt-get install chromium"
    # Ended with the module: while Playwright runs, no other event loop can in this thread.
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=found, args=list(QUIET))
        expect.set_options(timeout=PATIENCE_MS)
        yield opened
        opened.close()


@pytest.fixture
def open_page(browser: Browser, server: str) -> Iterator[Callable[..., Page]]:
    """Return a function that opens the page; after the test no page may have broken the policy or logged an error."""
    complaints: list[str] = []
    contexts = []

    def opened(at: str = "", *, width: int = 1280, height: int = 800, scheme: str = "light") -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce"
        )
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{server}/app/{at}")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def a_file(tmp_path: Path) -> Callable[[str, str], Path]:
    """Return a function that writes a small file and returns its path."""

    def written(name: str, text: str) -> Path:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return written
