"""Confirming and correcting answers on the page, and the routes behind it."""

from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.support.browsing import OpenPage, ask, fits, problems
from tests.support.graph_server import GraphServer

CORPUS = {"corpus": "feedback"}
QUESTION = "What is the total pallets of the depot Wharf?"
RIGHT = "SELECT SUM(pallets) AS pallets FROM depots WHERE depot = 'Wharf' AND NOT returned"


@pytest.fixture(scope="module")
def api(graph_server: GraphServer) -> Iterator[httpx.Client]:
    """A client of the routes, and a corpus of this module's own."""
    with httpx.Client(base_url=f"{graph_server.url}/app/api/", params=CORPUS, timeout=60) as client:
        text = b"Depot,Pallets,Returned\nWharf,30,no\nWharf,12,yes\nMill,5,no\n"
        job = client.post("uploads", files={"files": ("depots.csv", text)}).json()["job"]
        while client.get(f"uploads/{job}").json()["state"] == "running":
            pass
        yield client


@pytest.fixture
def page(api: httpx.Client, open_page: OpenPage) -> Iterator[Page]:
    """A page with the answer to QUESTION; nothing is confirmed before and after."""
    opened = open_page()
    opened.select_option("#corpus", "feedback")
    ask(opened, QUESTION)
    yield opened
    api.request("DELETE", "confirmed", json={"question": QUESTION})


def test_a_right_answer_is_kept_and_withdrawn(page: Page, api: httpx.Client) -> None:
    feedback = page.get_by_role("group", name="Feedback")
    feedback.get_by_role("button", name="This is right").click()
    expect(feedback).to_contain_text("Kept: ")
    (kept,) = api.get("confirmed").json()["confirmed"]
    assert (kept["question"], kept["answer"]) == (QUESTION, "42")
    assert problems(page) == []
    feedback.get_by_role("button", name="Undo").click()
    expect(feedback).to_contain_text("Withdrawn")
    assert api.get("confirmed").json() == {"confirmed": []}


def test_a_corrected_answer_is_given_from_then_on(page: Page, api: httpx.Client) -> None:
    feedback = page.get_by_role("group", name="Feedback")
    feedback.get_by_role("button", name="Correct this").click()
    box, save = feedback.get_by_role("textbox"), feedback.get_by_role("button", name="Keep as the right answer")
    expect(box).to_be_focused()
    expect(save).to_be_disabled()
    assert problems(page) == [] and fits(page)
    box.fill("DROP TABLE depots")
    feedback.get_by_role("button", name="Run").click()
    expect(feedback).to_contain_text("only SELECT is allowed")
    expect(save).to_be_disabled()
    box.fill(RIGHT)
    feedback.get_by_role("button", name="Run").click()
    expect(feedback.locator("td")).to_have_text("30")
    box.press_sequentially(" ")
    expect(save).to_be_disabled()
    feedback.get_by_role("button", name="Run").click()
    save.click()
    expect(feedback).to_contain_text("Kept: ")
    ask(page, QUESTION)
    expect(page.locator(".turn").last.locator(".answer-text")).to_have_text("30")


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        ({"question": QUESTION}, 400, "sql"),
        ({"question": " ", "sql": "SELECT 1"}, 400, "question"),
        ({"question": QUESTION, "sql": "SELECT 1", "who": "x"}, 400, "who"),
        ({"question": QUESTION, "sql": "SELECT pallets FROM elsewhere", "keep": True}, 422, "unknown table"),
        ({"question": "x" * 200_000, "sql": "SELECT 1"}, 413, "more than 100,000 bytes"),
    ],
)
def test_what_cannot_be_confirmed_is_refused(api: httpx.Client, body: dict, status: int, says: str) -> None:
    reply = api.post("confirmed", json=body)
    assert (reply.status_code, says in reply.json()["error"]) == (status, True), reply.text
    assert api.get("confirmed").json() == {"confirmed": []}


def test_a_statement_that_is_tried_is_not_kept(api: httpx.Client) -> None:
    tried = api.post("confirmed", json={"question": QUESTION, "sql": RIGHT}).json()
    assert (tried["kept"], tried["rows"], tried["problem"]) == (False, [[30]], "")
    refused = api.post("confirmed", json={"question": QUESTION, "sql": "DROP TABLE depots"}).json()
    assert "only SELECT is allowed" in refused["problem"]
    assert api.get("confirmed").json() == {"confirmed": []}


def test_other_sites_confirm_nothing(api: httpx.Client) -> None:
    body = {"question": QUESTION, "sql": RIGHT, "keep": True}
    assert api.post("confirmed", json=body, headers={"origin": "https://evil.example"}).status_code == 403
    assert api.request("DELETE", "confirmed", json={"question": QUESTION}).status_code == 404
    assert api.post("confirmed", params={"corpus": "nowhere"}, json=body).status_code == 404
