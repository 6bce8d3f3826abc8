"""Cells that an answer leaves out are named in its explanation."""

from pathlib import Path

import pytest

from tablerag import TableRAG
from tablerag.tools.records import Column, SqlResult, TableSchema
from tablerag.tools.sql.unread_cells import unread_cells

SCHEMA = TableSchema(
    table_id="d:t0",
    name="trips",
    columns=(
        Column(name="cost", header="Cost (EUR)", type="integer", unfit=3),
        Column(name="costs", header="Costs", type="integer"),
        Column(name="note", header="Note", type="text", unfit=9),
    ),
    row_count=60,
    title="Trips",
    source="trips.csv",
)
SAID = '3 cells of "Cost (EUR)" in Trips could not be read as integer: left out.'


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT SUM(`cost`) FROM `trips`", SAID),
        ("SELECT avg(ROUND(trips.cost, 1)) FROM trips", SAID),
        ("SELECT SUM(CASE WHEN `note` = ')' THEN `cost` END) FROM `trips`", SAID),
        ("SELECT SUM(`cost`) FROM `trips_of_2024`", ""),
        ("SELECT SUM(`costs`) FROM `trips`", ""),
        ("SELECT `cost` FROM `trips` WHERE `note` = 'x'", ""),
        ("SELECT COUNT(*), MAX(`note`) FROM `trips`", ""),
    ],
)
def test_only_aggregated_cells_are_named(sql: str, said: str) -> None:
    assert unread_cells(SqlResult(sql=sql, columns=("n",), rows=((1,),)), [SCHEMA]) == said


def test_an_answer_names_the_cells_that_it_leaves_out(tmp_path: Path) -> None:
    rows = "".join(f"{i},{i}\n" for i in range(1, 41)) + "41,see invoice\n"
    (tmp_path / "trips.csv").write_text(f"Trip,Cost\n{rows}", encoding="utf-8")
    rag = TableRAG(str(tmp_path / "home"), model="offline")
    rag.ingest(str(tmp_path / "trips.csv"))
    answer = rag.ask("What is the total cost of the trips?")
    assert answer.value == 820
    assert '1 cell of "Cost" in trips could not be read as integer: left out.' in answer.explanation
