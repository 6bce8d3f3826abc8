"""A browser for the tests of the page, which choose the corpus ``page`` of the shared server."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.support.graph_server import GraphServer

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
QUIET = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run",
)  # fmt: skip
PATIENCE_MS = 30_000
"""For what a busy machine may take; what is there is seen at once."""
CHOOSE_CORPUS = "localStorage['tablerag.corpus'] ??= 'page'"


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
def open_page(browser: Browser, graph_server: GraphServer) -> Iterator[Callable[..., Page]]:
    """Return a function that opens the page; after the test no page may have broken the policy or logged an error."""
    complaints: list[str] = []
    contexts = []

    def opened(at: str = "", *, width: int = 1280, height: int = 800, scheme: str = "light") -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce"
        )
        context.set_default_timeout(PATIENCE_MS)
        context.add_init_script(CHOOSE_CORPUS)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{graph_server.url}/app/{at}")
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
