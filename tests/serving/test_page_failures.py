"""What the page shows while a model is silent, after an error, and how a question is asked again."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.browsing import OpenPage, ask, problems, send, use_model
from tests.support.model_server import ModelServer, Reply
from tests.support.model_thoughts import lookup

QUESTION = "What is the amount of North?"


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    opened = open_page()
    use_model(opened)
    return opened


@pytest.mark.parametrize(
    ("status", "says", "details"),
    [
        (404, "The language model refused the request. Please tell your administrator.", "check TABLERAG_MODEL"),
        (429, "The language model is busy. Try again in a moment.", "check the quota of the account"),
        (500, "The language model cannot be reached. Try again in a moment.", "the server answered 500"),
    ],
)
def test_an_error_is_one_sentence_and_the_question_is_asked_again(
    page: Page, thinking: ModelServer, status: int, says: str, details: str
) -> None:
    # Not one reply in a queue: a run that an earlier test stopped may still ask, and would be given it.
    thinking.responder = lambda request: Reply(status=status)
    send(page, QUESTION)
    shown = page.locator(".failure")
    expect(shown.locator(".error")).to_have_text(says)
    expect(shown.get_by_text(details)).to_be_hidden()
    shown.get_by_text("Details for administrators").click()
    expect(shown.get_by_text(details)).to_be_visible()
    assert "ModelUnavailable" not in shown.inner_text()
    assert problems(page) == []
    thinking.responder = lookup
    page.reload()
    expect(shown.locator(".error")).to_have_text(says)
    page.get_by_role("button", name=f"Retry: {QUESTION}").click()
    expect(page.locator(".answer-text")).to_have_text("1,200")
    expect(page.locator(".turn")).to_have_count(1)
    page.reload()
    expect(page.locator(".answer-text")).to_have_text("1,200")
    expect(page.locator(".turn")).to_have_count(1)


def test_a_stopped_question_is_asked_again(page: Page, thinking: ModelServer) -> None:
    thinking.responder = lambda request: Reply("{}", delay_s=2.0)
    send(page, QUESTION)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".turn-answer")).to_contain_text("Stopped before there was an answer.")
    thinking.responder = lookup
    page.get_by_role("button", name=f"Retry: {QUESTION}").click()
    expect(page.locator(".answer-text")).to_have_text("1,200")


def test_a_silent_model_is_waited_for_with_a_clock_and_a_notice(page: Page, thinking: ModelServer) -> None:
    thinking.responder = lambda request: Reply("{}", delay_s=4.0)
    page.clock.install()
    send(page, QUESTION)
    timeline = page.locator(".timeline")
    expect(timeline.get_by_text("Still waiting for the language model.")).to_be_hidden()
    page.clock.fast_forward(65_000)
    expect(timeline.locator(".elapsed")).to_have_text("1 min 5 s")
    expect(timeline.get_by_text("Still waiting for the language model.")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(timeline.locator(".elapsed")).to_have_text("")
    expect(timeline.get_by_text("Still waiting for the language model.")).to_be_hidden()


def test_a_server_that_is_gone_is_named_and_the_question_kept(open_page: OpenPage) -> None:
    page = open_page()
    page.locator(".suggestion").first.wait_for()

    def gone(route: Route) -> None:
        route.fulfill(status=200, headers={"content-type": "text/event-stream"}, body="")

    page.route("**/runs/stream", gone)
    send(page, "What is the total units?")
    expect(page.locator(".failure .error")).to_have_text(
        "The server cannot be reached. Check your connection and try again."
    )
    page.unroute("**/runs/stream")
    page.get_by_role("button", name="Retry").click()
    expect(page.locator(".answer-text")).to_have_text("400")
    ask(page, "How many units has North?")
