"""Damaged files of the stores: each is noticed, the message names the remedy, and the remedy restores right answers."""

import random
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from benchmarks.store_damage import damaged
from tablerag.cli.doctor import check, check_deeply
from tablerag.ingestion import values
from tablerag.ingestion.auditing import audit
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.errors import StoreDamaged
from tablerag.tools.linking import indexing
from tablerag.tools.linking import values as linking
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tablerag.tools.stores.tantivy_folder import FOOTER, TantivyFolder

LIBRARY = re.compile(r"panic|rust|[{}]|::|Error\(|unwrap|no reason", re.IGNORECASE)
"""Matches messages of libraries in Rust."""
SALES = "Region,Amount\nNorth,10\nSouth,20\nEast,30\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for module in (values, indexing, linking):
        monkeypatch.setattr(module, "MAX_DISTINCT", 2)  # the regions are in the value index
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "sales.csv").write_text(SALES, encoding="utf-8")
    (docs / "notes.md").write_text("# Notes\n\nThe north is led by Ada Birch.\n", encoding="utf-8")
    with opened(tmp_path) as services:
        ingest([docs], services, "default")
    return docs


@contextmanager
def opened(folder: Path) -> Iterator[Services]:
    services = Services(Settings(home=folder / "home", model="offline", _env_file=None))
    try:
        yield services
    finally:
        services.close()


def found(services: Services) -> list[str]:
    chunks = services.retriever("default").search("Who leads the north?")
    hints = services.value_linker.hints("amount of North and Suoth", services.catalog.schemas("default"))
    return sorted([*(c.text for c in chunks), *(h.value for h in hints)])


def overwritten(file: Path) -> None:
    file.write_bytes(random.Random(1).randbytes(file.stat().st_size))


def one_bit(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 3] ^= 1
    file.write_bytes(data)


