"""A built HeteQA folder as a set to evaluate on, and the command line around it."""

import io
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tablerag.cli.app import main
from tablerag.evaluation.datasets.heteqa import load_heteqa
from tablerag.evaluation.heteqa.annotation import Annotations
from tablerag.evaluation.heteqa.building import DOCUMENTS
from tablerag.evaluation.heteqa.records import QUESTIONS
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.errors import ConfigError
from tablerag.tools.services import Services
from tablerag.tools.settings import get_settings


def test_splits_follow_the_annotations(copied: Path) -> None:
    annotations = Annotations(copied)
    annotations.accept(0)
    annotations.fix(1, "Other words?", "7")
    annotations.discard(2)
    assert [q.answer for q in load_heteqa(copied, "annotated").questions][1] == "7"
    assert len(load_heteqa(copied).questions) == len(annotations.questions) - 1


def test_its_documents_are_ingested_as_any_others(built: Path, services: Services) -> None:
    found = load_heteqa(built)
    report = ingest([found.documents], services, "open")
    assert {e.status for e in report.entries} == {"added"}
    question = next(q for q in found.questions if q.bridge)
    own = [p.relative_to(found.documents).as_posix() for p in found.own_documents(question)]
    assert own == [question.tables[0].source, question.bridge.passage]
    assert set(own) <= {e.source for e in report.entries}
    assert question.tables[0].sql_name in {s.name for s in services.catalog.schemas("open")}


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (
            lambda f: (f / QUESTIONS).unlink(),
            "file not found: give the folder written by `tablerag heteqa build",
        ),
        (lambda f: (f / QUESTIONS).write_text("{}\n{"), "line 1: id: Field required"),
        (lambda f: (f / QUESTIONS).write_text("\n{"), "line 2: Invalid JSON"),
        (lambda f: (f / QUESTIONS).write_bytes(b"\xff\xfe\xff"), "not valid UTF-8"),
        (lambda f: (f / QUESTIONS).write_text((f / QUESTIONS).read_text() * 2), "duplicate id"),
        (lambda f: shutil.rmtree(f / DOCUMENTS / "tables"), r"file not found, needed by heteqa-0001"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(copied: Path, spoil: Callable[[Path], object], said: str) -> None:
    spoil(copied)
    with pytest.raises(ConfigError, match=said):
        load_heteqa(copied)


def test_a_split_without_questions_says_how_to_get_some(built: Path) -> None:
    with pytest.raises(ConfigError, match="tablerag heteqa annotate"):
        load_heteqa(built, "annotated")
    with pytest.raises(ConfigError, match="expected one of annotated, all"):
        load_heteqa(built, "dev")


def test_the_command_line_builds_counts_and_annotates(
    native: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*arguments: str) -> tuple[int, str, str]:
        get_settings.cache_clear()
        with pytest.raises(SystemExit) as ended:
            main(["heteqa", *arguments])
        printed = capsys.readouterr()
        return ended.value.code or 0, printed.out, printed.err

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    out = str(tmp_path / "out")
    status, shown, _ = run("build", "--data", str(native), "--out", out, "--model", "grammar", "--per-table", "3")
    assert status == 0 and "3 questions of" in shown and f"tablerag heteqa annotate {out}" in shown
    assert run("build", "--data", str(native), "--out", out)[0] == 2
    monkeypatch.setattr("sys.stdin", io.StringIO("a\nd\nunclear\nf\n\n12\n"))
    assert "all questions are decided; 1 accepted, 1 fixed, 1 discarded" in run("annotate", out)[1]
    status, shown, _ = run("stats", out)
    assert status == 0 and "3 questions over 1 table" in shown and "discarded" in shown
    status, _, err = run("stats", str(tmp_path))
    assert status == 2 and "not found" in err
