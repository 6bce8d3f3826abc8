"""Errors in native files are one line with file and place; a byte order mark is ignored."""

import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tablerag.evaluation.benchmarks import load_benchmark
from tablerag.evaluation.heteqa.records import TableRecord
from tablerag.tools.errors import ConfigError
from tests.evaluation.native_sets import (
    QUESTIONS,
    TABLES,
    heteqa_folder,
    hitab_folder,
    hybridqa_folder,
    multihiertt_folder,
    tatqa_folder,
    wikitq_folder,
    write,
)
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


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"tables": ["Revenue 5"]}, "dev.json: 0.tables.0: must be HTML with a <table>"),
        ({"qa": {"question": " ", "answer": "5"}}, "dev.json: 0.qa.question: must not be blank"),
        ({"qa": {"question": "How much?"}}, "dev.json: m1: qa.answer must not be blank"),
        ({"paragraphs": None}, "dev.json: 0.paragraphs: Input should be a valid tuple"),
        ({"uid": "m2"}, "dev.json: duplicate uid m2"),
        ({"paragraphs": [], "tables": []}, "dev.json: m1: has neither paragraphs nor tables"),
    ],
)
def test_multihiertt(tmp_path: Path, changed: dict[str, object], told: str) -> None:
    multihiertt_folder(tmp_path, **changed)
    assert told in refused("multihiertt", tmp_path)


def test_multihiertts_test_set_has_no_answers(tmp_path: Path) -> None:
    path = multihiertt_folder(tmp_path) / "dev.json"
    examples = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps([e | {"qa": {"question": "?"}} for e in examples]), encoding="utf-8")
    assert "its questions have no answers (the test set's are not published)" in refused("multihiertt", tmp_path)
    path.write_text(json.dumps(examples)[:200], encoding="utf-8")
    assert "dev.json, line 1: invalid JSON" in refused("multihiertt", tmp_path)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"answer": []}, "dev_samples.jsonl, line 1: answer: must be a list with at least one value"),
        ({"answer": [True]}, "dev_samples.jsonl, line 1: answer: must contain texts and numbers only"),
        ({"aggregation": None}, "dev_samples.jsonl, line 1: aggregation: Input should be a valid tuple"),
        ({"table_id": "18"}, "question h1 needs the table '18', which is missing from"),
        ({"table_id": "../../secret"}, "question h1 needs the table '../../secret', which is missing from"),
    ],
)
def test_hitab(tmp_path: Path, changed: dict[str, object], told: str) -> None:
    hitab_folder(tmp_path, **changed)
    assert told in refused("hitab", tmp_path)


def test_hitabs_tables_are_unpacked_and_complete(tmp_path: Path) -> None:
    folder = hitab_folder(tmp_path)
    table = folder / "data" / "tables" / "raw" / "17.json"
    native = json.loads(table.read_text(encoding="utf-8"))
    table.write_text(json.dumps({k: v for k, v in native.items() if k != "merged_regions"}), encoding="utf-8")
    with pytest.raises(ConfigError, match="17.json: merged_regions: Field required"):
        load_benchmark("hitab", tmp_path).write_documents(tmp_path / "out", ["17"])
    (folder / "data" / "dev_samples.jsonl").write_bytes((folder / "data" / "dev_samples.jsonl").read_bytes()[:-9])
    assert "dev_samples.jsonl, line 2: invalid JSON" in refused("hitab", tmp_path)
    hitab_folder(tmp_path)
    table.unlink()
    table.parent.rmdir()
    assert "raw: folder not found: use the complete set" in refused("hitab", tmp_path)
    with zipfile.ZipFile(folder / "data" / "tables.zip", "w"):
        pass
    assert re.search("raw: folder not found: unpack .*tables.zip", refused("hitab", tmp_path))


SETS: dict[str, tuple[Callable[[Path], Path], str]] = {
    "wikitq": (wikitq_folder, TSV),
    "hybridqa": (hybridqa_folder, DEV),
    "tatqa": (tatqa_folder, "tatqa_dataset_dev.json"),
    "multihiertt": (multihiertt_folder, "dev.json"),
    "hitab": (hitab_folder, "data/dev_samples.jsonl"),
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


def test_a_row_with_too_few_cells_and_a_table_of_another_version_are_told(tmp_path: Path) -> None:
    short = {"title": "t", "header": [["a", []], ["b", []]], "data": [[["1", []], ["2", []]], [["3", []]]]}
    key = next(iter(TABLES))
    hybridqa_folder(tmp_path, tables={key: short})
    with pytest.raises(ConfigError, match="row 1 must have as many cells as the header"):
        load_benchmark("hybridqa", tmp_path).write_documents(tmp_path / "pages", [key])
    path = hitab_folder(tmp_path) / "data" / "tables" / "raw" / "17.json"
    table = json.loads(path.read_text(encoding="utf-8"))
    table["header_rows"] = table.pop("top_header_rows_num")
    write(path, table)
    with pytest.raises(ConfigError, match=r"17.json: top_header_rows_num"):
        load_benchmark("hitab", tmp_path).write_documents(tmp_path / "out", ["17"])
