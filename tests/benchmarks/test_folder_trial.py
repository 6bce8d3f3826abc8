"""A trial asks the questions of a folder, follow-ups in their thread, and prints what was right."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmarks.folder_trial import ask_all, main, outcome_of, read_questions
from tablerag import Reading

ORDERS = "Order,Region,Amount (EUR)\nA1,North,10\nA2,South,20\nA3,South,5\n"
QUESTIONS = (
    {"id": 1, "kind": "sum", "question": "What is the total amount?", "follows": None, "answer": {"number": 35}},
    {"id": 2, "kind": "count", "question": "How many orders are there?", "follows": None, "answer": {"number": 4}},
    {"id": 3, "kind": "none", "question": "Who is the chief executive?", "follows": None, "answer": {"none": True}},
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "orders.csv").write_text(ORDERS, encoding="utf-8")
    lines = "\n".join(map(json.dumps, QUESTIONS))
    (tmp_path / "questions.jsonl").write_text(lines + "\n", encoding="utf-8")
    return tmp_path


def test_a_folder_is_asked_and_scored(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([str(folder), "--out", str(folder / "results.jsonl")])
    printed = capsys.readouterr().out
    results = [json.loads(line) for line in (folder / "results.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [r["outcome"] for r in results] == ["right", "wrong", "right"]
    assert "all 3 2 1 0 0" in " ".join(printed.split())
    assert "wrong: 2 (count) How many orders are there?" in printed


def test_a_sealed_folder_shows_no_question(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([str(folder), "--quiet", "--kind", "count"])
    printed = capsys.readouterr().out
    assert "all 1 0 1 0 0" in " ".join(printed.split())
    assert "How many" not in printed


def test_a_bad_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="no questions.jsonl"):
        main([str(tmp_path)])
    (tmp_path / "questions.jsonl").write_text('{"id": 1}\n', encoding="utf-8")
    with pytest.raises(SystemExit, match="line 1 has no answer, kind, question"):
        read_questions(tmp_path / "questions.jsonl")


class Asked:
    """A client that notes which thread each question was asked in."""

    def __init__(self):
        self.log = []

    def ask(self, question, *, thread):
        self.log.append((thread, question))
        return SimpleNamespace(verdict="none", text="", table=None, sql=(), explanation="", readings=())


def test_follow_ups_are_asked_after_what_they_follow() -> None:
    about = {"kind": "count", "answer": {"none": True}}
    questions = [
        {"id": 1, "question": "one", "follows": None, **about},
        {"id": 2, "question": "two", "follows": 1, **about},
        {"id": 3, "question": "three", "follows": 1, **about},
        {"id": 4, "question": "four", "follows": None, **about},
    ]
    rag = Asked()
    list(ask_all(rag, questions, questions))
    assert rag.log == [
        ("trial 0", "one"),
        ("trial 0", "two"),
        ("trial 2", "one"),
        ("trial 2", "three"),
        ("trial 3", "four"),
    ]


def test_a_right_reading_was_offered() -> None:
    def reading(value):
        return Reading(meaning="", sql="", text=str(value), columns=("a",), rows=((value,),))

    unsure = SimpleNamespace(verdict="none", readings=(reading(1), reading(2), reading(3), reading(4)))
    assert outcome_of(unsure, {"number": 3}) == "offered"
    sentence = SimpleNamespace(text="EUR 24.00", rows=())
    assert outcome_of(SimpleNamespace(verdict="none", readings=(sentence,)), {"number": 24}) == "offered"
    assert outcome_of(unsure, {"number": 4}) == "unanswered"
    assert outcome_of(unsure, {"none": True}) == "right"
