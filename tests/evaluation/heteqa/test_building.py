"""A benchmark built from templates: tables, questions, documents and rejections."""

import csv
import gzip
import json
from pathlib import Path

import pytest

from tablerag.evaluation.heteqa.agreement import REASONS, cells_agree
from tablerag.evaluation.heteqa.build_report import REPORT, BuildReport
from tablerag.evaluation.heteqa.building import DOCUMENTS, build
from tablerag.evaluation.heteqa.composing_by_grammar import compose_by_grammar
from tablerag.evaluation.heteqa.draft import OPERATIONS
from tablerag.evaluation.heteqa.records import QUESTIONS, REJECTED, HeteQuestion, Rejection, read_questions
from tablerag.evaluation.heteqa.sources import load_passages, load_tables
from tablerag.evaluation.heteqa.tables import choose_tables
from tablerag.tools.errors import ConfigError
from tests.evaluation.heteqa.native_tables import write_native


@pytest.fixture(scope="module")
def questions(built: Path) -> list[HeteQuestion]:
    return read_questions(built / QUESTIONS)


def test_same_schema_tables_of_one_subject_are_joined_beside_their_page(native: Path) -> None:
    (chosen,) = choose_tables(load_tables(native), seed=1)
    assert chosen.title == "Alpine Cup - Riders"
    assert chosen.header == ("Page", "Rider", "Team", "Coach", "Nation", "Points", "First race")
    assert len(chosen.rows) == 36 and len(chosen.parts) == 3
    assert chosen.rows[0][0] == "2001 Alpine Cup"


def test_questions_take_all_five_operations(questions: list[HeteQuestion]) -> None:
    assert {o for q in questions for o in q.operations} == set(OPERATIONS)
    assert len(questions) >= 12
    assert len({q.question for q in questions}) == len({q.sql for q in questions}) == len(questions)


def test_every_answer_is_what_both_executions_found_or_what_the_passage_says(
    questions: list[HeteQuestion], built: Path
) -> None:
    for q in questions:
        assert cells_agree(q.sql_result, q.pandas_result)
        assert q.question.endswith("?") and "Alpine Cup - Riders" in q.question
        assert [d.by for d in q.log][:2] == ["grammar", "executions"] and q.status == "pending"
        if q.bridge and q.bridge.direction == "table to text":
            text = (built / DOCUMENTS / q.bridge.passage).read_text(encoding="utf-8")
            assert q.answer == q.bridge.value and q.answer in text and str(q.sql_result) == q.bridge.title
        elif not isinstance(q.sql_result, str):
            assert abs(float(q.answer) - q.sql_result) <= 0.005


def test_text_hops_go_both_ways_and_never_give_the_name_away(questions: list[HeteQuestion]) -> None:
    hops = [q for q in questions if q.bridge]
    assert {q.bridge.direction for q in hops} == {"table to text", "text to table"}
    assert all(q.bridge.title not in q.question for q in hops)


def test_numbers_that_are_not_whole_say_that_they_are_rounded(questions: list[HeteQuestion]) -> None:
    rounded = [q for q in questions if isinstance(q.sql_result, float) and not q.sql_result.is_integer()]
    assert rounded
    assert all("two decimals" in q.question for q in rounded)


def test_what_was_not_kept_is_logged_with_its_reason(built: Path) -> None:
    lines = (built / REJECTED).read_text(encoding="utf-8").splitlines()
    rejected = [Rejection.model_validate_json(line) for line in lines]
    assert rejected and {r.reason for r in rejected} <= set(REASONS)
    report = BuildReport.model_validate_json((built / REPORT).read_text(encoding="utf-8"))
    assert sum(report.rejected.values()) == len(rejected)
    assert report.candidates == report.kept + len(rejected)


def test_the_documents_hold_the_tables_and_every_linked_passage(built: Path, questions: list[HeteQuestion]) -> None:
    (table,) = (built / DOCUMENTS / "tables").iterdir()
    assert {q.tables[0].source for q in questions} == {f"tables/{table.name}"}
    assert "2003 Alpine Cup" in table.read_text(encoding="utf-8")
    passages = {p.stem for p in (built / DOCUMENTS / "passages").iterdir()}
    assert {"Ada North", "Lou West", "Oda Berg", "Alpha Racing"} <= passages and "Japan" not in passages


def test_the_same_seed_builds_the_same_questions(native: Path, built: Path, tmp_path: Path) -> None:
    build(native, tmp_path / "again", compose_by_grammar, composed_by="grammar", per_table=16)
    assert (tmp_path / "again" / QUESTIONS).read_bytes() == (built / QUESTIONS).read_bytes()


def test_a_folder_with_annotations_is_not_built_over(native: Path, built: Path) -> None:
    with pytest.raises(ConfigError, match="choose another folder"):
        build(native, built, compose_by_grammar, composed_by="grammar")


def test_data_that_does_not_fit_is_named_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"tables.jsonl.gz: file not found: give the folder"):
        load_tables(tmp_path)
    write_native(tmp_path)
    with gzip.open(tmp_path / "tables.jsonl.gz", "at", encoding="utf-8") as file:
        file.write(json.dumps({"id": "x"}) + "\n")
    with pytest.raises(ConfigError, match=r"line 7: invalid table \(KeyError\('header'\)\)"):
        load_tables(tmp_path)
    (tmp_path / "passages.jsonl.gz").write_bytes(b"plain text")
    with pytest.raises(ConfigError, match="line 1: not gzipped JSON lines"):
        load_passages(tmp_path)


def test_tables_that_are_all_too_small_are_one_error(tmp_path: Path) -> None:
    write_native(tmp_path)
    with gzip.open(tmp_path / "tables.jsonl.gz", "wt", encoding="utf-8") as file:
        entry = {"id": "s", "title": "S", "section": "", "header": ["A"], "rows": [["1"]]}
        file.write(json.dumps(entry) + "\n")
    with pytest.raises(ConfigError, match="has at least 20 rows and 7 columns"):
        build(tmp_path, tmp_path / "out", compose_by_grammar, composed_by="grammar")
    assert not (tmp_path / "out").exists()


def test_csv_files_hold_what_was_chosen(tmp_path: Path, native: Path) -> None:
    from tablerag.evaluation.heteqa.documents import write_table

    (chosen,) = choose_tables(load_tables(native), seed=1)
    first, second = write_table(chosen, tmp_path, 1), write_table(chosen, tmp_path, 2)
    assert (first, second) == ("tables/Alpine Cup - Riders.csv", "tables/Alpine Cup - Riders 2.csv")
    with (tmp_path / first).open(encoding="utf-8", newline="") as file:
        assert tuple(map(tuple, csv.reader(file))) == (chosen.header, *chosen.rows)
