"""Errors in native files are one line with file and place; a byte order mark is ignored."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tablerag.evaluation.benchmarks import load_benchmark
from tablerag.evaluation.heteqa.records import TableRecord
from tablerag.tools.errors import ConfigError
from tests.evaluation.native_sets import QUESTIONS, heteqa_folder, hybridqa_folder, tatqa_folder, wikitq_folder
from tests.evaluation.test_table_retrieval import qgpt_folder

HEAD = "id\tutterance\tcontext\ttargetValue\n"
TSV, DEV = "data/random-split-1-dev.tsv", "released_data/dev.json"


def refused(name: str, root: Path) -> str:
    with pytest.raises(ConfigError) as told:
        load_benchmark(name, root)
    assert "\n" not in str(told.value)
    return str(told.value)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("", "dev.tsv: contains no questions"),
        ("\nnt-1\twho?\t/etc/passwd\tx", "dev.tsv, line 3: expected a table below csv/, got '/etc/passwd'"),
        ("nt-1\twho?\tcsv/../../../secret.csv\tx", "dev.tsv, line 2: expected a table below csv/"),
        (f"nt-1\twho?\t{TSV}\tx", "dev.tsv, line 2: expected a table below csv/"),
        ("nt-1\t \tcsv/201-csv/7.csv\tx", "dev.tsv, line 2: utterance must not be blank"),
        ("nt-1\twho?\tcsv/201-csv/7.csv\t", "dev.tsv, line 2: targetValue must not be blank"),
        ("nt-1\twho?\tcsv/201-csv/9.csv\tx", "dev.tsv, line 2: .*9.csv: file not found"),
    ],
)
def test_wikitq(tmp_path: Path, line: str, told: str) -> None:
    (wikitq_folder(tmp_path) / TSV).write_text(f"{HEAD}{line}\n", encoding="utf-8")
    assert re.search(told, refused("wikitq", tmp_path))


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"question": " "}, "dev.json: 0.question: must not be blank"),
        ({"answer-text": ""}, "dev.json: 0.answer-text: must not be blank"),
    ],
)
def test_hybridqa(tmp_path: Path, changed: dict[str, str], told: str) -> None:
    hybridqa_folder(tmp_path, questions=[QUESTIONS[0] | changed])
    assert told in refused("hybridqa", tmp_path)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"answer": "many"}, "dev.json: 0.questions.0: .*a count question must be a number"),
        ({"answer": []}, "dev.json: 0.questions.0: .*answer must not be blank"),
        ({"answer": [" "], "answer_type": "span"}, "dev.json: 0.questions.0: .*answer must not be blank"),
        ({"question": "  "}, "dev.json: 0.questions.0.question: must not be blank"),
    ],
)
def test_tatqa(tmp_path: Path, changed: dict[str, object], told: str) -> None:
    tatqa_folder(tmp_path, **changed)
    assert re.search(told, refused("tatqa", tmp_path))


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("OTTQA_QGpT.json", '[{"id": 0,\n "FileN', "OTTQA_QGpT.json, line 2: invalid JSON"),
        ("OTTQA_QGpT.json", "[]", "OTTQA_QGpT.json: file is empty"),
        ("OTTQA_questions.json", "[]", "OTTQA_questions.json: file is empty"),
        ("OTTQA_questions.json", "", "OTTQA_questions.json, line 1: invalid JSON"),
        ("OTTQA_questions.json", '[{"query": " ", "Answer_table": ["key-films"]}]', "0.query: must not be blank"),
        (
            "OTTQA_questions.json",
            '[{"query": "who?", "Answer_table": []}]',
            "0.Answer_table: Tuple should have",
        ),
        ("OTTQA_questions.json", '[{"query": "who?", "Answer_table": ["x"]}]', "table 'x' is not in the corpus"),
    ],
)
def test_qgpt(tmp_path: Path, file: str, text: str, told: str) -> None:
    (qgpt_folder(tmp_path) / file).write_text(text, encoding="utf-8")
    assert told in refused("qgpt-ottqa", tmp_path)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"passages": ("../heteqa.jsonl",)}, "h1: '../heteqa.jsonl' is outside documents"),
        ({"tables": (TableRecord(source="/etc/passwd", title="T", sql_name="t"),)}, "'/etc/passwd' is outside"),
        ({"answer": " "}, "h1 has a blank question or answer"),
    ],
)
def test_heteqa(tmp_path: Path, changed: dict[str, object], told: str) -> None:
    heteqa_folder(tmp_path, **changed)
    assert told in refused("heteqa", tmp_path)


SETS: dict[str, tuple[Callable[[Path], Path], str]] = {
    "wikitq": (wikitq_folder, TSV),
    "hybridqa": (hybridqa_folder, DEV),
    "tatqa": (tatqa_folder, "tatqa_dataset_dev.json"),
    "qgpt-ottqa": (qgpt_folder, "OTTQA_questions.json"),
    "heteqa": (heteqa_folder, "heteqa.jsonl"),
}


@pytest.mark.parametrize("name", SETS)
def test_a_byte_order_mark_is_read_over(tmp_path: Path, name: str) -> None:
    write, file = SETS[name]
    path = write(tmp_path) / file
    expected = load_benchmark(name, tmp_path).questions
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert load_benchmark(name, tmp_path).questions == expected


@pytest.mark.parametrize("name", SETS)
def test_another_encoding_is_told(tmp_path: Path, name: str) -> None:
    write, file = SETS[name]
    path = write(tmp_path) / file
    path.write_bytes(path.read_bytes() + b"\xe9")
    told = refused(name, tmp_path)
    assert file in told and "not valid UTF-8" in told
