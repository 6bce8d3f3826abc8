"""The page's modules that only compute, run in the browser: CSV, quotes in passages."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.support.graph_server import GraphServer

Call = Callable[..., Any]


@pytest.fixture(scope="module")
def call(browser: Browser, graph_server: GraphServer) -> Iterator[Call]:
    """Return a function that calls a module's function with JSON values."""
    page = browser.new_page()
    page.goto(f"{graph_server.url}/app/")
    script = "async ([file, name, values]) => (await import(`./static/js/${file}.js`))[name](...values)"
    yield lambda file, name, *values: page.evaluate(script, [file, name, list(values)])
    page.close()


def test_cells_of_csv_are_quoted_and_no_formula_runs(call: Call) -> None:
    rows = [["a,b", 'say "x"', "two\nlines"], ["=1+2", -5, None], ["+x", "@y", "plain"]]
    written = '\ufeff"a,b","say ""x""","two\nlines"\r\n' + "'=1+2,-5,\r\n" + "'+x,'@y,plain\r\n"
    assert call("result_table", "csv", rows) == written


@pytest.mark.parametrize(
    ("text", "quote", "found"),
    [
        ("The total\n was 5 (net).", "the total was 5 (net)", "The total\n was 5 (net)"),
        ("| a | b |", "a | b", "a | b"),
        ("It goes on and on.", "It goes on…", "It goes on"),
        ("Nothing here", "elsewhere", None),
        ("Nothing here", "", None),
    ],
)
def test_a_quote_is_found_whatever_its_spacing(call: Call, text: str, quote: str, found: str | None) -> None:
    place = call("passage", "placeOfQuote", text, quote)
    assert (text[slice(*place)] if place else None) == found


def test_an_unknown_event_is_shown_by_its_text(browser: Browser, graph_server: GraphServer) -> None:
    page = browser.new_page()
    page.goto(f"{graph_server.url}/app/")
    event = {"type": "something_new", "iteration": 1, "text": "<b>Asked</b> the archive"}
    script = """async (event) => {
        const { Timeline } = await import("./static/js/timeline.js");
        const timeline = new Timeline("page");
        timeline.event(event);
        return [timeline.summary.textContent, timeline.node.querySelector(".step .quiet").textContent];
    }"""
    assert page.evaluate(script, event) == [f"{event['text']} …", event["text"]]
    page.close()
