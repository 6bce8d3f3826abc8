"""What can be done with an answer on the page: charts, rows, files, its statement and further questions."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.support.browsing import OpenPage, ask, fits, problems, wait_until

QUESTION = "What is the total revenue per region?"
IN_VIEW = """(text) => {
    const frame = document.querySelector(".other .table-scroll");
    const cell = [...frame.querySelectorAll("td")].find((td) => td.textContent === text)?.getBoundingClientRect();
    const { top, bottom } = frame.getBoundingClientRect();
    return Boolean(cell) && cell.top >= top && cell.bottom <= bottom + 1;
}"""
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def answered(open_page: OpenPage) -> Page:
    page = open_page()
    ask(page, QUESTION)
    return page


def saved(page: Page, pressed: Locator) -> bytes:
    with page.expect_download() as found:
        pressed.click()
    return Path(found.value.path()).read_bytes()


def edited(page: Page, sql: str) -> Locator:
    """Edit the statement of the answer and run it; return its result."""
    answer = page.locator(".answer").last
    answer.get_by_text("SQL and rows it was computed from").click()
    answer.get_by_role("button", name="Edit").click()
    answer.get_by_label("Edit the statement").fill(sql)
    answer.get_by_role("button", name="Run").click()
    return answer.get_by_role("group", name="Edited by you")


def test_the_value_is_largest_and_its_verdict_is_explained(open_page: OpenPage) -> None:
    page = open_page()
    ask(page, "What was the total revenue?")
    answer, size = page.locator(".answer"), "e => parseFloat(getComputedStyle(e).fontSize)"
    value = answer.locator(".answer-text")
    expect(value).to_have_text("EUR 1,774,500")
    assert value.evaluate(size) > 2 * page.locator(".turn-question").evaluate(size)
    assert "tabular-nums" in value.evaluate("e => getComputedStyle(e).fontVariantNumeric")
    expect(answer.locator(".answer-what")).to_contain_text("Revenue EUR")
    expect(answer.locator(".sql")).to_be_hidden()
    means = answer.get_by_text("The value was computed by SQL over whole tables")
    expect(means).to_be_hidden()
    answer.locator(".verdict").click()
    expect(means).to_be_visible()
    assert saved(page, answer.get_by_role("button", name="Save the file regions.csv")).startswith(b"Region,Revenue EUR")
    assert problems(page) == []


def test_charts_are_drawn_in_several_ways_and_saved(answered: Page) -> None:
    chart = answered.locator(".chart")
    for kind, mark, many in (("line", "polyline.line", 1), ("area", "polygon.area", 1), ("bar", "rect.bar", 3)):
        chart.get_by_label("Chart type").select_option(kind)
        expect(chart.locator(f"svg[data-kind={kind}] {mark}")).to_have_count(many)
    drawn = saved(answered, chart.get_by_role("button", name="SVG")).decode()
    assert drawn.startswith("<svg ") and "East: 800,000" in drawn and 'fill="rgb(' in drawn and "class=" not in drawn
    assert saved(answered, chart.get_by_role("button", name="PNG")).startswith(PNG)
    sql = "SELECT region, units, units * 2 AS more FROM regions"
    both = edited(answered, sql).locator(".chart").first
    both.get_by_label("Chart type").select_option("stacked")
    expect(both.locator("svg[data-kind=stacked] rect.bar")).to_have_count(6)
    both.get_by_label("Chart type").select_option("scatter")
    expect(both.locator("svg[data-kind=scatter] circle.dot")).to_have_count(3)
    assert problems(answered) == []


def test_rows_are_searched_filtered_sorted_and_exported_as_seen(answered: Page) -> None:
    found = edited(answered, "SELECT number, square FROM squares").locator(".result")
    note, first = found.locator(".result-foot > span").first, found.locator("tbody tr:not(.gap) td").first
    expect(note).to_have_text("130 rows")
    expect(found.locator("table")).to_have_attribute("aria-rowcount", "131")
    found.get_by_role("button", name="Number").click()
    expect(first).to_have_text("130")
    expect(found.locator("th[aria-sort=descending]")).to_have_text("Number")
    found.locator(".table-scroll").evaluate("e => e.scrollTo(0, e.scrollHeight)")
    expect(found.locator("tr:not(.gap)").last).to_have_text("11")
    found.get_by_role("button", name="Filter").click()
    found.get_by_label("Filter Square").fill("> 10,000")
    expect(note).to_have_text("30 rows found")
    found.get_by_label("Search rows").fill("121")
    expect(note).to_have_text("2 rows found")
    csv = saved(answered, found.get_by_role("button", name="CSV")).decode("utf-8-sig")
    assert csv == "Number,Square\r\n121,14641\r\n110,12100\r\n"
    assert saved(answered, found.get_by_role("button", name="Excel")).startswith(b"PK")
    assert saved(answered, found.get_by_role("button", name="Parquet")).startswith(b"PAR1")
    assert problems(answered) == [] and fits(answered)


def test_a_result_of_400_000_rows_scrolls_to_its_end(answered: Page) -> None:
    def replied(route: Route) -> None:
        first = route.request.post_data_json["offset"]
        rows = [[f"row {i + 1}", f"{i:,}"] for i in range(first, first + 50)]
        reply = {"offset": first, "total": 400_000, "columns": ["Name", "n"], "numeric": [False, True], "rows": rows}
        route.fulfill(body=json.dumps(reply), content_type="application/json")

    answered.route("**/api/results?*", replied)
    found = edited(answered, "SELECT number, square FROM squares").locator(".result")
    expect(found.locator(".result-foot > span").first).to_have_text("400,000 rows")
    for share, seen in ((0, "row 1"), (1, "row 400000"), (0.5, "row 200010")):
        found.locator(".table-scroll").evaluate("(e, s) => e.scrollTo(0, s * e.scrollHeight)", share)
        wait_until(answered, f"({IN_VIEW})('{seen}')")
    assert found.locator("tr").count() < 80


def test_a_statement_is_edited_within_the_guard(answered: Page) -> None:
    tried = edited(answered, "SELECT MAX(units) AS most FROM regions")
    expect(tried.locator(".answer-value")).to_have_text("200")
    expect(tried).to_contain_text("Computed from")
    answer = answered.locator(".answer").last
    answer.get_by_label("Edit the statement").fill("DROP TABLE regions")
    answer.get_by_role("button", name="Run").click()
    expect(answer.get_by_role("alert")).to_contain_text("only SELECT is allowed")


def test_suggested_questions_are_asked_by_their_button(answered: Page) -> None:
    chip = answered.locator(".follow-ups .chip").first
    question = chip.text_content()
    assert question != QUESTION
    chip.click()
    last = answered.locator(".turn").last
    expect(last.locator(".turn-question")).to_have_text(question)
    expect(last.locator(".answer .verdict")).to_have_text("Computed by SQL")
    expect(answered.locator(".turn").first.locator(".follow-ups")).to_have_count(0)


def test_what_is_assumed_and_other_tables_are_named(open_page: OpenPage) -> None:
    page = open_page()
    other = {"table": "visits", "title": "Visits", "source": "visits.csv", "answer": "1,625"}
    other["sql"] = "SELECT SUM(visits) AS v FROM visits"

    def changed(route: Route) -> None:
        reply = route.fetch()
        states = reply.json()
        for state in states:
            state["values"] |= {"assumption": "without returns", "alternatives": [other]}
        route.fulfill(response=reply, json=states)

    page.route("**/history", changed)
    ask(page, "What is the total units?")
    assumed = page.get_by_role("group", name="Assumptions")
    expect(assumed).to_contain_text("without returns")
    assumed.get_by_role("button", name="Visits, visits.csv").click()
    expect(page.get_by_role("group", name="Over Visits instead").locator(".answer-value")).to_have_text("1,625")
    wait_until(page, "document.querySelectorAll('.assumed .answer-value').length === 1")
