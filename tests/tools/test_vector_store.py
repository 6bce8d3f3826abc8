"""The dense index over real Chroma."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tablerag.tools.embedding.static import StaticEmbedding
from tablerag.tools.errors import ConfigError, EmbeddingMismatch, StoreUnavailable
from tablerag.tools.vector_store import VectorStore, collection_name
from tests.support.fakes import chunk

CHUNKS = [
    chunk("The northern warehouse stores coffee.", id="d1:0", document_id="d1", title="Warehouses", locator="page 2"),
    chunk(
        "| City | Stock |\n| --- | --- |\n| Oslo | 12 |", id="d2:0", document_id="d2", kind="table", table_id="d2:t0"
    ),
    chunk("Parents get sixteen weeks of leave.", id="d3:0", document_id="d3", source="handbook.docx"),
]


@pytest.fixture
def store(tmp_path: Path) -> VectorStore:
    opened = VectorStore("default", StaticEmbedding(), path=tmp_path / "chroma")
    opened.add(CHUNKS)
    return opened


def test_a_chunk_comes_back_whole_and_best_first(store: VectorStore) -> None:
    first = store.search("Which warehouse stores the coffee?", 3)[0]
    assert first.model_copy(update={"score": 0.0}) == CHUNKS[0]
    assert 0 < first.score <= 1
    assert store.get(["d3:0", "nowhere", "d1:0"]) == [CHUNKS[2], CHUNKS[0]]


def test_kinds_restrict_a_search(store: VectorStore) -> None:
    assert [c.id for c in store.search("parents leave", 3, ["table"])] == ["d2:0"]


def test_scores_are_those_of_a_search(store: VectorStore) -> None:
    found = {c.id: c.score for c in store.search("stock in Oslo", 3)}
    assert store.scores("stock in Oslo", list(found)) == pytest.approx(found, abs=1e-4)
    assert store.scores("stock", []) == {}


def test_deleting_a_document_deletes_its_chunks_only(store: VectorStore) -> None:
    store.delete_document("d1")
    assert store.document_ids() == {"d2", "d3"}
    assert store.count() == 2


def test_adding_again_replaces(store: VectorStore) -> None:
    store.add(CHUNKS)
    assert store.count() == 3


def test_another_embedding_is_refused_by_name(store: VectorStore, tmp_path: Path) -> None:
    other = StaticEmbedding()
    other.version = "99"
    with pytest.raises(EmbeddingMismatch, match="but tablerag-static 99 is configured"):
        VectorStore("default", other, path=tmp_path / "chroma").count()


def test_a_server_that_is_away_is_a_clear_error() -> None:
    with pytest.raises(StoreUnavailable, match="http://127.0.0.1:9.*TABLERAG_CHROMA_URL"):
        VectorStore("default", StaticEmbedding(), url="http://127.0.0.1:9").ping()
    with pytest.raises(ConfigError, match="is no URL"):
        VectorStore("default", StaticEmbedding(), url="nonsense").ping()


def test_threads_may_open_a_store_at_once(tmp_path: Path) -> None:
    stores = [VectorStore(f"corpus-{i}", StaticEmbedding(), path=tmp_path / "fresh") for i in range(4)]
    with ThreadPoolExecutor(8) as pool:
        counts = list(pool.map(lambda i: stores[i % 4].count(), range(16)))
    assert counts == [0] * 16


@pytest.mark.parametrize("corpus", ["default", "Zahlen & Fakten", "季度", "a" * 200, "../../etc", ""])
def test_any_corpus_name_makes_a_collection_name(corpus: str) -> None:
    name = collection_name(corpus)
    assert 3 <= len(name) <= 63
    assert name.replace("-", "").isalnum() and name.isascii()


def test_other_corpora_never_share_a_collection() -> None:
    assert len({collection_name(c) for c in ("a b", "a-b", "a  b", "a_b", "季度", "度季")}) == 6


def test_a_long_chunk_is_found_by_any_of_its_rows_and_once(tmp_path: Path) -> None:
    store = VectorStore("default", StaticEmbedding(), path=tmp_path / "chroma")
    places = ["harbour", "volcano", "library", "orchard", "glacier", "monastery", "lighthouse", "vineyard"]
    rows = "\n".join(
        f"| {i} | the {place} of the {place} with many other words about it |" for i, place in enumerate(places * 4)
    )
    long = chunk(f"| No | Place |\n| --- | --- |\n{rows}", id="long", document_id="l", kind="table", table_id="l:t0")
    store.add([long, *CHUNKS])
    assert store.count() == 4
    for place in places:
        found = store.search(place, 4)
        assert found[0].id == "long"
        assert len({c.id for c in found}) == len(found) == 4
    store.delete_document("l")
    assert store.count() == 3
    assert store.scores("harbour", ["long"]) == {}


ELSEWHERE = """
import sys
from pathlib import Path
from tests.support.fakes import chunk
from tablerag.tools.embedding.static import StaticEmbedding
from tablerag.tools.vector_store import VectorStore

store = VectorStore("default", StaticEmbedding(), path=Path(sys.argv[1]) / "chroma")
for i in range(int(sys.argv[2])):
    store.add([chunk(f"zebra crossing {i}.{k}", id=f"z{i}:{k}", document_id=f"z{i}") for k in range(20)])
store.delete_document("d1")
"""


def elsewhere(tmp_path: Path, documents: int) -> subprocess.Popen:
    root = Path(__file__).resolve().parents[2]
    return subprocess.Popen([sys.executable, "-c", ELSEWHERE, str(tmp_path), str(documents)], cwd=root)


def test_what_another_process_adds_and_deletes_is_seen(store: VectorStore, tmp_path: Path) -> None:
    assert store.search("coffee", 1)[0].id == "d1:0"
    assert elsewhere(tmp_path, 1).wait(60) == 0
    assert store.search("zebra crossing", 1)[0].document_id == "z0"
    assert "d1:0" not in {c.id for c in store.search("coffee", 30)}
    store.add([chunk("a lion", id="lion", document_id="lion")])
    assert store.count() == 23


def test_asking_while_another_process_writes(store: VectorStore, tmp_path: Path) -> None:
    other = elsewhere(tmp_path, 25)
    while other.poll() is None:
        assert store.search("stock in Oslo", 3)
        store.add([chunk("a lion", id="lion", document_id="lion")])
    assert other.returncode == 0
    assert store.count() == 503
    assert {c.document_id for c in store.search("zebra crossing 24", 20)} <= {f"z{i}" for i in range(25)}
