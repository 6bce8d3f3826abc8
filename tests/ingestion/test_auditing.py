"""The audit and its remedies, over real SQLite, Chroma and tantivy: each store is damaged in turn."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tablerag.cli.doctor import check_deeply
from tablerag.ingestion.auditing import audit, fix
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.records import Chunk
from tablerag.tools.services import Services
from tests.tools.stored import change, store

SALES = "Region,Amount\nNorth,10\nSouth,20\nEast,30\n"


@pytest.fixture
def folder(tmp_path: Path, services: Services) -> Path:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "sales.csv").write_text(SALES, encoding="utf-8")
    (docs / "notes.md").write_text("# Notes\n\nThe north is led by Ada Birch.\n", encoding="utf-8")
    ingest([docs], services, "default")
    return docs


def execute(services: Services, statement: str) -> None:
    with services.database.engine.begin() as connection:
        connection.exec_driver_sql(statement)


def stored(services: Services) -> str:
    return services.catalog.schemas("default")[0].stored_as


def ids(services: Services) -> list[str]:
    return sorted(services.vector_store("default").chunk_ids())


def stranger(services: Services) -> Chunk:
    return Chunk(id="x:0", text="nobody's", kind="text", document_id="x", source="x.md")


DAMAGE: dict[str, tuple[Callable[[Services], object], str]] = {
    "a chunk is lost in Chroma": (
        lambda s: s.vector_store("default").delete(ids(s)[:1]),
        "1 chunk missing from Chroma",
    ),
    "a chunk is lost in the lexical index": (
        lambda s: s.lexical_index("default").delete(ids(s)[:1]),
        "1 chunk missing from the lexical index",
    ),
    "a chunk is lost in both": (
        lambda s: [index.delete(ids(s)[:1]) for index in (s.lexical_index("default"), s.vector_store("default"))],
        "1 of 1 chunk missing from both indexes",
    ),
    "a chunk says something else": (
        lambda s: s.lexical_index("default").add(
            [s.vector_store("default").get(ids(s)[:1])[0].model_copy(update={"text": "other"})]
        ),
        "1 chunk incomplete",
    ),
    "chunks of an unknown document": (
        lambda s: [index.add([stranger(s)]) for index in (s.lexical_index("default"), s.vector_store("default"))],
        "chunks of 1 document not in the catalog",
    ),
    "a SQL table is gone": (
        lambda s: s.database.tables.drop([stored(s)]),
        "table sales is not in the database",
    ),
    "a row is gone": (
        lambda s: change(s.database, stored(s), f"DELETE FROM {stored(s)} WHERE _row_id = 2"),
        "table sales has 2 rows, expected 3",
    ),
    "a column is gone": (
        lambda s: change(s.database, stored(s), f"ALTER TABLE {stored(s)} DROP COLUMN amount"),
        "table sales is missing the columns amount",
    ),
    "a table of no document": (
        lambda s: store(s.database, "old__0123456789ab_0", {"a": "integer"}, []),
        "1 table of no document",
    ),
    "a schema is gone": (
        lambda s: execute(s, "DELETE FROM _tablerag_tables"),
        "the catalog has 0 tables, expected 1",
    ),
}


def test_whole_stores_agree(folder: Path, services: Services) -> None:
    found = audit(services)
    assert found.flaws == []
    assert (found.documents, found.tables, found.rows, found.chunks) == (2, 1, 3, 2)


@pytest.mark.parametrize("name", DAMAGE)
def test_damage_is_found_and_fixed(folder: Path, services: Services, name: str) -> None:
    damage, says = DAMAGE[name]
    damage(services)
    found = audit(services)
    assert any(says in f.says for f in found.flaws), found.flaws
    done = list(fix(services, found.flaws))
    assert done
    after = audit(services)
    assert after.flaws == []
    assert (after.documents, after.tables, after.rows, after.chunks) == (2, 1, 3, 2)
    assert {e.status for e in ingest([folder], services, "default").entries} == {"unchanged"}


def test_a_users_own_table_is_left_alone(folder: Path, services: Services) -> None:
    store(services.database, "payroll", {"a": "integer"}, [])
    assert audit(services).flaws == []


def test_what_cannot_be_read_again_is_said(folder: Path, services: Services) -> None:
    (folder / "sales.csv").unlink()
    services.database.tables.drop([stored(services)])
    (said,) = list(fix(services, audit(services).flaws))
    assert "its file" in said and "is gone" in said
    assert audit(services).flaws


def test_what_may_not_be_deleted_keeps_nothing_else_from_being_fixed(folder: Path, services: Services) -> None:
    for index in (services.vector_store("default"), services.lexical_index("default")):
        index.add([stranger(services)])
    services.lexical_index("default").delete([i for i in ids(services) if i != "x:0"][:1])
    says = [(f.what, f.says) for f in check_deeply(services, agree=lambda _: False)]
    assert [what for what, _ in says] == ["audit", "audit", "fixed", "audit"]
    assert "still: corpus 'default': the indexes hold chunks of 1 document" in says[-1][1]
    assert "x:0" in ids(services)


def test_what_interrupted_ingests_left_stays_if_it_may_not_be_deleted(folder: Path, services: Services) -> None:
    services.catalog.begin("", "default", {"x": []})
    services.lexical_index("default").delete(ids(services)[:1])
    states = [f.state for f in check_deeply(services, agree=lambda _: False)]
    assert states == ["warning", "warning", "ok", "broken"]
    assert [v.document_id for v in services.catalog.unfinished()] == ["x"]
