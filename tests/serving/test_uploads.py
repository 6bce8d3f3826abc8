"""Names of uploaded files, and the order of ingests."""

import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from starlette.exceptions import HTTPException

from tablerag.ingestion.pipeline import Progress, ingest
from tablerag.serving.ingest_jobs import alone_in, start
from tablerag.serving.upload_folder import folder_of, safe_name
from tablerag.serving.upload_slots import OF_ALL, OF_CLIENT, UploadSlots
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tablerag.tools.upload_jobs import STOPPED, IngestJob, UploadJobs, _lock_of

SUFFIXES = (".csv", ".md")


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("report.csv", "report.csv"),
        ("../../etc/passwd.CSV", "passwd.csv"),
        ("C:\\Users\\me\\sales 2024.csv", "sales 2024.csv"),
        (".hidden.md", "hidden.md"),
        ("~$lock.csv", "lock.csv"),
        ("a\x00b\n<c>?.csv", "abc.csv"),
        ("年度.csv", "年度.csv"),
        ("e\u0301t\u00e9.md", "\u00e9t\u00e9.md"),
        ("two  spaces .csv", "two spaces.csv"),
        ("x" * 400 + ".csv", "x" * 180 + ".csv"),
        ("é" * 200 + ".md", "é" * 90 + ".md"),
    ],
)
def test_a_stored_name_has_no_folder_and_no_odd_signs(given: str, kept: str) -> None:
    assert safe_name(given, SUFFIXES) == kept


@pytest.mark.parametrize("given", ["", "csv", "a.exe", "a.csv.exe", "....csv", "tablerag.yaml", ".csv", "<>.csv"])
def test_a_name_without_reader_or_letters_is_refused(given: str) -> None:
    with pytest.raises(ValueError, match="unsupported file type|invalid file name"):
        safe_name(given, SUFFIXES)


def test_each_corpus_has_a_folder_below_the_home(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, _env_file=None)
    folders = {folder_of(c, settings) for c in ("a", "../../b", "a b", "a/b", "..")}
    assert len(folders) == 5 and all(f.parent == tmp_path / "uploads" for f in folders)


def test_a_corpus_takes_one_ingest_at_a_time(services: Services, tmp_path: Path) -> None:
    with alone_in("default", services):
        with pytest.raises(HTTPException, match="corpus 'default' is busy"):
            start("default", lambda: [], services)
        with alone_in("other", services):
            pass
    with pytest.raises(OSError, match="disk"):
        start("default", _full_disk, services)
    with alone_in("default", services):
        pass


def refusal(slots: UploadSlots, client: str) -> tuple[int, dict[str, str] | None]:
    with pytest.raises(HTTPException) as refused, slots.one_of(client):
        pass
    return refused.value.status_code, dict(refused.value.headers or {})


def test_uploads_at_the_same_time_are_limited_for_a_client_and_for_all() -> None:
    slots, later = UploadSlots(), {"Retry-After": "10"}
    with ExitStack() as held:
        for i in range(OF_ALL):
            held.enter_context(slots.one_of(f"client {i // OF_CLIENT}"))
        assert refusal(slots, "client 0") == (429, later)
        assert refusal(slots, "another") == (503, later)
    with slots.one_of("client 0"), slots.one_of("another"):
        pass


def test_what_cannot_be_read_is_reported_and_not_kept(services: Services, tmp_path: Path) -> None:
    good, broken = tmp_path / "good.csv", tmp_path / "broken.xlsx"
    good.write_text("a,b\n1,2\n", encoding="utf-8")
    broken.write_bytes(b"PK\x03\x04 no workbook")
    job = start("default", lambda: [good, broken], services)
    while job.state == "running":
        time.sleep(0.05)
    assert job.report is not None
    assert job.report["documents_by_status"] == {"added": 1, "failed": 1}
    assert (good.exists(), broken.exists()) == (True, False)


