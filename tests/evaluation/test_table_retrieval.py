"""QGpT's sets: tables found by the retriever, measured by Recall@k."""

import json
from pathlib import Path

import pytest

from tablerag.agent.context import Context
from tablerag.evaluation.benchmarks import load_benchmark
from tablerag.evaluation.corpora import open_corpus
from tablerag.evaluation.datasets.qgpt import QgptEntry, load_qgpt, write_files
from tablerag.evaluation.systems import open_system
from tablerag.tools.errors import ConfigError
from tablerag.tools.services import Services


def qgpt_folder(root: Path, name: str = "OTTQA", head: str = "") -> Path:
    """Write a corpus of two tables with two questions; ``head`` precedes each table."""
    (root / "qgpt").mkdir()
    texts = {
        "rivers": f"File name: rivers\n{head}Table:\n"
        "| River | Length |\n| --- | --- |\n| Anna | 120 |\n| Bela | 340 |\n",
        "films": f"File name: films\n{head}Table:\n| Film | Director |\n| --- | --- |\n| Dawn | Ada Birch |\n",
    }
    entries = [{"id": i, "FileName": f"key-{k}", "Text": t} for i, (k, t) in enumerate(texts.items())]
    questions = [
        {"query": "How long is the river Bela?", "Answer_table": ["key-rivers"]},
        {"query": "Who directed the film Dawn?", "Answer_table": ["key-films", "key-rivers"]},
    ]
    (root / "qgpt" / f"{name}_QGpT.json").write_text(json.dumps(entries), encoding="utf-8")
    (root / "qgpt" / f"{name}_questions.json").write_text(json.dumps(questions), encoding="utf-8")
    return root / "qgpt"


def test_tables_are_found_and_counted(tmp_path: Path, services: Services) -> None:
    qgpt_folder(tmp_path)
    benchmark = load_benchmark("qgpt-ottqa", tmp_path)
    corpus = open_corpus(benchmark, services)
    system = open_system("retrieval", services, "offline")
    first, second = benchmark.questions
    values = system.ask(first.text, Context(corpus=corpus)).values
    assert values[0] == "rivers.csv"
    assert benchmark.score(first, values) == {"recall@1": 1.0, "recall@5": 1.0, "recall@10": 1.0}
    assert benchmark.score(second, ["films.csv"]) == {"recall@1": 0.5, "recall@5": 0.5, "recall@10": 0.5}
    assert benchmark.score(second, ["nowhere.csv"])["recall@10"] == 0.0


@pytest.mark.parametrize(
    ("name", "corpus", "questions", "split"),
    [
        ("qgpt-fetaqa", "FetaQA", "FetaQA_test.json", "dev"),
        ("qgpt-e2e-wtq", "E2EWTQ", "E2E-WTQ_test.json", "dev"),
        ("qgpt-mmqa", "MMQA_2table", "MMQA-2tables_test.json", "2tables"),
        ("qgpt-mmqa", "MMQA_3table", "MMQA-3tables_test.json", "3tables"),
    ],
)
def test_published_files_are_read_by_their_names(
    tmp_path: Path, name: str, corpus: str, questions: str, split: str
) -> None:
    folder = qgpt_folder(tmp_path, corpus)
    (folder / f"{corpus}_questions.json").rename(folder / questions)
    benchmark = load_benchmark(name, tmp_path, split)
    assert benchmark.name.startswith(name) and [q.gold[0] for q in benchmark.questions] == ["key-rivers", "key-films"]
    (folder / questions).unlink()
    told = f"{corpus}_questions.json: file not found: .*{corpus}_questions.json or {questions}"
    with pytest.raises(ConfigError, match=told) as raised:
        load_benchmark(name, tmp_path, split)
    assert "\n" not in str(raised.value)


def test_mmqa_has_two_splits(tmp_path: Path) -> None:
    qgpt_folder(tmp_path, "MMQA_2table")
    assert load_benchmark("qgpt-mmqa", tmp_path).name == "qgpt-mmqa-2tables"
    with pytest.raises(ConfigError, match="unknown MMQA split '4tables': expected 2tables or 3tables"):
        load_benchmark("qgpt-mmqa", tmp_path, "4tables")


@pytest.mark.parametrize(
    ("text", "rows", "questions"),
    [
        (
            "File name: a\nSheet name: s\nTable:\n| A | B | |:---|:---| | 1 | nan | | 2 | Unnamed: 3 |\n"
            'Questions: [\n "How many?",\n "Which one?"]',
            (("A", "B"), ("1", ""), ("2", "")),
            ("How many?", "Which one?"),
        ),
        (
            "| A | B\nin m | C |\n| --- | --- | --- |\n| 1 |  |  |\n| a|b | x\ny | 2 |\nHow many?\nWhich one?",
            (("A", "B in m", "C"), ("1", "", ""), ("a|b", "x y", "2")),
            ("How many?", "Which one?"),
        ),
        ("File name: a\nTable:\n", (), ()),
    ],
    ids=["one line", "cells of several lines", "empty"],
)
def test_tables_and_questions_are_read_from_each_corpus_text(
    tmp_path: Path, text: str, rows: tuple, questions: tuple
) -> None:
    folder = qgpt_folder(tmp_path)
    (folder / "OTTQA_QGpT.json").write_text(json.dumps([{"FileName": "key", "Text": text}]), encoding="utf-8")
    asked = [{"query": "q?", "Answer_table": ["key"]}]
    (folder / "OTTQA_questions.json").write_text(json.dumps(asked), encoding="utf-8")
    (entry,) = load_qgpt(folder, "OTTQA").entries
    assert (entry.rows, entry.questions) == (rows, questions)


def test_files_without_a_name_are_numbered(tmp_path: Path) -> None:
    entries = [QgptEntry(key, "", "", (("A",), ("1",)), ()) for key in ("csv/200-csv/0.csv", "csv/200-csv/1.csv")]
    assert list(write_files(entries, tmp_path)) == [("0.csv", ""), ("1.csv", "")]


def test_a_set_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="MiMoTable_QGpT.json: file not found"):
        load_benchmark("qgpt-mimotable", tmp_path)
