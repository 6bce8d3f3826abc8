"""What a program computes, in words and with the document's headers."""

import pytest

from tablerag.agent.offline.program import Condition, Program, Rows
from tablerag.agent.offline.program_wording import describe
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
    (
        Program("medals", "same", "nation", NORWAY, group="gold"),
        '"Nation" of other rows with the same "Gold medals" as the row where "Nation" is \'Norway\'',
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
    assert describe(program, MEDALS) == words
