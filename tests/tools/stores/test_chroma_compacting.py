"""What deleted vectors take is given back, in memory and on the disk."""

from pathlib import Path
from typing import Any

import pytest

from tablerag.tools.stores import chroma, chroma_compacting
from tablerag.tools.stores.chroma import ChromaStore
from tablerag.tools.stores.chroma_graph import check_files, check_ids, vectors_in
from tablerag.tools.stores.window_store import collection_name
from tests.support.fakes import chunk
from tests.tools.stores.test_chroma_graph import FewNumbers

NAME = collection_name("default")
KEPT = [chunk(f"text {i}", id=f"k{i}", document_id="kept") for i in range(30)]


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chroma, "HNSW", {"space": "cosine", "batch_size": 10, "sync_threshold": 20})
    monkeypatch.setattr(chroma_compacting, "LEAST", 50)


@pytest.fixture
def store(tmp_path: Path) -> ChromaStore:
    opened = ChromaStore("default", FewNumbers(), tmp_path)
    opened.add(KEPT)
    return opened


def replace(store: ChromaStore, versions: int) -> None:
    for version in range(versions):
        store.add([chunk(f"other {i}", id=f"v{version}-{i}", document_id=f"v{version}") for i in range(40)])
        store.delete_documents([f"v{version}"])


def nearest(store: ChromaStore) -> list[tuple[str, str]]:
    return [(c.id, c.text) for c in store.search("text 7", 5)]


def test_replaced_versions_leave_nothing(store: ChromaStore, tmp_path: Path) -> None:
    other, found = ChromaStore("default", FewNumbers(), tmp_path), nearest(store)
    assert nearest(other) == found
    first = store._opened
    replace(store, 3)
    assert vectors_in(tmp_path, NAME) < 100
    assert not hasattr(first._client, "bindings")  # its memory is freed
    assert len(list(tmp_path.glob("*/header.bin"))) == 1
    assert nearest(store) == nearest(other) == found
    assert sorted(c.id for c in store.of_documents(["kept"])) == sorted(c.id for c in KEPT)
    check_files(tmp_path, NAME)
    check_ids(tmp_path, NAME)


def test_a_collection_with_few_deleted_vectors_stays(store: ChromaStore) -> None:
    first = store._collection()
    replace(store, 1)
    assert store._collection() is first


def test_a_full_disk_leaves_it_as_it_is(store: ChromaStore, monkeypatch: pytest.MonkeyPatch) -> None:
    first = store._collection()
    store.add([chunk(f"other {i}", id=f"v{i}", document_id="v") for i in range(120)])
    monkeypatch.setattr(chroma, "has_room", lambda *_: False)
    store.delete_documents(["v"])
    assert store._collection() is first and store.count() == len(KEPT)


def test_a_copy_that_was_killed_before_it_took_the_name(store: ChromaStore, tmp_path: Path) -> None:
    store._made(f"{NAME}.copy")
    store._collection().modify(name=f"{NAME}.old")
    again = ChromaStore("default", FewNumbers(), tmp_path)
    assert again.count() == len(KEPT)
    replace(again, 3)
    again._collection()
    assert {c.name for c in again._embedded.list_collections()} == {NAME}


def test_a_copy_that_was_killed_before_the_old_one_was_deleted(store: ChromaStore, tmp_path: Path) -> None:
    store._made(f"{NAME}.old")
    again = ChromaStore("default", FewNumbers(), tmp_path)
    assert len(again.of_documents(["kept"])) == len(KEPT)
    assert {c.name for c in again._embedded.list_collections()} == {NAME}


def test_who_reads_meanwhile_reads_again(store: ChromaStore) -> None:
    asked = []

    def ask(collection: Any) -> list[str]:
        asked.append(collection)
        if len(asked) == 1:
            store._close()
        return collection.get(limit=1)["ids"]

    assert len(store._read("read", ask)) == 1
    assert len(asked) == 2
