"""The page on a server that asks for API keys: it asks for one, and shows that key's corpora only."""

import json
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.support.graph_server import fill_corpora, running_graph_server

KEYS = {"ada-and-no-other": ["default"], "bob-and-no-other": ["payroll"]}


@pytest.fixture(scope="module")
def keyed(tmp_path_factory: pytest.TempPathFactory):
    folder: Path = tmp_path_factory.mktemp("keyed")
    fill_corpora(folder)
    with running_graph_server(folder, TABLERAG_API_KEYS=json.dumps(KEYS)) as server:
        yield server.url


def test_the_page_asks_for_a_key_and_shows_its_corpora(keyed: str, browser: Browser) -> None:
    page = browser.new_page()
    page.set_default_timeout(30_000)
    page.goto(f"{keyed}/app/")
    expect(page.locator("#settings")).to_be_visible()
    expect(page.locator("#api-key")).to_be_focused()
    page.fill("#api-key", "bob-and-no-other")
    page.keyboard.press("Enter")
    expect(page.locator("#corpus option")).to_have_text(["payroll"])
    page.fill("#question", "What is the total salary?")
    page.keyboard.press("Enter")
    expect(page.locator(".answer-text")).to_have_text("12000")
    page.close()


@pytest.mark.parametrize(
    ("key", "path", "status"),
    [
        ("", "corpora", 401),
        ("nobody", "corpora", 401),
        ("", "documents?corpus=payroll", 401),
        ("ada-and-no-other", "documents?corpus=payroll", 404),
        ("ada-and-no-other", "tables/salaries/rows?corpus=payroll", 404),
        ("ada-and-no-other", "documents", 200),
        ("bob-and-no-other", "documents", 404),
    ],
)
def test_routes_of_the_page_keep_to_a_key_s_corpora(keyed: str, key: str, path: str, status: int) -> None:
    reply = httpx.get(f"{keyed}/app/api/{path}", headers={"x-api-key": key} if key else {})
    assert reply.status_code == status, reply.text


def test_nobody_uploads_into_another_key_s_corpus(keyed: str) -> None:
    files = {"files": ("a.csv", b"a,b\n1,2\n", "text/csv")}
    for key, status in (("", 401), ("ada-and-no-other", 403)):
        headers = {"x-api-key": key} if key else {}
        reply = httpx.post(f"{keyed}/app/api/uploads?corpus=payroll", files=files, headers=headers)
        assert reply.status_code == status, reply.text
