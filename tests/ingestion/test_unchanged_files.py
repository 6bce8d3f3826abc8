"""Files that did not change are told by size and time, without reading them; a doubtful time tells nothing."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tablerag.cli.doctor import check
from tablerag.cli.report_views import _summary
from tablerag.ingestion import manifest
from tablerag.ingestion.pipeline import IngestReport, ingest
from tablerag.tools.records import TableSchema
from tablerag.tools.services import Services

HOUR_NS = 3_600_000_000_000


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "sales.csv"
    path.write_text("Region,Amount\nNorth,1200\nSouth,800\n", encoding="utf-8")
    return path


def aged(path: Path) -> None:
    """Make a file one hour older."""
    when = path.stat().st_mtime_ns - HOUR_NS
    os.utime(path, ns=(when, when))


def status(report: IngestReport) -> str:
    (entry,) = report.entries
    return entry.status


def test_a_file_of_the_same_size_and_time_is_not_read_again(
    file: Path, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    aged(file)
    first = ingest([file], services, "default")
    monkeypatch.setattr(manifest, "content_hash", lambda *_: pytest.fail("read"))
    again = ingest([file], services, "default")
    assert status(again) == "unchanged"
    assert (again.entries[0].tables, again.entries[0].rows) == (1, 2)
    assert list(again.entries[0].schemas) == list(first.entries[0].schemas)
    assert all(isinstance(s, TableSchema) for s in again.entries[0].schemas[:1])


def test_a_file_that_was_just_written_is_read_again_whatever_its_time(file: Path, services: Services) -> None:
    ingest([file], services, "default")
    when = file.stat().st_mtime_ns
    file.write_text(file.read_text(encoding="utf-8").replace("800", "900"), encoding="utf-8")
    os.utime(file, ns=(when, when))
    assert status(ingest([file], services, "default")) == "replaced"


def test_a_file_that_was_only_touched_is_read_once_more(
    file: Path, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingest([file], services, "default")
    aged(file)
    assert status(ingest([file], services, "default")) == "unchanged"
    monkeypatch.setattr(manifest, "content_hash", lambda *_: pytest.fail("read"))
    assert status(ingest([file], services, "default")) == "unchanged"


def test_other_settings_and_doubt_read_a_file_again(file: Path, services: Services) -> None:
    aged(file)
    ingest([file], services, "default")
    (document,) = services.catalog.documents("default")
    assert not manifest.is_same(document, file.stat(), manifest.read_as(file, services.settings, "other rules"))
    services.catalog.doubt([document.document_id])
    assert status(ingest([file], services, "default")) == "replaced"


@pytest.mark.parametrize("harm", [Path.unlink, lambda path: path.write_bytes(path.read_bytes()[:-30])])
def test_a_file_whose_table_is_gone_or_cut_off_is_read_again(
    harm: Callable[[Path], object], file: Path, services: Services
) -> None:
    other = file.with_name("other.csv")
    other.write_text("Product,Price\nPen,2\n", encoding="utf-8")
    for path in (file, other):
        aged(path)
    ingest([file, other], services, "default")
    (schema,) = (s for s in services.catalog.schemas("default") if s.name == "sales")
    stored = services.settings.home / "tables.parquet" / f"{schema.stored_as}.parquet"
    harm(stored)
    findings = [f for f in check(services) if f.what == "tables"]
    assert [f.says for f in findings] == [
        "tables of 1 document are damaged or gone, such as sales.csv: `tablerag doctor --fix` reads them again"
    ]
    assert [e.status for e in ingest([file, other], services, "default").entries] == ["replaced", "unchanged"]
    assert [f.says for f in check(services) if f.what == "tables"] == ["2 files not damaged"]
    assert [e.status for e in ingest([file, other], services, "default").entries] == ["unchanged", "unchanged"]


def test_the_home_inside_a_folder_holds_no_documents(file: Path, services: Services) -> None:
    folder = services.settings.home.parent
    (folder / "sales.csv").write_text("Region,Amount\nNorth,1\nSouth,2\n", encoding="utf-8")
    for _ in range(2):
        found = ingest([folder], services, "default").entries
        assert not [e.source for e in found if services.settings.home.name in Path(e.source).parts]


@pytest.mark.parametrize("damage", ["", "0123", "\x00" * 16, "not an id, but a text"])
def test_a_damaged_note_of_the_deployment_is_written_again(file: Path, services: Services, damage: str) -> None:
    ingest([file], services, "default")
    note = services.settings.home / "deployment"
    whole = note.read_text()
    note.write_text(damage)
    again = Services(services.settings)
    assert [e.status for e in ingest([file], again, "default").entries] == ["unchanged"]
    assert note.read_text() == whole


def test_a_copy_of_another_file_is_ingested_and_named_as_one(file: Path, services: Services) -> None:
    folder, note = file.parent, ("identical to sales.csv",)
    for name in ("copy.csv", "third.csv"):
        (folder / name).write_bytes(file.read_bytes())
    (first,) = ingest([file], services, "default").entries
    copied = ingest([folder / "copy.csv", folder / "third.csv"], services, "default").entries
    assert [(e.status, e.warnings) for e in (first, *copied)] == [("added", ()), ("added", note), ("added", note)]
    assert ingest([folder / "copy.csv"], services, "other").entries[0].warnings == (), "of another corpus"
    file.write_text(file.read_text(encoding="utf-8") + "East,5\n", encoding="utf-8")
    assert [e.warnings for e in ingest([file, folder / "copy.csv"], services, "default").entries] == [(), ()]
    (folder / "copy.csv").write_bytes(file.read_bytes())
    assert ingest([folder / "copy.csv"], services, "default").entries[0].warnings == note
    assert "identical to sales.csv" in _summary(copied[0]).plain
