"""Evidence over real stores: chunks, their schemas, and the whole question beside a subquery."""

from collections.abc import Iterator

import pytest

from tablerag.ingestion.pipeline import ingest
from tablerag.tools.errors import ConfigError
from tablerag.tools.evidence import overview, search
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings

SCOPE = {"corpus": "default", "recall_n": 30}


@pytest.fixture(scope="module")
def towns(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    """Return services over a corpus that no test writes to."""
    home, folder = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("docs")
    services = Services(Settings(home=home, model="offline", _env_file=None))
    for town, number in (("Bergen", 1), ("Tromso", 2), ("Narvik", 3)):
        (folder / f"{town} districts.csv").write_text(f"District,Inhabitants\nNorth,{number}\n", encoding="utf-8")
    (folder / "mayors.md").write_text("# Mayors\n\nThe mayor of Tromso is Kari Nord.\n", encoding="utf-8")
    ingest([folder], services, "default")
    yield services
    services.close()


def test_chunks_map_to_their_tables(towns: Services) -> None:
    chunks, schemas = search(towns, "inhabitants of the districts of Tromso", top_k=3, **SCOPE)
    assert chunks[0].source == "Tromso districts.csv"
    assert [s.table_id for s in schemas] == [c.table_id for c in chunks if c.table_id]
    assert len(schemas) == 3


def test_the_whole_question_tells_what_a_subquery_leaves_unsaid(towns: Services) -> None:
    subquery = "How many inhabitants has the north district?"
    for town in ("Bergen", "Tromso", "Narvik"):
        question = f"How many inhabitants has the north district of {town}, and who is mayor?"
        _, schemas = search(towns, subquery, question=question, top_k=1, **SCOPE)
        assert [s.source for s in schemas] == [f"{town} districts.csv"]


def test_an_overview_shows_tables_even_of_a_question_about_text(towns: Services) -> None:
    chunks, schemas = overview(towns, "Who is the mayor Kari Nord?", top_k=1, **SCOPE)
    assert chunks[0].source == "mayors.md"
    assert len(schemas) >= 1


def test_an_empty_corpus_says_what_to_do(services: Services) -> None:
    with pytest.raises(ConfigError, match="run `tablerag ingest PATH --corpus default` first"):
        search(services, "anything", top_k=3, **SCOPE)
