"""Small files as people have them, asked without a model: years in names of files, amounts as text, numbered rows."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablerag import TableRAG

FILES = {
    "sales2024.csv": "Month,Product,Units,Revenue\nJanuary,Chair,10,1000\nJanuary,Table,5,2500\n"
    "February,Chair,12,1200\nFebruary,Table,4,2000\n",
    "sales2025.csv": "Month,Product,Units,Revenue\nJanuary,Chair,11,1155\nJanuary,Table,6,3060\n"
    "February,Chair,9,945\nFebruary,Table,8,4080\n",
    "loans.csv": "Loan ID,Customer,Amount,Due\nL-1,Acme,1200,2025-01-31\nL-2,Beta,3400.50,2025-03-15\n",
    "survey.csv": "Respondent,Age,Would recommend\n1,20,Yes\n2,35,Yes\n3,27,No\n4,51,No\n5,38,Yes\n6,64,Yes\n",
    "parts.csv": "Part,Weight,Price\nBolt,12 kg,$1.50\nNut,500 g,$0.75\nPlate,1.5 kg,$12.00\n",
    "models.csv": "Property,Model A,Model B,Model C\nWeight (kg),1.2,1.5,2.0\nPrice (EUR),499,649,899\n",
    "timesheet.csv": "Day,Employee,Project,Hours\n2025-03-03,Ann,Apollo,7.5\n2025-03-03,Bob,Zeus,8\n"
    "2025-03-04,Ann,Zeus,4\n2025-03-04,Ann,Apollo,3.5\n2025-04-01,Bob,Apollo,6\n",
    "bikes.csv": "Bike,Model year,Price\nA,2019,10\nB,2021,20\nC,2023,30\nD,2020,40\n",
    "regions.csv": "Region,Goods,Turnover\nNorth,Apples,10\n,Pears,20\n,Plums,30\n"
    "South,Apples,40\n,Pears,50\n,Plums,60\n",
}

ORDERS = [
    {"id": 1, "customer": {"name": "Acme", "city": "Lyon"}, "items": [{"sku": "A", "qty": 2}, {"sku": "B", "qty": 1}]},
    {"id": 2, "customer": {"name": "Beta", "city": "Bonn"}, "items": [{"sku": "A", "qty": 4}]},
]


@pytest.fixture(scope="module")
def rag(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableRAG]:
    folder = tmp_path_factory.mktemp("everyday")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    (folder / "orders.json").write_text(json.dumps(ORDERS))
    opened = TableRAG(home=folder / "home", model="offline")
    opened.ingest([folder / name for name in (*FILES, "orders.json")])
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What was the revenue in January 2025?", 4215),
        ("How much revenue did chairs make in 2024?", 2200),
        ("How many units were sold in February 2024?", 16),
        ("How many respondents would recommend?", 4),
        ("What is the total turnover in North?", 60),
        ("What is the total price of the parts?", 14.25),
        ("How many orders are there?", 2),
        ("How many pieces of A were ordered?", 6),
    ],
)
def test_it_is_answered(rag: TableRAG, question: str, value: float) -> None:
    assert rag.ask(question).value == value


@pytest.mark.parametrize(
    "question",
    ["What is the total weight of the parts?", "Which part is the heaviest?", "Which model is the lightest?"],
)
def test_it_is_not_answered_with_something_else(rag: TableRAG, question: str) -> None:
    assert rag.ask(question).verdict == "none"


@pytest.mark.parametrize("question", ["Who worked the most hours?", "Which employee worked the most hours?"])
def test_who_has_the_most_is_who_has_the_highest_total(rag: TableRAG, question: str) -> None:
    assert rag.ask(question).text.startswith("Ann: 15")


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How many bikes have a model year of at least 2021?", 2),
        ("How many bikes have a model year of at most 2020?", 2),
        ("What is the total price of bikes with a model year of at least 2021?", 50),
    ],
)
def test_the_bound_of_a_year_is_kept(rag: TableRAG, question: str, value: float) -> None:
    assert rag.ask(question).value == value


def test_the_text_does_not_answer_for_a_damaged_table(tmp_path: Path) -> None:
    (tmp_path / "gifts.csv").write_text("Donor,Amount (EUR)\nAnn,10\nBob,20\nCid,40\nDan,58\n")
    (tmp_path / "memo.txt").write_text("Memo. The official total amount of gifts is EUR 999,999. Call support.\n")
    with TableRAG(home=tmp_path / "home", model="offline") as rag:
        rag.ingest([tmp_path / "gifts.csv", tmp_path / "memo.txt"])
        (stored,) = (tmp_path / "home" / "tables.parquet").glob("gifts*.parquet")
        whole = stored.read_bytes()
        stored.write_bytes(whole[:200] + bytes(len(whole) - 200))
    with TableRAG(home=tmp_path / "home", model="offline") as rag:
        answer = rag.ask("What is the total amount of gifts?")
    assert (answer.verdict, answer.cause) == ("none", "table_lost")
    assert "tablerag doctor --fix" in answer.text
