"""A small document in a corpus, on both engines."""

from pathlib import Path

import pytest

from tablerag.ingestion.pipeline import ingest
from tablerag.tools.services import Services

SALES = "region,amount\nNorth,10\nSouth,20\nNorth,5\nEast,7\n"


@pytest.fixture
def file(tmp_path: Path, both: Services) -> Path:
    """The file sales.csv, ingested."""
    path = tmp_path / "docs" / "sales.csv"
    path.parent.mkdir()
    path.write_text(SALES, encoding="utf-8")
    ingest([path.parent], both, "default")
    return path
