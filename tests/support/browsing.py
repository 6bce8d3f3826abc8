"""What the tests of the page do in the browser: ask, wait, and look for problems of layout and accessibility."""

import json
from collections.abc import Callable

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Route, expect

from tests.support.graph_server import MODEL

__all__ = ["OpenPage", "ask", "fits", "problems", "send", "use_model", "wait_until"]

OpenPage = Callable[..., Page]
RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]}}


def send(page: Page, question: str) -> None:
    """Send a question; its turn is there afterwards."""
    expect(page.locator("#question")).to_be_visible()
    turns = page.locator(".turn").count()
    page.fill("#question", question)
    page.keyboard.press("Enter")
    expect(page.locator(".turn")).to_have_count(turns + 1)


def ask(page: Page, question: str) -> None:
    """Send a question and wait for its answer."""
    send(page, question)
    expect(page.locator(".turn").last.locator(".answer")).to_be_visible()


def use_model(page: Page) -> None:
    """Have the stand-in for the model answer what the page asks from now on, about the corpus ``default``."""

    def asked(route: Route) -> None:
        body = route.request.post_data_json
        body["context"]["model"] = MODEL
        route.continue_(post_data=json.dumps(body))

    page.route("**/runs/stream", asked)
    page.select_option("#corpus", "default")


def wait_until(page: Page, condition: str) -> None:
    """Wait for a condition; page.wait_for_function() would evaluate it in the page, whose policy forbids that."""
    for _ in range(100):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never true: {condition}")


def fits(page: Page) -> bool:
    return page.evaluate(
        "document.documentElement.scrollWidth <= innerWidth && document.body.scrollWidth <= innerWidth"
    )


def problems(page: Page) -> list[str]:
    found = Axe().run(page, options=RULES).response["violations"]
    return [f"{v['id']}: {n['html']} {n['failureSummary']}" for v in found for n in v["nodes"]]
