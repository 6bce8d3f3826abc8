"""The example corpus, ingested once; tests that change it copy it."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablerag import TableRAG

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "corpus"


@pytest.fixture(scope="session")
def ingested(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the example corpus as reports/ and its stores as reports.tablerag/."""
    folder = tmp_path_factory.mktemp("api")
    shutil.copytree(EXAMPLES, folder / "reports")
    with TableRAG(folder / "reports.tablerag", model="offline") as rag:
        assert rag.ingest(folder / "reports").counts == {"added": 6}
    return folder


@pytest.fixture(scope="session")
def rag(ingested: Path) -> Iterator[TableRAG]:
    """Return a client over the example corpus, for tests that only read."""
    with TableRAG(ingested / "reports.tablerag", model="offline") as opened:
        yield opened
