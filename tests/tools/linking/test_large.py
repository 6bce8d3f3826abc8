"""The value index: the same matches as in memory, for columns of many values, kept in step by ingest and doctor."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tablerag.ingestion import values as at_ingest
from tablerag.ingestion.auditing import audit, fix
from tablerag.ingestion.pipeline import ingest, remove
from tablerag.tools.errors import StoreUnavailable
from tablerag.tools.linking import indexing
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
    for module in (at_ingest, indexing, linking):
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


WORDS = "New York City of the North South station Stations note order line lines company companies Smith Jones".split()


def cut(content: bytearray) -> None:
    del content[-30:]


def blank(content: bytearray) -> None:
    content[4:60] = bytes(56)


@pytest.mark.parametrize("harm", [cut, blank])
def test_doctor_reads_a_long_table_again_whose_file_is_damaged(
    harm: Callable[[bytearray], None], folder: Path, services: Services
) -> None:
    ingest([folder], services, "default")
    (schema,) = services.catalog.schemas("default")
    path = services.settings.home / "tables.parquet" / f"{schema.stored_as}.parquet"
    content = bytearray(path.read_bytes())
    harm(content)
    path.write_bytes(content)
    flaws = audit(services).flaws
    assert any("cannot be read: " in f.says and f.says.endswith(" is damaged") for f in flaws)
    assert "stops.csv: read again (replaced)" in list(fix(services, flaws))
    assert audit(services).flaws == []


def test_an_index_of_another_version_is_written_again(folder: Path, services: Services) -> None:
    ingest([folder], services, "default")
    before = services.large_values.columns()
    assert before
    (services.large_values.path / "layout").write_text("1", encoding="utf-8")
    services.close()
    with pytest.raises(StoreUnavailable, match="another version: run `tablerag migrate` once"):
        services.large_values.columns()
    assert at_ingest.migrate_values(services) and not at_ingest.migrate_values(services)
    assert services.large_values.columns() == before


@pytest.mark.parametrize("seed", range(3))
def test_many_blocks_answer_as_memory_does(store: LargeValues, seed: int) -> None:
    chance = random.Random(seed)
    values = list(
        {" ".join(chance.choices(WORDS, k=chance.randrange(1, 6))) + f" {chance.randrange(900)}" for _ in range(900)}
    )
    store.add("d", [("t", "a", values)])
    column, memory = store.column("t", "a"), ValueIndex.of(values)
    assert column is not None
    for value in chance.sample(values, 60):
        words = value.split()
        chance.shuffle(words)
        for asked in (value.upper(), f"the {' '.join(words)}", " ".join(words[:2]), f"{value}s", value[:-1]):
            assert sorted(best_matches(asked, column)) == sorted(best_matches(asked, memory)), asked


def test_a_value_costs_a_fraction_of_a_document(store: LargeValues) -> None:
    store.add("d", [("t", "a", [f"Note {i} for order {i}" for i in range(1000)])])
    assert store.columns() == {("t", "a"): 1000}
    assert store._folder.searcher().num_docs <= 20
