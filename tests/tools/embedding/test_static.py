"""The embedded embedding as it is shipped."""

import numpy as np
import pytest

from tablerag.tools.embedding.static import FOLDER, StaticEmbedding


@pytest.fixture(scope="module")
def embedding() -> StaticEmbedding:
    return StaticEmbedding()


def near(embedding: StaticEmbedding, query: str, *texts: str) -> list[float]:
    return (embedding.embed(texts) @ embedding.embed([query])[0]).tolist()


def test_vectors_have_unit_length_and_nothing_gives_zeros(embedding: StaticEmbedding) -> None:
    vectors = embedding.embed(["| City | Stock |\n| Oslo | 12 |", "", "---", "a"])
    assert vectors.shape == (4, embedding.dimensions)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 0, 0, 1], abs=1e-5)


def test_both_faces_agree(embedding: StaticEmbedding) -> None:
    assert embedding.embed_documents(["coffee in stock"])[0] == embedding.embed_query("coffee in stock")


def test_meaning_and_not_only_spelling(embedding: StaticEmbedding) -> None:
    football, chemistry = near(
        embedding,
        "Which soccer player scored most goals?",
        "| Footballer | Club | Caps |",
        "| Compound | Formula | Melting point |",
    )
    assert football > chemistry + 0.1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("UnitPriceList", "unit price list"),
        ("1979_Detroit_Lions", "1979 Detroit Lions"),
        ("Fenerbahçe", "fenerbahce"),
        ("1,234,567", "1234567"),
        ("| Unnamed: 3 | nan | Oslo |\n|:---|---:|", "Oslo"),
    ],
)
def test_styles_of_writing_are_the_same_text(embedding: StaticEmbedding, one: str, other: str) -> None:
    assert near(embedding, one, other)[0] == pytest.approx(1.0, abs=1e-4)


def test_a_script_it_never_saw_still_meets_itself(embedding: StaticEmbedding) -> None:
    same, other = near(embedding, "ᚠᚢᚦᚨᚱᚲ", "ᚠᚢᚦᚨᚱᚲ ᚷᚹ", "ᛏᛒᛖᛗ ᛚᛜᛞᛟ")
    assert same > other + 0.3


def test_soft_overlap_is_one_for_the_query_itself_and_less_for_others(embedding: StaticEmbedding) -> None:
    own, kin, stranger, empty = embedding.soft_overlap(
        "total revenue", ["revenue in total", "overall sales income", "melting point of lead", ""]
    )
    assert own == pytest.approx(1.0, abs=1e-4)
    assert own > kin > stranger >= empty == 0.0
    assert embedding.soft_overlap("", ["x"]) == [0.0]


def test_the_model_is_small() -> None:
    assert sum(f.stat().st_size for f in FOLDER.iterdir()) <= 16e6


def test_another_model_has_another_version(embedding: StaticEmbedding) -> None:
    assert len(embedding.version) == 12
