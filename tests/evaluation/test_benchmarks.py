"""Benchmarks load from their native files with clear errors, and score by their official rules."""

import json
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from tablerag.evaluation.benchmarks import BENCHMARKS, load_benchmark
from tablerag.evaluation.datasets.tatqa import spans_and_scale
from tablerag.evaluation.metrics.spans import normalised_span, span_scores
from tablerag.tools.errors import ConfigError
from tests.evaluation.native_sets import (
    QUESTIONS,
    RIVER_ID,
    heteqa_folder,
    hybridqa_folder,
    tatqa_folder,
    wikitq_folder,
)

ROOT = Path(__file__).resolve().parents[2]


def test_one_file_lists_the_benchmarks_and_imports_none() -> None:
    code = "import sys, tablerag.cli.eval; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not [m for m in loaded if m.startswith(("tablerag.evaluation.datasets", "tablerag.evaluation.table"))]
    listing = [p for room in ("cli", "evaluation") for p in (ROOT / room).rglob("*.py")]
    assert [p.name for p in listing if '"qgpt-mimotable"' in p.read_text(encoding="utf-8")] == ["benchmarks.py"]


@pytest.mark.parametrize("listed", BENCHMARKS.values(), ids=list(BENCHMARKS))
def test_listed_loaders_exist(listed) -> None:
    assert callable(getattr(import_module(f"tablerag.evaluation.{listed.module}"), listed.loader))


def test_another_benchmark_takes_its_module_and_one_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "added.py").write_text(
        "from tablerag.evaluation.datasets.benchmark import Benchmark, Question\n"
        "def load(folder, split):\n"
        "    question = Question('1', split, ('x',), 'd')\n"
        "    return Benchmark('added', (question,), lambda out, keys: None, lambda q, values: {'em': 1.0}, 'em')\n"
    )
    monkeypatch.setattr("tablerag.evaluation.__path__", [str(tmp_path)])
    monkeypatch.setitem(BENCHMARKS, "added", BENCHMARKS["wikitq"]._replace(module="added", loader="load"))
    assert load_benchmark("added", tmp_path, "test").questions[0].text == "test"


@pytest.mark.parametrize("layout", ["hybridqa", "ottqa"])
def test_wiki_tables_are_read_and_written_under_names_that_tell_nothing(tmp_path: Path, layout: str) -> None:
    hybridqa_folder(tmp_path, layout)
    benchmark = load_benchmark(layout, tmp_path)
    assert [(q.id, q.gold, q.own) for q in benchmark.questions[:1]] == [("q1", ("340",), RIVER_ID)]
    benchmark.write_documents(tmp_path / "out", {q.own for q in benchmark.questions})
    files = sorted(p.relative_to(tmp_path / "out").as_posix() for p in (tmp_path / "out").rglob("*.*"))
    assert [f for f in files if f.startswith("tables/")] == ["tables/table_00001.html", "tables/table_00002.html"]
    assert len(files) == 6
    written = "".join(p.read_text(encoding="utf-8") for p in (tmp_path / "out").rglob("*.*")) + " ".join(files)
    assert RIVER_ID not in written and "Rivers of Aland" in written and "Anna lies in Aland." in written


def test_hybridqa_can_be_limited_to_large_tables(tmp_path: Path) -> None:
    rows = [[[str(n), []], [str(n * n), []]] for n in range(51)]
    large = {"title": "Squares", "header": [["n", []], ["square", []]], "data": rows}
    asked = [*QUESTIONS, {"question_id": "q4", "question": "5 * 5?", "table_id": "Large_0", "answer-text": "25"}]
    folder = hybridqa_folder(tmp_path, questions=asked, tables={"Large_0": large})
    (folder / "request_tok" / "Large_0.json").write_text("{}")
    benchmark = load_benchmark("hybridqa", tmp_path, "dev", "over-100-cells")
    assert (benchmark.name, [q.id for q in benchmark.questions]) == ("hybridqa-over-100-cells", ["q4"])
    hybridqa_folder(tmp_path)
    with pytest.raises(ConfigError, match="no question is on a table with more than 100 cells"):
        load_benchmark("hybridqa", tmp_path, "dev", "over-100-cells")
    with pytest.raises(ConfigError, match="unknown variant 'small': expected one of over-100-cells"):
        load_benchmark("hybridqa", tmp_path, "dev", "small")


def test_wikitq_is_read_and_scored(tmp_path: Path) -> None:
    wikitq_folder(tmp_path)
    benchmark = load_benchmark("wikitq", tmp_path)
    first, second = benchmark.questions
    assert benchmark.score(second, ["bears", "Lions"]) == {"denotation": 1.0}
    assert benchmark.score(second, ["bears"]) == benchmark.score(second, []) == {"denotation": 0.0}
    assert benchmark.score(first, ["5.0"]) == {"denotation": 1.0}
    benchmark.write_documents(tmp_path / "out", {first.own})
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["table_00001.csv"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda f: (f / "released_data" / "dev.json").unlink(), "dev.json: file not found"),
        (lambda f: (f / "released_data" / "dev.json").write_text("["), "invalid JSON"),
        (lambda f: (f / "released_data" / "dev.json").write_text("[]"), "contains no questions"),
        (
            lambda f: (f / "released_data" / "dev.json").write_text('[{"question_id": "a"}]'),
            "0.question: Field required",
        ),
        (
            lambda f: (f / "request_tok" / f"{RIVER_ID}.json").unlink(),
            "question q1 needs the table 'Zebra_Quartz_0', which is missing",
        ),
        (
            lambda f: (f / "released_data" / "dev.json").write_text(json.dumps(QUESTIONS[:1] * 2)),
            "duplicate question id q1",
        ),
        (
            lambda f: (f / "released_data" / "dev.json").write_text(
                json.dumps([QUESTIONS[0] | {"table_id": "../../secret"}])
            ),
            "which is missing from",
        ),
    ],
)
def test_what_does_not_fit_is_told(tmp_path: Path, change: Callable[[Path], None], told: str) -> None:
    change(hybridqa_folder(tmp_path))
    with pytest.raises(ConfigError, match=told):
        load_benchmark("hybridqa", tmp_path)


