"""The attacks of the self-test: all fail on real parts, and each is seen where its protection is missing."""

import http.server
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tablerag.agent.reasoning import Validation
from tablerag.cli.security import answers, files, server, statements
from tablerag.cli.security.attacks import ATTACKS, attacked
from tablerag.cli.security.deployment import Deployment, Skipped
from tablerag.ingestion.reader_worker import Worker
from tablerag.tools.sandbox.process import Sandbox
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tests.support.command_line import CommandLine
from tests.support.graph_server import ALL_KEY, GraphServer
from tests.tools.stored import store

OF_SERVER = {
    "health", "other origins", "without a key", "open routes", "full queue", "overload", "slow requests"
}  # fmt: skip
LOCAL = [a.kind for a in ATTACKS if a.kind not in OF_SERVER]


@pytest.fixture
def deployment(services: Services) -> Deployment:
    return Deployment(services, [store(services.database, "people", {"name": "text"}, [("Ann",)])])


def attempted(kind: str, deployment: Deployment) -> str:
    return next(a for a in ATTACKS if a.kind == kind).attempt(deployment)


def test_all_attacks_fail_and_change_nothing(deployment: Deployment) -> None:
    home = deployment.services.settings.home

    def state() -> dict[str, bytes]:
        return {
            str(p): p.read_bytes() for p in home.rglob("*") if p.is_file() and not p.name.endswith(("-shm", "-wal"))
        }

    before = state()
    outcomes = {o.kind: o for o in attacked(deployment)}
    assert [o for o in outcomes.values() if o.state in ("warning", "broken")] == []
    assert {k for k, o in outcomes.items() if o.state == "skipped"} == OF_SERVER | {"saved threads"}
    assert state() == before


