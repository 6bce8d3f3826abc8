"""A statement that waits for approval: what is shown of it, and what its answer says."""

import pytest
from playwright.sync_api import Page, expect

from tests.support.browsing import OpenPage, problems, send

NOTE = "You rejected the statement"


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """Return a page on which a statement waits."""
    opened = open_page()
    opened.evaluate("localStorage['tablerag.approve'] = 'yes'")
    opened.reload()
    send(opened, "What is the total units?")
    expect(opened.get_by_role("region", name="SQL approval")).to_be_visible()
    return opened


def test_the_statement_is_shown_once_and_the_focus_is_on_no_button(page: Page) -> None:
    form = page.get_by_role("region", name="SQL approval")
    expect(form.get_by_text("Run this statement?")).to_be_focused()
    expect(form.get_by_role("button", name="Approve")).to_be_in_viewport(ratio=1)
    statements = page.locator(".sql:visible, .sql-edit:visible")
    expect(statements).to_have_count(1)
    assert problems(page) == []
    form.get_by_text("Edit the statement").click()
    expect(statements).to_have_count(1)
    expect(form.get_by_label("Statement", exact=True)).to_be_visible()
    assert "\\" not in form.inner_text()


def test_an_answer_of_edited_sql_says_so(page: Page) -> None:
    form = page.get_by_role("region", name="SQL approval")
    form.get_by_text("Edit the statement").click()
    form.get_by_label("Statement", exact=True).fill("SELECT MAX(units) FROM regions")
    form.get_by_role("button", name="Run edited SQL").click()
    expect(page.locator(".answer .sql code")).to_contain_text("MAX")
    expect(page.locator(".answer")).to_contain_text("Computed by SQL that you edited.")


def test_an_approved_statement_s_answer_names_no_edit(page: Page) -> None:
    page.get_by_role("button", name="Approve").click()
    expect(page.locator(".answer-text")).to_have_text("400")
    expect(page.locator(".answer")).not_to_contain_text("edited")


@pytest.mark.parametrize("reason", ["", "Use the net units"])
def test_a_rejection_reads_well(page: Page, reason: str) -> None:
    form = page.get_by_role("region", name="SQL approval")
    if reason:
        form.get_by_text("explain a rejection").click()
        form.get_by_label("Reason for rejecting").fill(reason)
    form.get_by_role("button", name="Reject").click()
    answer = page.locator(".answer")
    expect(answer.locator(".note-title")).to_have_text(NOTE)
    expect(answer).to_contain_text("Nothing was computed, so there is no answer.")
    expect(answer.get_by_text("Your reason: Use the net units")).to_have_count(1 if reason else 0)
    expect(answer).not_to_contain_text("rejected by the user")
    page.locator(".timeline summary").click()
    expect(page.locator(".step")).to_contain_text("Rejected SQL")
    expect(page.locator(".step")).not_to_contain_text("Failed SQL")