DAMAGE: dict[str, tuple[str, Callable[[Path], object]]] = {
    "Chroma's file is overwritten": ("chroma/chroma.sqlite3", overwritten),
    "Chroma's file is gone": ("chroma/chroma.sqlite3", Path.unlink),
    "Chroma's file is empty": ("chroma/chroma.sqlite3", lambda f: f.write_bytes(b"")),
    "one bit of a stored text is another": ("lexical/default/*.store", one_bit),
    "one bit of the words is another": ("lexical/default/*.term", one_bit),
    "a segment is cut off": ("lexical/default/*.idx", lambda f: f.write_bytes(f.read_bytes()[:9])),
    "the list of segments is overwritten": ("lexical/default/meta.json", overwritten),
    "the list of segments is gone": ("lexical/default/meta.json", Path.unlink),
    "a segment is gone": ("lexical/default/*.store", Path.unlink),
    "a full disk left no layout": ("lexical/default/layout", lambda f: f.write_bytes(b"")),
    "one bit of a value is another": ("values/*.store", one_bit),
    "the values are cut off": ("values/*.store", lambda f: f.write_bytes(f.read_bytes()[:9])),
    "the words of values are overwritten": ("values/*.term", overwritten),
    "the list of segments of values is empty": ("values/meta.json", lambda f: f.write_bytes(b"")),
    "the list of segments of values is gone": ("values/meta.json", Path.unlink),
    "the layout of values is overwritten": ("values/layout", overwritten),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_index_is_noticed_and_built_again(folder: Path, tmp_path: Path, name: str) -> None:
    pattern, damage = DAMAGE[name]
    with opened(tmp_path) as services:
        right = found(services)
    (file,) = (tmp_path / "home").glob(pattern)
    shutil.copy(file, tmp_path / "copy").replace(file)  # this process may have the old one mapped into memory
    damage(file)
    with opened(tmp_path) as services, pytest.raises(StoreDamaged, match="run `tablerag doctor --fix`"):
        ingest([folder], services, "default")
    with opened(tmp_path) as services:
        assert {f.state for f in check_deeply(services, agree=lambda _: True)} == {"warning", "ok"}
    with opened(tmp_path) as services:
        assert audit(services).flaws == []
        assert found(services) == right
        assert ingest([folder], services, "default").counts == {"unchanged": 2}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_doctor_quotes_no_library(folder: Path, tmp_path: Path, name: str, capfd: pytest.CaptureFixture[str]) -> None:
    pattern, damage = DAMAGE[name]
    copied = tmp_path / "copied"  # the library watches the files that it has opened
    shutil.copytree(tmp_path / "home", copied / "home")
    (file,) = (copied / "home").glob(pattern)
    damage(file)
    with opened(copied) as services:
        findings = [*check(services), *check_deeply(services)]
    lines = [f"{f.what}: {f.says}" for f in findings if f.state != "ok"]
    assert lines
    assert not [line for line in (*lines, capfd.readouterr().err) if LIBRARY.search(line)]


def test_a_damaged_index_that_may_not_be_deleted_keeps_nothing_else_from_being_fixed(
    folder: Path, tmp_path: Path
) -> None:
    with opened(tmp_path) as services:
        services.catalog.begin("", "default", {"x": []})  # an interrupted ingest left it
        services.large_values.delete_documents([d.document_id for d in services.catalog.documents("default")])
    (file,) = (tmp_path / "home").glob("lexical/default/*.term")
    shutil.copy(file, tmp_path / "copy").replace(file)  # this process may have the old one mapped into memory
    overwritten(file)
    damaged = file.read_bytes()
    with opened(tmp_path) as services:
        findings = [(f.what, f.state, f.says) for f in check_deeply(services, agree=lambda _: False)]
        assert [v.document_id for v in services.catalog.unfinished()] == ["x"]
        assert services.large_values.columns()
    assert ("damage", "broken", "nothing damaged was changed") in findings
    assert ("fixed", "ok", "indexed the values of 1 document again") in findings
    assert "audit" not in [what for what, state, _ in findings if state == "ok"]
    assert file.read_bytes() == damaged


def test_a_doctor_reads_large_indexes_before_their_library_does(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    copied = tmp_path / "copied"
    shutil.copytree(tmp_path / "home", copied / "home")
    (file,) = (copied / "home").glob("lexical/default/*.term")
    data = file.read_bytes()
    end = FOOTER.size + FOOTER.unpack(data[-FOOTER.size :])[0]
    file.write_bytes(b"\xff" * (len(data) - end) + data[-end:])  # the library trusts the end of a file
    monkeypatch.setattr(TantivyFolder._check_segments, "__defaults__", (0,))
    with opened(copied) as services:
        states = {f.what: f.state for f in check(services)}
    assert states["lexical index"] == "broken"
    assert "panicked" not in capfd.readouterr().err


def test_vectors_that_are_not_those_of_their_texts_are_found_and_embedded_again(folder: Path, tmp_path: Path) -> None:
    with opened(tmp_path) as services:
        dense = services.vector_store("default")
        ids = sorted(dense.chunk_ids())
        one, other = dense.get(ids)
        dense.delete([one.id])
        dense.add([one.model_copy(update={"text": other.text})])
        dense._collection().update(ids=[one.id], metadatas=[{"text": one.text}])  # type: ignore[attr-defined]
        assert [f.remedy for f in audit(services).flaws] == ["embed"]
        list(check_deeply(services, agree=lambda _: True))
        assert audit(services).flaws == []


@pytest.mark.parametrize("damage", [overwritten, lambda f: f.write_bytes(f.read_bytes()[:5000])])
def test_a_damaged_catalog_is_set_aside_and_its_folders_are_named(
    folder: Path, tmp_path: Path, damage: Callable[[Path], object]
) -> None:
    catalog = tmp_path / "home" / "tables.db"
    with opened(tmp_path) as services:
        right = found(services)
        settled(services)
    damage(catalog)
    with opened(tmp_path) as services, pytest.raises(StoreDamaged, match=r"tables.db is damaged .*doctor --fix"):
        ingest([folder], services, "default")
    with opened(tmp_path) as services:
        says = " ".join(f.says for f in check_deeply(services, agree=lambda _: True))
        assert "tables.damaged1: run `tablerag ingest" in says
        (about,) = (f.says for f in check(services, "default") if f.what == "documents")
        assert "is empty, but Chroma holds" in about and "run `tablerag ingest PATH --corpus default`" in about
    assert catalog.with_suffix(".damaged1").exists()
    with opened(tmp_path) as services:
        assert ingest([folder], services, "default").counts == {"added": 2}
        list(check_deeply(services, agree=lambda _: True))
        assert audit(services).flaws == []
        assert found(services) == right


def settled(services: Services) -> None:
    """Bring the log into the file of the catalog."""
    with services.database.engine.connect() as connection:
        connection.exec_driver_sql("COMMIT")
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")


def test_the_documents_of_a_catalog_set_aside_are_named_until_they_are_ingested_again(
    folder: Path, tmp_path: Path
) -> None:
    other, catalog = tmp_path / "other docs", tmp_path / "home" / "tables.db"
    other.mkdir()
    for name in ("kept.md", "gone.md"):
        (other / name).write_text(f"# {name}\n\nThe west is led by Cy Elm.\n", encoding="utf-8")
    with opened(tmp_path) as services:
        right = found(services)
        ingest([other], services, "second")
        settled(services)
    catalog.write_bytes(b"no database" + catalog.read_bytes()[11:])
    (other / "gone.md").unlink()
    says = (
        "corpus {!r}: 2 documents of the damaged catalog not ingested again ({}): run `tablerag ingest {} --corpus {}`"
    )
    one = says.format("default", "notes.md, sales.csv", folder, "default")
    two = says.format("second", "gone.md, kept.md", f"'{other}'", "second")
    with opened(tmp_path) as services:
        assert [f.says for f in check_deeply(services, agree=lambda _: True)][-2:] == [one, two]
    for agree in (None, lambda _: True):  # which deletes nothing that is awaited
        with opened(tmp_path) as services:
            assert [(f.state, f.says) for f in check_deeply(services, agree=agree)] == [
                ("warning", one),
                ("warning", two),
            ]
            assert one in " ".join(f.says for f in check(services, "default"))
    with opened(tmp_path) as services:
        assert ingest([folder], services, "default").counts == {"added": 2}
        assert found(services) == right
        (lost, ok) = check_deeply(services)
        assert (lost.says, ok.state) == (two, "ok")
    with opened(tmp_path) as services:
        assert ingest([other], services, "second").counts == {"added": 1}
        gone = tmp_path / "home" / "tables.damaged1"
        assert f"(gone.md): their files are gone: delete {gone} to give them up" in next(check_deeply(services)).says
        gone.unlink()
        list(check_deeply(services, agree=lambda _: True))
        assert audit(services, ["second"]).flaws == []


def test_a_damaged_schema_that_is_no_text_is_noticed(folder: Path, tmp_path: Path) -> None:
    with opened(tmp_path) as services:
        settled(services)
    catalog = tmp_path / "home" / "tables.db"
    content = catalog.read_bytes()
    where = content.index(b"CREATE TABLE _tablerag_documents") + len("CREATE TABLE _tablerag")
    catalog.write_bytes(content[:where] + b"\xe1" + content[where + 1 :])
    with opened(tmp_path) as services, pytest.raises(StoreDamaged, match=r"tables.db is damaged .*doctor --fix"):
        found(services)
    with opened(tmp_path) as services, pytest.raises(StoreDamaged, match=r"tables.db is damaged .*doctor --fix"):
        ingest([folder], services, "default")
    with opened(tmp_path) as services:
        assert any("is now" in f.says for f in check_deeply(services, agree=lambda _: True))


def test_a_catalog_without_its_last_changes_is_noticed_and_says_what_to_ingest(folder: Path, tmp_path: Path) -> None:
    (folder / "late.md").write_text("# Late\n\nThe south is led by Bo Ek.\n", encoding="utf-8")
    catalog = tmp_path / "home" / "tables.db"
    with opened(tmp_path) as services, closing(sqlite3.connect(catalog)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM sqlite_master").fetchone()  # leaves what follows in the log
        ingest([folder], services, "default")
        right = found(services)
        shutil.copytree(tmp_path / "home", tmp_path / "copy" / "home")
    log = tmp_path / "copy" / "home" / "tables.db-wal"
    log.write_bytes(log.read_bytes()[:-1])
    with opened(tmp_path / "copy") as services:
        for act in (found, lambda s: ingest([folder], s, "default")):
            with pytest.raises(StoreDamaged, match=r"older than the last completed run: run `tablerag doctor --fix`"):
                act(services)
        assert any(f.state == "broken" and "older than the last completed run" in f.says for f in check(services))
        assert any(f"`tablerag ingest {folder}`" in f.says for f in check_deeply(services, agree=lambda _: True))
        ingest([folder], services, "default")
        list(check_deeply(services, agree=lambda _: True))
        assert audit(services).flaws == []
        assert found(services) == right


@pytest.mark.parametrize("seed", range(4))
def test_a_random_damage_of_a_segment_never_changes_what_is_found(folder: Path, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    with opened(tmp_path) as services:
        right = found(services)
    files = sorted(f for f in (tmp_path / "home" / "lexical").rglob("*.*") if f.suffix in (".store", ".term", ".idx"))
    damaged(chance.choice(files), chance)
    with opened(tmp_path) as services:
        try:
            assert found(services) == right
        except StoreDamaged as error:
            assert "doctor --fix" in str(error)
