"""Broken, mislabelled and hostile files: each has its outcome in one line, and the good file beside it is stored."""

import os
import pickle
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import pytest

from tablerag.ingestion import in_order, pipeline, reader_pool
from tablerag.ingestion.content import read_content
from tablerag.ingestion.document import Locator
from tablerag.ingestion.document_content import DocumentContent
from tablerag.ingestion.manifest import SourceFile
from tablerag.ingestion.overrides import DocumentWishes
from tablerag.ingestion.pipeline import Entry, Progress, ingest
from tablerag.ingestion.reader_pool import read_all
from tablerag.ingestion.reader_worker import Job, OnPage, Outcome, OutOfMemory, Reading, end_idle, keep, take
from tablerag.ingestion.readers import READERS, read_document
from tablerag.ingestion.readers.delimited import STREAMED_BYTES
from tablerag.tools.errors import ConfigError, UnreadableDocument
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tests.support import bad_files as bad
from tests.support.cpu import cpu_seconds
from tests.tools.stored import stored_names, stored_rows

GOOD = "good.csv"
ADVICE = re.compile(r"\b(save|fetch|give|split|remove|run|open|delete|fix|ingest|copy|use|check)\b", re.IGNORECASE)
LOL = "".join(f'<!ENTITY {chr(98 + i)} "{("&" + chr(97 + i) + ";") * 10}">' for i in range(9))
LOL = f'<!DOCTYPE ROOT [<!ENTITY a "lol">{LOL}]>'
"""Ten to the ninth times "lol" in a kilobyte."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / GOOD).write_bytes(bad.csv_of())
    return docs


def ingested(folder: Path, services: Services, files: Mapping[str, bytes] | None = None) -> dict[str, Entry]:
    """Write files beside the good one, ingest the folder and return what became of each, all promises checked."""
    for name, content in (files or {}).items():
        (folder / name).write_bytes(content)
    report = ingest([folder], services, "default")
    check_stores(services)
    entries = {e.source: e for e in report.entries}
    assert len(entries) == len(report.entries)
    for entry in report.entries:
        said = [entry.error, *entry.warnings]
        assert all("\n" not in s and len(s) < 500 for s in said), said
        if entry.status == "failed":
            assert ADVICE.search(entry.error), entry.error
    assert (entries[GOOD].status, entries[GOOD].tables) == ("added", 1)
    return entries


def check_stores(services: Services) -> None:
    """Check that no store holds anything that the others do not know of."""
    assert services.catalog.unfinished() == []
    assert stored_names(services.database) == services.catalog.stored_tables()
    dense, lexical = services.vector_store("default"), services.lexical_index("default")
    assert dense.chunk_ids() == lexical.chunk_ids()
    assert {*dense.chunk_ids().values()} == {d.document_id for d in services.catalog.documents("default")}


def totals(services: Services, name: str = "amount") -> dict[str, float]:
    """Return each table's sum of a column, by the document's source."""
    found = {}
    for schema in (s for s in services.catalog.schemas("default") if name in [c.name for c in s.columns]):
        numbers = [n for (n,) in stored_rows(services.database, schema.stored_as, name) if n is not None]
        found[schema.source] = sum(numbers)
    return found


def outcomes(entries: Mapping[str, Entry]) -> dict[str, str]:
    return {s: f"{e.status}: {e.error or '; '.join(e.warnings)}" for s, e in entries.items() if s != GOOD}


def check(folder: Path, services: Services, cases: Mapping[str, tuple[bytes, str]]) -> dict[str, Entry]:
    """Ingest the files and match each one's status and message with what is expected."""
    entries = ingested(folder, services, {name: content for name, (content, _) in cases.items()})
    found = outcomes(entries)
    wrong = {n: found[n] for n, (_, expected) in cases.items() if not re.match(expected, found[n])}
    assert not wrong
    return entries


def test_encrypted_files(folder: Path, services: Services) -> None:
    locked = "failed: is encrypted.*: save it again without a password"
    check(
        folder,
        services,
        {
            "locked.xlsx": (bad.encrypted_office(), locked),
            "locked.xls": (bad.encrypted_office(), locked),
            "locked.docx": (bad.encrypted_office(), locked),
            "locked.ods": (bad.encrypted_office(), locked),
            "locked.pdf": (bad.pdf(password="secret"), "failed: is an encrypted PDF: save it again without a password"),
            "zipped.xlsx": (bad.encrypted_zip(bad.xlsx()), "failed: is an encrypted archive: save it again"),
            "zipped.docx": (bad.encrypted_zip(bad.docx()), "failed: is an encrypted archive: save it again"),
            "archive.zip": (
                bad.encrypted_zip(bad.archive({"a.csv": "a,b"})),
                "failed: is an encrypted archive: save it again",
            ),
        },
    )


