"""The routes behind the page, over real HTTP."""

import time
from collections.abc import Iterator

import httpx
import pytest

from tablerag.tools.sql.row_hash import row_hash
from tests.support.graph_server import GraphServer

PAGE = {"corpus": "page"}
CSV = b"Item,Pieces\nbolts,30\nnuts,12\n"


@pytest.fixture
def api(graph_server: GraphServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{graph_server.url}/app/api/", timeout=30) as client:
        yield client


def ended(api: httpx.Client, job: str) -> dict:
    for _ in range(150):
        found = api.get(f"uploads/{job}").json()
        if found["state"] != "running":
            return found
        time.sleep(0.1)
    raise AssertionError("the ingest did not end")


def upload(api: httpx.Client, corpus: str, name: str, content: bytes = CSV, **headers: str) -> httpx.Response:
    return api.post("uploads", params={"corpus": corpus}, files={"files": (name, content)}, headers=headers)


def test_what_a_corpus_holds_is_listed(api: httpx.Client) -> None:
    found = api.get("corpora").json()
    assert {"name": "page", "documents": 4} in found["corpora"]
    assert found["upload"]["max_mb"] == 0.05 and ".xlsx" in found["upload"]["suffixes"]
    documents = {d["source"]: d for d in api.get("documents", params=PAGE).json()["documents"]}
    assert documents["regions.csv"]["tables"][0]["rows"] == 3
    assert not documents["regions.csv"]["uploaded"]
    some = api.get("documents", params=PAGE | {"offset": 1, "limit": 2}).json()
    assert (some["total"], len(some["documents"])) == (4, 2)
    tables = {t["name"]: t for t in api.get("tables", params=PAGE).json()["tables"]}
    assert [c["name"] for c in tables["regions"]["columns"]] == ["region", "revenue_eur", "units"]
    assert api.get("tables/regions", params=PAGE).json() == tables["regions"]


def test_a_receipt_is_opened(api: httpx.Client) -> None:
    later = {"table": "regions", "deferred": True, "untold": "computed when opened"}
    given = {"sql": "SELECT SUM(units) AS n FROM regions", "tables": ["regions"], "sources": ["regions.csv"]}
    given |= {"result_hash": row_hash([(400,)]), "rows": [later]}
    found = api.post("receipts", params=PAGE, json=given).json()
    assert (found["status"], found["rows"][0]["row_count"]) == ("same", 3)
    assert found["says"] == "the result is unchanged: computed from 3 rows of regions"
    other = api.post("receipts", params=PAGE, json=given | {"sql": "DROP TABLE regions"}).json()
    assert other["status"] == "changed" and "only SELECT is allowed" in other["says"]
    assert api.post("receipts", params=PAGE, json={"sql": 1}).status_code == 400
    assert api.post("receipts", params=PAGE, content=b"x" * 1_000_001).status_code == 413
    assert api.post("receipts", params=PAGE, json=given, headers={"origin": "https://evil.example"}).status_code == 403


def test_rows_come_by_page_and_by_id(api: httpx.Client) -> None:
    page = api.get("tables/squares/rows", params=PAGE | {"offset": 120, "limit": 50}).json()
    assert (page["row_count"], [r["cells"][0] for r in page["rows"]]) == (130, list(range(121, 131)))
    cited = api.get("tables/squares/rows", params=PAGE | {"row_ids": "3,5", "around": 1}).json()
    assert (cited["cited"], [r["id"] for r in cited["rows"]]) == ([3, 5], [2, 3, 4, 5, 6])
    assert cited["rows"][0]["source_row"] == 3


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("tables/nothing", 404, "unknown table 'nothing'"),
        ("tables/squares/rows?corpus=page&limit=9999", 400, "limit must be an integer from 0 to 200"),
        ("tables/squares/rows?corpus=page&offset=x", 400, "got 'x'"),
        ("tables/squares/rows?corpus=page&row_ids=1;2", 400, "got '1;2'"),
        ("documents?corpus=nobody", 404, "unknown corpus 'nobody'"),
        ("passages/none:0?corpus=page", 404, "passage not found"),
        ("uploads/none", 404, "unknown ingest"),
        ("uploads/a%0Ab", 404, "remove the line break"),
    ],
)
def test_what_is_not_there_is_said_in_one_line(api: httpx.Client, path: str, status: int, said: str) -> None:
    reply = api.get(path)
    assert (reply.status_code, set(reply.json())) == (status, {"error"})
    assert said in reply.json()["error"] and "\n" not in reply.json()["error"]


def test_an_upload_is_ingested_replaced_and_removed(api: httpx.Client) -> None:
    sent = upload(api, "parts", "../../Stück list.CSV")
    assert (sent.status_code, sent.json()["files"]) == (202, ["Stück list.csv"])
    report = ended(api, sent.json()["job"])["report"]
    assert (report["documents_by_status"], report["rows"]) == ({"added": 1}, 2)
    again = upload(api, "parts", "Stück list.csv", CSV + b"rods,5\n").json()
    assert ended(api, again["job"])["report"]["documents_by_status"] == {"replaced": 1}
    (document,) = api.get("documents", params={"corpus": "parts"}).json()["documents"]
    assert document["uploaded"] and document["tables"][0]["rows"] == 3
    removed = api.delete(f"documents/{document['id']}", params={"corpus": "parts"})
    assert removed.json() == {"removed": ["Stück list.csv"]}
    assert "parts" not in [c["name"] for c in api.get("corpora").json()["corpora"]]


