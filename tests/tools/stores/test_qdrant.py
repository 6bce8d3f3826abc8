"""Qdrant's local mode: the contract, and what its files need."""

from pathlib import Path

import pytest
from qdrant_client import QdrantClient

from tablerag.tools.embedding.static import StaticEmbedding
from tablerag.tools.errors import StoreUnavailable
from tablerag.tools.stores.qdrant import QdrantStore
from tests.tools.stores.vector_store_contract import CHUNKS, EmbeddedStoreContract


class TestQdrant(EmbeddedStoreContract):
    BUSY_DOCUMENTS = 4  # it syncs the disk for each window

    @pytest.fixture
    def named(self) -> str:
        return "qdrant"


# Qdrant leaves its lock file open where it finds it locked.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_files_in_use_by_another_program_are_a_clear_error(tmp_path: Path) -> None:
    store = QdrantStore("default", StaticEmbedding(), tmp_path)
    store.add(CHUNKS)
    other = QdrantClient(path=store.place)
    with pytest.raises(StoreUnavailable, match="no other program has it open"):
        store.add(CHUNKS)
    other.close()
    store.add(CHUNKS)
    assert store.count() == 3
