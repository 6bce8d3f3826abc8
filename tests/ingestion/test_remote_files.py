"""Documents in object stores: a private S3-compatible server on loopback, and fsspec's own store in memory."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest

from tablerag.client import TableRAG
from tablerag.ingestion import manifest, remote
from tablerag.ingestion.lost_documents import _advice
from tablerag.ingestion.pipeline import IngestReport, ingest, remove, retry_failed
from tablerag.ingestion.report import report_of
from tablerag.tools.errors import ConfigError
from tablerag.tools.places import UrlPath, place
from tablerag.tools.services import Services
from tablerag.tools.sql.backends.backend import Recorded
from tests.support import bad_files as bad
from tests.support.command_line import CommandLine

SALES = "Region,Amount\nNorth,{0}\nSouth,800\n"
RULES = "tables:\n  - source: old/*\n    columns:\n      Amount: {unit: EUR}\n"
SECRET = "not-to-be-shown"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """Return the URL of an S3-compatible server; it fails, never skips, where moto and s3fs are not installed."""
    import s3fs  # noqa: F401
    from moto.server import ThreadedMotoServer

    started = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    started.start()
    host, port = started.get_host_and_port()
    yield f"http://{host}:{port}"
    started.stop()


class Bucket:
    """One bucket, written as its owner does."""

    def __init__(self, server: str) -> None:
        import boto3

        httpx.post(f"{server}/moto-api/reset")
        owner = {"aws_access_key_id": "owner", "aws_secret_access_key": SECRET, "region_name": "us-east-1"}
        self._s3 = boto3.client("s3", endpoint_url=server, **owner)
        self._s3.create_bucket(Bucket="reports")

    def put(self, key: str, content: str | bytes) -> None:
        self._s3.put_object(Bucket="reports", Key=key, Body=content)

    def delete(self, key: str) -> None:
        self._s3.delete_object(Bucket="reports", Key=key)


@pytest.fixture
def bucket(server: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Bucket]:
    from s3fs import S3FileSystem

    made = {
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": server,
        "AWS_CONFIG_FILE": str(tmp_path / "none"),
        "AWS_SHARED_CREDENTIALS_FILE": str(tmp_path / "none"),
        "AWS_EC2_METADATA_DISABLED": "true",
    }
    for name, value in made.items():
        monkeypatch.setenv(name, value)
    S3FileSystem.clear_instance_cache()
    yield Bucket(server)
    S3FileSystem.clear_instance_cache()


def statuses(report: IngestReport) -> dict[str, str]:
    return {e.source: e.status for e in report.entries}


def test_a_folder_of_s3_is_listed_read_once_and_pruned(
    bucket: Bucket, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, root = "s3://reports/2025", place("s3://reports/2025")
    for key, content in {
        "2025/sales.csv": SALES.format(1),
        "2025/old/sales.csv": SALES.format(2),
        "2025/notes.md": "# Notes\n\nAda Birch leads the north.\n",
        "2025/tablerag.yaml": RULES,
        "2025/film.mp4": "no reader",
        "2025/.hidden/x.csv": SALES.format(3),
        "2025/~$lock.csv": "locked",
        "2026/sales.csv": SALES.format(4),
    }.items():
        bucket.put(key, content)
    first = ingest([root], services, "default")
    read = {f"{url}/notes.md": "added", f"{url}/old/sales.csv": "added", f"{url}/sales.csv": "added"}
    assert statuses(first) == {**read, f"{url}/film.mp4": "skipped"}
    units = {s.source: s.columns[1].unit for s in services.catalog.schemas("default")}
    assert units == {f"{url}/old/sales.csv": "EUR", f"{url}/sales.csv": ""}
    (document,) = [d for d in services.catalog.documents("default") if d.source == f"{url}/sales.csv"]
    assert (document.path, document.folder, document.size_bytes) == (f"{url}/sales.csv", url, 32)
    with monkeypatch.context() as patch:
        patch.setattr(remote, "near", lambda _: pytest.fail("read"))
        again = ingest([root], services, "default")
    assert statuses(again) == {**dict.fromkeys(read, "unchanged"), f"{url}/film.mp4": "skipped"}
    bucket.put("2025/sales.csv", SALES.format(9))
    bucket.delete("2025/notes.md")
    assert statuses(ingest([root], services, "default", prune=True)) == {
        f"{url}/film.mp4": "skipped",
        f"{url}/old/sales.csv": "unchanged",
        f"{url}/sales.csv": "replaced",
        f"{url}/notes.md": "removed",
    }
    assert remove(f"{url}/old", services, "default") == [f"{url}/old/sales.csv"]
    assert statuses(ingest([place(f"{url}/old/sales.csv")], services, "default")) == {f"{url}/old/sales.csv": "added"}


def test_citations_and_reports_name_the_url(bucket: Bucket, tmp_path: Path) -> None:
    bucket.put("2025/sales.csv", SALES.format(1))
    with TableRAG(tmp_path / "home", model="offline") as rag:
        report = rag.ingest("s3://reports/2025")
        assert report_of("default", report.entries)["documents"][0]["source"] == "s3://reports/2025/sales.csv"
        answer = rag.ask("What is the total amount?")
        assert (answer.value, answer.citations[0].source) == (801, "s3://reports/2025/sales.csv")
        assert rag.remove("s3://reports") == ["s3://reports/2025/sales.csv"]


def test_archives_and_mails_are_fetched_and_opened(bucket: Bucket, services: Services) -> None:
    bucket.put("all.zip", bad.archive({"inner.csv": SALES.format(1).encode(), "x/two.csv": SALES.format(2).encode()}))
    bucket.put("bad.zip", b"PK\3\4")
    root = place("s3://reports")
    first = ingest([root], services, "default")
    inner = {"s3://reports/all.zip/inner.csv": "added", "s3://reports/all.zip/x/two.csv": "added"}
    assert statuses(first) == {**inner, "s3://reports/bad.zip": "failed"}
    again = ingest([root], services, "default", prune=True)
    assert statuses(again) == {**dict.fromkeys(inner, "unchanged"), "s3://reports/bad.zip": "failed"}
    paths = [manifest.container_of(place(d.path)) for d in services.catalog.documents("default")]
    assert paths == [UrlPath("s3://reports/all.zip")] * 2
    bucket.put("all.zip", bad.archive({"inner.csv": SALES.format(1).encode()}))
    assert statuses(ingest([root], services, "default", prune=True))["s3://reports/all.zip/x/two.csv"] == "removed"


def test_what_failed_is_read_again_by_itself(bucket: Bucket, services: Services) -> None:
    bucket.put("docs/a.xlsx", b"PK\3\4")
    bucket.put("docs/b.csv", SALES.format(1))
    bucket.put("docs/large.csv", SALES.format(1) + "West,7\n" * 200_000)
    services.settings.max_file_mb = 1
    report = ingest([place("s3://reports/docs")], services, "default")
    assert {e.source[18:]: e.error.partition(":")[0] for e in report.entries} == {
        "a.xlsx": "is a damaged or truncated ZIP archive, not an XLSX workbook",
        "b.csv": "",
        "large.csv": "1 MB exceeds the limit of 1 MB",
    }
    bucket.put("docs/a.xlsx", bad.xlsx())
    bucket.delete("docs/large.csv")
    assert statuses(retry_failed(services, "default")) == {"s3://reports/docs/a.xlsx": "added"}
    assert statuses(ingest([place("s3://reports/docs")], services, "default")) == {
        "s3://reports/docs/a.xlsx": "unchanged",
        "s3://reports/docs/b.csv": "unchanged",
    }
    assert services.failed_files.of("default") == []


def test_every_trouble_is_one_line_without_secrets(
    bucket: Bucket, server: str, command_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    from s3fs import S3FileSystem

    bucket.put("docs/a.csv", SALES.format(1))

    def told(url: str, **environment: str) -> str:
        S3FileSystem.clear_instance_cache()
        status, out, err = command_line("ingest", url, TABLERAG_HOME="home", **environment)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert SECRET not in err
        return err.removeprefix("error: ").rstrip()

    none = "no such bucket, folder or file"
    assert told("s3://nowhere/docs") == f"s3://nowhere/docs: {none}"
    assert told("s3://reports/nothing") == f"s3://reports/nothing: {none}"
    assert told("s3://") == "s3: names no bucket: expected a URL such as s3://BUCKET/FOLDER"
    assert told("ftp://host/docs").startswith("unsupported URL scheme 'ftp': expected one of s3, s3a, gs")
    assert told(f"s3://key:{SECRET}@reports/docs").startswith("a URL must not contain credentials: set them")
    httpx.post(f"{server}/moto-api/reset-auth", content="0")
    try:
        denied = "s3://reports/docs: access denied: check the store's credentials and their rights"
        assert told("s3://reports/docs", AWS_ACCESS_KEY_ID="wrong") == denied
    finally:
        httpx.post(f"{server}/moto-api/reset-auth", content="inf")
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    assert told("s3://reports/docs") == denied
    silent = "s3://reports/docs: the store does not answer: check its endpoint and the network"
    monkeypatch.setattr(remote, "ANSWER_S", 0.5)
    unreachable: Mapping[str, str] = {"AWS_ACCESS_KEY_ID": "testing", "AWS_ENDPOINT_URL": "http://127.0.0.1:9"}
    assert told("s3://reports/docs", **unreachable) == silent


def test_a_missing_package_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def lacking(*_: Any, **__: Any) -> None:
        raise ImportError("Install s3fs")

    monkeypatch.setattr("fsspec.core.url_to_fs", lacking)
    for scheme, says in {
        "s3": "s3fs: .*tablerag.s3",
        "gs": "gcsfs: .*tablerag.gs",
        "az": "adlfs: .*tablerag.az",
    }.items():
        with pytest.raises(ConfigError, match=f"reading {scheme}:// needs {says}"):
            remote.find(UrlPath(f"{scheme}://bucket/docs"), {".csv"})


@pytest.fixture
def memory() -> Iterator[Any]:
    from fsspec.implementations.memory import MemoryFileSystem

    store = MemoryFileSystem()
    yield store
    store.store.clear()
    store.pseudo_dirs[:] = [""]


def test_names_that_a_url_cannot_have_are_left_out(memory: Any, services: Services) -> None:
    for name in ("good.csv", "line\nbreak.csv", "über uns?.csv"):
        memory.pipe(f"/docs/{name}", SALES.format(1).encode())
    report = ingest([place("memory://docs")], services, "default")
    assert statuses(report) == {
        "memory://docs/line?break.csv": "skipped",
        "memory://docs/good.csv": "added",
        "memory://docs/über uns?.csv": "added",
    }


def test_a_store_that_marks_nothing_is_told_by_its_bytes(
    memory: Any, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "TIMES", ())
    memory.pipe("/docs/a.csv", SALES.format(1).encode())
    root = [place("memory://docs")]
    for changed, status in ((1, "added"), (1, "unchanged"), (2, "replaced")):
        memory.pipe("/docs/a.csv", SALES.format(changed).encode())
        assert statuses(ingest(root, services, "default")) == {"memory://docs/a.csv": status}


def test_an_object_that_vanishes_fails_alone(memory: Any, services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    memory.pipe("/docs/a.csv", SALES.format(1).encode())
    memory.pipe("/docs/b.csv", SALES.format(1).encode())
    report = ingest(
        [place("memory://docs")], services, "default", on_progress=lambda _: memory.store.pop("/docs/a.csv", 0)
    )
    assert {e.source: (e.status, e.error) for e in report.entries} == {
        "memory://docs/a.csv": ("failed", "no such bucket, folder or file"),
        "memory://docs/b.csv": ("added", ""),
    }


def test_lost_documents_at_urls_are_read_again_from_their_folder() -> None:
    record = Recorded("d", "default", "s3://b/x/a.csv", "s3://b/x/a.csv", "s3://b/x")
    assert _advice("default", [record], []) == "run `tablerag ingest s3://b/x --corpus default`"


def test_urls_are_paths_of_no_file() -> None:
    url = place("S3://bucket/2025/sales.csv")
    assert isinstance(url, UrlPath)
    assert (str(url), str(url.parent), url.name, url.stem) == (
        "s3://bucket/2025/sales.csv",
        "s3://bucket/2025",
        "sales.csv",
        "sales",
    )
    assert not (url.exists() or url.is_file() or url.is_dir())
    assert url.resolve() is url and url.expanduser() is url
    assert place("file:///srv/a.csv") == Path("/srv/a.csv")
    assert place("reports/a.csv") == Path("reports/a.csv")
