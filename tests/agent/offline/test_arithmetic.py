"""Arithmetic through TableRAG's graph: computed by SQL, held against the calculator, with scale and cited rows."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tablerag.graphs.deployment import Deployment
from tablerag.graphs.tablerag import build
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings

PAGE = """<p>All amounts are in millions.</p>
<table><tr><td></td><td>2019</td><td>2018</td><td>2017</td></tr>
<tr><td>Fixed Price</td><td>$ 1,452.4</td><td>$ 1,146.2</td><td>$ 1,036.9</td></tr>
<tr><td>Cost plus</td><td>44.1</td><td>56.7</td><td>70.8</td></tr>
<tr><td>Tax expense</td><td>(12)</td><td>(10)</td><td>—</td></tr>
<tr><td>O'Neil's share</td><td>40.5%</td><td>38.0%</td><td>37.0%</td></tr>
<tr><td>Other costs</td><td>1</td><td>2</td><td>3</td></tr>
<tr><td>Other costs</td><td>4</td><td>5</td><td>6</td></tr></table>"""


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    folder: Path = tmp_path_factory.mktemp("arithmetic")
    (folder / "report.html").write_text(PAGE, encoding="utf-8")
    opened = Services(Settings(home=folder / "home", model="offline", _env_file=None))
    ingest([folder / "report.html"], opened, "default")
    yield opened
    opened.close()


def asked(services: Services, question: str) -> dict[str, Any]:
    return build(Deployment(services)).compile().invoke({"question": question})


@pytest.mark.parametrize(
    ("question", "answer", "name"),
    [
        ("What was the percentage change in cost plus from 2018 to 2019?", "-22.2222%", "percent_change"),
        ("What is the average fixed price for 2018 and 2019?", "1299.3 million", "average"),
        ("What is the change in tax expense from 2018 to 2019?", "-2 million", "difference"),
        ("What is the change in O'Neil's share from 2018 to 2019?", "2.5%", "difference"),
        ("What is the ratio of fixed price to cost plus in FY19?", "32.9342", "ratio"),
        ("What is cost plus as a percentage of fixed price in 2019?", "3.0364%", "share"),
    ],
)
def test_it_is_computed_by_sql_over_what_is_named(services: Services, question: str, answer: str, name: str) -> None:
    outcome = asked(services, question)
    assert (outcome["raw"], outcome["verdict"]) == (answer, "sql_only")
    (statement,) = outcome["sql"]
    assert f"AS `{name}`" in statement and "FROM `report`" in statement
    assert outcome["citations"][0]["source"] == "report.html" and outcome["citations"][0]["row_ids"]
    assert "Computed by SQL" in outcome["explanation"] and "Computed: " in outcome["explanation"]


def test_the_explanation_names_row_years_and_formula(services: Services) -> None:
    told = asked(services, "What was the percentage change in cost plus from 2018 to 2019?")["explanation"]
    assert 'Percentage change of "Cost plus" (2018: 56.7, 2019: 44.1)' in told
    assert "(44.1 - 56.7) / 56.7 * 100" in told


def test_rows_that_no_words_tell_apart_are_not_computed_with(services: Services) -> None:
    outcome = asked(services, "What was the percentage change in other costs from 2018 to 2019?")
    assert not any("percent_change" in statement for statement in outcome["sql"])


def test_a_figure_that_two_documents_give_otherwise_is_not_computed(tmp_path: Path) -> None:
    (tmp_path / "north.html").write_text(f"<h1>North</h1>{PAGE}", encoding="utf-8")
    (tmp_path / "south.html").write_text(f"<h1>South</h1>{PAGE.replace('44.1', '99')}", encoding="utf-8")
    services = Services(Settings(home=tmp_path / "home", model="offline", _env_file=None))
    ingest([tmp_path / "north.html", tmp_path / "south.html"], services, "default")
    outcome = asked(services, "What was the percentage change in cost plus from 2018 to 2019?")
    assert outcome["sql"] == [] and "name the document" in outcome["explanation"]
    named = asked(services, "What was the percentage change in cost plus of South from 2018 to 2019?")
    assert (named["raw"], named["citations"][0]["source"]) == ("74.6032%", "south.html")
    services.close()


def test_a_name_that_no_table_holds_is_not_answered_about(services: Services) -> None:
    outcome = asked(services, "What was the percentage change in cost plus of Contoso from 2018 to 2019?")
    assert not any("percent_change" in statement for statement in outcome["sql"])


def test_other_readings_of_arithmetic_that_is_not_read_are_not_given(services: Services) -> None:
    outcome = asked(services, "What was the percentage change in hedging results from 2018 to 2019?")
    assert outcome["verdict"] == "none" and outcome["sql"] == []
