"""The stress test notices what it is made to notice: a server with one fault each, and one without."""

import json
import random
import re
import threading
from email import message_from_bytes
from pathlib import Path

import httpx
import pytest

from benchmarks import stress_connection, stress_uploads
from benchmarks.stress_clients import Client
from benchmarks.stress_connection import World
from benchmarks.stress_documents import DEPOTS, FORMATS, Content, Document, names
from benchmarks.stress_outcomes import Outcomes
from benchmarks.stress_server import _probe
from tablerag import TableRAG

ASKED = re.compile(r"total (\w+) weight|depot (\w+)\?")


class Server:
    """Answers as the real one does, for the total weight of a depot, and has one fault at most."""

    def __init__(self, fault: str = "") -> None:
        self.fault, self.rows, self.named = fault, dict[str, list[list[str]]](), ""

    def __call__(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path
        if self.fault == "broken":
            return httpx.Response(500)
        if path == "/app/api/uploads":
            return httpx.Response(202, json={"job": self.stored(request)})
        if path == "/app/api/documents":
            found = [{"source": name, "id": name} for name in self.rows if self.fault != "lost"]
            return httpx.Response(200, json={"total": len(found), "documents": found})
        if request.method == "DELETE":
            self.removed(path.rpartition("/")[2])
        replies = {
            "/threads": {"thread_id": "t"},
            "/threads/t": {"status": "busy" if self.fault == "busy" else "idle"},
            "/threads/t/runs": {"run_id": "r"},
            "/threads/t/runs/r": {"status": "success"},
            "/threads/t/state": {"tasks": [{"interrupts": [{"value": {"action_requests": [WAITING]}}]}]},
        }
        if path.startswith("/app/api/uploads/"):
            running = {"state": "running"}
            done = {"state": "done", "report": {"documents": [{"status": "added"}]}}
            return httpx.Response(200, json=running if self.fault == "endless" else done)
        if path.endswith(("/runs/wait", "/runs/stream")):
            return httpx.Response(200, json=self.answered(json.loads(request.content)))
        return httpx.Response(200, json=replies.get(path, {}))

    def stored(self, request: httpx.Request) -> str:
        head = f"Content-Type: {request.headers['content-type']}\r\n\r\n".encode()
        (part,) = message_from_bytes(head + request.content).get_payload()
        lines = part.get_payload(decode=True).decode().splitlines()
        self.rows[part.get_filename()] = [line.split(",") for line in lines[1:]]
        return "job"

    def removed(self, source: str) -> None:
        if self.fault != "kept":
            self.rows.pop(source, None)

    def answered(self, body: dict) -> dict:
        if "command" in body:
            return {"sql": [] if self.fault != "unasked" else ["SELECT"], "steps": [{"rows": [[-1]]}], "value": 7}
        question = body["input"]["question"]
        for name, depot in ASKED.findall(question):
            self.named, depot_asked = name or self.named, depot
        rows = self.rows.get(f"{self.named.lower()}_deliveries.csv", [])
        total = sum(int(weight) for _, weight, depot in rows if depot == depot_asked)
        return {"value": total + (self.fault == "wrong") if rows else None, "stopped_by": "no_evidence"}


WAITING = {"args": {"sql": "SELECT SUM(weight)"}}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask one kind of question of CSV files, and wait for nothing."""
    monkeypatch.setattr(Document, "question", lambda self, chance: self.total_of("Oslo"))
    monkeypatch.setattr(Document, "one_row", lambda self, chance: self.total_of("Oslo"))
    monkeypatch.setattr(World, "sleep", lambda self, seconds: None)
    monkeypatch.setattr(stress_uploads, "FORMATS", ("csv",))
    monkeypatch.setattr(stress_uploads, "JOB_S", 0.01)
    monkeypatch.setattr(stress_connection, "RUN_S", 0.01)
    monkeypatch.setattr(stress_connection, "EXPLAINED_S", 0.01)


def made_client(folder: Path, server: Server) -> Client:
    world = World(Outcomes(folder))
    world.up.set()
    http = httpx.Client(transport=httpx.MockTransport(server), base_url="http://server")
    return Client(0, world, "shared", 1, http=http, words=["Zorbekmir", "Tislopwud", "Ganfeshqua"])


def acted(client: Client, *actions: str) -> dict[str, int]:
    """Return the failures after some actions."""
    for action in actions:
        client.do(getattr(client, action))
    return client.world.outcomes.failures


EVERYTHING = (
    "upload upload upload replace converse ask_model cancel hang_up remove ask_removed replace check converse".split()
)


def test_a_server_without_fault_passes(tmp_path: Path) -> None:
    client = made_client(tmp_path, Server())
    assert acted(client, *EVERYTHING) == {}
    assert client.world.outcomes.total("right") > 10
    assert not (tmp_path / "odd.jsonl").exists()


@pytest.mark.parametrize(
    ("fault", "actions", "failure"),
    [
        ("wrong", ["upload", "converse"], "converse: wrong"),
        ("lost", ["upload", "check"], "check: lost"),
        ("lost", ["upload", "remove"], "remove: lost"),
        ("kept", ["upload", "remove"], "remove: returned"),
        ("kept", ["upload", "remove", "ask_removed"], "ask_removed: returned"),
        ("kept", ["upload", "remove", "check"], "check: returned"),
        ("busy", ["upload", "cancel"], "cancel: stuck"),
        ("busy", ["upload", "hang_up"], "hang_up: stuck"),
        ("endless", ["upload"], "upload: stuck"),
        ("unasked", ["upload", *["approve"] * 9], "approve: wrong"),
        ("broken", ["upload"], "upload: crashed"),
    ],
)
def test_each_fault_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str, actions: list[str], failure: str
) -> None:
    server = Server()
    client = made_client(tmp_path, server)
    acted(client, "upload")
    server.fault = fault
    monkeypatch.setattr(client.chance, "random", lambda: 0.5)  # it hangs up in a thread
    assert failure in acted(client, *actions)
    (line, *_) = (tmp_path / "odd.jsonl").read_text().splitlines()
    assert {"action", "outcome", "client", "step", "corpus"} <= json.loads(line).keys()


def test_a_restart_explains_what_it_cut_off(tmp_path: Path) -> None:
    """A lost connection is a fault of a running server only; a change that was cut off may be there or not."""
    server = Server()
    client = made_client(tmp_path, server)
    acted(client, "upload")

    def stop(request: httpx.Request) -> httpx.Response:
        client.world.up.clear()
        raise httpx.ReadError("cut off")

    client.http = httpx.Client(transport=httpx.MockTransport(stop), base_url="http://server")
    client.checked_in = client.world.lifetime
    client.chosen = lambda: client.replace
    client.act()
    assert client.world.outcomes.failures == {} and client.world.outcomes.counts["replace", "cut by a restart"] == 1
    assert len(client.documents[0].possible) == 2
    client.world.up.set()
    client.http = httpx.Client(transport=httpx.MockTransport(server), base_url="http://server")
    assert acted(client, "check") == {}
    assert client.documents[0].is_sure


@pytest.mark.parametrize(("reply", "outcome"), [(httpx.Response(200, json={"ok": True}), "ok")] + [
    (httpx.Response(503, json={"ok": False}), "unhealthy"), (httpx.Response(200, json={"ok": False}), "unhealthy")
])  # fmt: skip
def test_health_is_believed_to_the_letter(tmp_path: Path, reply: httpx.Response, outcome: str) -> None:
    world = World(Outcomes(tmp_path))
    with httpx.Client(transport=httpx.MockTransport(lambda request: reply)) as http:
        _probe(http, "http://server", world, threading.Event())
    assert world.outcomes.counts == {("health", outcome): 1}


def test_every_format_is_answered_from(tmp_path: Path) -> None:
    chance, documents = random.Random(1), tmp_path / "documents"
    documents.mkdir()
    made = [
        (Document(name, "", suffix), Content.made(name, chance))
        for name, suffix in zip(names(1, 4), FORMATS, strict=True)
    ]
    for document, content in made:
        (documents / document.source).write_bytes(content.file(document.name, document.suffix))
        document.possible = [content]
    with TableRAG(tmp_path / "home", model="offline") as rag:
        rag.ingest(documents)
        for (document, _), depot in zip(made, DEPOTS, strict=True):
            question = document.total_of(depot)
            assert {rag.ask(question.text).value} == document.values(question)
