"""HD-RAG's tables: what names exists, and a slice of two of them runs with a scripted model and without one."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from tablerag.cli.app import main
from tablerag.evaluation.benchmarks import BENCHMARKS
from tablerag.evaluation.document_retrieval import FINDERS
from tablerag.evaluation.papers import hd_rag
from tablerag.evaluation.papers.estimate import COSTS
from tablerag.evaluation.papers.hd_rag import PAPER
from tablerag.evaluation.papers.paper import Cell
from tablerag.evaluation.systems import SYSTEMS
from tablerag.evaluation.trial import Trial
from tablerag.tools.settings import get_settings
from tests.evaluation.native_sets import multihiertt_folder
from tests.support.model_server import ModelServer, Reply


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "300")
    get_settings.cache_clear()
    multihiertt_folder(tmp_path)
    yield tmp_path
    get_settings.cache_clear()


def call(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    return ended.value.code or 0


def rows_of(here: Path, figure: str) -> dict[tuple[str, str], dict[str, str]]:
    (path,) = (here / "evaluation-runs" / "papers").glob(f"*/hd_rag-{figure}.csv")
    with path.open(encoding="utf-8", newline="") as file:
        return {(r["row"], r["column"]): r for r in csv.DictReader(file)}


def test_every_trial_names_what_exists_and_has_a_price() -> None:
    for figure in PAPER.figures:
        assert figure.impossible or figure.cells
        assert not figure.ours or figure.ours in {c.row for c in figure.cells}
        for cell in figure.cells:
            assert (cell.trial is None) == bool(cell.why)
            if cell.trial:
                assert cell.trial.system in {**SYSTEMS, **FINDERS} and cell.trial.system in COSTS
                assert cell.trial.benchmark in BENCHMARKS
            assert all(0 < value < 100 for value in cell.published.values())


def test_whole_tables_run_with_a_model(here: Path, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every system of each table answers a question, with a reply that fits all of them."""
    sets = ("--multihiertt", "multihiertt", "--splits", "dev", "--filter", "none")
    monkeypatch.setattr("tablerag.evaluation.docraglib.building.SHARES", (("test", 1.0),))
    assert call("docraglib", "build", *sets, "--out", "docraglib") == 0
    monkeypatch.setenv("OPENAI_BASE_URL", model_server.url)
    fits = {"retrieve": True, "relevant": True, "support": "fully", "useful": 5, "document": 1, "explanation": "read"}
    fits |= {"question_type": "span", "extracted": [], "scale": "", "formula": ""}

    def reply(body: dict) -> Reply:
        prompt = str(body["messages"])
        if "Python program" in prompt:
            return Reply("```python\nanswer = 7\n```")
        return Reply(json.dumps(fits | {"answer": ["7"] if "five steps" in prompt else "7"}))

    model_server.responder = reply
    common = ("eval", "paper", "hd_rag", "--data", ".", "--model", "openai:test", "--limit", "1")
    for name in ("table-1", "table-2", "table-4", "operators"):
        assert call(*common, "--table", name) == 0
        found = rows_of(here, name)
        assert all(r["ours"] for r in found.values() if "not rebuilt" not in r["why"] and "trained" not in r["why"]), (
            name
        )
        assert not any("error" in r["why"] for r in found.values()), name


def test_tables_run_on_a_built_corpus(
    here: Path, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two rows of the strategies: all six would take the same way."""
    rows = ("CoT", "RECAP")
    cells = tuple(c for c in hd_rag.STRATEGIES.cells if c.row in rows)
    figures = (replace(hd_rag.STRATEGIES, cells=cells), hd_rag.CURVE)
    monkeypatch.setattr(hd_rag, "PAPER", replace(PAPER, figures=figures))
    sets = ("--multihiertt", "multihiertt", "--splits", "dev", "--filter", "none")
    monkeypatch.setattr("tablerag.evaluation.docraglib.building.SHARES", (("test", 1.0),))
    assert call("docraglib", "build", *sets, "--out", "docraglib") == 0
    monkeypatch.setenv("OPENAI_BASE_URL", model_server.url)

    def reply(body: dict) -> Reply:
        prompt = body["messages"][1]["content"]
        recap = {"question_type": "arithmetic", "extracted": [], "scale": "percent", "formula": "(60-48)/48*100"}
        known = {"grow?": "25%", "sell?": "mills", "Bank?": "7"}
        answer = next(a for end, a in known.items() if end in prompt)
        kind = {"question_type": "span", "scale": "", "formula": ""} if answer != "25%" else {}
        said = recap | kind | {"answer": [answer.rstrip("%")]} if "five steps" in prompt else {"answer": answer}
        return Reply(json.dumps(said))

    model_server.responder = reply
    common = ("eval", "paper", "hd_rag", "--data", ".", "--model", "openai:test", "--limit", "1")
    assert call(*common, "--table", "table-2") == 0
    found = rows_of(here, "table-2")
    assert found["RECAP", "exact match"]["published (GPT-4o)"] == "64.66"
    assert {row: r["ours"] for (row, _), r in found.items()} == dict.fromkeys(rows, "100.0")
    asked = len(model_server.requests)
    assert call(*common, "--table", "figure-4") == 2
    assert "has 2 documents: --variant documents-100 needs more" in capsys.readouterr().err
    assert len(model_server.requests) == asked


def test_a_curve_is_drawn_with_what_could_be_measured(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cells = tuple(
        Cell("standard RAG", str(n), Trial("multihiertt", variant=f"documents-{n}", system="documents_chunks"), "hit@1")
        for n in (1, 2, 9)
    )
    small = replace(hd_rag.CURVE, title="Hit@1 < size", cells=cells)
    monkeypatch.setattr(hd_rag, "PAPER", replace(PAPER, figures=(small,)))
    assert call("eval", "paper", "hd_rag", "--table", "figure-4", "--data", ".") == 0
    assert "not run: multihiertt has 2 documents" in capsys.readouterr().err
    rows = rows_of(here, "figure-4")
    assert rows["standard RAG", "1"]["ours"] == "100.0" and rows["standard RAG", "9"]["ours"] == ""
    (svg,) = (here / "evaluation-runs" / "papers").glob("*/hd_rag-figure-4.svg")
    drawn = svg.read_text(encoding="utf-8")
    assert drawn.count("<circle") == 2 and "Hit@1 &lt; size, %" in drawn and ">documents<" in drawn
