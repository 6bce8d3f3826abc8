"""tablerag eval: from a benchmark's files to a report, also after an interruption."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tablerag.cli.app import main
from tablerag.evaluation.runner import read_run
from tablerag.tools.settings import get_settings
from tests.evaluation.native_sets import hybridqa_folder, own_folder, wikitq_folder
from tests.support.model_server import ModelServer, Reply


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "300")
    get_settings.cache_clear()
    yield tmp_path
    get_settings.cache_clear()


def call(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    return ended.value.code or 0


def test_a_run_and_its_report(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wikitq_folder(here)
    for system in ("tablerag", "text2sql"):
        assert call("eval", "wikitq", "--data", str(here), "--system", system) == 0
    printed = capsys.readouterr()
    assert "wikitq tablerag [offline]: denotation" in printed.out and "2 of 2 asked" in printed.out
    assert call("eval", "wikitq", "--data", str(here), "--closed", "--no-sql", "--top-k", "1", "--limit", "1") == 0
    runs = here / "evaluation-runs"
    assert call("eval", "report", str(runs)) == 0
    report = (here / "evaluation-report" / "report.md").read_text(encoding="utf-8")
    assert "| text2sql | offline | open | 2 of 2 |" in report
    assert "tablerag (no sql_execution, top_k=1), closed" in report


def test_a_folder_of_ones_own(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    documents = own_folder(here / "ours") / "documents"
    (documents / "damaged.xlsx").write_bytes(b"no archive")
    (documents / "film.mp4").write_bytes(b"no document")
    assert call("eval", "folder", "--data", "ours") == 0
    printed = capsys.readouterr()
    assert "folder-ours tablerag [offline]: right 100.0 %" in printed.out
    told = [line for line in printed.err.splitlines() if line.startswith("not read: ")]
    assert len(told) == 2 and "damaged.xlsx: " in printed.err and "film.mp4: " in printed.err


def test_systems_are_compared_by_what_they_get_right_and_cost(
    here: Path, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The agent needs two calls for each question, the other baseline one."""
    own_folder(here / "ours")
    monkeypatch.setenv("OPENAI_BASE_URL", model_server.url)

    def reply(body: dict) -> Reply:
        if body.get("tools") and body["messages"][-1]["role"] == "user":
            return Reply(tool="run_sql", arguments={"sql": "SELECT SUM(`amount_eur`) FROM `orders`"})
        return Reply(json.dumps({"answer": "EUR 35"}))

    model_server.responder = reply
    for system in ("sql_agent", "naive_rag"):
        assert call("eval", "folder", "--data", "ours", "--system", system, "--model", "openai:test") == 0
    assert call("eval", "report", "evaluation-runs") == 0
    with (here / "evaluation-report" / "figures.csv").open(encoding="utf-8", newline="") as file:
        rows = {r["system"]: r for r in csv.DictReader(file)}
    columns = ("right %", "calls", "tokens in", "new", "cached", "right % per 1,000 tokens in")
    assert [rows["sql_agent"][c] for c in columns] == ["33.3", "2.00", "200", "200", "0", "166.67"]
    assert [rows["naive_rag"][c] for c in columns] == ["33.3", "1.00", "100", "100", "0", "333.33"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("eval", "wikitq", "--data", "nowhere"), "nowhere: not a folder"),
        (("eval", "wikitq", "--data", ".", "--system", "react"), "react needs a model"),
        (("eval", "wikitq", "--data", ".", "--system", "magic"), "unknown system 'magic'"),
        (("eval", "wikitq", "--data", ".", "--system", "retrieval"), "cannot run retrieval on wikitq"),
        (("eval", "wikitq", "--data", ".", "--system", "hd_rag", "--top-k", "1"), "hd_rag does not support top_k"),
        (("eval", "wikitq", "--data", ".", "--price", "cheap"), "--price 'cheap': expected two"),
        (("eval", "wikitq", "--data", ".", "--price", "1"), "--price '1': expected two"),
        (("eval", "hybridqa", "--data", "."), "dev.json: file not found"),
        (("eval", "report", "."), "no run found"),
    ],
)
def test_bad_input_is_told(here: Path, capsys: pytest.CaptureFixture[str], arguments: tuple, told: str) -> None:
    wikitq_folder(here)
    assert call(*arguments) == 2
    assert told in capsys.readouterr().err


