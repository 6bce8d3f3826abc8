"""Ingests of uploaded files on the page: their stages, after a reload, and cancelled."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Route, expect

from tests.support.browsing import OpenPage, problems

JOB = {
    "id": "j1", "corpus": "page", "files": ["sales.csv"], "started_at": "2026-01-02T09:12:00+00:00",
    "state": "running", "stage": "reading", "done": 0, "total": 1, "source": "sales.csv", "report": None, "error": "",
}  # fmt: skip


def running(page: Page, **about: Any) -> tuple[dict[str, Any], list[str]]:
    """Have the server say that an ingest runs; return it, to be changed, and the methods that it is asked with."""
    job, asked = JOB | about, []

    def one(route: Route) -> None:
        asked.append(route.request.method)
        route.fulfill(status=200, content_type="application/json", body=json.dumps(job))

    def every(route: Route) -> None:
        route.fulfill(status=200, content_type="application/json", body=json.dumps({"jobs": [job]}))

    page.route("**/api/uploads/j1*", one)
    page.route("**/api/uploads?*", every)
    return job, asked


def test_an_ingest_that_runs_is_listed_after_a_reload_with_its_stage(open_page: OpenPage) -> None:
    page = open_page("#documents")
    job, asked = running(page)
    page.reload()
    box = page.locator(".upload-progress")
    expect(box).to_contain_text("Reading sales.csv …")
    assert box.locator("progress").evaluate("bar => bar.position") == -1
    assert problems(page) == []
    for stage, says in (("storing", "Storing the tables of sales.csv …"), ("indexing", "Indexing passages …")):
        job["stage"] = stage
        expect(box).to_contain_text(says)
    job |= {"total": 4, "done": 1, "stage": "reading"}
    expect(box).to_contain_text("Reading sales.csv … (1 of 4 files read)")
    assert box.locator("progress").evaluate("bar => bar.position") == 0.25
    box.get_by_role("button", name="Cancel").click()
    expect(box).to_contain_text("Cancelling …")
    job["state"] = "cancelled"
    expect(page.locator(".upload-log")).to_have_text("Cancelled: sales.csv")
    assert asked.count("DELETE") == 1


def test_an_ingest_that_fails_is_told_in_one_sentence(open_page: OpenPage) -> None:
    page = open_page("#documents")
    running(page, state="failed", error="unexpected error: see the server log")
    page.reload()
    shown = page.locator(".upload-log .failure")
    expect(shown.locator(".error")).to_have_text("The files could not be ingested. Please tell your administrator.")
    expect(shown.get_by_text("see the server log")).to_be_hidden()


def test_an_upload_is_cancelled_while_it_is_sent(open_page: OpenPage, a_file: Callable[[str, str], Path]) -> None:
    page = open_page("#documents")
    held: list[Route] = []
    page.locator(".document").first.wait_for()
    page.route("**/api/uploads?*", lambda route: held.append(route))
    page.locator(".file-input").set_input_files(a_file("late.csv", "Item,Pieces\nbolts,30\n"))
    expect(page.locator(".upload-progress")).to_contain_text("Uploading 1 file …")
    page.locator(".upload-progress").get_by_role("button", name="Cancel").click()
    expect(page.locator(".upload-log")).to_have_text("Upload cancelled.")


def test_the_latest_report_is_there_after_a_reload(open_page: OpenPage, a_file: Callable[[str, str], Path]) -> None:
    page = open_page("#documents")
    page.get_by_label("New corpus").fill("reported")
    page.get_by_role("button", name="Create").click()
    expect(page.locator(".documents")).to_contain_text("No documents yet.")
    page.locator(".file-input").set_input_files(a_file("tools.csv", "Item,Pieces\nsaws,30\nfiles,12\n"))
    expect(page.get_by_role("region", name="Ingest report")).to_contain_text("1 added, 1 table, 2 rows")
    page.reload()
    last = page.locator(".last-upload")
    expect(last.locator("summary")).to_contain_text("1 added, 1 table, 2 rows")
    expect(page.get_by_role("region", name="Ingest report")).to_be_hidden()
    last.locator("summary").click()
    expect(page.get_by_role("region", name="Ingest report")).to_contain_text("tools.csv")
