"""A folder of one's own documents is a benchmark: questions.jsonl is read line by line, documents/ is the corpus."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tablerag.agent.context import Context
from tablerag.evaluation.benchmarks import load_benchmark
from tablerag.evaluation.corpora import open_corpus
from tablerag.evaluation.datasets.benchmark import Benchmark
from tablerag.evaluation.judge import Judge
from tablerag.evaluation.records import Answered, Outcome
from tablerag.evaluation.runner import run, scored, settings_of
from tablerag.evaluation.systems import check_fits
from tablerag.tools.errors import ConfigError
from tablerag.tools.services import Services
from tests.evaluation.native_sets import own_folder


def test_questions_and_documents_are_read(tmp_path: Path) -> None:
    benchmark = load_benchmark("folder", own_folder(tmp_path / "Our orders"))
    assert benchmark.name == "folder-our-orders"
    assert [(q.id, q.gold, q.group) for q in benchmark.questions] == [
        ("1", ("35",), "sum"),
        ("names", ("A2", "A3"), ""),
        ("chief", (), "none"),
    ]
    (tmp_path / "out").mkdir()
    benchmark.write_documents(tmp_path / "out", [""])
    written = sorted(p.relative_to(tmp_path / "out").as_posix() for p in (tmp_path / "out").rglob("*.*"))
    assert written == ["notes.md", "tables/orders.csv"]
    first, second, third = benchmark.questions
    assert benchmark.score(first, ["EUR 35.00"])["right"] == benchmark.score(second, ["A3", "A2"])["right"] == 1.0
    assert benchmark.score(third, [])["right"] == 1.0


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"id": "x", ', "line 3: invalid JSON: Expecting property name enclosed in double quotes in column 13"),
        ("[1]", "line 3: expected a JSON object"),
        ('{"question": "q", "answer": 1}', "line 3: id: Field required"),
        ('{"id": "x", "question": " ", "answer": 1}', "line 3: question: must not be blank"),
        ('{"id": "x", "question": "q"}', "line 3: answer: Field required"),
        ('{"id": "x", "question": "q", "answer": " "}', "line 3: answer: must be a text, a number, a list of them"),
        ('{"id": "x", "question": "q", "answer": []}', "line 3: answer: must be a text"),
        ('{"id": "x", "question": "q", "answer": true}', "line 3: answer: must be a text"),
        ('{"id": "x", "question": "q", "answer": {"number": 1}}', "line 3: answer: must be a text"),
        ('{"id": "x", "question": "q", "answer": NaN}', "line 3: NaN is not a number"),
        ('{"id": 1, "question": "q", "answer": 1}', "line 3: id '1' is already used in line 1"),
        (
            json.dumps({"id": "x", "question": "q" * 4001, "answer": 1}),
            "line 3: question: has 4001 characters, expected at most 4000",
        ),
    ],
)
def test_a_line_that_does_not_fit_is_named(tmp_path: Path, line: str, told: str) -> None:
    path = own_folder(tmp_path) / "questions.jsonl"
    first, *_ = path.read_text(encoding="utf-8").splitlines()
    path.write_text(f"{first}\n\n{line}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=told) as raised:
        load_benchmark("folder", tmp_path)
    assert "\n" not in str(raised.value)


def test_missing_files_are_told(tmp_path: Path) -> None:
    folder = own_folder(tmp_path)
    (folder / "documents").rename(folder / "docs")
    with pytest.raises(ConfigError, match="contains no documents: give the folder with documents/ and questions.jsonl"):
        load_benchmark("folder", folder)
    (folder / "questions.jsonl").write_text("\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="questions.jsonl: contains no questions"):
        load_benchmark("folder", folder)
    (folder / "questions.jsonl").unlink()
    with pytest.raises(ConfigError, match="questions.jsonl: file not found"):
        load_benchmark("folder", folder)


def test_a_damaged_workbook_does_not_stop_the_corpus(tmp_path: Path, services: Services) -> None:
    folder = own_folder(tmp_path / "own")
    (folder / "documents" / "damaged.xlsx").write_bytes(b"no archive")
    corpus = open_corpus(load_benchmark("folder", folder), services)
    assert "damaged.xlsx" in (services.settings.home / "evaluated" / corpus).read_text(encoding="utf-8")


def test_the_documents_belong_to_all_questions(tmp_path: Path) -> None:
    benchmark = load_benchmark("folder", own_folder(tmp_path))
    settings = settings_of(
        benchmark, benchmark.questions, Context(), system="tablerag", split="dev", closed=True, limit=0, seed=7
    )
    with pytest.raises(ConfigError, match="not divided by question: omit --closed"):
        check_fits(benchmark, settings)


class Silent:
    """A system that answers every question with 35, and counts."""

    name = "silent"
    asked = 0

    def ask(self, text: str, context: Context) -> Outcome:
        self.asked += 1
        return Outcome(answer="35", values=["35"])


def test_a_corrected_answer_is_scored_again_without_asking(tmp_path: Path) -> None:
    folder, system = own_folder(tmp_path / "own"), Silent()

    def right() -> list[bool]:
        benchmark: Benchmark = load_benchmark("folder", folder)
        settings = settings_of(
            benchmark, benchmark.questions, Context(), system="silent", split="dev", closed=False, limit=0, seed=7
        )
        corpora = dict.fromkeys((q.id for q in benchmark.questions), "c")
        answers = run(benchmark, benchmark.questions, system, Context(), corpora, tmp_path / "run", settings)
        return [a.right for a in answers]

    assert right() == [True, False, False]
    path = folder / "questions.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("35", "36").replace("null", "35"), encoding="utf-8")
    assert right() == right() == [False, False, True]
    assert system.asked == 3


def test_no_answer_is_right_where_the_documents_have_none(tmp_path: Path, services: Services) -> None:
    benchmark = load_benchmark("folder", own_folder(tmp_path))
    chief = benchmark.questions[2]
    blank = scored(benchmark, chief, Outcome())
    assert (blank.right, blank.failure) == (True, "")
    broken = scored(benchmark, chief, Outcome(error="ReplyInvalid: no JSON"))
    assert (broken.right, broken.failure, broken.scores["right"]) == (False, "failed", 0.0)
    assert scored(benchmark, replace(chief, gold=("x",)), Outcome()).right is False
    settings = services.settings.model_copy(update={"openai_base_url": "http://127.0.0.1:9/v1"})
    judge = Judge("openai:test", settings)
    given = Answered.model_validate(blank.model_dump() | {"answer": "Ann", "right": False})
    assert [judge.judge(blank).right, judge.judge(given).right] == [True, False]
