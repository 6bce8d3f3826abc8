"""Which rows a word means: those that a table has exactly, rather than what another one only resembles."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tablerag import TableRAG
from tablerag.agent.offline.reading.reader import Reading
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tests.agent.offline.conftest import Ask, is_unsure, misread

MONTHS = range(1, 7)
FILES = {
    "inspections.csv": "Inspection,Site,Inspected on,Closed on,Grade\n"
    + "".join(
        f"I{n:02d},S{n % 4},2025-{1 + n % 6:02d}-03,2025-{2 + n % 6:02d}-19,{'ABC'[n % 3]}\n" for n in range(1, 25)
    ),
    "sites.csv": "Hall,Town,Energy class,Tenure\n"
    "S0,Ulm,A,Own\nS1,Ulm,B,Market rent\nS2,Ulm,A,Own\nS3,Bonn,B,Market rent\n",
    "invoices.csv": "Invoice,Purpose,Invoice date,Net (EUR)\n"
    + "".join(f"R{n},{'Inspections' if n % 2 else 'Tools'},2025-{1 + n % 6:02d}-11,{n * 10}\n" for n in range(1, 19)),
    "survey.csv": "Reply,Town,Inspections service (1-5),Owner\n"
    + "".join(
        f"A{n},{'Ulm' if n % 3 else 'Bonn'},{1 + n % 5},{'Mill House' if n == 4 else 'Ada Kurz'}\n"
        for n in range(1, 15)
    ),
}


def test_rows_are_counted_in_the_table_that_is_named_after_them(ask: Ask) -> None:
    counts = [(f"2025-{m:02d}", sum(1 + n % 6 == m for n in range(1, 25))) for m in MONTHS]
    assert not misread(ask, [("How many inspections were inspected each month in 2025?", counts)])
    assert not is_unsure(ask("How many inspections were inspected each month in 2025?"))


def test_the_most_of_something_is_no_high_mark_for_it(ask: Ask) -> None:
    reading = ask("Which town had the most inspections in 2025?")
    assert "Inspections service" not in reading.query.words() or is_unsure(reading)


def test_a_word_for_classes_after_a_column_is_understood(ask: Ask) -> None:
    assert not misread(ask, [("How many halls are in each energy class?", [("A", 2), ("B", 2)])])
    assert not misread(ask, [("How many inspections are in each grade level?", [("A", 8), ("B", 8), ("C", 8)])])
    assert not is_unsure(ask("How many inspections are in each grade level?"))


def test_a_value_of_several_words_is_not_taken_apart(ask: Ask) -> None:
    reading = ask("What percentage of our halls are at market rent?")
    assert reading.result.rows == ((50.0,),) and not is_unsure(reading)


def test_a_word_without_a_capital_is_nobody_s_name(ask: Ask) -> None:
    assert "Mill House" not in ask("How many replies came from people with a house?").sql
    assert "Mill House" in ask("How many replies came from Mill House?").sql


TABLES = """
CREATE TABLE cust_order (order_id INTEGER PRIMARY KEY, order_date DATE);
CREATE TABLE order_event (
    event_id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES cust_order, state_id INTEGER REFERENCES order_state,
    event_date DATE
);
CREATE TABLE order_state (state_id INTEGER PRIMARY KEY, state_value TEXT);
CREATE TABLE order_line (
    line_id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES cust_order, title_id INTEGER REFERENCES title
);
CREATE TABLE title (title_id INTEGER PRIMARY KEY, title TEXT);
"""


@pytest.fixture(scope="module")
def connected(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], str]]:
    """Return a function that answers a question over a database whose tables have names of two words."""
    folder: Path = tmp_path_factory.mktemp("connected")
    days = [(n, f"202{5 if n % 3 else 4}-{1 + n % 12:02d}-08") for n in range(1, 41)]
    events = [(3 * n + s, n, s, days[n - 1][1]) for n in range(1, 41) for s in range(1, 4 if n % 5 else 3)]
    with closing(sqlite3.connect(folder / "books.db")) as database:
        database.executescript(TABLES)
        database.executemany("INSERT INTO cust_order VALUES (?, ?)", days)
        database.executemany("INSERT INTO order_event VALUES (?, ?, ?, ?)", events)
        database.executemany(
            "INSERT INTO order_state VALUES (?, ?)", [(1, "Received"), (2, "Shipped"), (3, "Returned")]
        )
        database.executemany("INSERT INTO order_line VALUES (?, ?, ?)", [(n, 1 + n % 40, 1 + n % 2) for n in range(90)])
        database.executemany("INSERT INTO title VALUES (?, ?)", [(1, "Poppy's Return"), (2, "Order of the Owl")])
        database.commit()
    services = Services(Settings(home=folder / "home", model="offline", _env_file=None))
    rag = TableRAG.over(services)
    rag.connect("books", f"sqlite:///{folder / 'books.db'}", allow_writable_user=True)
    yield lambda question: rag.ask(question).text
    services.close()


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How many orders were placed in 2025?", "27"),
        ("How many more orders were placed in 2025 than in 2024?", "14"),
        ("How many order lines are there?", "90"),
        ("Orders by year", "| Year | Number of rows |\n| --- | ---: |\n| 2024 | 13 |\n| 2025 | 27 |"),
        ("How many orders have been returned?", "32"),
    ],
)
def test_the_last_word_of_a_table_s_name_says_what_its_rows_are(
    connected: Callable[[str], str], question: str, text: str
) -> None:
    assert connected(question) == text


def test_a_number_of_things_is_no_bound_of_a_measure(
    readings_of: Callable[..., Callable[[str], list[Reading]]],
) -> None:
    pets = "".join(f"P{n},O{n % 7},Pet {n}\n" for n in range(1, 13))
    visits = "".join(f"V{n},P{1 + n % 12},{n % 5 + 0.5}\n" for n in range(1, 40))
    files = {
        "owners.csv": "Owner ID,Owner\n" + "".join(f"O{n},Owner {n}\n" for n in range(7)),
        "pets.csv": f"Pet ID,Owner ID,Pet\n{pets}",
        "visits.csv": f"Visit,Pet ID,Weight (kg)\n{visits}",
    }
    reading = readings_of(files)("How many owners have more than one pet?")[0]
    assert is_unsure(reading) or reading.result.rows == ((5,),)


def test_a_share_of_rows_of_another_table_is_not_sure(connected: Callable[[str], str]) -> None:
    assert connected("What percentage of all orders was returned?").startswith("Not sure")


def test_a_state_that_no_column_tells_is_not_passed_over(ask: Ask) -> None:
    assert is_unsure(ask("How many inspections of Ulm were overdue in 2025?"))
    assert is_unsure(ask("What is the total net amount of the overdue invoices?"))


MONEY = {
    "budget.csv": "Branch,Revenue target (EUR)\nMill Lane,24000\nPark View,14000\n",
    "scores.csv": "Reply,Branch,Score\nA1,Mill Lane,3\nA2,Park View,5\nA3,Mill Lane,4\n",
    "stock.csv": "Item,Depot,Pieces\nbolts,Ulm,5\nnuts,Bonn,6\nrods,Ulm,7\nnails,Kiel,4\n",
    "branches.csv": "Branch No,Branch,Town\n1,Mill Lane,Ulm\n2,Park View,Bonn\n3,Quay,Kiel\n",
    "bills.csv": "Bill,Amount (EUR),Paid on\nB1,10,2025-01-03\nB2,20,\nB3,5,2025-02-04\n",
}


def test_targets_names_and_towns_are_what_they_are(readings_of: Callable[..., Callable[[str], list[Reading]]]) -> None:
    readings = readings_of(MONEY)
    assert readings("Score of Mill Lane")[0].result.rows == ((7,),), "no millions"
    assert all(is_unsure(r) for r in readings("What was the turnover of Mill Lane?")[:1]), "a target is no turnover"
    assert sorted(readings("Pieces by depot")[0].result.rows) == [("Bonn", 6), ("Kiel", 4), ("Ulm", 12)]
    assert readings("How many bills are open?")[0].result.rows == ((1,),)


OTHERS = {
    "applications.csv": "AppNo,Customer,Asked (EUR)\n" + "".join(f"A{n},C{n % 5},{n * 7}\n" for n in range(1, 30)),
    "plants.csv": "Plant No,Order value (EUR),Started on\n"
    + "".join(f"P{n},{n * 100},202{2 + n % 3}-04-0{1 + n % 9}\n" for n in range(1, 20)),
    "revenue_2025.csv": "Segment,Q1,Q2\nRoofs,10,20\nPumps,30,40\n",
}


@pytest.mark.parametrize(
    "question",
    ["How many apprentices do we have?", "What did the summer party cost?", "What was our revenue in 2022?"],
)
def test_what_no_table_is_about_is_not_answered(
    readings_of: Callable[..., Callable[[str], list[Reading]]], question: str
) -> None:
    assert all(is_unsure(r) for r in readings_of(OTHERS)(question)[:1])
