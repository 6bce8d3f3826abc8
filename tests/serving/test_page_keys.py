"""The page on a server that asks for API keys: it asks for one, and shows that key's corpora only."""

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.support.graph_server import PAYROLL_KEY, SALES_KEY, GraphServer


def test_the_page_asks_for_a_key_and_shows_its_corpora(keyed_server: GraphServer, browser: Browser) -> None:
    page = browser.new_page()
    page.set_default_timeout(30_000)
    page.goto(f"{keyed_server.url}/app/")
    expect(page.locator("#settings")).to_be_visible()
    expect(page.locator("#api-key")).to_be_focused()
    page.fill("#api-key", PAYROLL_KEY)
    page.keyboard.press("Enter")
    expect(page.locator("#corpus option")).to_have_text(["payroll"])
    page.fill("#question", "What is the total salary?")
    page.keyboard.press("Enter")
    expect(page.locator(".answer-text")).to_have_text("12,000")
    page.close()


@pytest.mark.parametrize(
    ("key", "path", "status"),
    [
        ("", "corpora", 401),
        ("nobody", "corpora", 401),
        ("", "documents?corpus=payroll", 401),
        (SALES_KEY, "documents?corpus=payroll", 404),
        (SALES_KEY, "tables/salaries/rows?corpus=payroll", 404),
        (SALES_KEY, "documents", 200),
        (PAYROLL_KEY, "documents", 404),
    ],
)
def test_routes_of_the_page_keep_to_a_key_s_corpora(
    keyed_server: GraphServer, key: str, path: str, status: int
) -> None:
    reply = httpx.get(f"{keyed_server.url}/app/api/{path}", headers={"x-api-key": key} if key else {})
    assert reply.status_code == status, reply.text


def test_nobody_uploads_into_another_key_s_corpus(keyed_server: GraphServer) -> None:
    files = {"files": ("a.csv", b"a,b\n1,2\n", "text/csv")}
    for key, status in (("", 401), (SALES_KEY, 403)):
        headers = {"x-api-key": key} if key else {}
        reply = httpx.post(f"{keyed_server.url}/app/api/uploads?corpus=payroll", files=files, headers=headers)
        assert reply.status_code == status, reply.text
