"""What a statement computes, in words and with the document's headers."""

import pytest

from tablerag.agent.offline.program import Condition, Program, Rows
from tablerag.agent.offline.statement_wording import describe
from tablerag.tools.records import ROW_ID, Column, TableSchema

MEDALS = TableSchema(
    table_id="m:t0",
    name="medals",
    columns=(
        Column(name="nation", header="Nation", type="text"),
        Column(name="gold", header="Gold medals", type="integer", raw="gold_raw"),
        Column(name="held", header="Held", type="date"),
    ),
    row_count=3,
    source="medals.csv",
    hidden_columns=(ROW_ID,),
)
OTHER = MEDALS.model_copy(update={"name": "other", "columns": (Column(name="gold", header="Or", type="integer"),)})
NORWAY, SWEDEN = (Rows((Condition("nation", "=", (name,)),)) for name in ("Norway", "Sweden"))
MORE = Rows((Condition("gold", ">", (5,)),))
CASES = (
    (Program("medals", "list", "nation", Rows(extreme="max", by="gold")), '"Nation" with the highest "Gold medals"'),
    (Program("medals", "list", "gold_raw", NORWAY), '"Gold medals" where "Nation" is \'Norway\''),
    (Program("medals", "count", rows=MORE), 'number of rows where "Gold medals" is more than 5'),
    (Program("medals", "list", "nation", Rows(extreme="max", by=ROW_ID)), '"Nation" in the last row'),
    (
        Program("medals", "list", "nation", Rows(NORWAY.conditions, step=1)),
        '"Nation" in the row after the one where "Nation" is \'Norway\'',
    ),
    (
        Program("medals", "list", "nation", Rows(extreme="min", by="gold", limit=2)),
        '"Nation" with the 2 lowest "Gold medals" where "Gold medals" is not empty',
    ),
    (Program("medals", "sum", "gold", MORE), 'total of "Gold medals" where "Gold medals" is more than 5'),
    (Program("medals", "avg", "gold"), 'average of "Gold medals"'),
    (
        Program("medals", "difference", "gold", NORWAY, other=SWEDEN),
        'difference between highest "Gold medals" where "Nation" is \'Norway\' and highest "Gold medals" where '
        "\"Nation\" is 'Sweden'",
    ),
    (Program("medals", "most_common", group="nation"), '"Nation" with the highest number of rows'),
    (
        Program("medals", "best_group", group="nation", measure="gold"),
        '"Nation" with the highest total of "Gold medals"',
    ),
    (Program("medals", "grouped", group="nation", measure="gold"), 'total of "Gold medals" for each "Nation"'),
    (Program("medals", "groups_with", group="nation", number=2), 'each "Nation" that occurs in at least 2 rows'),
    (
        Program("medals", "count", rows=Rows((Condition("held", "month", (5,)),))),
        'number of rows where "Held" is in May',
    ),
    (
        Program("medals", "count", rows=Rows(NORWAY.conditions, by="gold", above=">")),
        'number of rows with a higher "Gold medals" than the row where "Nation" is \'Norway\'',
    ),
    (
        Program("medals", "choice", "gold", NORWAY, other=SWEDEN, labels=("yes", "no")),
        '\'yes\' if highest "Gold medals" where "Nation" is \'Norway\' is more than highest "Gold medals" where '
        "\"Nation\" is 'Sweden', else 'no'",
    ),
)


@pytest.mark.parametrize(("program", "words"), CASES, ids=[words for _, words in CASES])
def test_programs_are_described_with_the_documents_headers(program: Program, words: str) -> None:
    assert describe(program.to_sql(), (OTHER, MEDALS)) == words


def test_columns_of_unknown_tables_have_their_sql_names() -> None:
    sql = "SELECT `total_cost` FROM `t` WHERE `year` = 2004"
    assert describe(sql, (MEDALS,)) == describe(sql) == '"total_cost" where "year" is 2004'


@pytest.mark.parametrize(
    "sql", ["SELECT", "SELECT 1 + 1 FROM (", "SELECT a FROM t UNION SELECT b FROM u", "DROP TABLE t"]
)
def test_other_statements_are_not_described(sql: str) -> None:
    assert describe(sql) == ""
