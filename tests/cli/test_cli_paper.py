"""tablerag eval paper: the tables and figures of the papers, published and ours."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablerag.cli.app import main
from tablerag.evaluation.papers import listing
from tablerag.evaluation.papers.listing import figure_of, paper_of
from tablerag.evaluation.papers.paper import Cell, Figure, Paper
from tablerag.evaluation.trial import Trial
from tablerag.tools.errors import ConfigError
from tablerag.tools.settings import get_settings
from tests.evaluation.native_sets import heteqa_folder, hybridqa_folder, wikitq_folder
from tests.evaluation.test_table_retrieval import qgpt_folder
from tests.support.model_server import ModelServer, Reply


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "300")
    get_settings.cache_clear()
    yield tmp_path
    get_settings.cache_clear()


def call(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["eval", "paper", *arguments])
    return int(ended.value.code or 0)


@pytest.fixture
def small_paper(monkeypatch: pytest.MonkeyPatch) -> Paper:
    """A paper with two rows over HybridQA, one that needs other data, and one that nothing measures."""
    cells = (
        Cell("direct", "HybridQA", Trial("hybridqa", system="direct"), published={"GPT": 40.5, "Qwen": 33.0}),
        Cell("naive", "HybridQA", Trial("hybridqa", system="naive_rag"), published={"GPT": 50.0}),
        Cell("direct", "F1", Trial("hybridqa", system="direct"), "f1"),
        Cell("direct", "refused", Trial("hybridqa", system="direct"), "failure=refused"),
        Cell("direct", "more than one step", Trial("hybridqa", system="direct"), "iterations>=2"),
        Cell("direct", "OTT-QA", Trial("ottqa", system="direct")),
        Cell("DPR", "HybridQA", published={"GPT": 12.0}, why="its weights are not public"),
    )
    figures = (
        Figure("table-1", "Main results", cells, ours="naive", judged=True, notes=("Three questions only.",)),
        Figure("table-2", "Annotators", (), impossible="people did it"),
    )
    made = Paper("qgpt", "A small paper", "0000.00000", figures)
    monkeypatch.setitem(listing.PAPERS, "qgpt", "small")
    monkeypatch.setattr(listing, "import_module", lambda name: type("Small", (), {"PAPER": made}))
    return made


def test_tables_are_listed_with_their_states(
    here: Path, small_paper: Paper, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("qgpt") == 0
    printed = capsys.readouterr().out
    assert "A small paper (arXiv 0000.00000)" in printed
    assert "| table-1 | Main results | 3    | needs a model" in printed
    assert "impossible: people did it" in printed


def test_a_table_is_run_printed_and_written_with_the_published_figures(
    here: Path, small_paper: Paper, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    hybridqa_folder(here)
    monkeypatch.setenv("OPENAI_BASE_URL", model_server.url)

    def reply(body: dict) -> Reply:
        text = json.dumps(body["messages"])
        known = "Aland." in text or "Rivers of Aland" in text
        return Reply(json.dumps({"answer": "340" if known else ""}))

    model_server.responder = reply
    command = ("qgpt", "--table", "table-1", "--data", str(here), "--model", "openai:test", "--price", "1,2")
    assert call(*command, "--estimate") == 0
    told = capsys.readouterr().err
    assert "table-1: 2 runs, 6 questions, about 6 model calls, 5,100 tokens in and 360 out, about $0.01" in told
    assert not model_server.requests and not (here / "evaluation-runs").exists()

    assert call(*command) == 0
    printed = capsys.readouterr()
    asked = len(model_server.requests)
    assert "not run: " in printed.err
    rows = rows_of(made(here, "qgpt-table-1.csv"))
    assert rows["naive", "HybridQA"] | {"95 % interval": "", "date": ""} == {
        "row": "naive", "column": "HybridQA", "published (GPT)": "50", "published (Qwen)": "", "ours": "33.3",
        "95 % interval": "", "n": "3", "why": "", "model": "openai:test", "questions": "all questions", "date": "",
    }  # fmt: skip
    assert rows["direct", "HybridQA"]["ours"] == "0.0" and rows["direct", "HybridQA"]["published (Qwen)"] == "33"
    assert rows["direct", "refused"]["ours"] == "100.0" and rows["direct", "more than one step"]["ours"] == "0.0"
    assert rows["direct", "OTT-QA"]["ours"] == "" and "dev.json: file not found" in rows["direct", "OTT-QA"]["why"]
    assert rows["DPR", "HybridQA"]["why"] == "its weights are not public"
    written = made(here, "qgpt-table-1.md").read_text(encoding="utf-8")
    assert "| HybridQA | naive | direct | +33.3 (+0.0 to +100.0) | 1 : 0 | 1 |" in written
    assert "Model: openai:test; all questions; " in written and "- Three questions only." in written

    assert call(*command) == 0
    assert "(6 already answered), about 0 model calls" in capsys.readouterr().err
    assert len(model_server.requests) == asked


def made(here: Path, name: str) -> Path:
    """Return the file of a table, in the folder of its model."""
    (path,) = (here / "evaluation-runs" / "papers").glob(f"*/{name}")
    return path


def rows_of(path: Path) -> dict[tuple[str, str], dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return {(r["row"], r["column"]): r for r in csv.DictReader(file)}


def test_tablerags_figures_share_runs_and_are_judged(
    here: Path, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All systems answer HeteQA's question; the two figures after the first ask no system again."""
    heteqa_folder(here)
    monkeypatch.setenv("OPENAI_BASE_URL", model_server.url)

    def reply(body: dict) -> Reply:
        text = json.dumps(body["messages"])
        if "You grade answers" in text:
            return Reply(json.dumps({"right": True, "reason": "the same"}))
        if "Actions left" in text:
            return Reply("Thought: known\nAction: Finish[1500]")
        return Reply("```python\nanswer = 1400\n```" if "pandas" in text else json.dumps({"answer": "1500"}))

    model_server.responder = reply
    command = ("tablerag", "--data", str(here), "--model", "openai:test", "--table")
    assert call(*command, "figure-10", "--judge", "openai:judge") == 0
    rows = rows_of(made(here, "tablerag-figure-10.csv"))
    assert {column for _, column in rows} == {"HeteQA, single-source"} and len(rows) == 6
    assert rows["program of thought", "HeteQA, single-source"]["ours"] == "100.0", "the judge's verdict counts"
    asked = len(model_server.requests)
    assert call(*command, "errors") == 0
    rows = rows_of(made(here, "tablerag-errors.csv"))
    assert rows["TableRAG", "error in the system"]["ours"] == rows["ReAct", "wrong answer"]["ours"] == "0.0"
    assert rows["ReAct", "no answer"]["n"] == "1"
    assert call(*command, "table-4") == 0
    assert "hybridqa" not in {p.name.partition("-")[0] for p in (here / "evaluation-runs").iterdir()}
    rows = rows_of(made(here, "tablerag-table-4.csv"))
    assert (rows["ReAct", "HeteQA"]["ours"], rows["ReAct", "HeteQA"]["published (Qwen-2.5-72b)"]) == ("100.0", "12.5")
    assert rows["program of thought", "HeteQA"]["ours"] == "0.0", "the metric counts"
    assert "file not found" in rows["ReAct", "WikiTQ"]["why"]
    assert len(model_server.requests) == asked
    for name in ("table-1", "figure-4", "figure-5", "figure-7", "figure-11"):
        assert call(*command, name) == 0
        rows = rows_of(made(here, f"tablerag-{name}.csv"))
        assert all(r["ours"] for (_, column), r in rows.items() if not column.startswith(("HybridQA", "WikiTQ"))), name
        assert not any("error" in r["why"] for r in rows.values()), name
    assert call(*command, "table-2", "--model", "offline") == 0
    rows = rows_of(made(here, "tablerag-table-2.csv"))
    assert (
        float(rows["TableRAG", "HeteQA, total"]["ours"]) >= 0
        and "needs a model" in rows["ReAct", "HeteQA, total"]["why"]
    )
    assert "about 0 model calls" in capsys.readouterr().err


