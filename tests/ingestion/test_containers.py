"""Archives: their documents are read under the archive's name, within bounds."""

import gzip
import io
import os
import zipfile
from collections.abc import Iterator, Sequence
from email.message import EmailMessage
from pathlib import Path

import pytest

from tablerag.ingestion import containers
from tablerag.ingestion.auditing import _read_again
from tablerag.ingestion.pipeline import Entry, ingest, remove
from tablerag.ingestion.reader_pool import read_all
from tablerag.ingestion.reader_worker import Outcome, UnpackJob
from tablerag.ingestion.unpacking import Room
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tests.support import bad_files as bad

CSV = "region,amount\nNorth,1\nSouth,2\nWest,4\n"


def entries(services: Services, folder: Path, **files: bytes) -> dict[str, Entry]:
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return {e.source: e for e in ingest([folder], services, "default").entries}


def said(found: dict[str, Entry]) -> dict[str, str]:
    return {source: f"{e.status}: {e.error}" for source, e in found.items()}


def test_members_are_documents_that_stay_unchanged_and_go_with_the_archive(services: Services, tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    inner = bad.archive({"deep.csv": CSV})
    content = bad.archive(
        {"a.csv": CSV, "sub/b.md": "# B\n\nWords.\n", "__MACOSX/a.csv": "x", "c.svg": "x", "in.zip": inner}
    )
    first = said(entries(services, folder, **{"all.zip": content}))
    assert first == {
        "all.zip/c.svg": "skipped: no reader for .svg: save it as .pdf with text",
        "all.zip/a.csv": "added: ",
        "all.zip/sub/b.md": "added: ",
        "all.zip/in.zip/deep.csv": "added: ",
    }
    again = entries(services, folder)
    assert [again[s].status for s in ("all.zip/a.csv", "all.zip/in.zip/deep.csv")] == ["unchanged"] * 2
    (schema,) = (s for s in services.catalog.schemas("default") if s.source == "all.zip/a.csv")
    assert (schema.title, schema.row_count) == ("a", 3)
    record = next(d for d in services.catalog.documents("default") if d.source == "all.zip/a.csv")
    assert record.format == "csv"
    assert [m.split(":")[0] for m in _read_again(services, "default", {record.document_id})].count(record.source) == 1
    (folder / "all.zip").write_bytes(bad.archive({"a.csv": CSV + "East,8\n"}))
    pruned = {e.source: e.status for e in ingest([folder], services, "default", prune=True).entries}
    assert pruned == {"all.zip/a.csv": "replaced", "all.zip/sub/b.md": "removed", "all.zip/in.zip/deep.csv": "removed"}
    (folder / "all.zip").write_bytes(b"PK\x03\x04damaged")
    kept = {e.source: e.status for e in ingest([folder], services, "default", prune=True).entries}
    assert kept == {"all.zip": "failed"}
    assert remove(str(folder / "all.zip"), services, "default") == ["all.zip/a.csv"]


def test_gzip_files_are_their_documents(services: Services, tmp_path: Path) -> None:
    long = "n,word\n" + "".join(f"{i},{'x' * 50}{i}\n" for i in range(300_000))  # streamed from the unpacked file
    files = {
        "s.csv.gz": CSV.encode(),
        "t.tsv.gz": b"a\tb\n1\t2\n",
        "x.tar.gz": b"",
        "long.csv.gz": long.encode(),
    }
    found = entries(services, tmp_path / "docs", **{n: gzip.compress(c) for n, c in files.items()})
    assert [found[f"{n}.gz"].rows for n in ("s.csv", "t.tsv", "long.csv")] == [3, 1, 300_000]
    assert found["x.tar.gz"].error == "no reader for .tar.gz: save it as .zip"
    assert {d.source: d.format for d in services.catalog.documents("default")}["t.tsv.gz"] == "tsv"


def test_large_archives_are_refused_and_those_without_a_reader_skipped(services: Services, tmp_path: Path) -> None:
    services.settings.max_file_mb = 0.1
    files = {"x.tar.gz": os.urandom(200_000), "y.zip": os.urandom(200_000)}
    assert said(entries(services, tmp_path / "docs", **files)) == {
        "x.tar.gz": "skipped: no reader for .tar.gz: save it as .zip",
        "y.zip": "failed: 0 MB exceeds the limit of 0 MB: unpack it, or raise TABLERAG_MAX_FILE_MB",
    }


def test_hostile_archives_are_one_line_each(services: Services, tmp_path: Path) -> None:
    nested = bad.archive({"a.csv": CSV})
    for name in ("1.zip", "2.zip", "3.zip", "4.zip"):
        nested = bad.archive({name: nested})
    link = zipfile.ZipInfo("link.csv")
    link.external_attr = 0o120777 << 16
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(link, "/etc/passwd")
        archive.writestr("../../up.csv", CSV)
        archive.writestr("/up.csv", CSV)
    found = entries(
        services,
        tmp_path / "docs",
        **{
            "bomb.zip": bad.archive({"a.csv": b"0" * 60_000_000}),
            "bomb.csv.gz": gzip.compress(b"0" * 60_000_000),
            "cut.zip": bad.archive({"a.csv": os.urandom(5000)})[:3000],
            "cut.csv.gz": gzip.compress(os.urandom(5000))[:3000],
            "empty.zip": bad.archive({}),
            "escape.zip": stream.getvalue(),
            "twice.zip": bad.archive({"/a.csv": CSV, "a.csv": CSV}),
            "lying.zip": bad.lying_zip(bad.archive({"a.csv": b"0" * 40_000_000}), "a.csv", 1000),
            "locked.zip": bad.encrypted_zip(bad.archive({"a.csv": CSV})),
            "nested.zip": nested,
            "office.zip": bad.xlsx(),
            "text.zip": b"words",
            "text.csv.gz": b"words",
        },
    )
    outcome = said(found)
    expected = {
        "bomb.zip": "failed: unpacks to 60 MB from",
        "bomb.csv.gz": "failed: unpacks to more than 200 times its size",
        "cut.zip": "failed: is a damaged or truncated archive",
        "cut.csv.gz": "failed: is a damaged or truncated archive",
        "empty.zip": "failed: is an empty ZIP archive",
        "escape.zip/up.csv": "added: ",
        "twice.zip/a.csv": "added: ",
        "lying.zip": "failed: is a damaged or truncated archive: save or fetch it again",
        "locked.zip": "failed: is an encrypted archive: save it again",
        "nested.zip/4.zip/3.zip/2.zip": "skipped: is an archive nested too deep: unpack it",
        "office.zip": "failed: is an Office file, not an archive",
        "text.zip": "failed: is not a ZIP archive",
        "text.csv.gz": "failed: is not a gzip file",
    }
    wrong = {s: outcome.get(s) for s, start in expected.items() if not (outcome.get(s) or "").startswith(start)}
    assert not wrong
    assert not any("\n" in e.error for e in found.values())


def test_archives_in_an_archive_share_its_room(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(containers, "Room", lambda *given: Room(*(given or (6, 2_400_000, 3))))
    big = "a,b\n" + "".join(f"{i},{os.urandom(8).hex()}\n" for i in range(40_000))
    content = bad.archive({"1.zip": bad.archive({"a.csv": big}), "2.zip": bad.archive({"b.csv": big}), "3.csv": CSV})
    outcome = said(entries(services, tmp_path / "docs", **{"all.zip": content}))
    assert (outcome["all.zip/1.zip/a.csv"], outcome["all.zip/3.csv"]) == ("added: ", "added: ")
    assert outcome["all.zip/2.zip"].startswith("failed: unpacks to more than 1,000 MB (up to 'b.csv')")
    many = bad.archive({f"{i}.csv": CSV for i in range(8)})
    outcome = said(entries(services, tmp_path / "many", **{"many.zip": many}))
    assert [o.partition(":")[0] for o in outcome.values()].count("added") == 6
    assert outcome["many.zip/6.csv"] == ("skipped: is beyond the first 6 files of the archive, like 1 other: unpack it")


def test_archives_nested_too_deep_are_one_line_with_their_number(services: Services, tmp_path: Path) -> None:
    inner = bad.archive({"a.csv": CSV})
    nested = bad.archive({f"{i}.zip": inner for i in range(300)})
    found = entries(services, tmp_path / "docs", **{"all.zip": bad.archive({"1.zip": bad.archive({"2.zip": nested})})})
    assert said(found) == {
        "all.zip/1.zip/2.zip/0.zip": "skipped: is an archive nested too deep, like 299 others: unpack it"
    }


def test_archives_side_by_side_are_unpacked_by_one_pool(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pools: list[int] = []

    def counting(jobs: Sequence[UnpackJob], settings: Settings) -> Iterator[tuple[UnpackJob, Outcome]]:
        pools.append(len(jobs))
        return read_all(jobs, settings)

    monkeypatch.setattr(containers, "read_all", counting)
    inner = bad.archive({"a.csv": CSV})
    content = bad.archive({"1.zip": inner, "b.csv": CSV, "2.zip": inner})
    found = entries(services, tmp_path / "docs", **{f"{i}.zip": content for i in range(3)})
    assert list(found)[:3] == ["0.zip/1.zip/a.csv", "0.zip/b.csv", "0.zip/2.zip/a.csv"]
    assert (len(found), pools) == (9, [3, 3, 3])


def test_names_keep_the_joiners_of_their_script(services: Services, tmp_path: Path) -> None:
    name = "می\u200cخواهم.csv"
    assert list(entries(services, tmp_path / "docs", **{"a.zip": bad.archive({name: CSV})})) == [f"a.zip/{name}"]


def test_a_mail_with_a_damaged_mail_in_it_is_read_and_its_attachments_noted(services: Services, tmp_path: Path) -> None:
    inner = b'Content-Type: multipart/mixed; boundary="\xff"\r\n\r\n--\xff\r\n\r\na\r\n'
    head = b"From: a@b.c\r\nContent-Type: multipart/mixed; boundary=B\r\n\r\n--B\r\n\r\nwords\r\n--B\r\n"
    mail = head + b"Content-Type: message/rfc822\r\n\r\n" + inner + b"\r\n--B--\r\n"
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "m.eml").write_bytes(mail)
    (tmp_path / "docs" / "n.eml").write_bytes(b"PK\x03\x04" + mail)
    found = [(e.source, e.status, e.error) for e in ingest([tmp_path / "docs"], services, "default").entries]
    unread = "its attachments were not read, as it cannot be read as a mail: open it and save it again"
    assert found == [
        ("m.eml", "skipped", unread),
        ("m.eml", "added", ""),
        ("n.eml", "failed", "is a ZIP archive (as XLSX, DOCX and ODS files are), not a mail: use the right suffix"),
    ]


def test_attachments_of_one_name_are_called_those_of_a_mail(services: Services, tmp_path: Path) -> None:
    made = EmailMessage()
    made["From"] = "a@b.c"
    made.set_content("words")
    for _ in range(3):
        made.add_attachment(CSV.encode(), maintype="text", subtype="csv", filename="a.csv")
    (tmp_path / "m.eml").write_bytes(bytes(made))
    found = [f"{e.source} {e.error}" for e in ingest([tmp_path / "m.eml"], services, "default").entries]
    assert found[0] == "m.eml/a.csv has the name of an earlier file in the mail, like 1 other: rename it"


def test_pipes_with_names_of_archives_do_not_block(services: Services, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    for name in ("a.zip", "b.csv.gz", "c.json"):
        os.mkfifo(tmp_path / "docs" / name)
    found = entries(services, tmp_path / "docs")
    assert {e.error for e in found.values()} == {"is not a regular file (a pipe, socket or device): remove it"}
