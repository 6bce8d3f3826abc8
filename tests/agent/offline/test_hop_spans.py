"""What a question asks for, and which spans of a sentence may be it."""

import pytest

from tablerag.agent.offline.hops.asked import read_asked
from tablerag.agent.offline.hops.fitting import span_fits
from tablerag.agent.offline.hops.spans import spans_in


@pytest.mark.parametrize(
    ("question", "kind", "phrase"),
    [
        ("The driver who finished fourth was of what nationality ?", "nationality", "nationality"),
        ("In what year was the lyricist born ?", "year", "year"),
        ("When did the arena receive its current name ?", "date", ""),
        ("How many boroughs does the metro area have ?", "number", ""),
        ("What is the population of the home country ?", "number", "population"),
        ("Who operates the airport ?", "person", ""),
        ("What city contains the home stadium of the winner ?", "place", "city contains"),
        ("Which noble families are referenced ?", "name", "noble families"),
    ],
)
def test_what_is_asked_for(question: str, kind: str, phrase: str) -> None:
    asked = read_asked(question)
    assert asked.kind == kind
    assert asked.phrase.startswith(phrase)


@pytest.mark.parametrize(
    ("sentence", "kind", "texts"),
    [
        ("He was born on 24 November 1995 in Perth .", "date", ["24 November 1995"]),
        ("Opened in 1924 and closed in 2003 .", "year", ["1924", "2003"]),
        ("With 146.7 million inhabitants in 85 federal subjects", "number", ["146.7 million", "85"]),
        ("Founded by eighteen players", "number", ["eighteen"]),
        ("She is a Norwegian painter", "nationality", ["Norwegian"]),
        ("Founded by the Society of the Sacred Heart in 1920", "name", ["Society of the Sacred Heart"]),
    ],
)
def test_spans_of_a_kind(sentence: str, kind: str, texts: list[str]) -> None:
    found = [s for s in spans_in(sentence) if s.kind == kind]
    assert set(texts) <= {s.text for s in found}
    assert all(sentence[s.start : s.end] == s.text for s in found)


def test_the_kind_asked_for_fits_and_others_do_not() -> None:
    asked = read_asked("In what year was he born ?")
    spans = list(spans_in("Cy Lund , born in 1965 , has won 12 cups"))
    assert {s.text for s in spans if span_fits(asked, s) == 1} == {"1965"}
    assert {s.kind for s in spans if span_fits(asked, s) == -1} >= {"name", "number"}
