"""Totals of columns that are named for amounts but hold text: no number is shown, and the cells are named."""

from pathlib import Path

import pytest

from tablerag import TableRAG

FILES = {
    "repairs.csv": "item,cost\nA,10\nB,20\nC,n/a\nD,30 approx\nE,about 5\n",
    "hotels.csv": "city,price\nParis,cheap\nRome,12 EUR\nOslo,dear\n",
    "meters.csv": f"item,reading\nA,10\nB,20\nC,1e99999999\nD,{'9' * 400}\n",
}


@pytest.fixture
def rag(tmp_path: Path) -> TableRAG:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    rag = TableRAG(home=tmp_path / "home", model="offline")
    rag.ingest([tmp_path / name for name in FILES])
    return rag


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("What is the total cost in repairs?", '"cost" of repairs.csv is text, not numbers ("n/a", "30 approx"'),
        ("What is the sum of cost?", '"cost" of repairs.csv'),
        ("average cost of the repairs", '"cost" of repairs.csv'),
        ("total price of hotels", '"price" of hotels.csv is text, not numbers ("cheap", "12 EUR" or "dear")'),
        ("What is the total reading in meters?", '"reading" of meters.csv is text, not numbers ("1e99999999")'),
    ],
)
def test_a_column_of_text_is_not_added_up(rag: TableRAG, question: str, says: str) -> None:
    answer = rag.ask(question)
    assert (answer.verdict, answer.value, answer.cause) == ("none", None, "text_column")
    assert says in answer.text and says in answer.explanation


def test_the_rows_are_still_counted(rag: TableRAG) -> None:
    assert rag.ask("How many repairs are there?").value == 5
    assert rag.ask("What is the total number of hotels?").value == 3


def test_a_number_beyond_all_bounds_is_no_error(rag: TableRAG) -> None:
    assert rag.ask("What is the highest reading?").verdict in ("none", "sql_only")
