"""The page's modules that only compute, run in the browser: CSV, quotes in passages."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tablerag.tools.sql.row_hash import row_hash
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


def test_rows_behind_a_receipt_are_found_when_it_is_opened(browser: Browser, graph_server: GraphServer) -> None:
    page = browser.new_page()
    page.goto(f"{graph_server.url}/app/")
    sql = "SELECT SUM(units) AS n FROM regions"
    later = {"table": "regions", "row_count": None, "deferred": True, "untold": "computed when opened"}
    receipt = {"sql": sql, "tables": ["regions"], "sources": ["regions.csv"], "rows": [later]}
    receipt["result_hash"] = row_hash([(400,)])
    step = {"sql": sql, "columns": ["n"], "rows": [[400]], "receipt": receipt, "subquery": "How many units?"}
    outcome = {"answer": "400", "verdict": "sql_only", "steps": [step], "sql": [sql], "model": "offline"}
    script = """async (outcome) => {
        const { answerView } = await import("./static/js/answer.js");
        document.body.replaceChildren(answerView(outcome, "page"));
    }"""
    page.evaluate(script, outcome)
    expect(page.locator(".receipt")).to_have_count(0)
    page.get_by_role("button", name="Find the rows it was computed from").click()
    expect(page.locator(".receipt")).to_contain_text("Computed from 3 rows of regions")
    page.close()
