"""What every VectorStore must do, over real files."""

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tablerag.tools.embedding.static import StaticEmbedding
from tablerag.tools.errors import EmbeddingMismatch, StoreUnavailable
from tablerag.tools.stores.vector_store import NamedEmbedding, VectorStore
from tests.support.fakes import chunk

__all__ = ["CHUNKS", "EmbeddedStoreContract", "Opens", "VectorStoreContract"]

Opens = Callable[..., VectorStore]
CHUNKS = [
    chunk("The northern warehouse stores coffee.", id="d1:0", document_id="d1", title="Warehouses", locator="page 2"),
    chunk(
        "| City | Stock |\n| --- | --- |\n| Oslo | 12 |", id="d2:0", document_id="d2", kind="table", table_id="d2:t0"
    ),
    chunk("Parents get sixteen weeks of leave.", id="d3:0", document_id="d3", source="handbook.docx"),
]
PLACES = ["harbour", "volcano", "library", "orchard", "glacier", "monastery", "lighthouse", "vineyard"]
ROWS = "\n".join(f"| {i} | the {p} of the {p} with many other words about it |" for i, p in enumerate(PLACES * 4))
LONG = chunk(f"| No | Place |\n| --- | --- |\n{ROWS}", id="long", document_id="l", kind="table", table_id="l:t0")
ELSEWHERE = """
import sys
from pathlib import Path
from tests.support.fakes import chunk
from tablerag.tools.embedding.static import StaticEmbedding
from tablerag.tools.stores.opening import open_vector_store

store = open_vector_store(sys.argv[1], "default", StaticEmbedding(), Path(sys.argv[2]))
for i in range(int(sys.argv[3])):
    store.add([chunk(f"zebra crossing {i}.{k}", id=f"z{i}:{k}", document_id=f"z{i}") for k in range(20)])
store.delete_documents(["d1"])
"""


