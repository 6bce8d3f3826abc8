"""The value index: the same matches as in memory, for columns of many values, kept in step by ingest and doctor."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablerag.ingestion import values as indexing
from tablerag.ingestion.auditing import audit, fix
from tablerag.ingestion.pipeline import ingest, remove
from tablerag.tools.linking import values as linking
from tablerag.tools.linking.large import LargeValues
from tablerag.tools.linking.matching import ValueIndex, best_matches
from tablerag.tools.services import Services

VALUES = [
    "New York", "York", "São Paulo", "Paris", "St. John's", "Washington", "Zürich", "北京", "12", "O'Brien",
    "Smith, John", "Smith, Jane", "Müller GmbH & Co. KG", "Department of Energy", "Energy Union", "Goalkeepers",
]  # fmt: skip
QUESTIONS = [
    "How many people live in new york?", "sales in SAO PAULO, please", "how far is Wahsington in miles",
    "flights from Zurich", "北京 ?", "who wore number 12", "when did John Smith start", "when did Smith start",
    "what does muller gmbh sell", "budget of the department of energy", "budget for energy", "a goalkeeper", "", "???",
]  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LargeValues]:
    yield LargeValues(tmp_path / "values")


@pytest.mark.parametrize("question", QUESTIONS)
def test_values_are_found_as_in_memory(store: LargeValues, question: str) -> None:
    store.add("d", [("t", "a", VALUES), ("t", "b", ["Paris, Texas", "New York"])])
    column = store.column("t", "a")
    assert column is not None
    assert sorted(best_matches(question, column)) == sorted(best_matches(question, ValueIndex.of(VALUES)))


def test_typing_errors_are_corrected_among_many_values(store: LargeValues) -> None:
    chance = random.Random(7)
    names = [f"{chance.choice('BCDFGLMNPRST')}{chance.randrange(10**9):09d}".translate(LETTERS) for _ in range(5000)]
    store.add("d", [("t", "a", [*names, "Frankfurt"])])
    column = store.column("t", "a")
    assert column is not None
    assert best_matches("trains to Frnakfurt", column) == [("Frankfurt", "frnakfurt", 0.8)]


LETTERS = str.maketrans("0123456789", "aeioulnrst")


def test_nothing_is_made_by_asking(store: LargeValues) -> None:
    assert store.column("t", "a") is None
    assert store.columns() == {}
    assert not store.path.exists()


def test_columns_and_documents_are_deleted(store: LargeValues) -> None:
    store.add("d1", [("t1", "a", ["x", "y"]), ("t1", "b", ["z"])])
    store.add("d2", [("t2", "a", ["x"])])
    assert store.columns() == {("t1", "a"): 2, ("t1", "b"): 1, ("t2", "a"): 1}
    store.delete_columns([("t1", "b")])
    store.delete_documents(["d2"])
    assert store.columns() == {("t1", "a"): 2}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for module in (indexing, linking):
        monkeypatch.setattr(module, "MAX_DISTINCT", 10)
    docs = tmp_path / "docs"
    docs.mkdir()
    rows = [f"Station Number{i},{'north' if i % 2 else 'south'},{i}" for i in range(40)]
    (docs / "stops.csv").write_text("stop,side,n\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return docs


def test_large_columns_are_indexed_replaced_and_removed_with_their_document(folder: Path, services: Services) -> None:
    ingest([folder], services, "default")
    (schema,) = services.catalog.schemas("default")
    assert services.large_values.columns() == {(schema.stored_as, "stop"): 40}
    (hint,) = services.value_linker.hints("trains at station number31", [schema])
    assert (hint.column, hint.value, hint.score) == ("stop", "Station Number31", 1.0)
    with (folder / "stops.csv").open("a", encoding="utf-8") as file:
        file.write("Harbour,north,1\n")
    ingest([folder], services, "default")
    (schema,) = services.catalog.schemas("default")
    assert services.large_values.columns() == {(schema.stored_as, "stop"): 41}
    assert [h.value for h in services.value_linker.hints("from harbour on", [schema])] == ["Harbour"]
    remove("stops.csv", services, "default")
    assert services.large_values.columns() == {}


def test_doctor_finds_and_fixes_a_value_index_that_is_behind(folder: Path, services: Services) -> None:
    ingest([folder], services, "default")
    (schema,) = services.catalog.schemas("default")
    assert audit(services).flaws == []
    services.large_values.delete_columns(services.large_values.columns())
    services.large_values.add("gone", [("gone__0", "a", ["x"])])
    flaws = audit(services).flaws
    assert [f.says for f in flaws] == [
        "stops.csv: 1 column missing from the value index",
        "the value index holds 1 column of no table",
    ]
    assert list(fix(services, flaws))
    assert audit(services).flaws == []
    assert services.large_values.columns() == {(schema.stored_as, "stop"): 40}
