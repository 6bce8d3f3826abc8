"""Chroma: the contract, embedded, and what its server and its names need."""

import pytest

from tablerag.tools.embedding.static import StaticEmbedding
from tablerag.tools.errors import ConfigError, StoreUnavailable
from tablerag.tools.stores.chroma import ChromaStore
from tablerag.tools.stores.window_store import collection_name
from tests.tools.stores.vector_store_contract import VectorStoreContract


class TestChroma(VectorStoreContract):
    @pytest.fixture
    def named(self) -> str:
        return "chroma"


def test_a_server_that_is_away_is_a_clear_error() -> None:
    with pytest.raises(StoreUnavailable, match="http://127.0.0.1:9.*TABLERAG_CHROMA_URL"):
        ChromaStore("default", StaticEmbedding(), url="http://127.0.0.1:9").ping()
    with pytest.raises(ConfigError, match="must be a URL such as"):
        ChromaStore("default", StaticEmbedding(), url="nonsense").ping()


@pytest.mark.parametrize("corpus", ["default", "Zahlen & Fakten", "季度", "a" * 200, "../../etc", ""])
def test_any_corpus_name_makes_a_collection_name(corpus: str) -> None:
    name = collection_name(corpus)
    assert 3 <= len(name) <= 63
    assert name.replace("-", "").isalnum() and name.isascii()


def test_other_corpora_never_share_a_collection() -> None:
    assert len({collection_name(c) for c in ("a b", "a-b", "a  b", "a_b", "季度", "度季")}) == 6