class VectorStoreContract:
    """Inherit, and override the fixture ``named`` with what TABLERAG_VECTOR_STORE would be."""

    BUSY_DOCUMENTS = 25
    """How many documents another process adds while this one asks."""

    @pytest.fixture
    def named(self) -> str:
        raise NotImplementedError("a suite names its store")

    @pytest.fixture
    def opens(self, named: str, tmp_path: Path) -> Opens:
        from tablerag.tools.stores.opening import open_vector_store

        def opened(corpus: str = "default", embedding: NamedEmbedding | None = None) -> VectorStore:
            return open_vector_store(named, corpus, embedding or StaticEmbedding(), tmp_path)

        return opened

    @pytest.fixture
    def store(self, opens: Opens) -> VectorStore:
        opened = opens()
        opened.add(CHUNKS)
        return opened

    def test_a_chunk_comes_back_whole_and_best_first(self, store: VectorStore) -> None:
        found = store.search("Which warehouse stores the coffee?", 3)
        assert found[0].model_copy(update={"score": 0.0}) == CHUNKS[0]
        assert 1 >= found[0].score > found[1].score >= found[2].score
        assert store.get(["d3:0", "nowhere", "d1:0"]) == [CHUNKS[2], CHUNKS[0]]
        assert store.get([]) == []

    def test_any_text_is_an_id(self, store: VectorStore) -> None:
        ids = ["ü/ø#1", "a b\nc", "'; --", "x" * 300, "季度"]
        store.add([chunk(f"number {i}", id=i, document_id=f"doc {i}") for i in ids])
        assert [c.id for c in store.get(ids)] == ids
        store.delete(ids[:4])
        assert store.chunk_ids() == {"d1:0": "d1", "d2:0": "d2", "d3:0": "d3", "季度": "doc 季度"}

    def test_kinds_and_documents_restrict_a_search(self, store: VectorStore) -> None:
        assert [c.id for c in store.search("parents leave", 3, ["table"])] == ["d2:0"]
        assert [c.id for c in store.search("coffee", 3, documents=["d3"])] == ["d3:0"]
        assert store.search("coffee", 3, ["table"], ["d3"]) == []

    def test_scores_are_those_of_a_search(self, store: VectorStore) -> None:
        found = {c.id: c.score for c in store.search("stock in Oslo", 3)}
        assert store.scores("stock in Oslo", [*found, "nowhere"]) == pytest.approx(found, abs=1e-4)
        assert store.scores("stock", []) == {}

    def test_deleting_takes_chunks_or_whole_documents(self, store: VectorStore) -> None:
        store.delete_documents(["d1", "nowhere"])
        assert store.chunk_ids() == {"d2:0": "d2", "d3:0": "d3"}
        store.delete(["d2:0", "nowhere"])
        assert store.count() == 1
        assert [c.id for c in store.search("stock in Oslo", 3)] == ["d3:0"]

    def test_adding_again_replaces(self, store: VectorStore) -> None:
        store.add(CHUNKS)
        store.add([])
        assert store.count() == 3
        assert store.window_counts() == {"d1:0": 1, "d2:0": 1, "d3:0": 1}

    def test_an_empty_store_answers(self, opens: Opens) -> None:
        empty = opens()
        assert (empty.count(), empty.chunk_ids(), empty.window_counts()) == (0, {}, {})
        assert empty.search("coffee", 3) == empty.get(["d1:0"]) == []
        empty.delete(["d1:0"])

    def test_what_was_written_is_there_for_the_next_process(self, store: VectorStore, opens: Opens) -> None:
        assert opens().get(["d2:0"]) == [CHUNKS[1]]
        assert opens("other").count() == 0

    def test_corpora_never_mix(self, opens: Opens) -> None:
        stores = {n: opens(n) for n in ("Zahlen & Fakten", "季度", "度季", "a b", "a-b", "../../etc", "")}
        for name, store in stores.items():
            store.add([CHUNKS[0].model_copy(update={"id": f"of {name}"})])
        assert all(list(store.chunk_ids()) == [f"of {name}"] for name, store in stores.items())

    def test_another_embedding_is_refused_by_name(self, store: VectorStore, opens: Opens) -> None:
        other = StaticEmbedding()
        other.version = "99"
        with pytest.raises(EmbeddingMismatch, match="but tablerag-static 99 is configured"):
            opens(embedding=other).count()

    def test_another_store_s_chunks_and_embedding_take_the_place_of_its_own(
        self, store: VectorStore, opens: Opens
    ) -> None:
        other = StaticEmbedding()
        other.version = "99"
        new = opens("default~new", other)
        new.add(CHUNKS[:2])
        opens("default", other).take(new)
        assert new.chunk_ids() == {}
        with pytest.raises(EmbeddingMismatch, match="but tablerag-static .* is configured: run `tablerag reindex"):
            store.chunk_ids()
        renewed = opens("default", other)
        assert renewed.get([CHUNKS[0].id]) == [CHUNKS[0]] and renewed.count() == 2
        assert renewed.search("coffee", 1)[0].id == CHUNKS[0].id
        renewed.drop()
        assert opens().count() == 0, "an empty corpus has no embedding yet"

    def test_threads_may_open_a_store_at_once(self, opens: Opens) -> None:
        stores = [opens(f"corpus-{i}") for i in range(4)]
        with ThreadPoolExecutor(8) as pool:
            counts = list(pool.map(lambda i: stores[i % 4].count(), range(16)))
        assert counts == [0] * 16

    def test_threads_may_read_and_write_at_once(self, store: VectorStore) -> None:
        def work(i: int) -> bool:
            store.add([chunk(f"a lion {i}", id=f"lion{i}", document_id="lions")])
            return f"lion{i}" in store.chunk_ids() and bool(store.search("lion", 3))

        with ThreadPoolExecutor(4) as pool:
            assert all(pool.map(work, range(8)))
        assert store.count() == 11

    def test_a_long_chunk_is_found_by_any_of_its_rows_and_once(self, store: VectorStore) -> None:
        store.add([LONG])
        assert store.count() == 4
        assert store.window_counts()["long"] > 4
        for place in PLACES:
            found = store.search(place, 4)
            assert found[0].id == "long"
            assert len({c.id for c in found}) == len(found) == 4
        store.delete_documents(["l"])
        assert store.count() == 3
        assert store.scores("harbour", ["long"]) == {}

    def test_the_engine_names_the_store(self, store: VectorStore, named: str) -> None:
        assert named.partition("+")[0] in store.engine.lower()

    def elsewhere(self, named: str, home: Path, documents: int) -> subprocess.Popen:
        root = Path(__file__).resolve().parents[3]
        return subprocess.Popen([sys.executable, "-c", ELSEWHERE, named, str(home), str(documents)], cwd=root)

    def test_what_another_process_adds_and_deletes_is_seen(
        self, store: VectorStore, named: str, tmp_path: Path
    ) -> None:
        assert store.search("coffee", 1)[0].id == "d1:0"
        assert self.elsewhere(named, tmp_path, 1).wait(60) == 0
        assert store.search("zebra crossing", 1)[0].document_id == "z0"
        assert "d1:0" not in {c.id for c in store.search("coffee", 30)}
        store.add([chunk("a lion", id="lion", document_id="lion")])
        assert store.count() == 23

    def test_asking_while_another_process_writes(self, store: VectorStore, named: str, tmp_path: Path) -> None:
        documents = self.BUSY_DOCUMENTS
        other = self.elsewhere(named, tmp_path, documents)
        while other.poll() is None:
            assert store.search("stock in Oslo", 3)
            store.add([chunk("a lion", id="lion", document_id="lion")])
        assert other.returncode == 0
        assert store.count() == 20 * documents + 3
        assert {c.document_id for c in store.search(f"zebra crossing {documents - 1}", 20)} <= {
            f"z{i}" for i in range(documents)
        }


class EmbeddedStoreContract(VectorStoreContract):
    """For stores that keep their vectors in a folder."""

    def test_a_place_that_cannot_be_written_is_a_clear_error(self, store: VectorStore, opens: Opens) -> None:
        assert store.count() == 3
        folder = Path(store.place)
        folder.rename(folder.with_name("moved"))
        folder.write_text("no folder", encoding="utf-8")
        with pytest.raises(StoreUnavailable, match=str(folder)):
            opens().count()
