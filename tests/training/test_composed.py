"""Composed questions have their programs' answers; programs that are right by accident do not count."""

import random
from pathlib import Path

import pytest

from tablerag.agent.offline.program import Condition, Program, Rows
from tablerag.agent.offline.table_view import TableView
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.evidence import run_sql
from tablerag.tools.records import TableSchema
from tablerag.tools.services import Services
from tablerag.tools.table_rows import RowReader, TableRows
from training.composed import composed_over
from training.meaning import Meaning

SITES = """\
Site,Region,Opened,Staff,Cost
Alna,North,2021-02-01,12,1200.5
Brekke,North,2021-03-15,7,640
Corve,South,2021-05-20,31,2950
Drava,East,2021-05-28,4,310
Elst,South,2021-06-02,18,1725
Fosse,East,2021-09-09,9,880
Gorm,East,2021-11-30,2,190
"""


@pytest.fixture
def sites(services: Services, tmp_path: Path) -> tuple[Services, TableSchema, TableRows]:
    (tmp_path / "sites.csv").write_text(SITES, encoding="utf-8")
    ingest([tmp_path / "sites.csv"], services, "default")
    (schema,) = services.catalog.schemas("default")
    return services, schema, RowReader(services.database)(schema)


def test_every_question_is_filled_in_and_its_statement_finds_something(
    sites: tuple[Services, TableSchema, TableRows],
) -> None:
    services, schema, rows = sites
    made = composed_over(TableView.of(schema, rows), random.Random(1), 99)
    assert len({c.kind for c in made}) > 20
    for composed in made:
        assert "{" not in composed.question
        result, _ = run_sql(services, composed.program.to_sql(), [schema])
        assert any(cell is not None for row in result.rows for cell in row), composed


def test_the_same_seed_composes_the_same(sites: tuple[Services, TableSchema, TableRows]) -> None:
    _, schema, rows = sites
    view = TableView.of(schema, rows)
    assert composed_over(view, random.Random("a"), 8) == composed_over(view, random.Random("a"), 8)
    assert composed_over(view, random.Random("a"), 8) != composed_over(view, random.Random("b"), 8)


def test_what_is_right_by_accident_is_not_what_is_meant(sites: tuple[Services, TableSchema, TableRows]) -> None:
    _, schema, rows = sites
    latest = Program(schema.name, "list", "site", Rows(extreme="max", by="opened"))
    meaning = Meaning(latest, TableView.of(schema, rows), random.Random(3))
    assert meaning.is_meant(latest, ("Gorm",))
    for accident in (
        Rows(extreme="max", by="_row_id"),
        Rows(extreme="min", by="cost"),
        Rows((Condition("staff", "<", (4,)),)),
    ):
        assert not meaning.is_meant(Program(schema.name, "list", "site", accident), ("Gorm",)), accident
    assert not meaning.is_meant(latest, ("Alna",))
