"""The page's modules that only compute, run in the browser: CSV, quotes in passages, what is drawn as a chart."""

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


@pytest.mark.parametrize(
    ("columns", "rows", "kind", "labels", "series"),
    [
        (["region", "sum"], [["N", 1], ["S", 2], ["E", 3]], "bars", ["N", "S", "E"], ["sum"]),
        (["year", "n"], [[2022, 5], [2020, 3], [2021, 4]], "line", ["2020", "2021", "2022"], ["n"]),
        (["m", "a", "b"], [["2025-02", 1, 9], ["2025-01", 2, 8], ["2025-03", 3, 7]], "line", None, ["a", "b"]),
        (["r", "small", "vast"], [["N", 1, 5e6], ["S", 2, 6e6], ["E", 3, 7e6]], "bars", None, ["small"]),
        (["r", "n"], [["N", 1], ["S", None], ["E", -3]], "bars", None, ["n"]),
    ],
)
def test_a_series_is_drawn(call: Call, columns: list, rows: list, kind: str, labels: list | None, series: list) -> None:
    found = call("chart", "seriesOf", columns, rows, False)
    assert (found["kind"], [s["name"] for s in found["series"]]) == (kind, series)
    assert labels is None or found["labels"] == labels


@pytest.mark.parametrize(
    ("columns", "rows", "cut"),
    [
        (["region", "sum"], [["N", 1], ["S", 2]], False),
        (["region", "sum"], [[str(i), i] for i in range(51)], False),
        (["region", "sum"], [["N", 1], ["S", 2], ["E", 3]], True),
        (["region", "city"], [["N", "a"], ["S", "b"], ["E", "c"]], False),
        (["a", "b"], [[1, 2], [3, 4], [5, 6]], False),
        (["a", "b", "c", "d"], [["x", 1, 2, 3]] * 3, False),
        (["region", "sum"], [[None, 1], ["S", 2], ["E", 3]], False),
    ],
)
def test_what_is_no_series_is_not_drawn(call: Call, columns: list, rows: list, cut: bool) -> None:
    assert call("chart", "seriesOf", columns, rows, cut) is None


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
