"""Doubtful tables are stored and shown, but answers leave them out and say so, unless a rule asks for them."""

import json
from pathlib import Path

import pytest

from tablerag.graphs.deployment import Deployment
from tablerag.graphs.tablerag import build_graph
from tablerag.ingestion.pipeline import IngestReport, ingest
from tablerag.tools import evidence
from tablerag.tools.left_out import left_out, rule_for
from tablerag.tools.records import TableSchema
from tablerag.tools.services import Services
from tablerag.tools.toolkit import toolkit
from tests.support.doubtful import write_table

QUESTION = "What is the latot tnuomA of the region South?"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    docs.mkdir()
    write_table(docs / "sales.pdf")
    return docs


def ingested(folder: Path, services: Services, rules: str = "") -> IngestReport:
    if rules:
        (folder / "tablerag.yaml").write_text(rules, encoding="utf-8")
    return ingest([folder], services, "default")


def table_of(services: Services) -> TableSchema:
    (schema,) = services.catalog.schemas("default")
    return schema


def asked(services: Services) -> dict:
    return build_graph(Deployment(services)).invoke({"question": QUESTION})


def test_a_doubtful_table_is_stored_and_left_out(folder: Path, services: Services) -> None:
    (entry,) = ingested(folder, services).entries
    schema = table_of(services)
    assert schema.set_aside and schema.confidence < 0.5 and "read backwards" in schema.doubts[0]
    assert any("set aside: answers do not use it" in w for w in entry.warnings)
    assert len(list(services.rows(schema).rows)) == 3, "it is stored"
    assert [t.set_aside for t in services.catalog.listed_tables("default")] == [True]
    for gather in (evidence.search, evidence.overview, evidence.opening):
        chunks, schemas = gather(services, QUESTION, corpus="default", recall_n=30, top_k=3)
        assert schemas == [] and not any(c.table_id for c in chunks)
    search, listed, run_sql = (t.func for t in toolkit(services, "default")[:3])
    assert json.loads(listed()) == []
    assert "error" in json.loads(run_sql(f"SELECT * FROM {schema.name}"))
    assert all(found["table"] is None for found in json.loads(search(QUESTION)))


def test_the_answer_says_that_it_was_not_used(folder: Path, services: Services) -> None:
    ingested(folder, services)
    outcome = asked(services)
    assert outcome["sql"] == []
    said = f"The table {table_of(services).name} on page 1 of sales.pdf was not used: it may be read wrongly"
    assert said in outcome["explanation"]
    assert left_out(services, "When does the canteen open?", "default", 30) == [] or said  # the only table is nearest


def test_a_rule_has_answers_use_it(folder: Path, services: Services) -> None:
    ingested(folder, services)
    (entry,) = ingested(folder, services, rule_for(table_of(services))).entries
    assert entry.status == "replaced"
    schema = table_of(services)
    assert not schema.set_aside and schema.confidence < 0.5
    assert left_out(services, QUESTION, "default", 30) == []
    assert "was not used" not in asked(services)["explanation"]
    _, schemas = evidence.overview(services, QUESTION, corpus="default", recall_n=30, top_k=3)
    assert [s.name for s in schemas] == [schema.name]


def test_a_rule_sets_a_sure_table_aside(folder: Path, services: Services) -> None:
    write_table(folder / "sales.pdf", ("Region", "Quantity", "Amount", "Year"))
    ingested(folder, services, "tables:\n  - {source: sales.pdf, use: false}\n")
    schema = table_of(services)
    assert schema.set_aside and schema.confidence > 0.8
    assert "it is set aside" in left_out(services, "What is the Amount of South?", "default", 30)[0]


def test_tables_that_are_set_aside_are_in_no_union(folder: Path, services: Services) -> None:
    write_table(folder / "sales_2.pdf")
    ingested(folder, services)
    assert all(s.set_aside for s in services.catalog.tables("default"))
    assert not any(s.members for s in services.catalog.tables("default"))


def test_tables_of_older_versions_are_sure() -> None:
    older = {"table_id": "d:t0", "name": "t", "columns": [], "row_count": 1, "source": "a.pdf", "confidence": 0.3}
    schema = TableSchema(**older)
    assert not schema.set_aside and schema.doubts == ()
