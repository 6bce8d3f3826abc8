"""Ingestion over real SQLite, Chroma and tantivy."""

from pathlib import Path

import pytest

from tablerag.ingestion.pipeline import Entry, IngestReport, Progress, ingest, remove
from tablerag.tools.errors import ConfigError
from tablerag.tools.services import Services
from tests.tools.stored import stored_names, stored_rows

SALES = 'Region,Amount,Code\nNorth,"1,200",007\nSouth,800,008\nEast,1000,009\n'
NOTES = "# Notes\n\nThe northern region is led by Ada Birch.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "sales.csv").write_text(SALES, encoding="utf-8")
    (docs / "notes.md").write_text(NOTES, encoding="utf-8")
    return docs


def statuses(report: IngestReport) -> dict[str, str]:
    return {e.source: e.status for e in report.entries}


def entry(report: IngestReport, source: str) -> Entry:
    return next(e for e in report.entries if e.source == source)


def tables(services: Services) -> list[str]:
    """Return the names of the tables that are stored, the part that tells versions apart left off."""
    names = stored_names(services.database)
    assert names == services.catalog.stored_tables()
    assert services.catalog.unfinished() == []
    return [n.split("__")[0] for n in sorted(names)]


def stored_document_ids(services: Services) -> set[str]:
    dense, lexical = services.vector_store("default"), services.lexical_index("default")
    assert dense.chunk_ids() == lexical.chunk_ids()
    return {*dense.chunk_ids().values()}


def test_a_table_becomes_typed_sql_and_chunks(folder: Path, services: Services) -> None:
    report = ingest([folder], services, "default")
    assert statuses(report) == {"sales.csv": "added", "notes.md": "added"}
    assert (entry(report, "sales.csv").tables, entry(report, "sales.csv").rows) == (1, 3)
    (schema,) = services.catalog.schemas("default")
    assert schema.name == "sales"
    assert [(c.name, c.type) for c in schema.columns] == [("region", "text"), ("amount", "integer"), ("code", "text")]
    rows = stored_rows(services.database, schema.stored_as, "_row_id", "region", "amount", "code")
    assert rows == [(1, "North", 1200, "007"), (2, "South", 800, "008"), (3, "East", 1000, "009")]
    found = services.retriever("default").search("amount of the region North", 10)
    table_chunk = next(c for c in found if c.kind == "table")
    assert table_chunk.table_id == schema.table_id
    assert table_chunk.locator == "rows 2-4"


def test_durations_and_ends_of_ranges_keep_their_digits(tmp_path: Path, services: Services) -> None:
    times = [f"{i}:10:0{i % 10}" for i in range(30, 69)]
    spans = [f"0.1234567{i % 10} - 0.9876543{i % 10}" for i in range(39)]
    lines = [f"{t},{s}" for t, s in zip([*times, "8256661801227"], [*spans, "2.00000001 - 3"], strict=True)]
    (tmp_path / "runs.csv").write_text("\n".join(["Duration,Price range", *lines]), encoding="utf-8")
    assert statuses(ingest([tmp_path / "runs.csv"], services, "default")) == {"runs.csv": "added"}
    (schema,) = services.catalog.schemas("default")
    duration, span = schema.columns
    assert (duration.kind, span.kind) == ("duration", "range")
    rows = stored_rows(services.database, schema.stored_as, duration.name, span.low, span.high)
    assert [float(v) for v in rows[0]] == [108600, 0.12345670, 0.98765430]
    assert [float(v) for v in rows[-1]] == [8256661801227, 2.00000001, 3]


def test_a_second_ingest_does_nothing(folder: Path, services: Services) -> None:
    ingest([folder], services, "default")
    before = stored_document_ids(services)
    report = ingest([folder], services, "default")
    assert set(statuses(report).values()) == {"unchanged"}
    assert stored_document_ids(services) == before


