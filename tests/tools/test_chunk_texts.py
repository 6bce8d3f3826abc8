"""The texts of chunks in SQL."""

from collections.abc import Iterator

import pytest

from tablerag.tools import chunk_texts
from tablerag.tools.chunk_texts import ChunkTexts
from tablerag.tools.records import Chunk
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings


@pytest.fixture
def texts(mysql_url: str) -> Iterator[ChunkTexts]:
    services = Services(Settings(database_url=mysql_url, _env_file=None))
    services.catalog.create()
    yield services.chunk_texts
    services.close()


def chunk(document: str, number: int, text: str) -> Chunk:
    return Chunk(id=f"{document}:{number}", text=text, kind="text", document_id=document, source=f"{document}.md")


def test_documents_come_back_as_they_were_given(texts: ChunkTexts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunk_texts, "PART_CHARS", 30)
    monkeypatch.setattr(chunk_texts, "MOST_BYTES", 300)
    monkeypatch.setattr(chunk_texts, "DOCUMENTS_AT_ONCE", 2)
    given = [chunk(d, n, f"çà {d} 表 \x00 {n} '\\") for d in "abc" for n in range(12)]
    texts.add("default", given)
    assert texts.of_documents("default", ["a", "b", "c", "unknown"]) == given
    assert texts.documents("default") == {"a", "b", "c"}
    assert texts.of_documents("default~hrcl", ["a"]) == []


def test_a_text_takes_the_place_of_an_earlier_one_and_goes_with_its_document(texts: ChunkTexts) -> None:
    texts.add("default", [chunk("a", 1, "old"), chunk("a", 2, "kept")])
    texts.add("default", [chunk("a", 1, "new").model_copy(update={"score": 0.5}), chunk("b", 1, "other")])
    assert [c.text for c in texts.of_documents("default", ["a"])] == ["new", "kept"]
    assert {c.score for c in texts.of_documents("default", ["a"])} == {0.0}
    texts.delete_documents("default", ["a", "unknown"])
    assert texts.documents("default") == {"b"}


def test_a_database_without_a_catalog_has_none(mysql_url: str) -> None:
    services = Services(Settings(database_url=mysql_url, _env_file=None))
    assert services.chunk_texts.of_documents("default", ["a"]) == [] and not services.chunk_texts.documents("default")
    services.close()
