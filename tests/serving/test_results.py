"""The routes for results, files of documents and suggestions."""

from collections.abc import Iterator
from io import BytesIO

import httpx
import pytest
from openpyxl import load_workbook

from tests.support.graph_server import GraphServer

SQL = {"sql": "SELECT region, SUM(revenue_eur) AS r FROM regions GROUP BY region ORDER BY r"}
SQUARES = {"sql": "SELECT number, square FROM squares"}


@pytest.fixture(scope="module")
def api(graph_server: GraphServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{graph_server.url}/app/api/", params={"corpus": "page"}, timeout=60) as client:
        yield client


def test_a_statement_is_run_and_shown_in_the_documents_words(api: httpx.Client) -> None:
    found = api.post("results/run", json=SQL).json()["step"]
    assert found["presented"]["table"]["columns"] == ["Region", "Total of Revenue EUR"]
    assert found["presented"]["chart"]["kind"] == "bar"
    assert found["rows"][0] == ["North", 450000] and found["receipt"]["tables"] == ["regions"]


def test_a_page_is_sorted_filtered_and_written_as_people_read_it(api: httpx.Client) -> None:
    wanted = {"sort": 1, "descending": True, "filters": [{"column": 0, "text": "< 100"}]}
    found = api.post("results", json=SQUARES | {"wanted": wanted, "offset": 2, "limit": 2}).json()
    assert (found["total"], found["offset"], found["rows"]) == (99, 2, [["97", "9,409"], ["96", "9,216"]])
    assert (found["columns"], found["numeric"]) == (["Number", "Square"], [True, True])
    assert api.post("results", json=SQUARES | {"offset": 500}).json()["rows"] == []


@pytest.mark.parametrize("kind", ["csv", "xlsx", "parquet"])
def test_a_result_is_exported_as_it_is_shown(api: httpx.Client, kind: str) -> None:
    wanted = {"wanted": {"search": "9"}, "format": kind}
    reply = api.post("results/file", json=SQUARES | wanted)
    assert reply.headers["content-disposition"] == f'attachment; filename="result.{kind}"'
    if kind == "csv":
        assert reply.text.startswith("\ufeffNumber,Square\r\n3,9\r\n7,49\r\n9,81\r\n")
    elif kind == "xlsx":
        rows = list(load_workbook(BytesIO(reply.content)).active.iter_rows(values_only=True))
        assert rows[:3] == [("Number", "Square"), (3, 9), (7, 49)]
    else:
        assert reply.content.startswith(b"PAR1")


@pytest.mark.parametrize(
    ("path", "body", "status", "says"),
    [
        ("results", {"sql": "DROP TABLE regions"}, 422, "only SELECT is allowed"),
        ("results/run", {"sql": ""}, 400, "sql"),
        ("results/file", {"sql": "SELECT * FROM elsewhere", "format": "csv"}, 422, "unknown table"),
        ("results/file", SQL | {"format": "exe"}, 400, "format"),
        ("results", SQL | {"limit": 5000}, 400, "limit"),
        ("results", {}, 400, "expected a statement"),
    ],
)
def test_what_cannot_be_shown_is_refused(api: httpx.Client, path: str, body: dict, status: int, says: str) -> None:
    reply = api.post(path, json=body)
    assert (reply.status_code, says in reply.json()["error"]) == (status, True), reply.text


def test_what_is_wrong_with_a_tried_statement_is_said(api: httpx.Client) -> None:
    reply = api.post("results/run", json={"sql": "SELECT 1"}).json()
    assert (reply["step"], "only constants" in reply["problem"]) == (None, True)


def test_other_sites_run_nothing(api: httpx.Client) -> None:
    for path in ("results", "results/run", "results/file", "suggestions"):
        assert api.post(path, json=SQL, headers={"origin": "https://evil.example"}).status_code == 403


def test_the_file_of_a_document_is_saved_unless_it_changed(api: httpx.Client, graph_server: GraphServer) -> None:
    reply = api.get("files", params={"source": "visits.csv"})
    assert reply.content.startswith(b"Month,Visits\n2025-01,310")
    assert reply.headers["content-disposition"] == 'attachment; filename="visits.csv"'
    assert reply.headers["content-type"] == "application/octet-stream"
    file = graph_server.folder / "page" / "notes.md"
    kept, note = file.read_bytes(), {"source": "notes.md"}
    try:
        file.write_bytes(kept + b"x")
        reply = api.get("files", params=note)
        assert (reply.status_code, "changed" in reply.json()["error"]) == (409, True)
        file.unlink()
        (graph_server.folder / "elsewhere").write_bytes(kept)
        file.symlink_to(graph_server.folder / "elsewhere")
        assert api.get("files", params=note).status_code == 409
    finally:
        file.unlink()
        file.write_bytes(kept)
    assert api.get("files", params={"source": "none"}).status_code == 404


def test_suggestions_are_answered_when_asked(api: httpx.Client, graph_server: GraphServer) -> None:
    asked = {"sql": SQL["sql"], "question": "Which region has the highest units?"}
    found = api.post("suggestions", json=asked).json()["questions"]
    assert found and asked["question"] not in found
    for question in [*found, *api.get("suggestions").json()["questions"]]:
        run = {"assistant_id": "tablerag", "input": {"question": question}, "context": {"corpus": "page"}}
        said = httpx.post(f"{graph_server.url}/runs/wait", json=run, timeout=60).json()
        assert said["verdict"] != "none" and not said["readings"], question
    assert api.post("suggestions", json={"sql": "SELECT * FROM elsewhere"}).json() == {"questions": []}
