"""The span of a sentence that a question asks for."""

import pytest

from tablerag.agent.offline.question import read_question
from tablerag.agent.offline.text_spans import best_span

CASES = (
    ("How many days of paid leave does an employee have?", "Every employee has 27 days of paid leave.", "27 days"),
    ("When was the company founded?", "The company was founded on 3 May 1921 in Oslo.", "3 May 1921"),
    ("In which year was the bridge opened?", "The bridge was opened on 12 June 1932.", "1932"),
    ("Where was Anna Berg born?", "Anna Berg was born in Trondheim in 1950.", "Trondheim"),
    ("Who founded Serra Azul?", "Serra Azul was founded by Joaquim Teixeira in 1974.", "Joaquim Teixeira"),
    ("What does the tower hold?", "The tower holds a clock.", "The tower holds a clock."),
    ("Who wrote the letter?", "Nobody knows it.", "Nobody"),
    ("When did it close?", "It never closed.", "It never closed."),
)


@pytest.mark.parametrize(("question", "sentence", "span"), CASES, ids=[c[0] for c in CASES])
def test_what_is_asked_for_is_taken_out_of_the_sentence(question: str, sentence: str, span: str) -> None:
    assert best_span(read_question(question), sentence) == span
