"""The page in a real browser: ask, look at sources, upload; by keyboard, on a phone, in light and dark."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.support.browsing import OpenPage, ask, fits, problems

SLOW_S = 2.0


def test_an_answer_shows_steps_sql_result_chart_and_sources(open_page: OpenPage) -> None:
    page = open_page()
    page.locator(".suggestion").first.wait_for()
    ask(page, "What is the total revenue per region?")
    answer = page.locator(".answer")
    expect(answer.locator(".answer-text")).to_have_text("Total of Revenue EUR by Region")
    expect(answer.locator(".verdict")).to_have_text("Computed by SQL")
    expect(answer.locator(".sql code")).to_contain_text("GROUP BY")
    expect(answer.locator(".result tbody tr")).to_have_count(3)
    expect(answer.locator(".receipt")).to_contain_text("Computed from 3 rows of regions")
    assert answer.locator("td.number").first.evaluate("e => getComputedStyle(e).textAlign") == "right"
    chart = answer.get_by_role("img", name=re.compile("by Region"))
    expect(chart.locator("rect.bar")).to_have_count(3)
    assert "East: 800,000" in chart.locator("desc").text_content()
    with page.expect_download() as saved:
        answer.get_by_role("button", name="CSV", exact=True).click()
    assert "East,800000\r\n" in Path(saved.value.path()).read_bytes().decode("utf-8-sig")
    page.locator(".timeline summary").click()
    step = page.locator(".step")
    expect(step.locator(".step-subquery")).to_have_text("What is the total revenue per region?")
    expect(step.locator(".chip").first).to_contain_text("regions")
    page.locator(".source").first.click()
    panel = page.locator("#panel")
    expect(panel.locator("mark")).to_have_count(6)
    expect(panel).to_contain_text("The whole table is cited (3 rows).")
    ask(page, "What is the total visits per month?")
    expect(page.locator(".turn").last.locator("polyline.line")).to_have_count(1)
    expect(page.locator(".turn").last.locator("circle.dot")).to_have_count(4)


def test_a_question_sent_before_the_page_is_loaded_is_asked_once(open_page: OpenPage) -> None:
    page = open_page()
    page.locator(".suggestion").first.wait_for()
    held: list[Route] = []
    page.route("**/api/corpora?*", lambda route: held.append(route))
    page.reload()
    page.fill("#question", "What was the total revenue?")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator(".turn")).to_have_count(0)
    held[0].continue_()
    expect(page.locator(".answer-text")).to_have_text("EUR 1,774,500")
    expect(page.locator("#question")).to_have_value("")
    expect(page.locator(".turn")).to_have_count(1)


def test_a_conflict_names_both_figures_and_its_passage_opens(open_page: OpenPage) -> None:
    page = open_page()
    ask(page, "What is the total units?")
    expect(page.locator(".answer .verdict")).to_have_text("SQL and text disagree")
    expect(page.locator(".note.conflict")).to_contain_text("SQL gives 400; the text says '410'")
    page.locator(".source", has_text="notes.md").click()
    expect(page.locator("#panel blockquote mark")).to_contain_text("The total units sold were 410.")


def test_a_reading_is_chosen_by_its_button(open_page: OpenPage) -> None:
    page = open_page()
    page.select_option("#corpus", "unclear")
    ask(page, "What is the amount of Aurora?")
    first = page.locator(".turn").first
    expect(first.locator(".answer-text")).to_have_text("Not sure which you mean:")
    expect(first.locator(".reading .unsure").first).to_have_text("unsure")
    assert problems(page) == []
    first.locator(".reading", has_text="Net amount").filter(has_text="400").first.click()
    chosen = page.locator(".turn").nth(1)
    expect(chosen.locator(".answer .verdict")).to_have_text("Computed by SQL")
    expect(chosen.locator(".answer-text")).to_contain_text("400")
    expect(first.locator(".reading").first).to_be_enabled()
    first.locator(".reading", has_text="476").first.click()
    expect(page.locator(".turn").nth(2).locator(".answer-text")).to_contain_text("476")
    ask(page, "How many invoices are there?")
    expect(first.locator(".reading").first).to_be_disabled()


def test_a_statement_waits_for_approval(open_page: OpenPage) -> None:
    page = open_page()
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("switch", name="Approve SQL before it runs").check()
    page.get_by_role("button", name="Done").click()
    page.fill("#question", "What is the total units?")
    page.keyboard.press("Enter")
    waiting = page.get_by_role("region", name="SQL approval")
    expect(waiting.locator("code")).to_contain_text("SUM")
    page.reload()
    waiting.get_by_text("Edit the statement").click()
    waiting.get_by_label("Statement", exact=True).fill("SELECT MAX(units) FROM regions")
    waiting.get_by_role("button", name="Run edited SQL").click()
    expect(page.locator(".answer .sql code")).to_contain_text("MAX")
    page.locator(".timeline summary").click()
    expect(page.locator(".step")).to_contain_text("You edited the statement.")


def test_what_documents_hold_stays_text(open_page: OpenPage) -> None:
    page = open_page("#documents")
    page.select_option("#corpus", "hostile")
    expect(page.locator(".document")).to_have_count(2)
    for chip in page.locator(".document .chip").all():
        chip.click()
        expect(page.locator("#panel tbody tr:visible").first).to_be_visible()
        page.keyboard.press("Escape")
    page.goto(f"{page.url.partition('#')[0]}#ask")
    page.locator(".suggestion").first.wait_for()
    ask(page, "<img src=x onerror=document.title='hacked'> Which ship has the highest tonnes?")
    page.locator("#new").click()
    ask(page, "How many tonnes did the ship Ada carry?")
    for source in page.locator(".source").all():
        source.click()
        expect(page.locator("#panel-body")).not_to_have_text("Loading …")
    page.locator(".timeline summary").click()
    assert page.locator("[onerror], [onload], [onmouseover], #main script, #main img, #panel img").count() == 0
    assert page.locator("#main, #panel").filter(has_text="onerror").count() > 0
    assert page.title() == "TableRAG"


def test_files_are_uploaded_and_asked_at_once(open_page: OpenPage, a_file: Callable[[str, str], Path]) -> None:
    page = open_page("#documents")
    page.get_by_label("New corpus").fill("stock of <b>")
    page.get_by_role("button", name="Create").click()
    expect(page.locator(".documents")).to_contain_text("No documents yet.")
    big = a_file("big.csv", "a,b\n" * 20_000)
    wrong = a_file("run.exe", "x")
    page.locator(".file-input").set_input_files([big, wrong])
    expect(page.locator(".upload-refused")).to_contain_text("big.csv: too large (0.1 MB, limit 0.05 MB)")
    expect(page.locator(".upload-refused")).to_contain_text("run.exe: unsupported file type .exe")
    page.locator(".file-input").set_input_files(a_file("stock.csv", "Item,Pieces\nbolts,30\nnuts,12\n"))
    report = page.get_by_role("region", name="Ingest report")
    expect(report).to_contain_text("1 added, 1 table, 2 rows")
    expect(page.locator(".document h2")).to_have_text("stock.csv")
    page.get_by_role("link", name="Ask").click()
    ask(page, "What is the total pieces?")
    expect(page.locator(".answer-text")).to_have_text("42")
    page.get_by_role("link", name="Documents").click()
    page.get_by_role("button", name="Remove stock.csv").click()
    page.get_by_role("button", name="Remove permanently").click()
    expect(page.locator(".documents")).to_contain_text("No documents yet.")
    page.get_by_role("link", name="Ask").click()
    expect(page.locator(".welcome")).to_contain_text("Add documents to get started")


def test_all_can_be_done_by_keyboard(open_page: OpenPage) -> None:
    page = open_page()
    expect(page.locator("#question")).to_be_focused()
    page.keyboard.type("What was the total revenue?")
    page.keyboard.press("Enter")
    expect(page.locator(".source").first).to_be_visible()
    chips = page.locator(".follow-ups .chip")
    expect(chips.first).to_be_visible()
    words = ("Correct this", "This is right", "Save as question", "Copy answer", "Save the file notes.md")
    named = [page.get_by_role("button", name=name) for name in words]
    for place in (*reversed(chips.all()), *named, page.locator(".source").last):
        page.keyboard.press("Shift+Tab")
        expect(place).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#panel-title")).to_be_focused()
    expect(page.locator("#panel mark").first).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.locator("#close-panel")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#panel")).to_be_hidden()
    expect(page.locator(".source").last).to_be_focused()
    page.keyboard.press("/")
    expect(page.locator("#question")).to_be_focused()
    page.keyboard.press("Shift+Enter")
    expect(page.locator("#question")).to_have_value("\n")


def test_nothing_is_wider_than_a_phone(open_page: OpenPage) -> None:
    page = open_page(width=360, height=740)
    page.locator(".suggestion").first.wait_for()
    assert fits(page)
    ask(page, "What is the total revenue per region?")
    page.locator(".timeline summary").click()
    assert fits(page)
    page.locator(".source").first.click()
    expect(page.locator("#panel mark").first).to_be_visible()
    assert fits(page)
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="Documents").click()
    expect(page.locator(".document")).to_have_count(4)
    assert fits(page)
    expect(page.locator("#rail")).to_be_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_labels_and_contrast_are_well(open_page: OpenPage, scheme: str) -> None:
    page = open_page(scheme=scheme)
    page.locator(".suggestion").first.wait_for()
    assert problems(page) == []
    ask(page, "What is the total units?")
    ask(page, "What is the total revenue per region?")
    page.locator(".timeline summary").last.click()
    page.locator(".source").first.click()
    expect(page.locator("#panel mark").first).to_be_visible()
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light dark"
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 26)"
    assert dark == (scheme == "dark")
    assert problems(page) == []
    page.goto(f"{page.url.partition('#')[0]}#documents")
    expect(page.locator(".document")).to_have_count(4)
    assert problems(page) == []
