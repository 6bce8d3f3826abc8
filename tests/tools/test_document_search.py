"""Documents found by both sides, made of their nearest chunks, and read whole within a budget."""

from pathlib import Path

import pytest

from tablerag.ingestion.pipeline import ingest, remove
from tablerag.ingestion.summaries import index_summaries, pending, summaries_of_document
from tablerag.tools.document_search import find_documents, merged, recombined
from tablerag.tools.errors import ConfigError
from tablerag.tools.services import Services
from tablerag.tools.token_count import count_tokens
from tablerag.tools.whole_documents import read_whole
from tests.support.fakes import chunk

FRUIT = """<p>Harvests were good. Apples came from the north. The cellar is cold. Prices are in thousands.</p>
<table><tr><th>Fruit</th><th>2019</th><th>2018</th></tr>
<tr><td>Apples</td><td>$ 1,200</td><td>(1,100)</td></tr><tr><td>Pears</td><td>300</td><td>400</td></tr></table>"""
METAL = """<p>Steel is heavy.</p>
<table><tr><th>Metal</th><th>2019</th><th>2018</th></tr><tr><td>Steel</td><td>5</td><td>6</td></tr></table>"""
SEARCH = {"corpus": "default", "level": "hrcl"}


@pytest.fixture
def corpus(tmp_path: Path, services: Services) -> Services:
    for name, page in (("fruit.html", FRUIT), ("metal.html", METAL)):
        (tmp_path / name).write_text(page, encoding="utf-8")
    ingest([tmp_path / "fruit.html", tmp_path / "metal.html"], services, "default")
    return services


@pytest.fixture
def summarised(corpus: Services) -> Services:
    for level in ("table", "hrcl"):
        documents = pending(corpus, "default", level)
        tables = [t for d in documents for t in summaries_of_document(corpus, d, level)]
        index_summaries(corpus, "default", level, documents, tables)
    return corpus


def found(services: Services, question: str) -> list:
    return find_documents(services, question, **SEARCH, lexical_n=20, dense_m=20, most=5)


def test_the_document_with_the_best_evidence_of_both_sides_is_first(summarised: Services) -> None:
    documents = found(summarised, "How many apples were there in 2019?")
    assert [d.source for d in documents] == ["fruit.html", "metal.html"]
    assert documents[0].score > documents[1].score
    assert documents[0].dense > 0 and documents[0].lexical > 0


def test_what_one_side_missed_counts_as_its_worst() -> None:
    a = chunk("a", id="a:0", document_id="a", score=4.0)
    b = chunk("b", id="b:0", document_id="b", score=2.0)
    near_c, near_a = (chunk(i, id=f"{i}:1", document_id=i, score=s) for i, s in (("c", 0.9), ("a", 0.6)))
    scores = {d.document_id: round(d.score, 3) for d in merged([a, b], [near_c, near_a])}
    assert scores == {
        "a": round(0.4 * 0.6 / 0.9 + 0.6, 3),
        "b": round(0.4 * 0.6 / 0.9 + 0.6 * 0.5, 3),
        "c": round(0.4 + 0.6 * 0.5, 3),
    }
    assert merged([], []) == []


def test_candidates_are_made_of_their_nearest_chunks_in_reading_order(summarised: Services) -> None:
    (fruit, metal) = recombined(
        summarised, "apples of 2019", found(summarised, "apples of 2019"), **SEARCH, theta=3, tokens=10_000
    )
    assert len(fruit.chunks) == 3
    assert any(c.text.startswith("Apples: row") for c in fruit.chunks)
    assert [c.reading_place for c in fruit.chunks] == sorted(c.reading_place for c in fruit.chunks)
    assert {c.document_id for c in metal.chunks} == {metal.document_id}


def test_the_budget_is_shared(summarised: Services) -> None:
    documents = found(summarised, "apples of 2019")
    made = recombined(summarised, "apples of 2019", documents, **SEARCH, theta=50, tokens=60)
    assert all(sum(count_tokens(c.text) for c in d.chunks) <= 30 for d in made)
    (tiny, _) = recombined(summarised, "apples of 2019", documents, **SEARCH, theta=50, tokens=2)
    assert len(tiny.chunks) == 1


def test_a_removed_document_is_not_found(summarised: Services) -> None:
    remove("fruit.html", summarised, "default")
    assert [d.source for d in found(summarised, "apples")] == ["metal.html"]


def test_a_corpus_without_summaries_is_said(corpus: Services) -> None:
    with pytest.raises(ConfigError, match=r"has no hrcl summaries: run `tablerag ingest PATH --summaries hrcl"):
        found(corpus, "apples")


def test_a_document_is_read_whole(summarised: Services) -> None:
    fruit = found(summarised, "apples")[0]
    whole = read_whole(summarised, fruit.document_id, "apples", **SEARCH, tokens=5000)
    (table,) = whole.tables
    assert table.printed[0] == ("Apples", "$ 1,200", "(1,100)")
    assert table.values[0] == ("Apples", 1200, -1100)
    assert "Prices are in thousands." in whole.chunks[0].text
    assert (whole.source, whole.cut) == ("fruit.html", False)


def test_what_is_nearest_is_read_of_a_large_one(summarised: Services) -> None:
    fruit = found(summarised, "apples")[0]
    whole = read_whole(summarised, fruit.document_id, "Where do apples come from?", **SEARCH, tokens=20)
    assert whole.cut
    assert [c.text for c in whole.chunks] == ["Apples came from the north."]
    assert len(whole.tables[0].printed) == 1
