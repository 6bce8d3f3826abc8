"""A cell that is asked for and is empty: the answer is which one, rather than another cell of its row."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tablerag import TableRAG
from tablerag.tools.services import Services
from tests.agent.offline.conftest import Readings

STAFF = """Staff No,Name,Department,Phone,Start Date,Salary (EUR)
S1,Anna Berg,Sales,1001,2019-04-01,3100
S2,Tom Wulf,Service,,2020-05-01,3400
S3,Sam Hill,,1003,,
S4,Ida Krog,Sales,1004,2022-01-10,3900
"""
EMPTY = [
    ("What is the department of Sam Hill?", 'Department in "staff" where Name is "Sam Hill"'),
    ("Which department is Sam Hill in?", 'Department in "staff" where Name is "Sam Hill"'),
    ("What is Tom Wulf's phone number?", 'Phone in "staff" where Name is "Tom Wulf"'),
    ("What is the start date of S3?", 'Start Date in "staff" where Staff No is "S3"'),
    ("How much does Sam Hill earn?", 'Salary (EUR) in "staff" where Name is "Sam Hill"'),
]


@pytest.fixture
def rag(services: Services, tmp_path: Path) -> TableRAG:
    (tmp_path / "staff.csv").write_text(STAFF, encoding="utf-8")
    opened = TableRAG.over(services)
    opened.ingest(tmp_path / "staff.csv")
    return opened


@pytest.mark.parametrize(("question", "cell"), EMPTY)
def test_an_empty_cell_is_said_to_be_empty(rag: TableRAG, question: str, cell: str) -> None:
    answer = rag.ask(question)
    assert answer.text == f"The cell is empty: {cell}."
    assert answer.found and [c.source for c in answer.citations] == ["staff.csv"]


def test_other_cells_are_answered(rag: TableRAG) -> None:
    assert rag.ask("What is the phone of Anna Berg?").text == "1001"
    assert rag.ask("Which employees have no department?").text == "Sam Hill"
    assert rag.ask("What is the total salary of Sales?").value == 7000


def test_a_filled_cell_of_another_table_is_the_answer(readings_of: Callable[[Mapping[str, str]], Readings]) -> None:
    rooms = "Name,Room,Floor,Phone\nTom Wulf,A 12,1,1002\nIda Krog,A 14,1,1004\nAnna Berg,B 2,2,1001\n"
    readings = readings_of({"staff.csv": STAFF, "rooms.csv": rooms})
    assert readings("What is the phone of Tom Wulf?")[0].result.rows[0][-1] == 1002
