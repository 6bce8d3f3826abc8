"""What is asked in an office is among the candidates: the ranker can only choose from these."""

import pytest

from tablerag.agent.offline.candidates import candidates_for
from tablerag.agent.offline.execution import Evaluator
from tablerag.agent.offline.mention import read_words
from tablerag.agent.offline.mentions import mentions_in
from tablerag.agent.offline.table_view import TableView
from tablerag.tools.records import ROW_ID, Column, TableSchema
from tablerag.tools.table_rows import TableRows

COLUMNS = (
    Column(name="plant", header="Plant", type="text"),
    Column(name="region", header="Region", type="text"),
    Column(name="month", header="Month", type="integer"),
    Column(name="output", header="Output", type="integer"),
    Column(name="order_no", header="Order no", type="integer", kind="id"),
)
SCHEMA = TableSchema(table_id="p", name="plants", columns=COLUMNS, row_count=6, source="plants.csv")
ROWS = TableRows(
    (ROW_ID, "plant", "region", "month", "output", "order_no"),
    (
        (1, "Alna", "North", 1, 40, 501),
        (2, "Alna", "North", 2, 60, 502),
        (3, "Brekke", "North", 1, 25, 503),
        (4, "Brekke", "North", 2, 75, 504),
        (5, "Corve", "South", 1, 90, 505),
        (6, "Corve", "South", 2, 10, 506),
    ),
    complete=True,
)
VIEW = TableView.of(SCHEMA, ROWS)
MEANT = (
    ("total output of Alna", "SELECT SUM(`output`) AS `result` FROM `plants` WHERE `plant` = 'Alna'"),
    ("how many different plants are there", "SELECT COUNT(DISTINCT `plant`) AS `result` FROM `plants`"),
    (
        "which plant has the highest output in month 1",
        "SELECT `plant` FROM `plants` WHERE `month` = 1 AND `output` = "
        "(SELECT MAX(`output`) FROM `plants` WHERE `month` = 1)",
    ),
    (
        "which region is the most frequent",
        "SELECT `region` FROM `plants` GROUP BY `region` ORDER BY COUNT(*) DESC, MIN(`_row_id`) LIMIT 1",
    ),
    (
        "difference in output between Alna and Corve in month 2",
        "SELECT ABS((SELECT MAX(`output`) FROM `plants` WHERE `plant` = 'Alna' AND `month` = 2) - "
        "(SELECT MAX(`output`) FROM `plants` WHERE `plant` = 'Corve' AND `month` = 2)) AS `result`",
    ),
)


def statements(question: str) -> list[str]:
    words = read_words(question)
    made = candidates_for(words, VIEW, mentions_in(words, VIEW), Evaluator(VIEW))
    return [c.program.to_sql() for c in made]


@pytest.mark.parametrize(("question", "sql"), MEANT, ids=[q for q, _ in MEANT])
def test_what_is_meant_is_a_candidate(question: str, sql: str) -> None:
    assert sql in {" ".join(s.split()) for s in statements(question)}


def test_numbers_that_name_things_are_not_summed_up() -> None:
    summed = [s for s in statements("what is the total order no of Alna") if "SUM(`order_no`)" in s]
    assert not summed
