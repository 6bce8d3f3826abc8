"""Answers whose SQL and text disagree, over real documents with the embedded reasoner, and with a model's verdict."""

from pathlib import Path

import pytest

from tablerag.agent.reasoning import Enough, SqlQuery, Subquery, Validation
from tablerag.graphs.deployment import Deployment
from tablerag.graphs.tablerag import build
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.records import Citation
from tablerag.tools.services import Services
from tests.support.fakes import ScriptedReasoner

SALES = "region,units,revenue_eur\nNorth,120,450000\nSouth,80,524500\nEast,200,800000\n"
NOTES = """# Notes

The total revenue was about 1.8 million EUR.

The total units sold were 410.
"""


@pytest.fixture
def asked(services: Services, tmp_path: Path):
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "sales_2025.csv").write_text(SALES)
    (folder / "notes.md").write_text(NOTES)
    (folder / "report_2023.md").write_text("# Report\n\nThe average revenue was 400,000 EUR.\n")
    ingest([folder], services, "default")
    return lambda question: build(Deployment(services)).compile().invoke({"question": question})


def test_a_rounded_figure_of_the_text_agrees(asked):
    outcome = asked("What was the total revenue?")
    assert (outcome["answer"], outcome["verdict"]) == ("EUR 1,774,500", "agree")
    assert "'about 1.8 million EUR'" in outcome["explanation"]


def test_a_figure_that_differs_is_a_conflict_with_both_figures(asked):
    outcome = asked("What is the total units?")
    assert (outcome["answer"], outcome["verdict"]) == ("400", "conflict")
    assert "SQL gives 400; the text says '410'." in outcome["explanation"]
    assert outcome["conflict_cause"] == {"cause": "", "says": ""}


def test_an_older_document_is_named_as_the_cause(asked):
    outcome = asked("What was the average revenue?")
    assert outcome["verdict"] == "conflict"
    assert outcome["conflict_cause"]["cause"] == "older_version"
    assert "report_2023.md" in outcome["explanation"]
    assert outcome["steps"][0]["conflict_cause"] == outcome["conflict_cause"]


@pytest.mark.parametrize(
    ("says", "text", "cause"),
    [("scope", "Sales came to 1.8 million EUR.", "rounding"), ("scope", "Sales came to 99 EUR.", "scope")],
)
def test_what_the_numbers_prove_goes_before_what_a_model_says(services: Services, tmp_path: Path, says, text, cause):
    path = tmp_path / "sales.csv"
    path.write_text(SALES)
    ingest([path], services, "default")
    cited = Citation(source="notes.md", quote=text)
    reasoner = ScriptedReasoner()
    reasoner.enqueue("decompose", Subquery("What are the sales?"), Enough("1774500"))
    reasoner.enqueue("write_sql", SqlQuery("SELECT SUM(revenue_eur) FROM sales"))
    reasoner.enqueue("cross_validate", Validation("1774500", "conflict", "They differ.", (cited,), says))
    graph = build(Deployment(services), lambda context: reasoner).compile()
    outcome = graph.invoke({"question": "What are the sales?"})
    assert outcome["conflict_cause"]["cause"] == cause
