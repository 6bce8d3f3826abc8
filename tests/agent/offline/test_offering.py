"""Which readings are offered: none that shows something else than what is asked for, and no two that look the same."""

from pathlib import Path

import pytest

from tablerag import Answer, TableRAG
from tablerag.agent.context import Context
from tablerag.graphs.deployment import Deployment
from tablerag.graphs.tablerag import build
from tablerag.tools.services import Services

FILES = {
    "orders.csv": "Order ID,Order Date,Customer,Product,Quantity (kg),Price per kg (EUR)\n"
    "00001,2025-01-03,Aurora,Lake Kivu,5,20.10\n00002,2025-02-14,Lumen,Lake Kivu,60,20.10\n"
    "00003,2025-02-20,Aurora,Andes,20,12.40\n00004,2025-03-02,Meridian,Andes,15,12.40\n",
    "products.csv": "SKU,Product,Origin,Price (EUR)\n0101,Lake Kivu,Rwanda,20.10\n0102,Andes,Colombia,12.40\n",
    "staff.csv": "Name,Department,Hours\nIda,Sales,38\nUma,Sales,30\nTom,Roastery,40\n",
    "handbook.md": "# Handbook\n\nFemke Jansen has run the site since 1998.\n\nParents get 16 weeks of paid leave.\n",
}


@pytest.fixture(scope="module")
def rag(services_read: Services, tmp_path_factory: pytest.TempPathFactory) -> TableRAG:
    folder = tmp_path_factory.mktemp("offering")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    opened = TableRAG.over(services_read, model="offline")
    opened.ingest(folder)
    return opened


def meanings(answer: Answer) -> list[str]:
    return [r.meaning for r in answer.readings]


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("What is the phone number of Lake Kivu?", "phone number"),
        ("Welche Telefonnummer hat Lake Kivu?", "Telefonnummer"),
        ("What is the shoe size of the customers?", "shoe size"),
        ("How many orders from the country Atlantis?", "Atlantis"),
        ("What is the total weight of the trucks?", "trucks"),
        ("What is the weather in Paris?", "weather"),
        ("lorem ipsum dolor", "lorem ipsum dolor"),
    ],
)
def test_what_no_table_has_is_named_and_nothing_is_offered_in_its_place(
    rag: TableRAG, question: str, missing: str
) -> None:
    answer = rag.ask(question)
    assert (answer.verdict, answer.value, meanings(answer)) == ("none", None, [])
    assert answer.explanation.startswith("No column or value matches ")
    assert f'"{missing}"' in answer.explanation


def test_words_that_are_known_or_only_ask_are_not_said_to_be_missing(rag: TableRAG) -> None:
    asked = ("How many?", "how many orders " * 40, "Wie hoch ist die Gesamtmenge?", "Why is Lake Kivu more expensive?")
    for question in asked:
        assert "No column or value matches" not in rag.ask(question).explanation


def test_an_offered_total_says_over_how_many_rows(rag: TableRAG) -> None:
    found = meanings(rag.ask("What is the total?"))
    assert "Total of Quantity (kg) over 4 orders" in found
    assert all(" over rows" not in m for m in found)


def test_two_lists_of_the_same_rows_are_one_reading(rag: TableRAG) -> None:
    found = [m for m in meanings(rag.ask("List the orders of Aurora")) if 'Customer is "Aurora"' in m]
    shown = [set(m.partition(" of the ")[0].split(" and ")) for m in found]
    assert not any(a <= b for a in shown for b in shown if a is not b)


def test_tables_of_one_title_are_told_by_their_files(services: Services, tmp_path: Path) -> None:
    for place, amounts in {"north": (10, 20), "south": (1, 5), "west": (7, 9)}.items():
        (tmp_path / place).mkdir()
        rows = "".join(f"{place} {n},{n}\n" for n in amounts)
        (tmp_path / place / "sales.csv").write_text(f"Region {place},Amount\n{rows}")
    with TableRAG.over(services, model="offline") as rag:
        rag.ingest(tmp_path)
        answer = rag.ask("amount")
    read = [m for m in meanings(answer) if m.startswith("Total of Amount")]
    assert len(read) > 1 and all(m.endswith("sales.csv)") and "/" in m.partition(" (")[2] for m in read), read
    assert not [m for m in read if "sales_2" in m or "sales_3" in m]
    evidence = [e for e in rag_events(services, "amount") if e["type"] == "evidence"]
    assert evidence and "sales_2" not in evidence[0]["text"]


def rag_events(services: Services, question: str) -> list[dict]:
    """Return the events of a question."""
    graph = build(Deployment(services, model="offline")).compile()
    return list(graph.stream({"question": question}, stream_mode="custom", context=Context()))
