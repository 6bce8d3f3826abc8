"""The reader of questions over tables that a test gives."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from tablerag.agent.offline.choosing import SURE_READING
from tablerag.agent.offline.reading.reader import Reader, Reading, is_vetoed
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.evidence import result_of
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tablerag.tools.table_rows import RowReader

Readings = Callable[[str], list[Reading]]
Ask = Callable[[str], Reading]
Rows = Iterable[tuple[object, ...]]


@pytest.fixture
def readings_of(services: Services, tmp_path: Path) -> Callable[[Mapping[str, str]], Readings]:
    """Return a function that ingests files, and returns the readings of a question over all of them."""
    return lambda files: _readings(files, services, tmp_path / "docs")


@pytest.fixture(scope="module")
def readings(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Readings]:
    """Return a function that gives the readings of a question over the FILES of the test's module."""
    folder = tmp_path_factory.mktemp("offline")
    services = Services(Settings(home=folder / "home", model="offline", _env_file=None))
    yield _readings(request.module.FILES, services, folder / "docs")
    services.close()


@pytest.fixture(scope="module")
def ask(readings: Readings) -> Ask:
    """Return a function that gives the likeliest reading of a question over the FILES of the test's module."""
    return lambda question: readings(question)[0]


def _readings(files: Mapping[str, str], services: Services, folder: Path) -> Readings:
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    ingest([folder], services, "default")
    schemas = services.catalog.with_unions("default", services.catalog.schemas("default"))
    reader = Reader(RowReader(services.database), lambda sql, known: result_of(services, sql, known))
    return lambda question: reader.readings(question, schemas)


def misread(ask: Ask, cases: Iterable[tuple[str, Rows]]) -> dict[str, object]:
    """Return the questions whose likeliest reading has other rows than expected, whatever their order."""
    wrong = {}
    for question, expected in cases:
        reading = ask(question)
        if _in_any_order(reading.result.rows) != _in_any_order(expected):
            wrong[question] = (list(reading.result.rows), reading.query.words())
    return wrong


def is_unsure(reading: Reading) -> bool:
    """Tell whether a reading is offered at most: it leaves what no answer may leave, or is not likely enough."""
    return is_vetoed(reading) or reading.confidence < SURE_READING


def _in_any_order(rows: Rows) -> list[str]:
    return sorted(str(tuple(round(float(c), 6) if isinstance(c, int | float) else c for c in row)) for row in rows)