def test_a_refused_command_leaves_no_run_behind(here: Path) -> None:
    wikitq_folder(here)
    for system in ("react", "magic", "retrieval"):
        assert call("eval", "wikitq", "--data", str(here), "--system", system) == 2
    assert not list((here / "evaluation-runs").glob("wikitq-*"))


def direct(here: Path, model_server: ModelServer, *more: str) -> "tuple[list[str], dict[str, str]]":
    """Return the command that asks a model HybridQA's questions, and its environment."""
    hybridqa_folder(here)
    command = [
        sys.executable,
        "-m",
        "tablerag.cli.app",
        "eval",
        "hybridqa",
        "--data",
        str(here),
        "--system",
        "direct",
        *more,
    ]
    return command, os.environ | {"OPENAI_BASE_URL": model_server.url, "PYTHONPATH": str(Path(__file__).parents[2])}


def begun(command: list[str], environment: dict[str, str], model_server: ModelServer) -> "subprocess.Popen[str]":
    """Start the command, and return it during its third question."""
    # A program that a shell started in the background ignores interrupts, and hands that on.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    signal.signal(signal.SIGINT, before)
    deadline = time.monotonic() + 90
    while len(model_server.requests) < 3 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    return process


def test_an_interrupt_waits_for_no_model(here: Path, model_server: ModelServer) -> None:
    def reply(body: dict) -> Reply:
        painter = "Mona Lisa" in body["messages"][1]["content"]
        return Reply(json.dumps({"answer": "15"}), delay_s=60 if painter else 0)

    model_server.responder = reply
    process = begun(*direct(here, model_server, "--workers", "2"), model_server)
    (folder,) = (here / "evaluation-runs").glob("hybridqa-*")
    deadline = time.monotonic() + 30
    while (folder / "answers.jsonl").read_bytes().count(b"\n") < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=20)
    assert process.returncode == 130 and "the answers so far are kept" in told
    assert len(read_run(folder)[1]) == 2


def test_failed_questions_are_asked_again_on_demand(
    here: Path, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    hybridqa_folder(here)
    monkeypatch.setenv("OPENAI_BASE_URL", model_server.url)
    for said, more, asked in (
        ("no JSON", [], 6),
        ('{"answer": "340"}', [], 6),
        ('{"answer": "340"}', ["--retry-failed"], 9),
    ):
        model_server.responder = lambda body, said=said: Reply(said)
        assert call("eval", "hybridqa", "--data", str(here), "--system", "direct", *more) == 0
        assert len(model_server.requests) == asked
    (folder,) = (here / "evaluation-runs").glob("hybridqa-*")
    assert sorted(a.failure for a in read_run(folder)[1]) == ["", "wrong", "wrong"]


def test_a_killed_run_goes_on_without_asking_twice(
    here: Path, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Kill the process during the third question's call; the second run asks only that question."""
    slow = True

    def reply(body: dict) -> Reply:
        painter = "Mona Lisa" in body["messages"][1]["content"]
        return Reply(json.dumps({"answer": "15"}), delay_s=60 if slow and painter else 0)

    model_server.responder = reply
    command, environment = direct(here, model_server)
    process = begun(command, environment, model_server)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert len(model_server.requests) == 3
    slow = False
    monkeypatch.setenv("OPENAI_BASE_URL", model_server.url)
    assert call(*command[3:]) == 0
    assert "3 of 3 asked" in capsys.readouterr().out
    asked = [r["messages"][1]["content"] for r in model_server.requests]
    assert len(asked) == 4 and "Mona Lisa" in asked[2] and asked[2] == asked[3]
