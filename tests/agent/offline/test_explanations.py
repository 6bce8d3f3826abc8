"""Explanations name columns by the headers of their document, never by their SQL names."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tablerag import TableRAG
from tablerag.graphs.deployment import Deployment
from tablerag.graphs.tablerag import build
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings

COSTS = """Cost Item,Month Booked,Total (EUR),Order No
Desk,May,900.5,17
Chair,May,640,18
Lamp,July,250,19
Bed,July,1250,20
"""
SQL_NAME = re.compile(r"cost_item|month_booked|total_eur|order_no")
Ask = Callable[[str], dict[str, Any]]


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    folder: Path = tmp_path_factory.mktemp("explanations")
    (folder / "costs.csv").write_text(COSTS, encoding="utf-8")
    services = Services(Settings(home=folder / "home", model="offline", _env_file=None))
    ingest([folder / "costs.csv"], services, "default")
    (schema,) = services.catalog.schemas("default")
    assert [c.name for c in schema.columns] == ["cost_item", "month_booked", "total_eur", "order_no"]
    graph = build(Deployment(services)).compile()
    yield lambda question: graph.invoke({"question": question})
    services.close()


def test_columns_have_their_documents_headers(ask: Ask) -> None:
    outcome = ask("What is the total (EUR) in May?")
    assert outcome["answer"] == "EUR 1,540.50"
    assert outcome["explanation"] == (
        'Sum of Total (EUR) over 2 costs where Month Booked is "May". Computed by SQL over the whole table.'
    )


@pytest.mark.parametrize(
    ("question", "explanation"),
    [
        ("Which cost item has the highest total (EUR)?", "Cost Item and Total (EUR) of the costs with the highest"),
        ("average total (EUR) by month booked", "Average of Total (EUR) for each Month Booked."),
        ("What is the sum of all orders?", "Sum of Total (EUR) over 4 costs."),
        ("Which month booked has the most total (EUR)?", "Month Booked with the highest sum of Total (EUR)."),
    ],
)
def test_no_sql_name_is_in_an_explanation(ask: Ask, question: str, explanation: str) -> None:
    found = ask(question)["explanation"]
    assert explanation in found
    assert not SQL_NAME.search(found)


def test_a_total_of_totals_says_so_once_in_its_header(ask: Ask) -> None:
    assert ask("total (EUR) by month booked")["table"]["columns"] == ["Month Booked", "Sum of Total (EUR)"]


@pytest.mark.parametrize("question", ["What is the total (EUR) in June?", "What is the seventh highest total (EUR)?"])
def test_no_sql_name_is_in_the_readings_of_what_is_not_answered(ask: Ask, question: str) -> None:
    outcome = ask(question)
    assert outcome["verdict"] == "none"
    assert not SQL_NAME.search(outcome["answer"] + outcome["explanation"])


def test_years_have_no_separators(tmp_path: Path) -> None:
    path = tmp_path / "yearly.csv"
    path.write_text("Item,Year,Amount\nDesk,2025,1000\nLamp,2025,2000\nDesk,2024,1500\n", encoding="utf-8")
    with TableRAG(tmp_path / "home", model="offline") as rag:
        rag.ingest([path])
        assert "where Year is 2025" in rag.ask("What is the total amount in 2025?").explanation
        assert "above 1,200" in rag.ask("Which items have an amount of more than 1200?").explanation
