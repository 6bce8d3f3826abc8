"""Columns of yes and no, noughts and days are meant by words that are in no cell."""

from collections.abc import Iterable

import pytest

from tablerag.agent.offline.execution import Evaluator
from tablerag.agent.offline.mention import Mention, read_words
from tablerag.agent.offline.mentions import mentions_in
from tablerag.agent.offline.table_view import TableView
from tablerag.tools.records import ROW_ID, Column, TableSchema
from tablerag.tools.table_rows import TableRows

COLUMNS = (
    Column(name="member", header="Member", type="text"),
    Column(name="paid", header="Paid", type="boolean", kind="boolean", raw="paid_raw"),
    Column(name="key_holder", header="Key holder", type="boolean", kind="boolean"),
    Column(name="fines", header="Fines", type="integer"),
    Column(name="joined", header="Joined", type="date", kind="date"),
)
SCHEMA = TableSchema(table_id="m", name="members", columns=COLUMNS, row_count=4, source="members.csv")
ROWS = TableRows(
    (ROW_ID, "member", "paid", "paid_raw", "key_holder", "fines", "joined"),
    (
        (1, "Ada", 1, "Yes", 0, 0, "2023-01-31"),
        (2, "Bo", 0, "No", 1, 3, "2023-03-01"),
        (3, "Cy", 1, "Yes", 1, 0, "2023-05-31"),
        (4, "Di", 0, "No", 0, 12, "2023-06-01"),
    ),
    complete=True,
)
VIEW = TableView.of(SCHEMA, ROWS)
CASES = (
    ("How many members have paid?", "flag", {"Ada", "Cy"}),
    ("How many members have not paid?", "unflag", {"Bo", "Di"}),
    ("How many unpaid members are there?", "unflag", {"Bo", "Di"}),
    ("Who are the key holders?", "flag", {"Bo", "Cy"}),
    ("Which members have no fines?", "zero", {"Ada", "Cy"}),
    ("Who joined between March and May?", "month", {"Bo", "Cy"}),
    ("Who joined from January to March 2023?", "month", {"Ada", "Bo"}),
)


def found(question: str) -> list[Mention]:
    return mentions_in(read_words(question), VIEW)


def members(mentions: Iterable[Mention]) -> set[frozenset[str]]:
    evaluator = Evaluator(VIEW)
    return {frozenset(VIEW.of_rows("member", sorted(evaluator.met(m.condition)))) for m in mentions}


@pytest.mark.parametrize(("question", "way", "meant"), CASES, ids=[q for q, _, _ in CASES])
def test_what_a_header_or_months_say_selects_rows(question: str, way: str, meant: set[str]) -> None:
    assert frozenset(meant) in members(m for m in found(question) if m.way == way)


def test_a_span_of_months_in_a_year_that_is_not_said_of_several_is_left_alone() -> None:
    cells = (*ROWS.rows, (5, "Ed", 1, "Yes", 0, 1, "2024-04-01"))
    view = TableView.of(SCHEMA, TableRows(ROWS.names, cells, complete=True))
    mentions = mentions_in(read_words("Who joined between March and May?"), view)
    assert not [m for m in mentions if m.condition.operator == "between"]


def test_a_header_that_is_half_said_by_one_common_word_is_no_flag() -> None:
    assert not [m for m in found("Who has 3 fines?") if m.way in ("flag", "unflag", "zero")]
