"""What the development server saved before it was killed is repaired, and what is damaged is set aside."""

import logging
import pickle
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import PersistentDict

from tablerag.serving.saved_state import guard_saved_state, repaired

LISTS = ".langgraph_ops.pckl"


@pytest.fixture(autouse=True)
def guarded(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("load", "sync"):
        monkeypatch.setattr(PersistentDict, name, getattr(PersistentDict, name))
    guard_saved_state()


def a_thread(status: str = "busy") -> dict[str, Any]:
    return {"thread_id": uuid.uuid4(), "status": status, "metadata": {}}


def a_run(thread: dict[str, Any], status: str, **kwargs: Any) -> dict[str, Any]:
    now = dict.fromkeys(("created_at", "updated_at"), datetime.now(UTC))
    return now | {"run_id": uuid.uuid4(), "thread_id": thread["thread_id"], "status": status, "kwargs": kwargs}


def lists(threads: list[Any], runs: list[Any]) -> dict[str, list[Any]]:
    return {"threads": threads, "runs": runs, "assistants": [], "assistant_versions": [], "crons": []}


@pytest.mark.parametrize(
    ("thread", "run", "kept"),
    [
        ("idle", "success", ("idle", "success")),
        ("interrupted", "success", ("interrupted", "success")),
        ("busy", "running", ("error", "error")),
        ("busy", "pending", ("busy", "pending")),
        ("busy", "success", ("error", "success")),  # it ended between the two lists
        ("idle", "pending", ("busy", "pending")),
    ],
)
def test_a_thread_of_a_killed_server_waits_or_can_be_continued(thread: str, run: str, kept: tuple[str, str]) -> None:
    threads = [a_thread(thread)]
    found = repaired(lists(threads, [a_run(threads[0], run)]))
    assert (found["threads"][0]["status"], found["runs"][0]["status"]) == kept
    stopped = kept[0] == "error"
    assert ("ask again" in found["threads"][0].get("error", {}).get("message", "")) == stopped


def test_runs_that_nobody_can_receive_are_removed(caplog: pytest.LogCaptureFixture) -> None:
    alone, called, idle = a_thread(), a_thread(), a_thread("idle")
    hook = a_run(called, "pending", temporary=True, webhook="http://127.0.0.1/")
    gone = [a_run(a_thread(), "pending") for _ in range(12)]
    found = repaired(lists([alone, called, idle], [*gone, a_run(alone, "running", temporary=True), hook]))
    assert (found["threads"], found["runs"]) == ([called, idle], [hook])
    (line,) = caplog.messages
    assert line == "the server was killed: 0 runs ended with an error, 13 that nobody waits for were removed"


def test_rows_without_their_keys_are_left_out(tmp_path: Path) -> None:
    thread = a_thread("idle")
    saved = lists([thread, {"status": "idle"}, 7], [a_run(thread, "success"), {"run_id": 1}])
    (tmp_path / LISTS).write_bytes(pickle.dumps(saved | {"crons": None}))
    store = PersistentDict(filename=str(tmp_path / LISTS))
    store.load()
    assert (store["threads"], len(store["runs"]), store["crons"]) == ([thread], 1, [])


@pytest.mark.parametrize("name", [LISTS, "store.pckl"])
@pytest.mark.parametrize(
    "content",
    [b"", pickle.dumps(lists([a_thread()], []))[:60], b"\x00" * 400, b"not a pickle\n", pickle.dumps([1, 2])],
    ids=["empty", "truncated", "zeros", "overwritten", "another object"],
)
def test_a_damaged_file_is_set_aside(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, name: str, content: bytes
) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    store = PersistentDict(filename=str(file))
    store.load()
    (aside,) = tmp_path.iterdir()
    assert (dict(store), aside.read_bytes()) == ({}, content) and aside.name.startswith(f"{name}.damaged-")
    (line,) = caplog.messages
    assert "is damaged" in line and aside.name in line and "\n" not in line


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        PersistentDict(filename=str(tmp_path / LISTS)).load()


class Growing:
    """A value that adds a key to its row the first time that it is saved, as a run does that ends meanwhile."""

    def __init__(self, row: dict[str, Any]) -> None:
        self.row = row

    def __reduce__(self) -> tuple[Any, ...]:
        self.row["error"] = None
        return (str, ())


def test_a_row_that_changes_while_it_is_saved_is_saved_again(tmp_path: Path) -> None:
    row: dict[str, Any] = {}
    row |= {"values": Growing(row), "status": "idle"}
    store = PersistentDict(filename=str(tmp_path / LISTS), threads=[row])
    store.sync()
    assert pickle.loads((tmp_path / LISTS).read_bytes())["threads"][0]["error"] is None


def test_a_file_that_cannot_be_written_is_reported(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        PersistentDict(filename=str(tmp_path / "missing" / LISTS)).sync()
    (line,) = caplog.messages
    assert "could not be saved: FileNotFoundError" in line


def test_other_users_cannot_read_what_is_saved(tmp_path: Path) -> None:
    (folder := tmp_path / ".langgraph_api").mkdir(mode=0o755)
    store = PersistentDict(filename=str(folder / LISTS))
    store["threads"] = [a_thread()]
    store.sync()
    assert folder.stat().st_mode & 0o077 == 0
    assert (folder / LISTS).exists()
