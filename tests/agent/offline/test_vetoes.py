"""What forbids an answer: conditions left out, exclusions turned round, and what is computed of the wrong thing."""

from collections.abc import Callable, Iterator

import pytest

from tablerag.agent.context import Context
from tablerag.graphs.deployment import Deployment
from tablerag.graphs.tablerag import build
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings

PEOPLE = """Employee,Dept,Country,Salary,Bonus,Start
Ann Lee,HR,US,50000,5,2018-03-01
Bob Ray,IT,UK,60000,7.5,2019-06-01
Cid Fox,IT,US,70000,10,2015-03-20
Dee Kim,PR,JP,45000,5,2023-11-11
Eve Orr,HR,UK,35000,2.5,2022-02-02
Fay Ito,IT,JP,51000,7.5,2020-01-15
"""
ORDERS = """Order No,Customer,Product,Quantity,Amount,Order Date,Paid
1001,Nordwind GmbH,Desk,2,900.5,2024-01-05,yes
1002,Baker & Sons,Chair,8,640,2024-01-20,no
1003,Alpine Ltd,Desk,3,1350,2024-02-11,yes
1004,Zephyr Inc,Lamp,10,250,2024-03-02,yes
1005,Nordwind GmbH,Lamp,4,100,2024-03-15,no
1006,Baker & Sons,Desk,1,450,2025-01-09,yes
"""
PLACES = "Place,Amount\nIndia,10\nIndonesia,20\nPeru,30\nIndia,5\nPeru,7\n"
NOTES = "# Notes\n\nThe total revenue of 2025 was 1,774,500 EUR. Weiss AG was founded in 1954 and sells wine.\n"


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str, str, str], str]]:
    """Return a function that asks a question of a file, each file in a corpus of its own."""
    folder = tmp_path_factory.mktemp("vetoes")
    services = Services(Settings(home=folder / "home", model="offline", _env_file=None))
    graph = build(Deployment(services)).compile()

    def of(name: str, text: str, question: str) -> str:
        if not (folder / name).exists():
            (folder / name).write_text(text, encoding="utf-8")
            ingest([folder / name], services, name)
        outcome = graph.invoke({"question": question}, context=Context(corpus=name))
        return outcome["raw"] if outcome["verdict"] != "none" else ""

    yield of
    services.close()


@pytest.mark.parametrize(
    "question",
    [
        "average salary in Germany?",
        "average salary of managers?",
        "total salary of people hired in 2099?",
        "What is the average salary in IT, for contractors of Acme?",
        "When was Bob Ray born?",
    ],
)
def test_what_leaves_out_a_condition_is_no_answer(answers, question: str) -> None:
    assert answers("people.csv", PEOPLE, question) == ""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the average salary?", "51833.3333"),
        ("average salary of all employees", "51833.3333"),
        ("total salary of everyone but Ann Lee", "261000"),
        ("Who has the second highest salary?", "Bob Ray: 60000"),
        ("What is the average salary in HR?", "42500"),
        ("What is the salary of Bob Ray?", "60000"),
        ("How many employees are from the UK?", "2"),
        ("Who has the highest salary?", "Cid Fox: 70000"),
        ("total salary without HR", "226000"),
        ("total salary of everyone but Ann Lee", "261000"),
        ("total salary of people not in HR", "226000"),
    ],
)
def test_what_takes_all_in_is_answered(answers, question: str, answer: str) -> None:
    assert answers("people.csv", PEOPLE, question) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is order 1005 paid?", ""),
        ("Which customer placed the most orders?", "Baker & Sons: 2, Nordwind GmbH: 2"),
        ("total amount excluding Desk", "990"),
        ("What was the total amount in 2023?", ""),
        ("What was the total amount in 2024?", "3240.5"),
        ("How many orders are unpaid?", "2"),
        ("How many orders are paid?", "4"),
    ],
)
def test_rows_are_not_numbered_quantities_and_no_is_not_yes(answers, question: str, answer: str) -> None:
    assert answers("orders.csv", ORDERS, question) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [("total amount without India", "57"), ("total amount excluding Indonesia", "52"), ("total amount in India", "15")],
)
def test_what_is_excluded_is_no_negative_value(answers, question: str, answer: str) -> None:
    assert answers("places.csv", PLACES, question) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What was the total revenue of 2019?", ""),
        ("What was the total revenue of 2025?", "1,774,500 EUR"),
        ("How many employees does Weiss AG have?", ""),
        ("When was Weiss AG founded?", "1954"),
        ("When was Okafor Ltd founded?", ""),
    ],
)
def test_a_sentence_of_another_year_name_or_kind_is_no_answer(answers, question: str, answer: str) -> None:
    assert answers("notes.md", NOTES, question) == answer
