"""Chroma: the contract, embedded and on a private server, and what its server and its names need."""

import gc
import socket
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import chromadb
import pytest
from chromadb.api.shared_system_client import SharedSystemClient

from tablerag.tools.embedding.static import StaticEmbedding
from tablerag.tools.errors import ConfigError, StoreUnavailable
from tablerag.tools.stores.chroma import ChromaStore
from tablerag.tools.stores.chroma_engine import look
from tablerag.tools.stores.window_store import collection_name
from tests.tools.stores.vector_store_contract import (
    CHUNKS,
    LONG,
    EmbeddedStoreContract,
    VectorStoreContract,
    chunk,
)

SERVE = "import sys; from chromadb.cli.cli import app; sys.argv[0] = 'chroma'; app()"
READY_S = 30


class TestChroma(EmbeddedStoreContract):
    @pytest.fixture
    def named(self) -> str:
        return "chroma"


@pytest.fixture(scope="module")
def server_port(tmp_path_factory: pytest.TempPathFactory, exhaustive: bool) -> Iterator[int]:
    """Start a private server for the whole module."""
    if not exhaustive:
        pytest.skip("make test-all runs the contract on a server: its client leaves sockets to the collector")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = tmp_path_factory.mktemp("chroma-server")
    where = ("--path", str(folder), "--host", "127.0.0.1", "--port", str(port))
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen([sys.executable, "-c", SERVE, "run", *where], stdout=log, stderr=log)
    until = time.monotonic() + READY_S
    while not _listens(port):
        assert server.poll() is None and time.monotonic() < until, (folder / "log").read_text()
        time.sleep(0.1)
    yield port
    _close_clients()
    server.terminate()
    server.wait(READY_S)


class TestChromaServer(VectorStoreContract):
    @pytest.fixture
    def named(self, server_port: int) -> Iterator[str]:
        yield f"chroma+http://127.0.0.1:{server_port}"
        _empty(server_port)
        _close_clients()


def _close_clients() -> None:
    """Collect Chroma's clients: they leave connections open to the collector, which would warn in a later test."""
    for system in list(SharedSystemClient._identifier_to_system.values()):
        system.stop()
    SharedSystemClient.clear_system_cache()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


def _empty(port: int) -> None:
    client = chromadb.HttpClient("127.0.0.1", port)
    for collection in client.list_collections():
        client.delete_collection(collection.name)


def _listens(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


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
