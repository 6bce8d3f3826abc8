"""Quotes are words of the chunk, or nothing."""

import pytest

from tablerag.agent.model.quoting import MAX_QUOTE_CHARS, cited, verbatim
from tablerag.agent.model.replies import CitationReply
from tablerag.tools.records import Citation
from tests.support.fakes import chunk

TEXT = "Lyon sold 1,200 bikes in 2021.\nIts profit fell by -5.5 % (before tax). Paris, unlike Lyon, sold none."
TABLE = "| City | Sold |\n| --- | --- |\n| Lyon | 1,200 |\n| Paris | 0 |"


@pytest.mark.parametrize(
    ("quote", "shown"),
    [
        ("Lyon sold 1,200 bikes", "Lyon sold 1,200 bikes"),
        ("LYON  sold\n1200 bikes", "Lyon sold 1,200 bikes in 2021."),
        ('"its profit fell by 5.5 %"', "Its profit fell by -5.5"),
        ("... Paris, unlike Lyon, sold none …", "Paris, unlike Lyon, sold none."),
        ("bikes in 2021 its profit", "bikes in 2021. Its profit"),
        ("Madrid sold 1,200 cars at a record price", ""),
        ("Lyon", "Lyon"),
        ("", ""),
        ("…", ""),
    ],
)
def test_a_quote_is_shown_as_it_stands_in_the_text(quote: str, shown: str) -> None:
    assert verbatim(quote, TEXT) == shown


def test_a_table_row_is_found_without_its_bars() -> None:
    assert verbatim("Lyon 1,200", TABLE) == "Lyon | 1,200"


def test_a_long_quote_is_cut_visibly() -> None:
    text = "word " * 200
    shown = verbatim(text, text)
    assert len(shown) <= MAX_QUOTE_CHARS
    assert shown.endswith("…")


def test_only_chunks_that_were_shown_are_cited_and_each_quote_once() -> None:
    replies = [CitationReply(chunk=n, quote="Lyon sold") for n in (0, 1, 2, 1)]
    assert cited(replies, [chunk(TEXT, source="a.md", locator="page 2")]) == (
        Citation(source="a.md", locator="page 2", quote="Lyon sold", chunk_id="d2:0"),
    )