def test_wikitq_names_the_line_that_does_not_fit(tmp_path: Path) -> None:
    file = wikitq_folder(tmp_path) / "data" / "random-split-1-dev.tsv"
    file.write_text(file.read_text() + "nt-3\tno table\n")
    with pytest.raises(ConfigError, match="line 4: expected 4 tab-separated fields, got 2"):
        load_benchmark("wikitq", tmp_path)
    file.write_text(file.read_text().replace("nt-3\tno table", "nt-3\twhich?\tcsv/201-csv/9.csv\tx"))
    with pytest.raises(ConfigError, match="9.csv: file not found"):
        load_benchmark("wikitq", tmp_path)
    with pytest.raises(ConfigError, match="wikitq: unknown variant 'x': it has none, omit --variant"):
        load_benchmark("wikitq", tmp_path, variant="x")
    with pytest.raises(ConfigError, match="unknown benchmark 'squad'"):
        load_benchmark("squad", tmp_path)
    with pytest.raises(ConfigError, match="not a folder"):
        load_benchmark("wikitq", tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("gold", "given", "em", "f1"),
    [
        ("the British", "British.", 1.0, 1.0),
        ("12 May 1990", "May 1990", 0.0, 0.8),
        ("Leonardo", "", 0.0, 0.0),
        ("Leonardo", "nobody", 0.0, 0.0),
        ("a, b c", "b d", 0.0, 0.5),
        ("the", "an", 1.0, 1.0),
    ],
)
def test_spans_are_scored_by_words(gold: str, given: str, em: float, f1: float) -> None:
    assert span_scores([gold], given) == {"em": em, "f1": pytest.approx(f1)}


def test_the_gold_answer_that_fits_best_counts() -> None:
    assert span_scores(["x", "y z"], "y") == {"em": 0.0, "f1": pytest.approx(2 / 3)}
    assert normalised_span("The  U.S.A. !") == "usa"


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["1.5 million"], (["1.5"], "million")),
        (["$ 3 thousands", "4 thousand"], (["$ 3", "4"], "thousand")),
        (["22.3%"], (["22.3%"], "percent")),
        (["22.3 percent"], (["22.3"], "percent")),
        (["3 million", "4"], (["3 million", "4"], "")),
        (["S$467 million"], (["$467"], "million")),
        (["EUR -467 million"], (["-467"], "million")),
        (["RMB20,471 million"], (["20,471"], "million")),
        (["USD"], (["USD"], "")),
        (["the million"], (["the million"], "")),
        ([], ([], "")),
    ],
)
def test_a_scale_is_taken_off_the_answer(values: list[str], expected: tuple[list[str], str]) -> None:
    assert spans_and_scale(values) == expected


@pytest.mark.parametrize("words", ["$(9.8) million", "approximately 13%", "approximately 7%"])
def test_a_gold_span_that_holds_its_scale_is_right_as_it_stands(tmp_path: Path, words: str) -> None:
    tatqa_folder(tmp_path, answer=[words], answer_type="span")
    benchmark = load_benchmark("tatqa", tmp_path)
    assert benchmark.score(benchmark.questions[0], [words]) == {"em": 1.0, "f1": 1.0, "scale": 1.0}
    assert benchmark.score(benchmark.questions[0], ["14%"])["em"] == 0.0


def test_heteqa_is_read_as_it_was_built(tmp_path: Path) -> None:
    heteqa_folder(tmp_path)
    benchmark = load_benchmark("heteqa", tmp_path)
    question = benchmark.questions[0]
    assert (question.group, question.gold) == ("aggregate + filter", ("1,500",))
    assert question.facets == {"domain": "sport", "sources": "single-source"}
    assert benchmark.score(question, ["1500"])["exact"] == 1.0
    assert benchmark.score(question, ["1500", "2"])["exact"] == benchmark.score(question, [])["exact"] == 0.0


def test_heteqa_gives_its_own_documents_or_all_with_tables_by_number(tmp_path: Path) -> None:
    heteqa_folder(tmp_path)
    benchmark = load_benchmark("heteqa", tmp_path)

    def written(folder: Path) -> dict[str, str]:
        return {p.relative_to(folder).as_posix(): p.read_text(encoding="utf-8") for p in folder.rglob("*.*")}

    benchmark.write_documents(tmp_path / "own", [benchmark.questions[0].own])
    assert written(tmp_path / "own") == {"tables/table_00001.csv": "Team,Goals\nLions,3\n"}
    assert benchmark.write_whole is not None
    benchmark.write_whole(tmp_path / "whole")
    whole = written(tmp_path / "whole")
    assert sorted(whole) == ["passages/Lions.md", "tables/table_00001.html", "tables/table_00002.csv"]
