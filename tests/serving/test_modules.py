"""The page's modules that only compute, run in the browser: quotes in passages, Markdown."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tablerag.agent.answer_text import answer_markdown
from tablerag.tools.sql.row_hash import row_hash
from tests.support.graph_server import GraphServer
from tests.support.hostile_markdown import HOSTILE, live_in

Call = Callable[..., Any]


@pytest.fixture(scope="module")
def call(browser: Browser, graph_server: GraphServer) -> Iterator[Call]:
    """Return a function that calls a module's function with JSON values."""
    page = browser.new_page()
    page.goto(f"{graph_server.url}/app/")
    script = "async ([file, name, values]) => (await import(`./static/js/${file}.js`))[name](...values)"
    yield lambda file, name, *values: page.evaluate(script, [file, name, list(values)])
    page.close()


@pytest.mark.parametrize("hostile", HOSTILE)
def test_nothing_is_live_in_an_exported_conversation(call: Call, hostile: str) -> None:
    question = " ".join(hostile.split())
    told = {
        "explanation": hostile,
        "citations": [{"source": hostile, "locator": "", "quote": hostile}],
        "iterations": 1,
    }
    message = answer_markdown(OUTCOME | told | {"answer": hostile}, "offline")
    values = {"question": question, "answer": hostile, "messages": [{"type": "ai", "content": message}]}
    text = call("export", "written", question, {"values": values, "next": []})
    heading, *others = live_in(text)
    assert heading.startswith("heading_open") and others == []
    assert text.endswith(message)


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


STEP = {"sql": "SELECT 1", "columns": ["n"], "rows": [[400]], "subquery": "How many units?"}
OUTCOME = {"answer": "400", "verdict": "sql_only", "sql": ["SELECT 1"], "model": "offline", "steps": [STEP]}
DRAW = """async (outcome) => {
    const { answerView } = await import("./static/js/answer.js");
    document.body.replaceChildren(answerView(outcome, "page"));
}"""


@pytest.fixture
def drawn(browser: Browser, graph_server: GraphServer) -> Iterator[Callable[[dict[str, Any]], Page]]:
    """Return a function that draws an answer alone on the page."""
    page = browser.new_page()
    page.goto(f"{graph_server.url}/app/")

    def answer(outcome: dict[str, Any]) -> Page:
        page.evaluate(DRAW, outcome)
        return page

    yield answer
    page.close()


def test_a_sentence_has_its_value_above_and_what_was_computed_below(drawn: Callable[..., Page]) -> None:
    step = STEP | {"presented": {"text": "EUR 1,774,500", "value": 1774500}}
    table = {"columns": ["Total of Revenue EUR"]}
    says = "In all regions together, the revenue came to 1,774,500 euros in that year."
    page = drawn(OUTCOME | {"answer": says, "steps": [step], "value": 1774500, "table": table, "explanation": "Done."})
    lines = page.locator(".answer-head > p").all_inner_texts()
    assert lines == ["EUR 1,774,500", says, "Total of Revenue EUR · Done."]
    page = drawn(OUTCOME | {"answer": "EUR 1,774,500", "steps": [step], "value": 1774500, "table": table})
    assert page.locator(".answer-value").count() == 0
    page = drawn(OUTCOME | {"answer": says, "steps": [step], "value": None, "table": table})
    assert page.locator(".answer-value, .answer-what").count() == 0


def test_a_series_of_another_size_has_a_chart_of_its_own(drawn: Callable[..., Page]) -> None:
    series = [{"name": "Units", "values": [1, 2, 3]}, {"name": "Revenue", "values": [5e6, 6e6, 7e6]}]
    chart = {"kind": "bar", "label": "Region", "labels": ["N", "S", "E"], "series": series[:1], "apart": series[1:]}
    page = drawn(OUTCOME | {"steps": [STEP | {"presented": {"chart": chart}}]})
    expect(page.locator("figure.chart figcaption")).to_have_text(["Units by Region", "Revenue by Region"])
    expect(page.locator("figure.chart rect.bar")).to_have_count(6)


def test_rows_behind_a_receipt_are_found_when_it_is_opened(drawn: Callable[..., Page]) -> None:
    sql = "SELECT SUM(units) AS n FROM regions"
    later = {"table": "regions", "row_count": None, "deferred": True, "untold": "computed when opened"}
    receipt = {"sql": sql, "tables": ["regions"], "sources": ["regions.csv"], "rows": [later]}
    receipt["result_hash"] = row_hash([(400,)])
    page = drawn(OUTCOME | {"steps": [STEP | {"sql": sql, "receipt": receipt}], "sql": [sql]})
    expect(page.locator(".receipt")).to_have_count(0)
    page.locator(".folded summary").click()
    page.get_by_role("button", name="Find the rows it was computed from").click()
    expect(page.locator(".receipt")).to_contain_text("Computed from 3 rows of regions")
