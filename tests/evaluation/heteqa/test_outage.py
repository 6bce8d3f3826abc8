"""A build interrupted by a model outage: the same command resumes it, and no call is repeated."""

import gzip
import json
import re
from pathlib import Path

import pytest

from tablerag.cli.app import main
from tablerag.evaluation.heteqa.building import build
from tablerag.evaluation.heteqa.composing_by_grammar import compose_by_grammar
from tablerag.evaluation.heteqa.records import QUESTIONS, read_questions
from tablerag.tools.errors import ConfigError
from tablerag.tools.settings import get_settings
from tests.evaluation.heteqa.native_tables import write_native
from tests.support.model_server import ModelServer, Reply

HEADER = ["Boat", "Port", "Skipper", "Country", "Knots", "Built", "Class"]


@pytest.fixture
def two_tables(tmp_path: Path) -> Path:
    """Return a set of two tables to compose questions about."""
    folder = write_native(tmp_path / "ottqa")
    rows = [[f"Boat {i}", f"Port {i % 4}", f"Skipper {i}", "Norway", str(i), str(1900 + i), "A"] for i in range(24)]
    boats = {"id": "b", "title": "Sea Cup", "section": "Boats", "intro": "", "header": HEADER, "rows": rows}
    with gzip.open(folder / "tables.jsonl.gz", "at", encoding="utf-8") as file:
        file.write(json.dumps(boats) + "\n")
    return folder


def composed(body: dict[str, object]) -> Reply:
    """Reply with a question for the sum of the table's numbers."""
    (table,) = re.findall(r'"sql_name": "((?:sea|alpine)_cup_\w+)"', body["messages"][0]["content"])
    column = "knots" if table.startswith("sea") else "points"
    question = {
        "question": f"What are all {column} together?",
        "sql": f"SELECT SUM({column}) FROM {table}",
        "pandas": f"df['{column}'].sum()",
        "operations": ["filter", "aggregate"],
    }
    return Reply(json.dumps({"questions": [question]}))


def test_an_outage_loses_no_question_and_pays_for_none_twice(
    model_server: ModelServer, two_tables: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    out = tmp_path / "out"
    monkeypatch.setenv("OPENAI_BASE_URL", model_server.url)
    monkeypatch.setenv("TABLERAG_LLM_RETRIES", "0")

    def build_again() -> int:
        get_settings.cache_clear()
        with pytest.raises(SystemExit) as ended:
            main(["heteqa", "build", "--data", str(two_tables), "--out", str(out), "--model", "openai:m"])
        return ended.value.code or 0

    model_server.responder = lambda body: composed(body) if len(model_server.requests) < 2 else Reply(status=503)
    assert build_again() == 2
    assert "503" in (told := capsys.readouterr().err) and "the same command resumes the build" in told
    assert not (out / QUESTIONS).exists() and len(model_server.requests) == 2
    model_server.responder = composed
    assert build_again() == 0
    assert {q.tables[0].title for q in read_questions(out / QUESTIONS)} == {"Sea Cup - Boats", "Alpine Cup - Riders"}
    first, refused, again = model_server.requests
    assert refused == again != first
    assert len(list((out / "documents" / "tables").iterdir())) == 2, "nothing of the first attempt is left"
    get_settings.cache_clear()


def test_documents_of_something_else_are_left_alone(two_tables: Path, tmp_path: Path) -> None:
    mine = tmp_path / "out" / "documents" / "mine.txt"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine", encoding="utf-8")
    with pytest.raises(ConfigError, match="not from an interrupted build"):
        build(two_tables, tmp_path / "out", compose_by_grammar, composed_by="grammar")
    assert mine.read_text(encoding="utf-8") == "mine"