@pytest.mark.parametrize(
    ("kind", "place", "name", "broken", "says"),
    [
        ("numbers that freeze", statements, "GRACE_S", -100.0, "the limit is 1 s"),
        ("long values", statements, "GRACE_S", -100.0, "the limit is 1 s"),
        ("slow to check", statements, "CHECKED_S", -1.0, "the guard took"),
        ("hostile files", files, "WITHIN_S", 1e-9, "nul.csv was not refused within"),
        (
            "forged agreement",
            answers,
            "read_step",
            lambda *_: Validation("9900", "agree", ""),
            "1200 is shown as agree",
        ),
        ("live text", answers, "escaped", lambda text: text, "<img> is live"),
        ("live text", answers, "cell", lambda text: text, "is live"),
        ("sandbox", Sandbox, "run", lambda *_: ((42,),), "this ran: answer = open"),
        ("sandbox", Sandbox, "run", lambda *_: (), "a harmless program does not run"),
    ],
)
def test_an_attack_that_succeeds_is_named(
    kind: str, place: Any, name: str, broken: object, says: str, deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(place, name, broken)
    assert says in attempted(kind, deployment)


def test_a_stored_table_read_in_place_of_its_namesake_is_named(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = deployment.services.database.run
    monkeypatch.setattr(type(run.__self__), "run", lambda *_: run(statements.guard("SELECT 7 AS a", [], row_limit=1)))
    assert "read the stored table" in attempted("borrowed names", deployment)


def test_a_file_that_is_read_is_named(deployment: Deployment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_workbook", lambda: b"")
    monkeypatch.setattr(files, "bytes", lambda size: b"a,b\n1,2\n" * 9, raising=False)
    assert attempted("hostile files", deployment) == "nul.csv was read"
    assert Worker().is_idle is False


def test_files_that_others_may_read_or_change_are_named(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = deployment.services.settings.home.resolve()
    assert attempted("files of the home", deployment) == ""  # the tests' folders are closed to others
    monkeypatch.setattr(Path, "parents", ())
    home.chmod(0o755)
    for path in home.rglob("*"):
        path.chmod(0o700)
    assert "others may read 1 of" in attempted("files of the home", deployment)
    (home / "open").write_text("")
    (home / "open").chmod(0o666)
    assert "others may change 1 of" in attempted("files of the home", deployment)
    home.chmod(0o700)
    assert attempted("files of the home", deployment) == ""


def test_damaged_threads_are_named(deployment: Deployment) -> None:
    (deployment.services.settings.home / "threads.db").write_bytes(b"no database" * 100)
    assert attempted("saved threads", deployment) == "threads.db: file is not a database"


class Careless(http.server.BaseHTTPRequestHandler):
    """Answers everything with 200, but /ok with 500."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.send_response(500 if self.path == "/ok" else 200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_POST = do_GET

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def careless() -> Iterator[str]:
    served = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Careless)
    served.daemon_threads = True
    threading.Thread(target=served.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{served.server_port}"
    served.shutdown()
    served.server_close()


def test_a_careless_server_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "GRACE_S", 0.2)
    settings = Settings(home=tmp_path, model="offline", request_timeout_s=0.2, _env_file=None)
    with careless() as url:
        found = Deployment(Services(settings), [], url)
        assert attempted("health", found) == "/ok returns 500"
        assert "may send requests" in attempted("other origins", found)
        assert attempted("without a key", found) == "/app/api/corpora returns 200 without a valid key"
        assert attempted("overload", found) == "one upload too many returns 200"
        assert "still open" in attempted("slow requests", found)


class Asked:
    """Replies in place of a server; keeps what it was asked."""

    def __init__(self, **replies: httpx.Response) -> None:
        self.replies, self.asked = replies, []

    def __call__(self, deployment: Deployment, method: str, path: str, **more: object) -> httpx.Response:
        self.asked.append((method, path))
        name = re.sub(r"\W+", "_", path).strip("_")
        return self.replies.get(f"{method}_{name}", httpx.Response(401))


def test_a_route_that_needs_no_key_is_named(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    found = Deployment(services, [], "http://127.0.0.1:1")
    paths = {"/runs": {"post": {}}, "/docs": {"get": {}}, "/left/{id}": {"delete": {}}}
    described = httpx.Response(200, json={"paths": paths})
    replies = {"GET_openapi_json": described, "GET_app_api_openapi_json": described, "GET_docs": httpx.Response(200)}
    monkeypatch.setattr(server, "_asked", asked := Asked(**replies))
    assert attempted("open routes", found) == ""
    assert ("POST", "/deploy") in asked.asked
    monkeypatch.setattr(
        server, "_asked", Asked(**replies, **{f"DELETE_left_{server.NOBODY.replace('-', '_')}": described})
    )
    assert attempted("open routes", found) == "DELETE /left/{id} returns 200 without a key"
    monkeypatch.setattr(server, "_asked", Asked(POST_threads_search=described))
    with pytest.raises(Skipped, match="no API keys"):
        attempted("open routes", found)


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (httpx.Response(503, headers={"Retry-After": "5"}), ""),
        (httpx.Response(503), "one run too many returns 503"),
        (httpx.Response(200), "the server lets 101 runs wait, TABLERAG_MAX_WAITING_RUNS is 100"),
    ],
)
def test_a_queue_without_end_is_named_and_left_empty(
    services: Services, monkeypatch: pytest.MonkeyPatch, reply: httpx.Response, says: str
) -> None:
    begun, none = httpx.Response(200, json={"thread_id": "t"}), httpx.Response(200, json=[])
    asked = Asked(POST_threads=begun, POST_threads_search=none, POST_threads_t_runs=reply)
    monkeypatch.setattr(server, "_asked", asked)
    found = Deployment(services, [], "http://127.0.0.1:1")
    assert attempted("full queue", found) == says
    assert asked.asked[-1] == ("DELETE", "/threads/t")
    busy = httpx.Response(200, json=[{"thread_id": "of another"}])
    monkeypatch.setattr(server, "_asked", asked := Asked(POST_threads=begun, POST_threads_search=busy))
    with pytest.raises(Skipped, match="in progress"):
        attempted("full queue", found)
    assert asked.asked[-1] == ("DELETE", "/threads/t")


@pytest.mark.parametrize("url", ["127.0.0.1:2024", "ftp://a", "http://", "http://[", "http://a:99999"])
def test_a_wrong_url_is_refused(services: Services, url: str) -> None:
    outcome = next(o for o in attacked_server(Deployment(services, [], url)))
    assert outcome == f"invalid --server {url!r}: expected a URL such as http://127.0.0.1:2024"


def attacked_server(deployment: Deployment) -> Iterator[str]:
    for kind in ("health", "slow requests"):
        with pytest.raises(Exception, match="invalid --server") as error:
            attempted(kind, deployment)
        yield str(error.value)


@pytest.mark.parametrize("kind", sorted(OF_SERVER - {"slow requests"}))
def test_a_real_server_withstands(
    services: Services, graph_server: GraphServer, keyed_server: GraphServer, kind: str
) -> None:
    if kind != "open routes":
        assert attempted(kind, Deployment(services, [], graph_server.url)) == ""
    assert attempted(kind, Deployment(services, [], keyed_server.url, ALL_KEY)) == ""


def test_the_command_prints_json(command_line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    import json

    told: Callable[[Deployment], str] = lambda _: "it got through"  # noqa: E731
    kept = ATTACKS[2]
    monkeypatch.setattr("tablerag.cli.security.attacks.ATTACKS", (kept, type(kept)("x", "y", told, "do z")))
    status, printed, _ = command_line("selftest", "--security", "--json")
    found = json.loads(printed)
    assert (status, found["passed"], found["refused"]) == (1, False, found["tried"])
    assert found["attacks"][1] == {
        "kind": "x",
        "tried": "y",
        "state": "broken",
        "says": "it got through",
        "remedy": "do z",
    }
    status, printed, _ = command_line("selftest", "--security")
    assert status == 1 and "y; it got through: do z" in printed and "1 of 2 other kinds of attack failed" in printed
