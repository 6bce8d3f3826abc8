"""A full disk: the file that finds no room fails, the rest of the batch and the old versions are as they should be."""

import random
from pathlib import Path

import pytest

from tablerag.ingestion.auditing import audit
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.errors import DiskFull, StoreUnavailable
from tablerag.tools.services import Services
from tests.support.full_disk import files_of_at_most
from tests.tools.stored import stored_names, stored_rows


def incompressible(size: int) -> str:
    generator = random.Random(1)
    return " ".join(f"{generator.getrandbits(64):x}" for _ in range(size // 17))


def rows(services: Services, source: str) -> list[tuple[object, ...]]:
    (schema,) = (s for s in services.catalog.schemas("default") if s.source == source)
    return stored_rows(services.database, schema.stored_as, "number")


def test_a_table_that_finds_no_room_fails_alone(tmp_path: Path, services: Services) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    for name in ("a.csv", "big.csv", "z.csv"):
        (docs / name).write_text("number,note\n1,first\n", encoding="utf-8")
    ingest([docs], services, "default")
    (docs / "big.csv").write_text(f"number,note\n2,{incompressible(4_000_000)}\n", encoding="utf-8")
    (docs / "z.csv").write_text("number,note\n2,second\n", encoding="utf-8")
    with files_of_at_most(1_000_000):
        entries = {e.source: e for e in ingest([docs], services, "default").entries}
    assert {s: e.status for s, e in entries.items()} == {"a.csv": "unchanged", "big.csv": "failed", "z.csv": "replaced"}
    assert entries["big.csv"].error.endswith("): free space on its disk and try again")
    assert (rows(services, "big.csv"), rows(services, "z.csv")) == ([(1,)], [(2,)])
    folder = services.settings.home / "tables.parquet"
    assert {p.stem for p in folder.iterdir() if p.is_file()} == stored_names(services.database)
    assert {e.status for e in ingest([docs], services, "default").entries} == {"unchanged", "replaced"}
    assert rows(services, "big.csv") == [(2,)]


def test_an_ingest_that_chroma_has_no_room_for_is_completed_by_the_next(
    tmp_path: Path, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.csv").write_text("number,note\n1,first\n", encoding="utf-8")
    ingest([tmp_path / "a.csv"], services, "default")
    (tmp_path / "a.csv").write_text("number,note\n2,second\n", encoding="utf-8")
    with monkeypatch.context() as full:
        full.setattr("tablerag.tools.stores.chroma.has_room", lambda *_: False)
        with pytest.raises(DiskFull, match="needs more room: free space on its disk and try again"):
            ingest([tmp_path / "a.csv"], services, "default")
    assert rows(services, "a.csv") == [(1,)]
    assert stored_names(services.database) == services.catalog.stored_tables()
    ingest([tmp_path / "a.csv"], services, "default")
    assert rows(services, "a.csv") == [(2,)]
    dense = services.vector_store("default").chunk_ids()
    assert dense == services.lexical_index("default").chunk_ids()
    assert {*dense.values()} == {d.document_id for d in services.catalog.documents("default")}
    assert services.catalog.unfinished() == []


def test_an_empty_vector_index_of_a_full_disk_is_begun_again(tmp_path: Path, services: Services) -> None:
    (tmp_path / "a.csv").write_text("number,note\n1,first\n", encoding="utf-8")
    (services.settings.home / "chroma").mkdir(parents=True)
    (services.settings.home / "chroma" / "chroma.sqlite3").touch()
    assert ingest([tmp_path / "a.csv"], services, "default").counts == {"added": 1}
    assert audit(services).flaws == []


def test_a_home_that_cannot_be_written_is_named(tmp_path: Path, services: Services) -> None:
    (tmp_path / "a.csv").write_text("number,note\n1,first\n", encoding="utf-8")
    services.settings.home.mkdir()
    (services.settings.home / "runs").write_text("a file", encoding="utf-8")
    with pytest.raises(StoreUnavailable, match=r"cannot write to .* \(File exists\): make it writable"):
        ingest([tmp_path / "a.csv"], services, "default")
