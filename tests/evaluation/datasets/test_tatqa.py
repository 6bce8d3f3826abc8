"""TAT-QA's native files: read, checked with clear errors, and written as pages that the product ingests."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tablerag.evaluation.datasets.tatqa import load_tatqa, write_files
from tablerag.ingestion.readers import read_document
from tablerag.tools.errors import ConfigError

REPORT: dict[str, Any] = {
    "table": {"uid": "t1", "table": [["", "2019", "2018"], ["Sales <net>", "$ 44.1", "56.7"]]},
    "paragraphs": [
        {"uid": "p2", "order": 2, "text": "Second."},
        {"uid": "p1", "order": 1, "text": "First & foremost (in millions)."},
    ],
    "questions": [
        {
            "uid": "q1",
            "question": "What is the change?",
            "answer": -12.6,
            "derivation": "44.1-56.7",
            "answer_type": "arithmetic",
            "answer_from": "table",
            "scale": "million",
        },
    ],
}


def written(folder: Path, content: object) -> Path:
    (folder / "tatqa_dataset_dev.json").write_text(json.dumps(content), encoding="utf-8")
    return folder


def test_reads_reports_and_writes_them_as_pages(tmp_path: Path) -> None:
    (report,) = load_tatqa(written(tmp_path, [REPORT]))
    assert report.questions[0].answer == ("-12.6",)
    files = write_files([report], tmp_path / "pages")
    assert [(name, r.uid) for name, r in files.items()] == [("report_0001.html", "t1")]
    blocks = read_document(tmp_path / "pages" / "report_0001.html").blocks
    assert [b.text for b in blocks[:2]] == ["First & foremost (in millions).", "Second."]
    assert [list(row) for row in blocks[2].grid][1] == ["Sales <net>", "$ 44.1", "56.7"]


def changed(path: str, value: object) -> dict[str, Any]:
    report = deepcopy(REPORT)
    *way, last = path.split("/")
    part: Any = report
    for step in way:
        part = part[int(step)] if isinstance(part, list) else part[step]
    part[last] = value
    return report


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ([changed("questions/0/scale", "dozen")], r"0\.questions\.0\.scale.*dozen"),
        ([changed("questions/0/answer", None)], r"0\.questions\.0\.answer"),
        ([changed("table/table", [])], r"0\.table\.table"),
        ([changed("paragraphs", None)], r"0\.paragraphs"),
        ([REPORT, REPORT], "duplicate uid t1"),
        ([], "contains no reports"),
        ({"a": 1}, "Input should be a valid list"),
    ],
)
def test_a_wrong_file_is_named_with_what_and_where(tmp_path: Path, content: object, says: str) -> None:
    with pytest.raises(ConfigError, match=rf"tatqa_dataset_dev\.json.*{says}") as error:
        load_tatqa(written(tmp_path, content))
    assert "\n" not in str(error.value)


def test_a_missing_or_broken_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="not found"):
        load_tatqa(tmp_path)
    (tmp_path / "tatqa_dataset_dev.json").write_bytes(b'[{"table": \xff')
    with pytest.raises(ConfigError, match="dev.json, line 1: not valid UTF-8"):
        load_tatqa(tmp_path)
