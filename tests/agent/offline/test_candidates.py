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
    ("output per plant", "SELECT `plant`, SUM(`output`) AS `result` FROM `plants` GROUP BY `plant`"),
    (
        "average output by region in month 1",
        "SELECT `region`, AVG(`output`) AS `result` FROM `plants` WHERE `month` = 1 GROUP BY `region`",
    ),
    ("how many rows for each plant", "SELECT `plant`, COUNT(*) AS `result` FROM `plants` GROUP BY `plant`"),
    (
        "which plant has the highest average output",
        "SELECT `plant` FROM `plants` GROUP BY `plant` ORDER BY AVG(`output`) DESC, MIN(`_row_id`) LIMIT 1",
    ),
    (
        "top 2 plants by total output",
        "SELECT `plant` FROM `plants` GROUP BY `plant` ORDER BY SUM(`output`) DESC, MIN(`_row_id`) LIMIT 2",
    ),
    (
        "top 2 months of North by output",
        "SELECT `month` FROM `plants` WHERE `region` = 'North' AND `output` IS NOT NULL "
        "ORDER BY `output` DESC, `_row_id` LIMIT 2",
    ),
    (
        "what share of the North output came from Alna",
        "SELECT 100 * (SELECT SUM(`output`) FROM `plants` WHERE `plant` = 'Alna' AND `region` = 'North') / "
        "(SELECT SUM(`output`) FROM `plants` WHERE `region` = 'North') AS `result`",
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
    summed = [s for s in statements("what percent of the total order no is Alna") if "SUM(`order_no`)" in s]
    assert not summed