def test_qgpts_table_is_measured_without_a_model(here: Path) -> None:
    """Only the rows whose corpora are there are measured."""
    qgpt_folder(here)
    assert call("qgpt", "--table", "table-7", "--data", str(here), "--model", "openai:unused") == 0
    text = made(here, "qgpt-table-7.md").read_text(encoding="utf-8")
    assert "Model: embedded; all questions; " in text
    rows = rows_of(made(here, "qgpt-table-7.csv"))
    assert rows["QGpT, without titles", "OTT-QA, R@1"]["published (BGE-M3)"] == "51.5"
    assert (
        rows["QGpT, with titles", "OTT-QA, R@1"]["ours"] == "75.0"
        and "not found" in rows["pT, with titles", "OTT-QA, R@1"]["why"]
    )


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("squad",), "unknown paper 'squad': expected one of tablerag, qgpt, hd_rag"),
        (("qgpt", "--table", "table-9"), "qgpt has no table 'table-9': expected one of table-1, table-2"),
        (("qgpt", "--table", "table-2"), "qgpt table-2 cannot be repeated: people did it"),
        (("qgpt", "--table", "table-1"), "--data is missing"),
        (("qgpt", "--table", "table-1", "--data", "nowhere"), "nowhere: not a folder"),
        (("qgpt", "--table", "table-1", "--data", "."), "dev.json: file not found"),
        (("qgpt", "--table", "table-1", "--price", "cheap"), "--price 'cheap': expected two"),
    ],
)
def test_bad_input_is_told(
    here: Path, small_paper: Paper, capsys: pytest.CaptureFixture[str], arguments: tuple, told: str
) -> None:
    wikitq_folder(here)
    assert call(*arguments) == 2
    printed = capsys.readouterr().err
    assert told in printed and printed.count("\n") == 1


@pytest.mark.parametrize(
    ("asked", "name"), [("fig4", "figure-4"), ("Figure 11", "figure-11"), ("1", "table-1"), ("errors", "errors")]
)
def test_tables_are_found_as_people_name_them(asked: str, name: str) -> None:
    assert figure_of(paper_of("tablerag"), asked).name == name
    with pytest.raises(ConfigError, match="has no table 'fig99': expected one of table-1"):
        figure_of(paper_of("tablerag"), "fig99")
