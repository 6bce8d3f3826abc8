"""Words of a question that a knowledge file explains."""

import pytest

from tablerag.tools.knowledge.mentions import expanded_text, mentions_in, names_metric, spellings
from tablerag.tools.knowledge.parsing import parse

KNOWN = parse(
    "terms: {ARR: annual recurring revenue}\nsynonyms: {turnover: revenue, consignee: customer, crew: [staff, team]}",
    "k.yaml",
)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("What is our turnover?", ["What is our revenue?"]),
        ("What is our Turnover in 2025?", ["What is our revenue in 2025?"]),
        ("How many consignees are there?", ["How many customer are there?"]),
        ("What is the ARR?", ["What is the annual recurring revenue?"]),
        ("What is the annual recurring revenue?", ["What is the ARR?"]),
        ("Who is in the crew?", ["Who is in the staff?", "Who is in the team?"]),
        ("turnover by consignee", ["revenue by customer", "revenue by consignee", "turnover by customer"]),
        ("What is the revenue?", []),
        ("Was arr mentioned?", []),
        ("Turnovers-per-head", ["revenue-per-head"]),
        ("Is it overturnover?", []),
    ],
)
def test_questions_are_said_otherwise(question: str, found: list[str]) -> None:
    assert [text for text, _ in spellings(question, mentions_in(question, KNOWN))] == found


def test_a_note_cites_the_definition() -> None:
    (mention,) = mentions_in("What is our turnover?", KNOWN)
    assert mention.note == "“turnover” read as “revenue”, as defined in k.yaml, line 2."
    assert expanded_text("What is our turnover?", [mention]) == "What is our turnover? revenue"


def test_a_metric_is_named_as_a_whole() -> None:
    assert names_metric("Gross margin by year", "gross margin")
    assert not names_metric("What is the margin?", "gross margin")