def test_a_changed_file_replaces_its_old_self_everywhere(folder: Path, services: Services) -> None:
    ingest([folder], services, "default")
    before = stored_document_ids(services)
    (folder / "sales.csv").write_text("Region,Amount\nWest,5\n", encoding="utf-8")
    report = ingest([folder], services, "default")
    assert statuses(report) == {"sales.csv": "replaced", "notes.md": "unchanged"}
    assert tables(services) == ["sales"]
    after = stored_document_ids(services)
    assert len(after) == 2 and len(after & before) == 1
    (schema,) = services.catalog.schemas("default")
    assert [c.name for c in schema.columns] == ["region", "amount"]
    assert not [
        c for c in services.retriever("default").search("North 1,200", 10) if "North" in c.text and c.kind == "table"
    ]


def test_removed_documents_leave_no_trace(folder: Path, services: Services) -> None:
    ingest([folder], services, "default")
    assert remove("sales.csv", services, "default") == ["sales.csv"]
    assert tables(services) == []
    assert services.catalog.schemas("default") == []
    assert len(stored_document_ids(services)) == 1
    assert remove("sales.csv", services, "default") == []


def test_prune_removes_what_is_gone(folder: Path, services: Services) -> None:
    ingest([folder], services, "default")
    (folder / "sales.csv").unlink()
    assert statuses(ingest([folder], services, "default")) == {"notes.md": "unchanged"}
    assert statuses(ingest([folder], services, "default", prune=True)) == {
        "notes.md": "unchanged",
        "sales.csv": "removed",
    }
    assert tables(services) == []


def test_one_bad_file_never_stops_the_batch(folder: Path, services: Services) -> None:
    (folder / "broken.xlsx").write_bytes(b"PK\x03\x04 not really")
    (folder / "empty.csv").write_bytes(b"")
    (folder / "picture.heic").write_bytes(b"x")
    report = ingest([folder], services, "default")
    assert statuses(report) == {
        "broken.xlsx": "failed",
        "empty.csv": "failed",
        "picture.heic": "skipped",
        "sales.csv": "added",
        "notes.md": "added",
    }
    assert all("\n" not in e.error for e in report.entries)
    assert "empty" in entry(report, "empty.csv").error


def test_a_bad_new_version_keeps_the_old_one(folder: Path, services: Services) -> None:
    ingest([folder], services, "default")
    (folder / "sales.csv").write_bytes(b"")
    assert statuses(ingest([folder], services, "default"))["sales.csv"] == "failed"
    assert tables(services) == ["sales"]


def test_same_names_in_other_folders_are_other_documents(folder: Path, tmp_path: Path, services: Services) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "sales.csv").write_text("Region,Amount\nWest,5\n", encoding="utf-8")
    ingest([folder], services, "default")
    report = ingest([other], services, "default")
    assert statuses(report) == {"other/sales.csv": "added"}
    assert tables(services) == ["sales", "sales"]
    assert [s.name for s in services.catalog.schemas("default")] == ["sales", "sales_2"]


def test_corpora_are_apart(folder: Path, services: Services) -> None:
    ingest([folder], services, "default")
    ingest([folder], services, "second")
    assert remove(str(folder), services, "second") == ["notes.md", "sales.csv"]
    assert tables(services) == ["sales"]


def test_progress_ends_at_the_total(folder: Path, services: Services) -> None:
    seen: list[Progress] = []
    ingest([folder], services, "default", on_progress=seen.append)
    assert list(dict.fromkeys((p.done, p.total) for p in seen)) == [(0, 2), (1, 2), (2, 2)]
    assert list(dict.fromkeys(p.stage for p in seen)) == ["reading", "storing", "indexing", "done"]
    assert seen[-1] == Progress(2, 2, "", "done")


def test_a_path_that_is_not_there(tmp_path: Path, services: Services) -> None:
    with pytest.raises(ConfigError, match="no such file or folder"):
        ingest([tmp_path / "nowhere"], services, "default")


def test_more_columns_than_a_table_may_have_stay_text(tmp_path: Path, services: Services) -> None:
    wide = tmp_path / "wide.csv"
    wide.write_text(",".join(f"c{i}" for i in range(300)) + "\n" + ",".join(["1"] * 300) + "\n", encoding="utf-8")
    report = ingest([wide], services, "default")
    (only,) = report.entries
    assert (only.status, only.tables) == ("added", 0)
    assert only.chunks > 0
    assert "190" in " ".join(only.warnings)
