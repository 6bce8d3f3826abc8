"""Values that mean what a question says in other words, by the embedded embedding."""

import pytest

from tablerag.tools.embedding.static import StaticEmbedding
from tablerag.tools.linking.matching import ValueIndex
from tablerag.tools.linking.meanings import MOST_VALUES, Meanings

NATIONS = ["Netherlands", "Germany", "Spain", "Japan", "United States", "South Africa"]


@pytest.fixture(scope="module")
def meanings() -> Meanings:
    return Meanings(StaticEmbedding().embed)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How many medals did the Dutch win?", "Netherlands"),
        ("Which German swimmer was fastest?", "Germany"),
        ("Which Japanese city is largest?", "Japan"),
    ],
)
def test_a_word_finds_the_value_that_it_means(meanings: Meanings, question: str, value: str) -> None:
    found = meanings.find(question, (), [("nation", ValueIndex.of(NATIONS))])
    assert ("nation", value) in {(column, stored) for column, stored, _ in found}


def test_words_that_are_taken_or_mean_nothing_stored_find_nothing(meanings: Meanings) -> None:
    columns = [("nation", ValueIndex.of(NATIONS))]
    assert meanings.find("How many medals did the Dutch win?", {"dutch"}, columns) == []
    assert meanings.find("What is the total amount of 2024?", (), columns) == []


def test_of_two_values_that_are_as_near_none_is_offered(meanings: Meanings) -> None:
    two = ["Netherlands", "The Netherlands"]
    assert meanings.find("How many Dutch players?", (), [("nation", ValueIndex.of(two))]) == []


def test_columns_of_many_values_are_left_out(meanings: Meanings) -> None:
    many = [*NATIONS, *(f"place {n}" for n in range(MOST_VALUES))]
    assert meanings.find("How many Dutch players?", (), [("nation", ValueIndex.of(many))]) == []
