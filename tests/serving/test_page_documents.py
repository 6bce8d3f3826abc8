"""The lists of documents and tables on the page, and the removal of a document."""

from contextlib import closing
from pathlib import Path

import httpx
from playwright.sync_api import expect

from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tests.support.browsing import OpenPage, fits, problems
from tests.support.doubtful import write_table
from tests.support.graph_server import GraphServer


def test_documents_and_tables_are_searched_filtered_and_sorted(open_page: OpenPage) -> None:
    page = open_page("#documents", scheme="dark")
    names = page.locator(".document h2")
    expect(names).to_have_text(["notes.md", "regions.csv", "squares.csv", "visits.csv"])
    page.get_by_label("Search documents").fill("S.CSV squ")
    expect(names).to_have_text(["squares.csv"])
    page.get_by_label("Search documents").fill("")
    page.get_by_label("Format").select_option("md")
    expect(names).to_have_text(["notes.md"])
    page.get_by_label("Format").select_option("")
    page.get_by_label("Sort documents").select_option("largest")
    expect(names.first).to_have_text("squares.csv")
    assert problems(page) == [] and fits(page)
    page.get_by_role("link", name="Tables").click()
    tables = page.locator(".item-list .link")
    expect(tables).to_have_text(["regions", "squares", "visits"])
    page.get_by_label("Sort tables").select_option("rows")
    expect(tables.first).to_have_text("squares")
    page.get_by_label("Search tables and columns").fill("revenue")
    expect(tables).to_have_text(["regions"])
    page.get_by_label("Search tables and columns").fill("")
    page.get_by_label("Document", exact=True).select_option("visits.csv")
    expect(tables).to_have_text(["visits"])
    tables.first.click()
    expect(page.locator("#panel tbody tr:visible")).to_have_count(4)
    assert problems(page) == [] and fits(page)


def test_what_depends_on_a_document_is_told_before_it_is_removed(
    open_page: OpenPage, graph_server: GraphServer
) -> None:
    with httpx.Client(base_url=f"{graph_server.url}/app/api/", params={"corpus": "gone"}, timeout=60) as api:
        for name in ("pens.csv", "quills.csv"):
            job = api.post("uploads", files={"files": (name, b"Pen,Price\nA,3\nB,4\n")}).json()["job"]
            while api.get(f"uploads/{job}").json()["state"] == "running":
                pass
        api.post("saved", json={"question": "What is the dearest pen?", "sql": ["SELECT MAX(price) AS m FROM pens"]})
    page = open_page("#documents")
    page.evaluate("localStorage['tablerag.corpus'] = 'gone'")
    page.reload()
    pens = page.locator(".document", has=page.get_by_role("heading", name="pens.csv"))
    expect(pens).to_contain_text("Same content as quills.csv")
    pens.get_by_role("button", name="Remove pens.csv").click()
    note = page.get_by_role("group", name="Remove pens.csv")
    expect(note).to_contain_text("Its tables: pens")
    expect(note).to_contain_text("Saved questions that will no longer run: What is the dearest pen?")
    expect(note).to_contain_text("Its uploaded file is deleted.")
    assert problems(page) == [] and fits(page)
    note.get_by_role("button", name="Cancel").click()
    expect(note).to_have_count(0)
    pens.get_by_role("button", name="Remove pens.csv").click()
    note.get_by_role("button", name="Remove permanently").click()
    expect(page.locator(".document h2")).to_have_text(["quills.csv"])
    expect(page.locator(".document")).not_to_contain_text("Same content")


def test_a_table_shows_what_its_columns_mean(open_page: OpenPage, graph_server: GraphServer) -> None:
    about = "tables: {pens: {columns: {nib: 'F: fine; M: medium'}, exclude: \"nib = 'M'\"}}"
    with httpx.Client(base_url=f"{graph_server.url}/app/api/", params={"corpus": "meanings"}, timeout=60) as api:
        job = api.post("uploads", files={"files": ("pens.csv", b"Pen,Nib\nA,F\nB,M\n")}).json()["job"]
        while api.get(f"uploads/{job}").json()["state"] == "running":
            pass
    with closing(Services(Settings(home=graph_server.folder / "home", model="offline", _env_file=None))) as services:
        services.knowledge.save("meanings", about, "knowledge.yaml")
    page = open_page("#documents")
    page.evaluate("localStorage['tablerag.corpus'] = 'meanings'")
    page.reload()
    page.get_by_role("link", name="Tables").click()
    page.locator(".item-list .link").click()
    page.get_by_text("Columns", exact=True).click()
    expect(page.get_by_role("table", name="Columns of pens")).to_contain_text("F: fine; M: medium")
    expect(page.locator("#panel tbody tr:visible")).to_have_count(4)  # two columns, and the rows, also those left out
    assert problems(page) == [] and fits(page)


def test_a_table_that_is_set_aside_is_shown_beside_its_page_and_used(
    open_page: OpenPage, graph_server: GraphServer, tmp_path: Path
) -> None:
    content = write_table(tmp_path / "sales.pdf").read_bytes()
    with httpx.Client(base_url=f"{graph_server.url}/app/api/", params={"corpus": "doubts"}, timeout=60) as api:
        for name, data in (("sales.pdf", content), ("a.csv", b"Pen,Nib\nA,F\nB,M\n")):
            job = api.post("uploads", files={"files": (name, data)}).json()["job"]
            while api.get(f"uploads/{job}").json()["state"] == "running":
                pass
        table = next(t["name"] for t in api.get("tables").json()["tables"] if t["set_aside"])
        foreign = api.post(f"tables/{table}/use", headers={"origin": "https://elsewhere.example"})
        assert foreign.status_code == 403
        assert api.get(f"tables/{table}/picture").content.startswith(b"\x89PNG")
        assert api.get("tables/a/picture").status_code == 404
        assert api.post("tables/a/use").status_code == 409
    page = open_page("#documents/tables")
    page.evaluate("localStorage['tablerag.corpus'] = 'doubts'")
    page.reload()
    expect(page.locator(".item-list .link")).to_have_text([table, "a"])
    page.locator(".item-list .link").first.click()
    note = page.get_by_role("region", name="Answers do not use this table")
    expect(note).to_contain_text("read backwards")
    expect(note.get_by_alt_text(f"{table} on its page")).to_be_visible()
    assert problems(page) == [] and fits(page)
    note.get_by_role("button", name="Use this table").click()
    expect(page.get_by_role("region", name="This table may be read wrongly")).to_be_visible()
    expect(page.get_by_role("button", name="Use this table")).to_have_count(0)
    with httpx.Client(base_url=f"{graph_server.url}/app/api/", params={"corpus": "doubts"}, timeout=60) as api:
        assert not any(t["set_aside"] for t in api.get("tables").json()["tables"])
