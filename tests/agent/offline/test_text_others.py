"""A sentence about another thing, another role or another one's reason is no answer."""

import pytest

from tablerag.agent.offline.text.asked import read_text_question
from tablerag.agent.offline.text.likely import likely_answers, text_answer
from tablerag.tools.records import Chunk

VILLAGE = (
    "North Barn has a new door. The water main of South Barn is in the cellar.\n"
    "The Warden answers letters. The shop assistant may grant a discount of up to EUR 20.\n"
    "Iris Bell voted against because no second quote was priced.\n"
    "Moor Ltd replaced the pump because it leaked. The final bill for the North Barn roof was EUR 9,000; the extra cost"
    " is for rotten beams."
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Where is the water main of South Barn?", "cellar"),
        ("Where is the water main of North Barn?", ""),
        ("How much discount may the shop assistant grant?", "up to EUR 20"),
        ("How much discount may the Warden grant?", ""),
        ("Why did Iris Bell vote against it?", "no second quote was priced"),
        ("Why did the fence cost more than agreed?", ""),
        ("Why was the pump replaced?", "it leaked"),
        ("Why did the roof of North Barn cost more than agreed?", "rotten beams"),
    ],
)
def test_an_answer_is_about_the_thing_of_the_question(question: str, expected: str) -> None:
    chunks = [Chunk(id="c", text=VILLAGE, kind="text", document_id="d", source="village.docx", title="Village")]
    found = text_answer(question, chunks)
    assert (found.text if found else "") == expected
    offered = [a.text for a in likely_answers(question, chunks)]
    assert expected or not {"cellar", "EUR 20", "no second quote was priced"} & set(offered)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Why was the gate at North Barn closed?", {"north", "barn"}),
        ("Warum war das Tor in Bremen geschlossen?", set()),
        ("Wer war 2024 Vorsitzender?", set()),
    ],
)
def test_only_in_german_has_every_noun_a_capital(question: str, names: set[str]) -> None:
    assert read_text_question(question).names == names
