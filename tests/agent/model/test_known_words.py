"""The words that a model may show beside an answer."""

import pytest

from tablerag.agent.model.known_words import KnownWords

KNOWN = KnownWords(["How much did Noordkade earn?", "net_revenue Customer Shipped in 2024 | 4711"])


@pytest.mark.parametrize(
    "text",
    [
        "the latest year", "net revenue, not gross", "orders that were shipped", "what was earned in 2024",
        "table 4711",
        "fiscal year 2025/26", "the first of two sheets", "das letzte Jahr", "l'année dernière", "Q3", "in kg", "",
        "Which customer do you mean?",
    ],
)  # fmt: skip
def test_words_of_tables_and_about_reading_them_are_known(text: str) -> None:
    assert KNOWN.cover(text)


@pytest.mark.parametrize(
    "text",
    [
        "Call 555-1234", "call us now", "send your password", "visit evil.com", "pay IBAN DE44 5001 0517",
        "0800 123456",
        "c a l l u s", "Kontakt: Ada", "contactez-nous", "the year [x](http://evil.example)", "wire the revenue to us",
    ],
)  # fmt: skip
def test_words_that_tell_people_what_to_do_are_not(text: str) -> None:
    assert not KNOWN.cover(text)
