"""Which corpora are known, to whom, and what a new one may be called."""

from collections.abc import Iterator

import pytest

from tablerag.ingestion.pipeline import ingest
from tablerag.tools.access import corpora
from tablerag.tools.access.corpora import known_corpora, known_corpus, new_corpus
from tablerag.tools.errors import ConfigError
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings

KEYS = '{"one": ["sales"], "all": ["*"]}'


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    """Return services with the corpora ``sales`` and ``staff/2024``; ``default`` holds nothing. Only to be read."""
    folder = tmp_path_factory.mktemp("corpora")
    (folder / "a.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    services = Services(Settings(home=folder / "home", model="offline", _env_file=None))
    for corpus in ("sales", "staff/2024"):
        ingest([folder / "a.csv"], services, corpus)
    yield services
    services.close()


def test_known_corpora_are_those_with_documents_and_the_default(
    filled: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings, catalog = filled.settings, filled.catalog
    assert known_corpora(settings, catalog) == ["default", "sales", "staff/2024"]
    assert known_corpus("", settings, catalog) == known_corpus("default", settings, catalog) == "default"
    assert known_corpus("sales", settings, catalog) == "sales"
    with pytest.raises(ConfigError, match="unknown corpus 'sale': expected one of 'default', 'sales', 'staff/2024'"):
        known_corpus("sale", settings, catalog)
    guarded = Settings(api_keys=KEYS, _env_file=None)
    one, everything = (guarded.api_keys.owner_of(k) for k in ("one", "all"))
    assert known_corpora(guarded, catalog, one) == ["sales"]
    assert known_corpora(guarded, catalog, everything) == ["default", "sales", "staff/2024"]
    assert known_corpora(guarded, catalog, "") == []
    # A run's error lists what its key may use, and no other names.
    monkeypatch.setattr(corpora, "current_owner", lambda settings: one)
    with pytest.raises(ConfigError, match="expected one of 'sales'$"):
        known_corpus("staff/2024", guarded, catalog)


@pytest.mark.parametrize("name", ["", "a/b", "a\\b", " a", "a ", "a\nb", "a\x00", "x" * 61, "default~hrcl"])
def test_a_new_corpus_with_an_invalid_name_is_refused(filled: Services, name: str) -> None:
    with pytest.raises(ConfigError, match="invalid corpus name"):
        new_corpus(name, filled.settings, filled.catalog)


@pytest.mark.parametrize("name", ["stock of <b>", "年度", "x" * 60, "default", "staff/2024"])
def test_valid_names_and_existing_corpora_are_accepted(filled: Services, name: str) -> None:
    assert new_corpus(name, filled.settings, filled.catalog) == name