def test_truncated_files(folder: Path, services: Services) -> None:
    whole = {"xlsx": bad.xlsx(), "docx": bad.docx(200), "pdf": bad.pdf(20), "ods": bad.ods()}
    files = {
        f"cut{part}.{suffix}": content[: len(content) * part // 100]
        for suffix, content in whole.items()
        for part in (5, 50, 90, 99)
    }
    entries = ingested(folder, services, files)
    assert {e.status for n, e in entries.items() if n != GOOD} == {"failed"}
    assert all("damaged" in e.error for n, e in entries.items() if n != GOOD), outcomes(entries)


def stretched(content: bytes, member: str, before: bytes, filling: bytes) -> bytes:
    """Return an archive with much added to a member."""
    return bad.parts_of(content, {member: lambda old: old.replace(before, before + filling)})


def test_archives_made_to_exhaust_memory(folder: Path, services: Services) -> None:
    blank = b" " * 60_000_000
    sheet, body = "xl/worksheets/sheet1.xml", "word/document.xml"
    xlsx, docx = (
        stretched(bad.xlsx(), sheet, b"<sheetData>", blank),
        stretched(bad.docx(), body, b"<w:body>", blank),
    )
    lies = "failed: contains '.*', which unpacks to more than the 1000 bytes that it declares"
    far = bad.sheet_xml('<row r="1"><c r="A1"><v>1</v></c></row><row r="20000000000"><c r="A20000000000"/></row>')
    started = cpu_seconds()
    check(
        folder,
        services,
        {
            "bomb.xlsx": (bad.zip_bomb(1000), "failed: unpacks to 1049 MB .* looks like a ZIP bomb"),
            "bomb.docx": (docx, "failed: unpacks to 6. MB .* looks like a ZIP bomb"),
            "lying.xlsx": (bad.lying_zip(xlsx, sheet, 1000), lies),
            "lying.docx": (bad.lying_zip(docx, body, 1000), lies),
            "lzma.xlsx": (
                bad.zip_bomb(10, packed_as=14),
                "failed: uses an unsupported compression for '.*': open the file",
            ),
            "nested.xlsx": (bad.parts_of(bad.xlsx(), {"xl/media/a.zip": bad.zip_bomb(60)}), "added: $"),
            "many.xlsx": (bad.parts_of(bad.xlsx(), {f"xl/{i}.xml": "<a/>" for i in range(5_000)}), "added: $"),
            "repeats.ods": (
                bad.ods_of_repeats(6000, 16384),
                "failed: has a sheet of more than 30,000,000 cells: delete",
            ),
            "rows.xlsx": (far, "failed: sheet Sheet spans more than 1,048,576 rows"),
            "column.xlsx": (
                bad.sheet_xml('<row r="1"><c r="ZZZZZZZZ1"><v>1</v></c></row>'),
                "failed: cannot be read as an XLSX workbook",
            ),
        },
    )
    assert cpu_seconds() - started < 30


def test_the_size_of_a_word_documents_xml_is_bounded(folder: Path, services: Services) -> None:
    # Noise keeps the archive from growing so much that it looks like a bomb.
    filling = b"<!--" + os.urandom(1_000_000).hex().encode() + b"-->" + b"<w:p/>" * 20_000_000
    big = stretched(bad.docx(), "word/document.xml", b"<w:body>", filling)
    check(
        folder,
        services,
        {"big.docx": (big, "failed: contains 'word/document.xml' of 122 MB, above the limit of 100 MB")},
    )


def test_files_that_are_not_what_their_suffix_says(folder: Path, services: Services) -> None:
    page = b"<html><body><table><tr><th>Region<th>Amount<tr><td>North<td>1<tr><td>South<td>2</table></body></html>"
    png = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4
    suffix = ".*: use the right suffix"
    read_as = "added: .*is {} with the suffix {} and was read as such"
    check(
        folder,
        services,
        {
            "pdf.csv": (bad.pdf(), f"failed: is a PDF, not delimited text{suffix}"),
            "csv.xlsx": (bad.csv_of(), f"failed: is not an XLSX workbook{suffix}"),
            "page.xls": (page, read_as.format("an HTML page", r"\.xls")),
            "table.xls": (b"\xef\xbb\xbf\n<meta><table>" + page[19:], read_as.format("an HTML page", r"\.xls")),
            "page.csv": (page, read_as.format("an HTML page", r"\.csv")),
            "page.xlsx": (page, f"failed: is an HTML page, not an XLSX workbook{suffix}"),
            "tabs.xls": (bad.csv_of().replace(b",", b"\t"), read_as.format("delimited text", r"\.xls")),
            "xml.xls": (
                b'<?xml version="1.0"?><Workbook/>',
                "failed: is XML, not an XLS workbook: open it and save it",
            ),
            "xlsx.xls": (bad.xlsx(), f"failed: is a ZIP archive .*, not an XLS workbook{suffix}"),
            "png.pdf": (png, f"failed: is a PNG image, not a PDF{suffix}"),
            "png.xls": (png, f"failed: is a PNG image, not an XLS workbook{suffix}"),
            "binary.txt": (bytes(range(256)) * 20, f"failed: is binary data, not plain text{suffix}"),
            "xlsx.docx": (
                bad.xlsx(),
                "failed: cannot be read as a DOCX document: open it and save it",
            ),
            "docx.xlsx": (bad.docx(), "failed: cannot be read as an XLSX workbook"),
            "csv.pdf": (bad.csv_of(), "failed: is damaged or not a PDF"),
        },
    )
    sums = totals(services)
    assert [sums[n] for n in ("page.xls", "table.xls", "page.csv", "tabs.xls")] == [3] * 4


def test_files_that_hold_nothing(folder: Path, services: Services) -> None:
    contents = {"empty": b"", "blank": b" \n\t\r\n \n", "line": b"\n", "mark": b"\xef\xbb\xbf"}
    suffixes = [s for s, reader in READERS.items() if reader != "picture"]  # read by OCR, if at all
    files = {f"{name}{suffix}": content for suffix in suffixes for name, content in contents.items()}
    sheets = '<table:table table:name="A"/><table:table table:name="B"/>'
    files |= {
        "sheets.xlsx": bad.xlsx([], [], []),
        "sheets.ods": bad.ods(sheets),
        "blanks.xlsx": bad.xlsx([[" ", "\n"]]),
    }
    entries = ingested(folder, services, files)
    assert {e.status for n, e in entries.items() if n != GOOD} == {"failed"}
    assert all("empty (0 bytes)" in e.error for n, e in entries.items() if n.startswith("empty"))
    assert all(
        "contains no text and no tables" in entries[n].error for n in ("sheets.xlsx", "sheets.ods", "blanks.xlsx")
    )


def test_narrow_and_wide_tables(folder: Path, services: Services) -> None:
    wide = [[f"c{i}" for i in range(10_000)], *([i * j for j in range(10_000)] for i in range(3))]
    wider = [[f"c{i}" for i in range(60_000)], *([i * j for j in range(60_000)] for i in range(5))]
    markdown = "\n".join("|" + "|".join(map(str, r)) + "|" for r in (wide[0], ["---"] * 10_000, *wide[1:]))
    too_many = "added: .*{} columns, more than the 190 .*: kept as text only"
    people = [["name"], ["Ada"], ["Bob"], ["Cy"]]
    started = cpu_seconds()
    entries = check(
        folder,
        services,
        {
            "one.csv": (bad.csv_of(people), "added: .*single column"),
            "one.xlsx": (bad.xlsx(people), "added: .*single column"),
            "wide.csv": (bad.csv_of(wide), too_many.format(10_000)),
            "wider.csv": (bad.csv_of(wider), f"{too_many.format(60_000)}.*only the first 200 search chunks"),
            "wide.md": (markdown.encode(), too_many.format(10_000)),
            "wide.xlsx": (bad.xlsx([r[:2000] for r in wide]), too_many.format(2000)),
        },
    )
    assert (entries["one.csv"].rows, entries["one.xlsx"].rows) == (3, 3)
    assert all(1 <= e.chunks <= 200 for e in entries.values())
    assert "no table has rows" not in " ".join(entries["wide.csv"].warnings)
    assert cpu_seconds() - started < 20


def test_a_very_long_table(folder: Path, services: Services, exhaustive: bool) -> None:
    count = 2_000_000 if exhaustive else 200_000
    padding = " " * (STREAMED_BYTES // count)  # long enough to be read as a stream
    with (folder / "long.csv").open("w", encoding="ascii") as stream:
        stream.write("number\n")
        stream.writelines(f"{padding}{1_000_000 + i % 1000}\n" for i in range(count))
    entry = ingested(folder, services)["long.csv"]
    assert (entry.status, entry.rows) == ("added", count)
    schema = next(s for s in services.catalog.schemas("default") if s.source == "long.csv")
    assert schema.row_count == count
    numbers = [n for (n,) in stored_rows(services.database, schema.stored_as, "number")]
    assert numbers == [1_000_000 + i % 1000 for i in range(count)]


NAMES = (
    (
        "数据 表.csv données.csv العربية.csv \u202eright.csv עברית\u200f.csv नमस्ते.csv 🙂👩‍👩‍👧.csv x..csv "
        "q'u\"o`te;--.csv %s{0}$x:y.csv a\\..\\..\\b.csv -rf.csv DROP.csv e\u0301.csv \u00e9.csv"
    )
    .replace("数据 表", "数据_表")
    .split(" ")
)


def test_names_of_files(folder: Path, services: Services) -> None:
    odd = ["a\nb.csv", "a\tb.csv", "a\x1bb.csv", " lead.csv", "é" * 125 + "x.csv", "n" * 251 + ".csv"]
    for name in (names := [*NAMES, *odd, os.fsdecode(b"raw\xff.csv")]):
        (folder / name).write_bytes(bad.csv_of())
    entries = ingested(folder, services)
    assert len(entries) == len(names) + 1
    raw = entries.pop("raw?.csv")
    assert (raw.status, raw.error) == ("skipped", "path is not valid UTF-8: rename the file")
    assert {e.status for e in entries.values()} == {"added"}
    assert {"a?b.csv", "a?b.csv (2)", "a?b.csv (3)", "🙂👩‍👩‍👧.csv", "?right.csv", "%s{0}$x:y.csv"} <= set(entries)
    assert totals(services) == dict.fromkeys(entries, 3)
    again = ingest([folder], services, "default")
    assert {e.source: e.status for e in again.entries if e.source != raw.source} == dict.fromkeys(entries, "unchanged")


HEADERS = (
    'x"; DROP TABLE t; --', "`tick`", "%s", ":x", "?", "a\\b", "'q'", "select", "_row_id", "_source_row", "rowid",
    "总额", "المبلغ", "Größe", "🙂", "\u202eright", "a\u200bb", "a.b", "[x]", "", "a b", "A_B", "ſ", "İ", "x" * 300,
)  # fmt: skip


def test_headers_that_are_sql_or_of_any_script(folder: Path, services: Services) -> None:
    rows = [list(range(i, i + len(HEADERS))) for i in (1, 101, 201)]
    quoted = [['"' + h.replace('"', '""') + '"' for h in HEADERS], *rows]
    hundreds = [["same"] * 150, *([i] * 150 for i in range(9))]
    nul = b'"a\0a",b\n' + b"1000000,2000000\n" * 20
    entries = ingested(
        folder,
        services,
        {
            "odd.csv": bad.csv_of(quoted),
            "odd.xlsx": bad.xlsx([HEADERS, *rows]),
            "nul.csv": nul,
            "same.csv": bad.csv_of(hundreds),
            "same300.csv": bad.csv_of([["same"] * 300, [1] * 300, [2] * 300]),
            "sheets.xlsx": bad.xlsx(bad.ROWS, [["数", "x'; --"], [1, 2]], bad.ROWS),
        },
    )
    assert {e.status for e in entries.values()} == {"added"}
    assert entries["nul.csv"].warnings == ("rows 1-21: 1 NUL characters were removed",)
    assert [e.tables for e in map(entries.get, ("odd.csv", "odd.xlsx", "same.csv", "sheets.xlsx"))] == [1, 1, 1, 3]
    for schema in (s for s in services.catalog.schemas("default") if s.source.startswith("odd")):
        assert len({c.name.casefold() for c in schema.columns}) == len(HEADERS)
        stored = stored_rows(services.database, schema.stored_as, *(c.name for c in schema.columns))
        assert [list(r) for r in stored] == rows


def test_names_inside_archives_that_lead_out_of_them(folder: Path, services: Services, tmp_path: Path) -> None:
    evil = {f"{'../' * up}evil.xml": "<a/>" for up in (1, 2, 4)} | {f"{tmp_path}/evil.xml": "<a/>"}
    link = b'<Relationship Id="rId99" Type="http://x/image" Target="../../../../etc/passwd"/></Relationships>'
    docx = bad.parts_of(
        bad.docx(), {"word/_rels/document.xml.rels": lambda old: old.replace(b"</Relationships>", link)}
    )
    entries = ingested(
        folder,
        services,
        {"a.xlsx": bad.parts_of(bad.xlsx(), evil), "b.docx": bad.parts_of(bad.docx(), evil), "c.docx": docx},
    )
    assert (entries["a.xlsx"].status, entries["b.docx"].status) == ("added", "added")
    assert entries["c.docx"].status == "failed"
    assert not list(tmp_path.rglob("evil*")) and not list(tmp_path.parent.glob("evil*"))


def test_links_are_read_only_inside_the_folder_and_once(folder: Path, services: Services, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("hush, the key is 4711", encoding="utf-8")
    (tmp_path / "other").mkdir()
    (folder / ".objects").mkdir()
    (folder / ".objects" / "4f2a").write_bytes(bad.csv_of())
    links = {
        "out.txt": (secret, "skipped: is a link to a file outside the folder: copy the file here, or ingest it"),
        "up.txt": (Path("../secret.txt"), "skipped: is a link to a file outside the folder"),
        "twice.csv": (folder / GOOD, "skipped: is a link to a file that is already ingested"),
        "nothing.csv": (folder / "gone.csv", "skipped: is a broken link: fix or remove it"),
        "loop.csv": (folder / "loop.csv", "skipped: is a (link to itself|broken link)"),
        "elsewhere": (tmp_path / "other", "skipped: is a link to a folder, which is not followed"),
        "above.csv": (folder, "skipped: is a link to a folder"),
        "kept.csv": (folder / ".objects" / "4f2a", "added"),
    }
    for name, (target, _) in links.items():
        (folder / name).symlink_to(target)
    found = outcomes(ingested(folder, services))
    assert not {n: found[n] for n, (_, expected) in links.items() if not re.match(expected, found[n])}
    assert totals(services) == {GOOD: 3, "kept.csv": 3}


@pytest.fixture
def outside() -> Iterator[tuple[str, list[str]]]:
    """Yield the address of a server on loopback and the paths that it was asked for."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(404)
            self.end_headers()

        do_HEAD = do_POST = do_GET  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
        server.shutdown()
        thread.join()


def remote_office(url: str) -> dict[str, bytes]:
    """Return Office files that refer to another machine in every way that programs follow."""
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    head = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    one = f'<Relationship Id="rId90" TargetMode="External" Type="{kind}/%s" Target="{url}/%s"/>'

    def linked(*kinds: str) -> str:
        return head + "".join(one % (k, k) for k in kinds) + "</Relationships>"

    def referring(root: str) -> str:
        return (
            f'<!DOCTYPE {root} SYSTEM "{url}/a.dtd" [<!ENTITY % p SYSTEM "{url}/p"> %p; <!ENTITY e SYSTEM "{url}/e">]>'
        )

    def with_dtd(old: bytes) -> bytes:
        start, _, rest = old.rpartition(b"?>") if old.startswith(b"<?xml") else (b"", b"", old)
        rest = rest.replace(b"North", b"North &e;")
        return (start + b"?>" if start else b"") + referring("x").encode() + rest

    image = (
        '<table:table table:name="S" xmlns:xlink="http://www.w3.org/1999/xlink">'
        f'<table:table-source xlink:href="{url}/s"/>'
    )
    return {
        "template.docx": bad.parts_of(bad.docx(), {"word/_rels/settings.xml.rels": linked("attachedTemplate")}),
        "image.docx": bad.parts_of(
            bad.docx(),
            {
                "word/_rels/document.xml.rels": lambda old: old.replace(
                    b"</Rel", (one % ("image", "i")).encode() + b"</Rel"
                )
            },
        ),
        "entity.docx": bad.parts_of(bad.docx(), {"word/document.xml": with_dtd}),
        "entity.xlsx": bad.parts_of(bad.xlsx(), {"xl/worksheets/sheet1.xml": with_dtd}),
        "entity2.xlsx": bad.parts_of(bad.xlsx(), {"xl/workbook.xml": with_dtd}),
        "entity.ods": bad.parts_of(bad.ods(), {"content.xml": with_dtd}),
        "source.ods": bad.parts_of(
            bad.ods(), {"content.xml": lambda old: old.replace(b'<table:table table:name="S">', image.encode())}
        ),
        "external.xlsx": bad.parts_of(
            bad.xlsx(),
            {
                "xl/externalLinks/externalLink1.xml": f'<externalLink xmlns="{url}"/>',
                "xl/externalLinks/_rels/externalLink1.xml.rels": linked("externalLinkPath"),
                "xl/_rels/workbook.xml.rels": lambda old: old.replace(
                    b"</Rel", (one % ("externalLink", "l")).encode() + b"</Rel"
                ),
            },
        ),
        "formula.xlsx": bad.xlsx([["a", "b"], [f'=WEBSERVICE("{url}/w")', f'=HYPERLINK("{url}/h")'], [1, 2]]),
    }


def test_nothing_is_fetched(folder: Path, services: Services, outside: tuple[str, list[str]], tmp_path: Path) -> None:
    url, asked = outside
    (tmp_path / "secret.txt").write_text("hushhush", encoding="utf-8")
    tags = f"<link rel=stylesheet href={url}/c><script src={url}/s></script><base href={url}><img src={url}/i>"
    local = f'<!ENTITY f SYSTEM "file://{tmp_path}/secret.txt">'
    page = (
        f'<!DOCTYPE html SYSTEM "{url}/d" [<!ENTITY e SYSTEM "{url}/e">{local}]>'
        f"<html><head>{tags}</head><body><p>Hello &e; &f;</p><iframe src={url}/f></iframe><p>end</p></body></html>"
    )
    entries = ingested(
        folder,
        services,
        {
            **remote_office(url),
            "page.html": page.encode(),
            "page.xhtml": f'<?xml version="1.0"?><?xml-stylesheet href="{url}/x"?>{page}'.encode(),
            "page.xls": page.encode(),
            "page.md": f"# Hello\n\n![i]({url}/i) <img src='{url}/i'> [[{url}]]\n\n{tags}\n".encode(),
            "formula.csv": f'a,b\n"=WEBSERVICE(""{url}/w"")",1\n{url}/x,2\n'.encode(),
            "link.pdf": bad.pdf(link=f"{url}/p"),
            "image.svg": f'<svg><image href="{url}/i"/></svg>'.encode(),
        },
    )
    assert asked == []
    added = {n for n, e in entries.items() if e.status == "added"}
    assert {"template.docx", "source.ods", "formula.xlsx", "page.html", "page.xhtml", "link.pdf", "page.md"} <= added
    assert not [c for c in services.retriever("default").search("hushhush", 50) if "hushhush" in c.text]


def test_entities_that_grow(folder: Path, services: Services) -> None:
    def grown(old: bytes) -> bytes:
        start, _, rest = old.rpartition(b"?>") if old.startswith(b"<?xml") else (b"", b"", old)
        return (start + b"?>" if start else b"") + LOL.encode() + rest.replace(b"North", b"&j;")

    page = f"{LOL.replace('ROOT', 'html')}<html><body><p>&j;</p><p>Hello</p></body></html>".encode()
    started = cpu_seconds()
    entries = ingested(
        folder,
        services,
        {
            "a.xlsx": bad.parts_of(bad.xlsx(), {"xl/worksheets/sheet1.xml": grown}),
            "b.docx": bad.parts_of(bad.docx(), {"word/document.xml": grown}),
            "c.ods": bad.parts_of(bad.ods(), {"content.xml": grown}),
            "wide.docx": bad.parts_of(
                bad.docx(), {"word/document.xml": lambda old: grown(old).decode().encode("utf-16")}
            ),
            "d.html": page,
            "e.xhtml": page,
            "f.svg": page,
        },
    )
    failed = {n: e.error for n, e in entries.items() if e.status == "failed"}
    part = {"a.xlsx": "xl/worksheets/sheet1.xml", "c.ods": "content.xml"}
    assert failed == {
        n: f"contains {part.get(n, 'word/document.xml')!r} with entities of its own, as in an XML bomb: "
        "open the file and save it again"
        for n in ("a.xlsx", "b.docx", "c.ods", "wide.docx")
    }
    assert entries["f.svg"].status == "skipped"
    assert [(entries[n].status, entries[n].chunks) for n in ("d.html", "e.xhtml")] == [("added", 1)] * 2
    assert cpu_seconds() - started < 20


def test_errors_do_not_quote_libraries(folder: Path, services: Services) -> None:
    unclosed = "<!-- no end"
    damaged = "failed: cannot be read as {}: open it and save it again"
    check(
        folder,
        services,
        {
            "a.xlsx": (bad.parts_of(bad.xlsx(), {"xl/workbook.xml": unclosed}), damaged.format("an XLSX workbook")),
            "b.docx": (bad.parts_of(bad.docx(), {"word/document.xml": unclosed}), damaged.format("a DOCX document")),
            "c.ods": (
                bad.parts_of(bad.ods(), {"content.xml": unclosed}),
                "failed: contains damaged XML: save",
            ),
            "d.xlsx": (b"PK\3\4 no more", "failed: is a damaged or truncated ZIP archive, not an XLSX workbook: save"),
        },
    )


def test_text_that_is_broken(folder: Path, services: Services) -> None:
    long = "word " * 200_000
    deep = b"<p>top</p>" + b"<div>" * 100_000 + b"deep" + b"</div>" * 100_000 + b"<p>bottom</p>"
    spans = b"<table><tr><th colspan=1000000>Region<th>Amount<tr><td rowspan=1000000>North<td>1<tr><td>2</table>"
    started = cpu_seconds()
    entries = check(
        folder,
        services,
        {
            "nul.csv": (
                b"Region,Amount\n" + b"North,1\n" * 60 + b"So\0uth,2\n",
                "added: .*1 NUL characters were removed",
            ),
            "nuls.csv": (b"a,b\n" + b"1\0,\0\0\0\n" * 60, "failed: is binary data, not delimited text"),
            "many_nuls.csv": (
                b"a,b\n" + b"1,2\n" * 9 + b"\0" * STREAMED_BYTES,
                "failed: is binary data, not delimited text",
            ),
            "few_nuls.csv": (b"a,b\n" + b"1,2\0\n" + b"1,2%s\n" % (b" " * 200) * 100_000, "added: .*1 NUL char"),
            "quote.csv": (b'Region,Note\nNorth,"open\nSouth,b\nWest,c\nEast,d\n', "added"),
            "cell.csv": (
                f'Region,Note\nNorth,"{long}"\nSouth,b\n'.encode(),
                "added: .*are in SQL but not in its 200 search chunks",
            ),
            "lone.csv": (
                "a,b\n1,\ud800x\n".encode("utf-16", "surrogatepass"),
                "failed: begins as utf-16 .*save it as",
            ),
            "odd.csv": ("a,b\n1,2\n".encode("utf-16")[:-1], "failed: begins as utf-16 .*save it as UTF-8"),
            "deep.html": (deep, "added: nests deeper than 2048 elements: divisions and emphasis were ignored"),
            "deeper.html": (
                b"<p>top</p>" + b"<ul>" * 9_000 + b"x",
                "added: nests deeper .* were left out; save the page",
            ),
            "spans.html": (spans, "added"),
        },
    )
    assert cpu_seconds() - started < 30
    assert entries["quote.csv"].rows == 4
    found = services.retriever("default").search("deep bottom", 20)
    assert {"top\ndeep\nbottom"} <= {c.text for c in found if c.source == "deep.html"}
    assert max(len(c.text) for c in services.retriever("default").search("word North", 20)) < 20_000
    (cells,) = (s for s in services.catalog.schemas("default") if s.source == "cell.csv")
    assert [len(n) for (n,) in stored_rows(services.database, cells.stored_as, "note")] == [len(long.strip()), 1]


def test_warnings_about_long_texts_are_one_short_line(folder: Path, services: Services) -> None:
    long, lines = "x" * 100_000, "one\ntwo\n" * 100
    entries = ingested(
        folder,
        services,
        {
            "cell.csv": bad.csv_of([["day", "n"], *(["2024-01-02", i] for i in range(30)), [long, long]]),
            "header.csv": bad.csv_of([[f"n{long}", "m"], *([i, i] for i in range(30)), ["odd", 1]]),
            "lines.xlsx": bad.xlsx([[lines, "m"], *([i, i] for i in range(30)), [lines, 1]]),
            "heading.html": f"<h1>{long}</h1><table><tr><th>a<th>b<tr><td colspan=2>1<tr><td>2<td>3</table>".encode(),
        },
    )
    assert {e.status for e in entries.values()} == {"added"}
    assert "1 of 31 cells did not fit date and became NULL, such as 'xxxx" in " ".join(entries["cell.csv"].warnings)


def test_pipes_folders_and_files_that_vanish(folder: Path, services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "folder.csv").mkdir()
    (folder / "folder.csv" / "inner.csv").write_bytes(bad.csv_of())
    os.mkfifo(folder / "pipe.csv")
    for name in ("vanishes_at_once.csv", "vanishes_later.csv"):
        (folder / name).write_bytes(bad.csv_of())

    def vanish(_: Progress) -> None:
        (folder / "vanishes_at_once.csv").unlink(missing_ok=True)

    def vanish_later(
        jobs: Sequence[Job], settings: Settings, waiting: Callable[[], object], on_page: OnPage
    ) -> Iterator[tuple[Job, Outcome]]:
        (folder / "vanishes_later.csv").unlink()
        return read_all(jobs, settings, waiting, on_page)

    monkeypatch.setattr(pipeline, "read_all", vanish_later)
    report = ingest([folder], services, "default", on_progress=vanish)
    check_stores(services)
    assert {e.source: (e.status, e.error) for e in report.entries} == {
        "pipe.csv": ("skipped", "is not a regular file (a pipe, socket or device): remove it"),
        "folder.csv/inner.csv": ("added", ""),
        GOOD: ("added", ""),
        "vanishes_at_once.csv": ("failed", "cannot be opened: No such file or directory"),
        "vanishes_later.csv": ("failed", "cannot be opened: No such file or directory"),
    }
    with pytest.raises(ConfigError, match="pipe.csv: neither a file nor a folder"):
        ingest([folder / "pipe.csv"], services, "default")


READER = """
import os, signal, sys, time
from tablerag.ingestion.readers import plain_text

def hostile(path):
    if "dies" in path.name: os._exit(3)
    if "faults" in path.name: os.kill(os.getpid(), signal.SIGSEGV)
    if "hangs" in path.name: time.sleep(600)
    if "prints" in path.name: print("noise on standard output", flush=True)
    if "raises" in path.name: raise RuntimeError("two\\nlines")
    return text(path)

text = plain_text.read_plain_text
plain_text.read_plain_text = hostile
"""


def test_a_file_that_takes_more_memory_than_is_allowed(folder: Path, tmp_path: Path) -> None:
    services = Services(Settings(home=tmp_path / "home", model="offline", read_memory_mb=200, _env_file=None))
    bomb = bad.pdf_bomb(500)
    assert len(bomb) < 5_000
    expected = "failed: takes more than 200 MB of memory to read: split the file, or raise TABLERAG_READ_MEMORY_MB"
    try:
        # Alone with the good file, by one process; among others, by two.
        found = outcomes(ingested(folder, services, {"bomb.pdf": bomb}))
        assert found == {"bomb.pdf": expected}
        (folder / GOOD).write_bytes(bad.csv_of((("Region", "Amount"), ("North", 3))))
        many = {f"bomb{i}.pdf": bomb for i in range(2)} | {"x.md": b"# T\n\nAda.", "y.md": b"# U\n\nBen."}
        for name, content in many.items():
            (folder / name).write_bytes(content)
        entries = {e.source: e for e in ingest([folder], services, "default").entries}
        assert {s for s, e in entries.items() if e.status == "failed"} == {"bomb.pdf", "bomb0.pdf", "bomb1.pdf"}
        assert {e.error for e in entries.values() if e.error} == {expected.removeprefix("failed: ")}
    finally:
        services.close()


class Waiting:
    """A reader process whose contents are large, and which counts those that nobody has taken yet."""

    untaken = most = 0
    failed, is_used, is_idle = "", True, True
    lock = threading.Lock()

    def read_packed(self, job: Job, reading: Reading) -> bytes:
        with Waiting.lock:
            Waiting.untaken += 1
            Waiting.most = max(Waiting.most, Waiting.untaken)
        time.sleep(0.002)
        return pickle.dumps(UnreadableDocument(job.document_id))

    def end(self, failure: str = "") -> None: ...


def test_contents_that_wait_to_be_stored_are_few_if_they_are_large(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(in_order, "MOST_HELD", 0)
    monkeypatch.setattr(reader_pool, "take", Waiting)
    monkeypatch.setattr(reader_pool, "keep", list)
    file = SourceFile(folder / GOOD, GOOD)
    jobs = [Job(file, str(i), 1, "", DocumentWishes()) for i in range(40)]
    found = []
    for job, outcome in read_all(jobs, Settings(home=tmp_path / "home", workers=3, _env_file=None)):
        time.sleep(0.01)
        Waiting.untaken -= 1
        found.append((job.document_id, str(outcome)))
    assert found == [(str(i), str(i)) for i in range(40)]
    assert Waiting.most <= 4, "three side by side, and the next one"


class Hungry:
    """A reader process that has too little memory for every third file unless it may have all."""

    reading: ClassVar[list[int]] = []
    """The megabytes of those that read now."""
    most = idle = 0
    made: ClassVar[list["Hungry"]] = []
    lock = threading.Lock()

    def __init__(self) -> None:
        Hungry.made.append(self)
        self.failed, self.is_used, self.is_idle = "", True, True

    def read_packed(self, job: Job, reading: Reading) -> Outcome:
        self.failed = ""
        with Hungry.lock:
            Hungry.reading.append(reading.memory_mb)
            Hungry.most = max(Hungry.most, sum(Hungry.reading))
        time.sleep(0.002)
        if reading.memory_mb == 1000:
            Hungry.idle = max(Hungry.idle, sum(w.is_idle for w in Hungry.made if w is not self))
        with Hungry.lock:
            Hungry.reading.remove(reading.memory_mb)
        if int(job.document_id) % 3 == 0 and reading.memory_mb < 1000:
            self.end("out of memory")
            return OutOfMemory("too little")
        return UnreadableDocument(job.document_id)

    def end(self, failure: str = "") -> None:
        self.failed, self.is_idle = failure, False


@pytest.mark.parametrize("workers", [2, 3, 8])
def test_a_file_that_needs_all_memory_is_read_while_others_wait(
    workers: int, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Hungry.most, Hungry.made = 0, []
    monkeypatch.setattr(reader_pool, "take", Hungry)
    monkeypatch.setattr(reader_pool, "Worker", Hungry)
    monkeypatch.setattr(reader_pool, "keep", list)
    file = SourceFile(folder / GOOD, GOOD)
    jobs = [Job(file, str(i), 2_000_000 * (i % 4), "", DocumentWishes()) for i in range(40)]
    found = read_all(jobs, Settings(home=tmp_path / "home", workers=workers, _env_file=None))
    assert [str(outcome) for _, outcome in found] == [str(i) for i in range(40)]
    assert (Hungry.most, Hungry.idle) == (1000, 0)


def test_one_small_file_is_read_in_another_process_which_is_kept(tmp_path: Path, services: Services) -> None:
    first = take()
    keep([first])
    (tmp_path / "one.md").write_bytes(b"# T\n\nAda.")
    ingest([tmp_path], services, "default")
    kept = take()
    assert kept.is_idle and kept.is_used
    keep([kept])


def test_a_reading_process_that_dies_or_hangs(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A reading process is a program of its own: Python runs sitecustomize before it.
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(READER, encoding="utf-8")
    root = Path(__file__).resolve().parents[2]
    end_idle()  # which started without it
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path / 'site'}{os.pathsep}{root}")
    expected = {
        "dies.txt": "failed: crashed the reader process .*: split the file, save it again, or raise TABLERAG_READ_MEM",
        "faults.txt": "failed: crashed the reader process",
        "hangs.txt": "failed: took longer than 2 s to read: split the file, or raise TABLERAG_READ_TIMEOUT_S",
        "prints.txt": "added",
        "raises.txt": "failed: cannot be read, as it is damaged or made to mislead: open it and save it again",
        **{f"fine{i}.txt": "added" for i in range(3)},
    }
    files = {name: b"The northern region is led by Ada Birch." for name in expected}
    services = Services(Settings(home=tmp_path / "home", model="offline", workers=2, read_timeout_s=2, _env_file=None))
    try:
        for name, content in files.items():
            (folder / name).write_bytes(content)
        report = ingest([folder], services, "default")
        check_stores(services)
        found = {e.source: f"{e.status}: {e.error}" for e in report.entries}
        assert found.pop(GOOD).startswith("added")
        assert not {n: s for n, s in found.items() if not re.match(expected[n], s)}
    finally:
        services.close()


def test_a_whole_number_too_long_for_the_database_fails_its_own_file_only(tmp_path: Path, services: Services) -> None:
    rows = "".join(f"{i},{i}-{i + 5}\n" for i in range(1, 30))
    (tmp_path / "long.csv").write_text(f"n,age range\n{rows}30,{'9' * 25}\n", encoding="utf-8")
    (tmp_path / "other.csv").write_text("n,m\n1,2\n3,4\n", encoding="utf-8")
    entries = {e.source: e for e in ingest([tmp_path], services, "default").entries}
    assert entries["other.csv"].status == "added"
    assert entries["long.csv"].error.startswith("table 'long_value' has a whole number of more than 64 bits")


def test_endless_titles_headings_and_sheets_are_not_repeated_with_each_chunk(tmp_path: Path) -> None:
    path = tmp_path / "endless.md"
    path.write_text(f"# {'h' * 50_000}\n\n{'text ' * 3000}\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n", encoding="utf-8")
    content = read_content(SourceFile(path, path.name), "d", Reading(1000, 200, 1000, 60.0))
    assert len(content.chunks) > 10
    assert all(len(t) <= 1100 for c in content.chunks for t in (c.locator, c.title))
    assert len(content.tables[0].schema.title) <= 500
    assert len(content.title) == 500
    assert len(str(Locator(sheet="s" * 50_000))) == 506


def test_a_wrong_byte_order_mark_is_told_without_the_words_of_the_decoder(tmp_path: Path) -> None:
    path = tmp_path / "marked.csv"
    path.write_bytes(b"\xff\xfe\0\0a\0\0\0\xff\xff\xff\xff")
    with pytest.raises(
        UnreadableDocument, match=r"^begins as utf-32 but is not valid utf-32 at byte 8: save it as UTF-8$"
    ):
        read_document(path)


class Large(Waiting):
    """A reader process whose contents are documents."""

    def read_packed(self, job: Job, reading: Reading) -> bytes:
        return pickle.dumps(DocumentContent(job.document_id, "title", (), (), ()))


def test_large_documents_are_stored_before_the_next_is_awaited(
    folder: Path, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader_pool, "take", Large)
    monkeypatch.setattr(reader_pool, "keep", list)
    monkeypatch.setattr(pipeline, "GROUP_BYTES", 1)
    stored: list[int] = []
    store = pipeline._Batch._store
    monkeypatch.setattr(pipeline._Batch, "_store", lambda self, group: (stored.append(len(group)), store(self, group)))
    for i in range(3):
        (folder / f"{i}.txt").write_text(f"text {i}", encoding="utf-8")
    ingest([folder], services, "default")
    assert stored == [1, 1, 1, 1]


def test_thousands_of_tables_take_no_longer_than_their_text(tmp_path: Path) -> None:
    """For the unit and the name of each table all others were looked through: 5,000 took minutes."""
    parts = "".join(f"All amounts in thousands.\n\n| a | b |\n|---|---|\n| {i} | 2 |\n\n" for i in range(4_000))
    path = tmp_path / "parts.md"
    path.write_text(f"# Parts\n\n{parts}", encoding="utf-8")
    began = cpu_seconds()
    content = read_content(SourceFile(path, path.name), "d", Reading(1000, 200, 1000, 60.0))
    assert cpu_seconds() - began < 20
    assert len({t.schema.name for t in content.tables}) == 4_000
    assert content.tables[-1].schema.columns[1].scale == "thousands"


def test_a_document_with_thousands_of_tables_has_few_warnings(tmp_path: Path) -> None:
    path = tmp_path / "many.html"
    path.write_text("".join(f"<table><tr><th>a<th>b{i}<th>c<tr><td>1<td><td>2</table>" for i in range(130)))
    content = read_content(SourceFile(path, path.name), "d", Reading(1000, 200, 1000, 60.0))
    assert (len(content.tables), len(content.warnings)) == (130, 101)
    assert content.warnings[-1] == "30 more warnings are not shown"
