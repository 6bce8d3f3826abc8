"""The setting that chooses a vector store, and services that run on each."""

from pathlib import Path

import pytest

from tablerag.ingestion.pipeline import ingest, remove
from tablerag.tools.errors import ConfigError
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tablerag.tools.stores.opening import VECTOR_STORES


@pytest.mark.parametrize("name", VECTOR_STORES)
def test_the_setting_chooses_the_store(name: str, tmp_path: Path) -> None:
    (tmp_path / "warehouses.csv").write_text("City,Stock\nOslo,12\nBergen,5\n", encoding="utf-8")
    services = Services(Settings(home=tmp_path, vector_store=name, _env_file=None))
    ingest([tmp_path / "warehouses.csv"], services, "default")
    store = services.vector_store("default")
    assert store.engine.lower().startswith(name)
    assert store.place.startswith(str(tmp_path / name))
    assert services.retriever("default").search("stock in Oslo", 3)[0].dense > 0
    assert store.chunk_ids() == services.lexical_index("default").chunk_ids() != {}
    remove("warehouses.csv", services, "default")
    assert store.count() == 0
    services.close()


def test_a_chroma_server_is_named_either_way(tmp_path: Path) -> None:
    url = "http://127.0.0.1:9"
    for fields in ({"chroma_url": url}, {"vector_store": f"chroma+{url}"}):
        services = Services(Settings(home=tmp_path, **fields, _env_file=None))
        assert services.vector_store("default").place == url


@pytest.mark.parametrize(
    ("value", "says"),
    [("pinecone", "must be chroma or qdrant"), ("qdrant+http://127.0.0.1:6333", "only its local mode")],
)
def test_a_store_that_there_is_not_is_refused(value: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=says):
        Services(Settings(home=tmp_path, vector_store=value, _env_file=None)).vector_store("default")
