"""Saved questions, boards and their files on the page."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.support.browsing import OpenPage, ask, fits, problems
from tests.support.graph_server import GraphServer

VALUE, ROWS = "What is the total barrels?", "What is the total barrels per place?"
HOSTILE = "<img src=x onerror=alert(1)>"
TABLE = f"Place,Barrels\nQuay,30\nYard,12\n{HOSTILE},5\n"


@pytest.fixture(scope="module")
def upload(graph_server: GraphServer) -> Iterator[Callable[[str], None]]:
    with httpx.Client(base_url=f"{graph_server.url}/app/api/", params={"corpus": "saved"}, timeout=60) as api:

        def uploaded(text: str) -> None:
            job = api.post("uploads", files={"files": ("barrels.csv", text.encode())}).json()["job"]
            while api.get(f"uploads/{job}").json()["state"] == "running":
                pass

        yield uploaded


@pytest.fixture
def page(open_page: OpenPage, upload: Callable[[str], None]) -> Page:
    upload(TABLE)
    opened = open_page()
    opened.select_option("#corpus", "saved")
    return opened


def save(page: Page, question: str) -> None:
    ask(page, question)
    answer = page.locator(".answer").last
    answer.get_by_role("button", name="Save as question").click()
    expect(answer.get_by_role("link", name="Saved")).to_be_visible()


def test_a_saved_question_is_run_when_opened_and_says_what_changed(page: Page, upload: Callable[[str], None]) -> None:
    save(page, VALUE)
    page.locator(".answer").get_by_role("link", name="Saved").click()
    saved = page.locator(".saved")
    expect(saved.locator(".answer-value")).to_have_text("47")
    expect(saved.locator(".answer-what")).to_have_text("Total of Barrels")
    expect(saved.locator(".note")).to_have_count(0)
    upload(TABLE + "Shed,3\n")
    page.get_by_role("button", name="Run again").click()
    expect(saved.locator(".answer-value")).to_have_text("50")
    expect(saved.locator(".note-title")).to_contain_text(re.compile("^Was 47 on .*, now 50$"))
    page.reload()
    expect(saved.locator(".note-title")).to_contain_text("now 50")
    assert problems(page) == [] and fits(page)
    page.get_by_role("button", name="Keep the new value").click()
    expect(saved.locator(".note")).to_have_count(0)
    upload(TABLE)
    page.locator("#to-saved").click()
    item = page.locator(".item-list li", has_text=VALUE).first  # the latest: other tests save it too
    expect(item).to_contain_text("50")
    item.get_by_role("button", name="Rename").click()
    page.get_by_label("Title", exact=True).fill(HOSTILE)
    page.keyboard.press("Enter")
    page.get_by_label("Search saved questions").fill("ONERROR")
    item = page.locator(".item-list li")
    expect(item).to_have_count(1)
    assert page.locator("#main img").count() == 0 and problems(page) == []
    item.get_by_role("button", name="Delete").click()
    item.get_by_role("button", name="Delete?").click()
    expect(item).to_have_count(0)


def test_a_board_is_ordered_printed_and_saved_as_one_file(page: Page, open_page: OpenPage, tmp_path: Path) -> None:
    save(page, VALUE)
    save(page, ROWS)
    page.locator("#to-boards").click()
    page.get_by_label("New board").fill(f"Monday {HOSTILE}")
    page.get_by_role("button", name="Create").click()
    for question in (VALUE, ROWS):
        page.get_by_label("Saved question to add").select_option(question)
        page.get_by_role("button", name="Add", exact=True).click()
        expect(page.locator(".board-item h2").last).to_have_text(question)
    expect(page.locator(".board-item .answer-value")).to_have_text("47")
    expect(page.locator(".board-item rect.bar")).to_have_count(3)
    page.get_by_role("button", name=f"Move up: {ROWS}").click()
    expect(page.locator(".board-item h2")).to_have_text([ROWS, VALUE])
    page.reload()
    expect(page.locator(".board-item h2")).to_have_text([ROWS, VALUE])
    assert problems(page) == [] and fits(page)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Export as HTML").click()
    file = tmp_path / "board.html"
    file.write_bytes(Path(saved.value.path()).read_bytes())
    page.emulate_media(media="print")
    expect(page.locator("#rail")).to_be_hidden()
    expect(page.locator(".board-tools").first).to_be_hidden()
    expect(page.locator(".board-item .answer-value")).to_be_visible()
    assert page.locator(".board-item").first.evaluate("e => getComputedStyle(e).breakInside") == "avoid"
    assert_readable_without_scripts(page, file)


def assert_readable_without_scripts(page: Page, file: Path) -> None:
    context = page.context.browser.new_context(java_script_enabled=False, offline=True)
    read = context.new_page()
    read.goto(file.as_uri())
    expect(read.locator("h1")).to_have_text(f"Monday {HOSTILE}")
    expect(read.locator("h2")).to_have_text([ROWS, VALUE])
    expect(read.locator(".value")).to_have_text("47")
    expect(read.locator("td")).to_contain_text([HOSTILE, "5", "Quay", "30", "Yard", "12"])
    expect(read.locator("svg rect.bar")).to_have_count(3)
    fill = read.locator("rect.bar").first.evaluate("e => getComputedStyle(e).fill")
    assert fill == "rgb(13, 125, 109)"
    assert read.locator("script, img, link, iframe, [onerror]").count() == 0
    context.close()


def test_a_conversation_is_read_under_a_link_and_saved_as_html(page: Page, tmp_path: Path) -> None:
    ask(page, ROWS)
    expect(page).to_have_url(re.compile("#ask/.+"))
    link = page.url.replace("#ask/", "#read/")
    item = page.locator("#conversations li").first
    item.locator("summary").click()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    item.get_by_role("button", name="Copy link for reading").click()
    expect(item).to_contain_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == link
    with page.expect_download() as saved:
        item.get_by_role("button", name="Export as HTML").click()
    text = Path(saved.value.path()).read_text(encoding="utf-8")
    assert text.count("<section>") == 1 and "Total of Barrels" in text and "GROUP BY" in text
    assert "&lt;img src=x" in text and "<img" not in text and "<script" not in text
    other = page.context.browser.new_context()
    read = other.new_page()
    read.goto(link)
    expect(read.locator(".answer .result tbody tr")).to_have_count(3)
    expect(read.locator("#reading")).to_contain_text("shared with you")
    expect(read.locator("#composer")).to_be_hidden()
    expect(read.get_by_role("button", name="Correct this")).to_have_count(0)
    assert problems(read) == []
    read.get_by_role("link", name="Continue it").click()
    expect(read.locator("#composer")).to_be_visible()
    other.close()


def test_odd_names_and_cells_fit_at_every_width(open_page: OpenPage) -> None:
    page = open_page(width=360, height=740)
    page.evaluate("localStorage['tablerag.corpus'] = 'odd'")
    page.reload()
    save(page, "What is the total tonnes?")
    page.locator(".source").first.click()
    expect(page.locator("#panel mark").first).to_be_visible()
    assert fits(page)
    page.get_by_role("button", name="Close").click()
    for view, seen in (("saved", ".item-list li"), ("boards", "#new-board"), ("documents", ".document")):
        page.goto(f"{page.url.partition('#')[0]}#{view}")
        expect(page.locator(seen).first).to_be_visible()
        for width in (360, 800, 1100, 2560):
            page.set_viewport_size({"width": width, "height": 740})
            assert fits(page), (view, width)
