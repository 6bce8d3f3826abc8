"""What is said beside questions."""

import pytest

from tablerag.agent.asides import aside_of, reply_to
from tests.support.fakes import SALES


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Thanks!", "thanks"),
        ("great, thank you so much", "thanks"),
        ("Danke schön", "thanks"),
        ("ok", "thanks"),
        ("Hi there", "greeting"),
        ("good morning", "greeting"),
        ("bye", "farewell"),
        ("What can you do?", "help"),
        ("help", "help"),
        ("What tables do you have?", "contents"),
        ("which documents are there", "contents"),
        ("list all tables", "contents"),
        ("show me the documents", "contents"),
        ("What data is available here?", "contents"),
    ],
)
def test_asides_are_known(text: str, kind: str) -> None:
    assert aside_of(text) == kind


@pytest.mark.parametrize(
    "text",
    [
        "What tables are sold in the north?",
        "Which documents mention Spain?",
        "How much help did Spain get?",
        "Thanks to whom did sales grow?",
        "What can you do about the decline of sales in the north?",
        "list all tables with more than four legs",
        "and in 2013?",
        "ok, and in 2013?",
        "hi " * 40,
        "",
    ],
)
def test_questions_are_no_asides(text: str) -> None:
    assert aside_of(text) is None


def test_contents_lists_tables_in_a_line_each() -> None:
    evil = SALES.model_copy(update={"title": "![x](http://evil) `y`\nz"})
    said = reply_to("contents", "default", 2, [evil])
    assert "has 2 documents and 1 table:" in said
    assert "- sales: 3 rows, ![x](http://evil) `y` z, from sales.csv" in said


def test_contents_of_an_empty_corpus_says_how_to_fill_it() -> None:
    assert "tablerag ingest PATH --corpus mine" in reply_to("contents", "mine", 0, [])


def test_many_tables_are_counted() -> None:
    assert reply_to("contents", "default", 9, [SALES] * 50).endswith("- and 30 more")
