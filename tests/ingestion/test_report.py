"""The ingest report as JSON and as a page."""

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tablerag.ingestion.pipeline import ingest
from tablerag.ingestion.report import write_report
from tablerag.tools.errors import ConfigError
from tablerag.tools.services import Services
from tests.support.doubtful import write_table

MESSY = 'Item,Price (EUR),When\n<script>alert(1)</script>,"1,200[a]",3 March 2021\n'
MESSY += "".join(f"item {i},{i * 10},4 March 2021\n" for i in range(1, 30)) + "last,unknown to us,5 March 2021\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "<b>prices.csv").write_text(MESSY, encoding="utf-8")
    (docs / "broken.pdf").write_bytes(b"%PDF-1.4 not really")
    return docs


class Page(HTMLParser):
    """Collects a page's elements, its text, and whatever it would fetch."""

    def __init__(self, content: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.fetched: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(content)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.fetched += [(n, v) for n, v in attrs if n in ("src", "href", "action", "onload", "onclick")]

    def handle_data(self, data: str) -> None:
        self.text += data


def test_both_files_tell_what_was_found(folder: Path, services: Services, tmp_path: Path) -> None:
    entries = ingest([folder], services, "default").entries
    as_json, as_html = write_report(tmp_path / "out" / "report.html", "default", entries)
    assert (as_json.name, as_html.name) == ("report.json", "report.html")
    report = json.loads(as_json.read_text(encoding="utf-8"))
    assert report["documents_by_status"] == {"added": 1, "failed": 1}
    prices = next(d for d in report["documents"] if d["status"] == "added")
    (table,) = prices["tables"]
    assert (table["rows"], table["header_rows"], table["set_aside"]) == (31, 1, False)
    assert table["confidence"] > 0.9
    price, when = table["columns"][1:]
    assert (price["type"], price["unit"], price["unfit"], price["coerced"]) == ("integer", "EUR", 1, 1)
    assert (when["type"], when["coerced"]) == ("date", 31)
    assert table["cells_that_do_not_fit"] == 1
    broken = next(d for d in report["documents"] if d["status"] == "failed")
    assert broken["error"] and "\n" not in broken["error"]


def test_the_page_runs_and_fetches_nothing(folder: Path, services: Services, tmp_path: Path) -> None:
    entries = ingest([folder], services, "default").entries
    _, as_html = write_report(tmp_path / "report", "default", entries)
    page = Page(as_html.read_text(encoding="utf-8"))
    assert "script" not in page.tags and "b" in page.tags
    assert page.fetched == []
    assert "<script>alert(1)</script>" in page.text, "as text"
    assert "<b>prices.csv" in page.text
    assert "1 cell does not fit" in page.text
    assert next(e.error for e in entries if e.error) in page.text


def test_a_folder_that_cannot_be_written_to(services: Services, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(ConfigError, match="cannot write the report"):
        write_report(tmp_path / "file" / "report", "default", [])


def test_doubtful_tables_come_first_beside_their_page(folder: Path, services: Services, tmp_path: Path) -> None:
    write_table(folder / "z.pdf")
    entries = ingest([folder], services, "default").entries
    as_json, as_html = write_report(tmp_path / "report", "default", entries, services)
    first = json.loads(as_json.read_text(encoding="utf-8"))["documents"][0]
    assert first["source"] == "z.pdf" and first["tables"][0]["set_aside"]
    content = as_html.read_text(encoding="utf-8")
    page = Page(content)
    ((_, picture),) = page.fetched
    assert picture and picture.startswith("data:image/png;base64,iVBOR"), "nothing is fetched"
    assert "img-src data:" in content
    for told in ("Answers do not use this table.", "read backwards", "As stored", "4100", first["tables"][0]["rule"]):
        assert told in page.text, told


def test_a_doubtful_sheet_is_shown_as_printed(services: Services, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.csv").write_text("Name,Total\nx,1\ny,2\n", encoding="utf-8")
    rule = "tables: [{source: a.csv, use: false}]"
    (tmp_path / "docs" / "tablerag.yaml").write_text(rule, encoding="utf-8")
    entries = ingest([tmp_path / "docs"], services, "default").entries
    as_json, _ = write_report(tmp_path / "report", "default", entries, services)
    (document,) = json.loads(as_json.read_text(encoding="utf-8"))["documents"]
    assert document["tables"][0]["printed"] == [["Name", "Total"], ["x", "1"], ["y", "2"]]
