"""The reader of questions over tables that a test gives."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tablerag.agent.offline.reading.reader import Reader, Reading
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.evidence import result_of
from tablerag.tools.services import Services
from tablerag.tools.table_rows import RowReader

Readings = Callable[[str], list[Reading]]


@pytest.fixture
def readings_of(services: Services, tmp_path: Path) -> Callable[[Mapping[str, str]], Readings]:
    """Return a function that ingests files, and returns the readings of a question over all of them."""

    def over(files: Mapping[str, str]) -> Readings:
        folder = tmp_path / "docs"
        folder.mkdir()
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
        ingest([folder], services, "default")
        schemas = services.catalog.with_unions("default", services.catalog.schemas("default"))
        reader = Reader(RowReader(services.database), lambda sql, known: result_of(services, sql, known))
        return lambda question: reader.readings(question, schemas)

    return over
