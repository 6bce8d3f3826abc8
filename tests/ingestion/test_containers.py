"""Archives: their documents are read under the archive's name, within bounds."""

import gzip
import io
import os
import zipfile
from pathlib import Path

import pytest

from tablerag.ingestion import containers
from tablerag.ingestion.auditing import _read_again
from tablerag.ingestion.pipeline import Entry, ingest, remove
from tablerag.ingestion.unpacking import Room
from tablerag.tools.services import Services
from tests.support import bad_files as bad

CSV = "region,amount\nNorth,1\nSouth,2\nWest,4\n"


def zipped(members: dict[str, bytes | str]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return stream.getvalue()


def entries(services: Services, folder: Path, **files: bytes) -> dict[str, Entry]:
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return {e.source: e for e in ingest([folder], services, "default").entries}


def said(found: dict[str, Entry]) -> dict[str, str]:
    return {source: f"{e.status}: {e.error}" for source, e in found.items()}


def test_members_are_documents_that_stay_unchanged_and_go_with_the_archive(services: Services, tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    inner = zipped({"deep.csv": CSV})
    content = zipped(
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
    (folder / "all.zip").write_bytes(zipped({"a.csv": CSV + "East,8\n"}))
    pruned = {e.source: e.status for e in ingest([folder], services, "default", prune=True).entries}
    assert pruned == {"all.zip/a.csv": "replaced", "all.zip/sub/b.md": "removed", "all.zip/in.zip/deep.csv": "removed"}
    (folder / "all.zip").write_bytes(b"PK\x03\x04damaged")
    kept = {e.source: e.status for e in ingest([folder], services, "default", prune=True).entries}
    assert kept == {"all.zip": "failed"}
    assert remove(str(folder / "all.zip"), services, "default") == ["all.zip/a.csv"]


def test_gzip_files_are_their_documents(services: Services, tmp_path: Path) -> None:
    long = "n,word\n" + "".join(f"{i},{'x' * 50}{i}\n" for i in range(300_000))  # streamed from the unpacked file
    files = {"s.csv.gz": CSV.encode(), "t.tsv.gz": b"a\tb\n1\t2\n", "x.tar.gz": b"", "long.csv.gz": long.encode()}
    found = entries(services, tmp_path / "docs", **{n: gzip.compress(c) for n, c in files.items()})
    assert [found[f"{n}.gz"].rows for n in ("s.csv", "t.tsv", "long.csv")] == [3, 1, 300_000]
    assert found["x.tar.gz"].error == "no reader for .tar.gz: save it as .zip"
    assert {d.source: d.format for d in services.catalog.documents("default")}["t.tsv.gz"] == "tsv"


def test_hostile_archives_are_one_line_each(services: Services, tmp_path: Path) -> None:
    nested = zipped({"a.csv": CSV})
    for name in ("1.zip", "2.zip", "3.zip", "4.zip"):
        nested = zipped({name: nested})
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
            "bomb.zip": zipped({"a.csv": b"0" * 60_000_000}),
            "bomb.csv.gz": gzip.compress(b"0" * 60_000_000),
            "cut.zip": zipped({"a.csv": os.urandom(5000)})[:3000],
            "cut.csv.gz": gzip.compress(os.urandom(5000))[:3000],
            "empty.zip": zipped({}),
            "escape.zip": stream.getvalue(),
            "lying.zip": bad.lying_zip(zipped({"a.csv": b"0" * 40_000_000}), "a.csv", 1000),
            "locked.zip": bad.encrypted_zip(zipped({"a.csv": CSV})),
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
        "lying.zip": "failed: ",
        "locked.zip": "failed: is an encrypted archive: save it again",
        "nested.zip/4.zip/3.zip/2.zip": "skipped: is an archive in archives",
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
    content = zipped({"1.zip": zipped({"a.csv": big}), "2.zip": zipped({"b.csv": big}), "3.csv": CSV})
    outcome = said(entries(services, tmp_path / "docs", **{"all.zip": content}))
    assert (outcome["all.zip/1.zip/a.csv"], outcome["all.zip/3.csv"]) == ("added: ", "added: ")
    assert outcome["all.zip/2.zip"].startswith("failed: unpacks to too much at 'b.csv'")
    many = zipped({f"{i}.csv": CSV for i in range(8)})
    outcome = said(entries(services, tmp_path / "many", **{"many.zip": many}))
    assert [o.partition(":")[0] for o in outcome.values()].count("added") == 6
    assert "beyond the first 6 files" in outcome["many.zip/7.csv"]


def test_pipes_with_names_of_archives_do_not_block(services: Services, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    for name in ("a.zip", "b.csv.gz", "c.json"):
        os.mkfifo(tmp_path / "docs" / name)
    found = entries(services, tmp_path / "docs")
    assert {e.error for e in found.values()} == {"is not a regular file (a pipe, socket or device): remove it"}
