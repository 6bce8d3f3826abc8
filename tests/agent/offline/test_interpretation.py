"""The reasoner over a real table: what it is sure of it answers, the rest it names and leaves alone."""

from pathlib import Path

import pytest

from tablerag.agent.offline.interpretation import interpretation_of
from tablerag.agent.offline.reasoner import OfflineReasoner
from tablerag.agent.reasoning import CannotAnswer, SqlQuery, SqlTask
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.evidence import run_sql
from tablerag.tools.records import Cell, TableSchema
from tablerag.tools.services import Services
from tablerag.tools.table_rows import RowReader

RIVERS = """\
River,Country,Length (km),Mouth,Dams
Danube,Romania,2850,Black Sea,3
Rhine,Netherlands,1230,North Sea,2
Elbe,Germany,1094,North Sea,4
Ebro,Spain,930,Balearic Sea,9
Seine,France,777,English Channel,1
Loire,France,1006,Atlantic,7
"""
ANSWERED = (
    ("Which river is the longest in length?", ["Danube"]),
    ("How many rivers have their mouth in the North Sea?", [2]),
    ("What is the length of the Ebro?", [930]),
    ("Which river is listed after the Rhine?", ["Elbe"]),
    ("What is the difference in length between the Seine and the Loire?", [229]),
)


@pytest.fixture
def rivers(services: Services, tmp_path: Path) -> tuple[Services, TableSchema]:
    (tmp_path / "rivers.csv").write_text(RIVERS, encoding="utf-8")
    ingest([tmp_path / "rivers.csv"], services, "default")
    (schema,) = services.catalog.schemas("default")
    return services, schema


def asked(services: Services, schema: TableSchema, question: str, least: float) -> SqlQuery | CannotAnswer:
    reasoner = OfflineReasoner(RowReader(services.database), services.embedding.embed, least)
    hints = tuple(services.value_linker.hints(question, [schema]))
    return reasoner.write_sql(SqlTask(question, question, (schema,), hints)).value


@pytest.mark.parametrize(("question", "cells"), ANSWERED, ids=[q for q, _ in ANSWERED])
def test_plain_questions_are_answered(rivers: tuple[Services, TableSchema], question: str, cells: list[Cell]) -> None:
    services, schema = rivers
    written = asked(services, schema, question, 0.0)
    assert isinstance(written, SqlQuery)
    result, _ = run_sql(services, written.sql, [schema])
    assert [row[0] for row in result.rows] == cells


def test_what_it_is_not_sure_of_it_does_not_answer(rivers: tuple[Services, TableSchema]) -> None:
    services, schema = rivers
    refused = asked(services, schema, "Which river do poets of the romantic age love most?", 0.99)
    assert refused == CannotAnswer("No reading of the question is sure enough.")  # nothing was given to run readings


def test_the_confidence_is_a_chance(rivers: tuple[Services, TableSchema]) -> None:
    services, schema = rivers
    question = "How many rivers flow through France?"
    found = interpretation_of(question, schema, RowReader(services.database)(schema), services.embedding.embed)
    assert found is not None
    assert 0 < found.confidence < 1