def test_what_was_not_uploaded_is_removed_without_its_file(api: httpx.Client, graph_server: GraphServer) -> None:
    removable = {"corpus": "removable"}
    (document,) = api.get("documents", params=removable).json()["documents"]
    sql = ["SELECT SUM(tins) AS n FROM tins"]
    kept = api.post("saved", params=removable, json={"question": "How many tins?", "sql": sql}).json()["id"]
    uses = api.get(f"documents/{document['id']}/uses", params=removable).json()
    assert (uses["tables"], uses["saved"], uses["keeps_file"]) == (["tins"], ["How many tins?"], True)
    assert api.delete(f"documents/{document['id']}", params=removable).json() == {"removed": ["tins.csv"]}
    assert (graph_server.folder / "removable" / "tins.csv").exists()
    assert api.get("tables", params=removable).status_code == 404 and kept


def test_documents_are_searched_filtered_and_sorted(api: httpx.Client) -> None:
    def sources(**query: str) -> list[str]:
        return [d["source"] for d in api.get("documents", params=PAGE | query).json()["documents"]]

    assert sources(search="SQUARES csv") == ["squares.csv"]
    assert sources(format="md") == ["notes.md"] and sources(format="pdf") == []
    assert sources(sort="largest")[0] == "squares.csv" and sources(sort="name")[0] == "notes.md"
    assert api.get("documents", params=PAGE | {"sort": "x"}).status_code == 400
    assert api.get("documents", params=PAGE).json()["formats"] == ["csv", "md"]


def test_documents_of_the_same_content_are_reported(api: httpx.Client) -> None:
    for name in ("one.csv", "two.csv"):
        ended(api, upload(api, "twice", name).json()["job"])
    found = {d["source"]: d["same_as"] for d in api.get("documents", params={"corpus": "twice"}).json()["documents"]}
    assert found == {"one.csv": ["two.csv"], "two.csv": ["one.csv"]}


@pytest.mark.parametrize(
    ("name", "content", "status", "said"),
    [
        ("run.exe", CSV, 415, "unsupported file type .exe"),
        ("..csv", CSV, 415, "invalid file name"),
        ("big.csv", CSV * 2000, 413, "limit 0.05 MB"),
        ("vast.csv", CSV * 20_000, 413, "TABLERAG_UPLOAD_MAX_MB"),
    ],
)
def test_what_cannot_be_taken_is_refused(api: httpx.Client, name: str, content: bytes, status: int, said: str) -> None:
    reply = upload(api, "parts", name, content)
    assert (reply.status_code, said in reply.json()["error"]) == (status, True), reply.text


def test_too_many_files_and_none_are_refused(api: httpx.Client) -> None:
    four = [("files", (f"{i}.csv", CSV)) for i in range(4)]
    assert api.post("uploads", files=four).status_code == 400
    twice = [("files", ("a.csv", CSV)), ("files", ("x/a.csv", CSV))]
    assert "duplicate file name 'a.csv'" in api.post("uploads", files=twice).json()["error"]
    assert "no files: send at least one" in api.post("uploads", data={"files": "text"}).json()["error"]
    assert "invalid corpus name 'a/b'" in upload(api, "a/b", "a.csv").json()["error"]


@pytest.mark.parametrize(
    "body",
    [
        b'{"sql": "SELECT 1", "tables": ["\\ud800"], "sources": [], "result_hash": ""}',
        b"[" * 100_000,
        b"9" * 10_000,
        b"\xff\xfe",
    ],
)
def test_text_that_is_no_receipt_is_refused(api: httpx.Client, body: bytes) -> None:
    reply = api.post("receipts", params=PAGE, content=body, headers={"Content-Type": "application/json"})
    assert (reply.status_code, "not a receipt" in reply.json()["error"]) == (400, True)


@pytest.mark.parametrize("host", ["[::1", "[", ":2024", "evil.example", "a:b:c"])
def test_a_host_that_is_not_this_machine_is_refused_in_one_line(api: httpx.Client, host: str) -> None:
    reply = api.get("corpora", headers={"Host": host})
    assert (reply.status_code, "local connections only" in reply.json()["error"]) == (403, True)


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}, {"Origin": "http://["}],
)
def test_other_sites_may_not_write(api: httpx.Client, headers: dict[str, str]) -> None:
    assert upload(api, "default", "a.csv", **headers).status_code == 403
    assert api.delete("documents/x", headers=headers).status_code == 403


def test_replies_open_nothing_to_other_origins(api: httpx.Client) -> None:
    asked = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    for reply in (api.get("corpora", headers=asked), api.options("uploads", headers=asked), api.get("../")):
        assert not [name for name in reply.headers if name.startswith("access-control-")]
        policy = reply.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy
        assert reply.headers["x-content-type-options"] == "nosniff"
    assert api.options("uploads", headers=asked).status_code == 403
    assert api.get("../../app").headers["location"] == "/app/"
