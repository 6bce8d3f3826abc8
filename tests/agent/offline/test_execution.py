"""Programs run in memory give what the database gives, for every kind of program, on both engines."""

from pathlib import Path
from typing import get_args

import pytest

from tablerag.agent.offline.candidates import Candidate, candidates_for
from tablerag.agent.offline.execution import Evaluator
from tablerag.agent.offline.mention import read_words
from tablerag.agent.offline.mentions import mentions_in
from tablerag.agent.offline.program import Operation
from tablerag.agent.offline.table_view import TableView
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.records import Cell, TableSchema
from tablerag.tools.services import Services
from tablerag.tools.sql.guard import guard
from tablerag.tools.table_rows import RowReader

MEDALS = """\
Rank,Nation,Gold,Silver,First games,Served,Score,Note
1,Norway,12,7,"May 3, 1996",1990-1994,W 27-24,host
2,Sweden,9,7,"June 10, 1996",1994-1998,L 13-20,-
3,Finland,9,,"June 12, 2000",1998-2001,W 30-7,-
4,Denmark,3,1,"July 1, 2004",2001-2010,W 3-0,host
5,Iceland,,2,"May 9, 2004",2010-2012,L 0-1,late
Total,,33,17,,,,
"""
QUESTIONS = (
    "which nation has the most gold?",
    "how many nations have more than 5 gold medals?",
    "what is the total number of silver medals?",
    "who was after sweden?",
    "which nation other than norway was host?",
    "is norway or sweden higher in gold, the difference in silver between norway and sweden?",
    "how long did denmark serve, and how many more gold than silver did it win?",
    "are there more nations with 9 gold or with 3 gold?",
    "which games were after 1996, or in 2004?",
    "which nation has the same gold as sweden?",
    "which of norway, sweden and denmark won the most scores?",
    "how many ranks have less than finland?",
    "did norway win before or after iceland?",
    "what are the total and the average gold?",
    "which note has the highest gold in total?",
)


@pytest.fixture
def medals(both: Services, tmp_path: Path) -> tuple[Services, TableSchema]:
    (tmp_path / "medals.csv").write_text(MEDALS, encoding="utf-8")
    ingest([tmp_path / "medals.csv"], both, "default")
    (schema,) = both.catalog.schemas("default")
    return both, schema


def compared(cells: list[Cell] | tuple[Cell, ...]) -> list[str]:
    """Values in any order, numbers to six digits: engines divide decimals to different lengths."""
    return sorted(f"{c:.3f}" if isinstance(c, int | float) else str(c) for c in cells)


def shapes(candidate: Candidate) -> list[tuple[object, ...]]:
    """What is particular about a candidate: one of each is compared."""
    program, rows = candidate.program, candidate.program.rows
    operators = [("condition", c.operator, c.column) for c in rows.conditions]
    numbers = "\0" in f"{program.column}{rows.by}"
    ranked = ("rows", rows.extreme, rows.step, rows.above)
    return [(program.operation, bool(program.column), numbers), ranked, *operators]


def test_memory_and_database_agree(medals: tuple[Services, TableSchema]) -> None:
    services, schema = medals
    view = TableView.of(schema, RowReader(services.database)(schema))
    seen: set[tuple[object, ...]] = set()
    kept: list[Candidate] = []
    for question in QUESTIONS:
        words, evaluator = read_words(question), Evaluator(view)
        for candidate in candidates_for(words, view, mentions_in(words, view), evaluator):
            if not seen.issuperset(shapes(candidate)):
                seen.update(shapes(candidate))
                kept.append(candidate)
    assert {c.program.operation for c in kept} == set(get_args(Operation))
    for candidate in kept:
        sql = candidate.program.to_sql()
        result = services.database.run(guard(sql, [schema], row_limit=100))
        assert compared([cell for row in result.rows for cell in row]) == compared(candidate.result), sql
