"""Chroma: the contract, embedded and on a private server, and what its server and its names need."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tablerag.tools.embedding.static import StaticEmbedding
from tablerag.tools.errors import ConfigError, StoreUnavailable
from tablerag.tools.records import Chunk
from tablerag.tools.stores import chroma
from tablerag.tools.stores.chroma import ChromaStore
from tablerag.tools.stores.chroma_engine import look
from tablerag.tools.stores.window_store import BATCH, BATCH_CHARS, collection_name, filled
from tests.tools.stores.vector_store_contract import (
    CHUNKS,
    LONG,
    EmbeddedStoreContract,
    VectorStoreContract,
    chunk,
)


class TestChroma(EmbeddedStoreContract):
    @pytest.fixture
    def named(self) -> str:
        return "chroma"


class TestChromaServer(VectorStoreContract):
    @pytest.fixture
    def named(self, request: pytest.FixtureRequest, exhaustive: bool) -> str:
        if not exhaustive:
            pytest.skip("make test-all runs the contract on a server")
        return f"chroma+{request.getfixturevalue('chroma_url')}"


def test_a_server_that_is_away_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="http://127.0.0.1:9.*TABLERAG_CHROMA_URL"):
        ChromaStore("default", StaticEmbedding(), tmp_path, url="http://127.0.0.1:9").count()
    with pytest.raises(ConfigError, match="must be a URL such as"):
        ChromaStore("default", StaticEmbedding(), tmp_path, url="nonsense").count()


@pytest.mark.parametrize("corpus", ["default", "Zahlen & Fakten", "季度", "a" * 200, "../../etc", ""])
def test_any_corpus_name_makes_a_collection_name(corpus: str) -> None:
    name = collection_name(corpus)
    assert 3 <= len(name) <= 63
    assert name.replace("-", "").isalnum() and name.isascii()


def test_other_corpora_never_share_a_collection() -> None:
    assert len({collection_name(c) for c in ("a b", "a-b", "a  b", "a_b", "季度", "度季")}) == 6


def test_more_windows_than_one_answer_holds_are_all_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chroma, "MOST_READ", 3)
    given = [chunk(f"text {n}", id=f"c{n}", document_id=f"d{n % 2}") for n in range(10)]
    store = ChromaStore("default", StaticEmbedding(), tmp_path)
    store.add(given)
    assert store.chunk_ids() == {c.id: c.document_id for c in given} and store.count() == 10
    assert sorted(store.of_documents(["d1"]), key=lambda c: c.id) == given[1::2]
    assert set(store.scores("text", [c.id for c in given])) == {c.id for c in given}


def test_chunks_of_an_earlier_version_are_read(tmp_path: Path) -> None:
    old, new = CHUNKS[0], CHUNKS[1]
    store = ChromaStore("default", StaticEmbedding(), tmp_path)
    store.add([old, new])
    with store._writing() as collection:  # as version 0.1.0 wrote it: the text as a document
        found = collection.get(ids=[old.id], include=["embeddings", "metadatas"])
        assert found["metadatas"][0].pop("text") == old.text
        collection.delete(ids=[old.id])
        collection.add(documents=[old.text], **{name: found[name] for name in ("ids", "embeddings", "metadatas")})
    assert [c.text for c in store.get([old.id, new.id])] == [old.text, new.text]
    assert store.search("northern warehouse", 1)[0].text == old.text


def test_the_engine_alone_counts_as_the_client_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = ChromaStore("default", StaticEmbedding(), tmp_path)
    assert look(tmp_path, collection_name("default")) is None
    store.add([*CHUNKS, LONG])
    seen = look(tmp_path, collection_name("default"))
    assert seen is not None and seen.chunks == store.count() == len(store.chunk_ids()) == 4
    assert seen.metadata["embedding"] == StaticEmbedding.name
    assert look(tmp_path, collection_name("other")) is None
    monkeypatch.setattr("chromadb_rust_bindings.SqliteDBConfig", None)  # an engine of another version
    assert look(tmp_path, collection_name("default")) is None


def test_vectors_that_cannot_be_loaded_are_found_by_counting(tmp_path: Path) -> None:
    ChromaStore("default", StaticEmbedding(), tmp_path).add([chunk(f"a lion {i}", id=f"l{i}") for i in range(1_010)])
    (vectors,) = tmp_path.glob("*/header.bin")
    vectors.write_bytes(b"\xff" * vectors.stat().st_size)
    with pytest.raises(StoreUnavailable, match="cannot be opened"):
        ChromaStore("default", StaticEmbedding(), tmp_path).count()


def test_windows_of_many_chunks_are_not_in_memory_at_once() -> None:
    made: list[int] = []

    def windows(length: int, count: int) -> Iterator[tuple[Chunk, int, str]]:
        for i in range(count):
            made.append(i)
            yield CHUNKS[0], i, "w" * length

    assert [len(batch) for batch in filled(windows(10, 1100))] == [BATCH, BATCH, 1100 - 2 * BATCH]
    long = filled(windows(BATCH_CHARS // 2, 5))
    made.clear()
    assert len(next(long)) == 2
    assert len(made) == 3
