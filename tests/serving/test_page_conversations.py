"""Conversations are threads on the server: reopened, shared by tabs, listed, renamed, exported and deleted."""

import re
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest
from playwright.sync_api import APIResponse, Page, Request, Route, expect

from tests.support.browsing import OpenPage, ask, send, use_model
from tests.support.graph_server import GraphServer
from tests.support.model_server import ModelServer, Reply
from tests.support.model_thoughts import lookup

HELD_S = 4.0


@pytest.fixture
def release(thinking: ModelServer) -> Iterator[Event]:
    """Return an event until which the model does not answer."""
    released = Event()

    def held(request: dict[str, Any]) -> Reply:
        released.wait(HELD_S)
        return lookup(request)

    thinking.responder = held
    yield released
    released.set()


def listed(page: Page, title: str) -> Any:
    return page.locator("#conversations li").filter(has=page.locator(f"a[title='{title}']"))


def actions(page: Page, title: str) -> Any:
    item = listed(page, title).first
    item.locator("summary").click()
    return item


def thread_of(page: Page) -> str:
    expect(page).to_have_url(re.compile("#ask/.+"))
    return page.url.rpartition("/")[2]


def test_a_conversation_is_kept_and_reopened(open_page: OpenPage) -> None:
    page = open_page()
    ask(page, "What was the total revenue of all?")
    ask(page, "How many units has North?")
    expect(listed(page, "What was the total revenue of all?").first).to_be_visible()
    page.reload()
    expect(page.locator(".turn .answer")).to_have_count(2)
    expect(page.locator(".answer-text").first).to_have_text("EUR 1,774,500")
    expect(page.locator(".answer-text").last).to_have_text("120")
    page.locator("#new").click()
    expect(page.locator(".welcome")).to_be_visible()
    listed(page, "What was the total revenue of all?").first.locator("a").click()
    expect(page.locator(".turn .answer")).to_have_count(2)


def test_a_conversation_begun_while_the_list_loads_is_listed(open_page: OpenPage) -> None:
    page = open_page()
    late: list[tuple[Route, APIResponse]] = []
    ask(page, "How many units has West?")
    page.locator("#new").click()
    page.route("**/threads/search", lambda route: late.append((route, route.fetch())))
    with page.expect_request("**/threads/search"):
        page.reload()
    ask(page, "How many units has West, in granite?")
    for route, before in late:
        route.fulfill(response=before)
    expect(listed(page, "How many units has West?").first).to_be_visible()
    expect(listed(page, "How many units has West, in granite?")).to_have_count(1)


def test_a_turn_answered_after_a_reload_stays_answered(open_page: OpenPage, release: Event) -> None:
    page = open_page()
    use_model(page)
    send(page, "What is the amount of North?")
    thread_of(page)
    page.reload()
    expect(page.locator(".timeline.running")).to_have_count(1)
    release.set()
    expect(page.locator(".answer-text")).to_have_text("1,200")
    ask(page, "What is the amount of South?")
    page.reload()
    expect(page.locator(".answer-text")).to_have_text(["1,200", "800"])


def test_a_run_found_after_a_reload_is_stopped(open_page: OpenPage, release: Event) -> None:
    page = open_page()
    use_model(page)
    send(page, "What is the amount of North?")
    thread_of(page)
    page.reload()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".turn-answer")).to_contain_text("Stopped before there was an answer.")
    page.reload()
    expect(page.locator(".turn-answer")).to_contain_text("Stopped before there was an answer.")


def test_two_tabs_of_a_conversation_keep_each_other_s_turns(open_page: OpenPage) -> None:
    first = open_page()
    ask(first, "What is the total units?")
    second = first.context.new_page()
    second.goto(first.url)
    expect(second.locator(".answer")).to_have_count(1)
    ask(second, "How many units has North?")
    ask(first, "How many units has South?")
    for page in (first, second):
        page.reload()
        questions = ["What is the total units?", "How many units has North?", "How many units has South?"]
        expect(page.locator(".turn-question")).to_have_text(questions)
        expect(page.locator(".turn .answer")).to_have_count(3)
    second.close()
    ask(first, "How many units has East?")


def test_a_conversation_is_deleted_on_the_server_once_confirmed(open_page: OpenPage, graph_server: GraphServer) -> None:
    page = open_page()
    ask(page, "How many units has South, to be deleted?")
    thread = thread_of(page)
    item = actions(page, "How many units has South, to be deleted?")
    item.get_by_role("button", name="Delete").click()
    assert httpx.get(f"{graph_server.url}/threads/{thread}").status_code == 200
    item.get_by_role("button", name="Delete permanently?").click()
    expect(page.locator(".welcome")).to_be_visible()
    expect(listed(page, "How many units has South, to be deleted?")).to_have_count(0)
    for path in ("", "/state"):
        assert httpx.get(f"{graph_server.url}/threads/{thread}{path}").status_code == 404


def test_conversations_are_searched_and_renamed(open_page: OpenPage) -> None:
    page = open_page()
    ask(page, "How many units has East, in quartz?")
    page.locator("#new").click()
    ask(page, "How many units has East, in basalt?")
    page.get_by_label("Search conversations").fill("QUARTZ east")
    expect(page.locator("#conversations a")).to_contain_text(["How many units has East, in quartz?"])
    actions(page, "How many units has East, in quartz?").get_by_role("button", name="Rename").click()
    page.get_by_label("Title").fill("Granite")
    page.keyboard.press("Enter")
    page.reload()
    page.get_by_label("Search conversations").fill("granite")
    page.locator("#conversations a", has_text="Granite").first.click()
    expect(page.locator(".turn-question")).to_have_text("How many units has East, in quartz?")
    page.get_by_label("Search conversations").fill("nothing like it")
    expect(page.locator("#conversations")).to_contain_text("No conversation found")


def test_a_conversation_is_exported_as_markdown(open_page: OpenPage) -> None:
    page = open_page()
    ask(page, "What was the total revenue, for export?")
    item = actions(page, "What was the total revenue, for export?")
    with page.expect_download() as saved:
        item.get_by_role("button", name="Export as Markdown").click()
    text = Path(saved.value.path()).read_text(encoding="utf-8")
    assert text.startswith("# What was the total revenue, for export?\n\n## What was the total revenue, for export?\n")
    for part in ("EUR 1,774,500", "**Verdict:** computed by SQL", "```sql\nSELECT SUM(", "- `regions.csv, rows 1-4`"):
        assert part in text, text
    assert saved.value.suggested_filename == "What-was-the-total-revenue-for-export.md"


def test_a_question_costs_four_requests_without_data_that_is_not_shown(open_page: OpenPage) -> None:
    page = open_page()
    page.locator(".suggestion").first.wait_for()
    requests: list[Request] = []
    page.on("request", lambda r: "static" in r.url or requests.append(r))
    ask(page, "What is the total revenue per region?")
    page.wait_for_load_state("networkidle")
    assert [r.url.rpartition("/")[2].partition("?")[0] for r in requests] == [
        "threads",
        "stream",
        "history",
        "suggestions",
    ]
    thread, stream, history, _ = requests
    assert stream.post_data_json["stream_mode"] == "custom"
    assert len(thread.response().body()) + len(history.response().body()) < 12_000
