"""A sentence about a part, or about one of many, is no answer where all of them are asked for."""

import pytest

from tablerag.agent.offline.text.checking import other_figure
from tablerag.agent.offline.text.likely import likely_answers, text_answer
from tablerag.tools.records import Chunk

MINUTES = "Minutes of the harbour board"


def passage(text: str) -> list[Chunk]:
    return [Chunk(id=text, text=text, kind="text", document_id="d", source="minutes.docx", title=MINUTES)]


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("How many berths are vacant?", "Three berths are vacant.", "Three berths"),
        ("How many berths are vacant?", "Three berths at North Quay are vacant.", ""),
        ("How many berths at North Quay are vacant?", "Three berths at North Quay are vacant.", "Three berths"),
        ("How many berths are vacant?", "Three berths were vacant for over 60 days.", ""),
        ("How many berths are vacant?", "Three covered berths are vacant.", ""),
        ("How many people came?", "1,340 people came to the meeting.", "1,340 people"),
        ("Total monthly fee of all berths?", "For the average berth the monthly fee is EUR 90.", ""),
        ("Total fee of all berths that are let?", "The fee of the long berths that are let rises by 3 %.", ""),
        ("Total fee of all berths?", "The fee of the long berths is EUR 4,000.", ""),
        ("Total fee of all berths?", "All berths together cost a fee of EUR 41,000.", "EUR 41,000"),
    ],
)
def test_a_part_does_not_answer_for_the_whole(question: str, text: str, expected: str) -> None:
    found = text_answer(question, passage(text))
    assert (found.text if found else "") == expected
    assert expected or not likely_answers(question, passage(text))


def test_a_part_does_not_contradict_a_count() -> None:
    asked = "How many berths are vacant?"
    assert other_figure(asked, passage("3 berths at North Quay are vacant.")) is None
    assert other_figure(asked, passage("3 berths are vacant.")) is not None
