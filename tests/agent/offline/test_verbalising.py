"""What a statement computes, in words."""

import pytest

from tablerag.agent.offline.program import Condition, Program, Rows
from tablerag.agent.offline.verbalising import in_words
from tablerag.tools.records import ROW_ID, Column, TableSchema

MEDALS = TableSchema(
    table_id="m:t0",
    name="medals",
    columns=(
        Column(name="nation", header="Nation", type="text"),
        Column(name="gold", header="Gold medals", type="integer"),
        Column(name="held", header="Held", type="date"),
    ),
    row_count=3,
    source="medals.csv",
    hidden_columns=(ROW_ID,),
)
NORWAY, SWEDEN = (Rows((Condition("nation", "=", (name,)),)) for name in ("Norway", "Sweden"))
MORE = Rows((Condition("gold", ">", (5,)),))
CASES = (
    (Program("medals", "list", "nation", Rows(extreme="max", by="gold")), "the Nation with the highest Gold medals"),
    (Program("medals", "list", "gold", NORWAY), "the Gold medals where the Nation is “Norway”"),
    (Program("medals", "count", rows=MORE), "the number of rows where the Gold medals is more than 5"),
    (Program("medals", "list", "nation", Rows(extreme="max", by=ROW_ID)), "the Nation in the last row"),
    (
        Program("medals", "list", "nation", Rows(NORWAY.conditions, step=1)),
        "the Nation in the row after the one where the Nation is “Norway”",
    ),
    (Program("medals", "list", "nation", Rows(extreme="min", by="gold", limit=2)), "the Nation with the 2 lowest Gold"),
    (Program("medals", "sum", "gold", MORE), "the total Gold medals, among the rows where the Gold medals is more"),
    (
        Program("medals", "difference", "gold", NORWAY, other=SWEDEN),
        "the difference between the highest Gold medals, among the rows where the Nation is “Norway” and the highest",
    ),
    (Program("medals", "most_common", group="nation"), "the Nation with the highest number of rows"),
    (
        Program("medals", "groups_with", group="nation", number=2),
        "each Nation that stands in at least 2 rows",
    ),
    (
        Program("medals", "count", rows=Rows((Condition("held", "month", (5,)),))),
        "the number of rows where the month of the Held is May",
    ),
    (
        Program("medals", "count", rows=Rows(NORWAY.conditions, by="gold", above=">")),
        "the number of rows with a higher Gold medals than the row where the Nation is “Norway”",
    ),
    (
        Program("medals", "choice", "gold", NORWAY, other=SWEDEN, labels=("yes", "no")),
        "“yes” if the highest Gold medals, among the rows where the Nation is “Norway” is more than",
    ),
)


@pytest.mark.parametrize(("program", "words"), CASES, ids=[words for _, words in CASES])
def test_programs_are_said_in_the_documents_own_words(program: Program, words: str) -> None:
    assert in_words(program.to_sql(), MEDALS).startswith(words)


def test_columns_are_called_by_their_names_without_a_schema() -> None:
    assert in_words("SELECT `total_cost` FROM `t` WHERE `year` = 2004") == "the total cost where the year is 2004"


@pytest.mark.parametrize(
    "sql", ["SELECT", "SELECT 1 + 1 FROM (", "SELECT a FROM t UNION SELECT b FROM u", "DROP TABLE t"]
)
def test_other_statements_are_left_unsaid(sql: str) -> None:
    assert in_words(sql) == ""