def test_an_ingest_is_cancelled_while_a_file_is_read(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablerag.ingestion.in_order.TICK_S", 0.01)
    long = tmp_path / "long.csv"
    long.write_text("a,b\n" + "1,2\n" * 400_000, encoding="utf-8")
    jobs = UploadJobs(services)
    job = start("default", lambda: [long], services)
    assert (job.files, [j.id for j in jobs.of("default")], jobs.of("other")) == (["long.csv"], [job.id], [])
    while not job.source:
        time.sleep(0.02)
    assert (job.source, job.done) == ("long.csv", 0)
    jobs.cancel(job)
    while job.state == "running":
        time.sleep(0.02)
    assert (job.state, job.stage, job.report, job.error) == ("cancelled", "reading", None, "")
    assert not long.exists() and services.catalog.documents("default") == []
    assert services.catalog.unfinished() == []
    with alone_in("default", services):
        pass


def test_a_cancelled_ingest_leaves_nothing_that_it_had_stored(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "sales.csv"
    file.write_text("a,b\n1,2\n", encoding="utf-8")
    jobs, stages = UploadJobs(services), list[str]()

    def cancelling(*args: Any, on_progress: Any, **more: Any) -> Any:
        def seen(step: Progress) -> None:
            stages.append(step.stage)
            if step.stage == "indexing":
                jobs.cancel(jobs.of("default")[0])
            on_progress(step)

        return ingest(*args, on_progress=seen, **more)

    monkeypatch.setattr("tablerag.serving.ingest_jobs.ingest", cancelling)
    job = start("default", lambda: [file], services)
    while job.state == "running":
        time.sleep(0.02)
    assert job.state == "cancelled"
    assert list(dict.fromkeys(stages)) == ["reading", "storing", "indexing"]
    assert services.catalog.unfinished() == [] and services.database.tables.names() == set()


def test_an_unexpected_error_keeps_its_name_in_the_log(
    services: Services, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*args: Any, **more: Any) -> Any:
        raise KeyError("column")

    monkeypatch.setattr("tablerag.serving.ingest_jobs.ingest", broken)
    job = start("default", lambda: [], services)
    while job.state == "running":
        time.sleep(0.02)
    assert (job.state, job.error) == ("failed", "unexpected error: see the server log")
    assert "KeyError" in caplog.text


def _full_disk() -> list[Path]:
    raise OSError("disk is full")


def test_a_copy_is_named_in_the_report_of_an_upload(services: Services, tmp_path: Path) -> None:
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    for file in (first, second):
        file.write_text("a,b\n1,2\n", encoding="utf-8")
    job = start("default", lambda: [first, second], services)
    while job.state == "running":
        time.sleep(0.05)
    assert job.report is not None
    assert [d["warnings"] for d in job.report["documents"]] == [[], ["identical to first.csv"]]


def test_every_process_sees_an_ingest_and_can_cancel_it(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablerag.ingestion.in_order.TICK_S", 0.01)
    monkeypatch.setattr("tablerag.serving.ingest_jobs.NOTED_S", 0.01)
    long = tmp_path / "long.csv"
    long.write_text("a,b\n" + "1,2\n" * 400_000, encoding="utf-8")
    job = start("default", lambda: [long], services)
    elsewhere = Services(services.settings)
    there = UploadJobs(elsewhere)
    with pytest.raises(HTTPException, match="busy"):
        start("default", lambda: [], elsewhere)
    seen = there.get(job.id)
    assert seen is not None and (seen.state, seen.files) == ("running", ["long.csv"])
    there.cancel(seen)
    while job.state == "running":
        time.sleep(0.02)
    found = None
    while found is None or found.state == "running":
        found = there.get(job.id)
    assert (job.state, found.state) == ("cancelled", "cancelled")
    elsewhere.close()


def test_an_ingest_whose_process_was_killed_has_failed(services: Services) -> None:
    jobs = UploadJobs(services)
    with jobs.alone_in("default") as taken:
        assert taken
        jobs.begin(IngestJob("one", "default", ["a.csv"], "2026-01-01"))
        assert [j.state for j in jobs.of("default")] == ["running"]
        services.leases.end({_lock_of("default")})  # what an expired lease looks like to others
        assert [(j.state, j.error) for j in jobs.of("default")] == [("failed", STOPPED)]
    with jobs.alone_in("default"):
        jobs.begin(IngestJob("two", "default", ["b.csv"], "2026-01-02"))
        assert [(j.id, j.state) for j in jobs.of("default")] == [("two", "running"), ("one", "failed")]
