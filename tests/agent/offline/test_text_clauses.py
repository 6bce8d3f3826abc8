"""What a sentence denies is no answer, and a clause about another thing gives none."""

import pytest

from tablerag.agent.offline.text.likely import text_answer
from tablerag.tools.records import Chunk

RULES = (
    "The fuse box of Unit 4 is behind the red door in the loading bay, not in the boiler house. The spare key is in the"
    " safe, not with the porter. The head of studies may approve up to EUR 300; the Dean up to EUR 2,000."
    " Adults pay EUR 9, and children pay EUR 4. The agreement with Ondal begins on 1 March 2024 and ends on"
    " 28 February 2029. The parade starts not on 3 May but on 5 May."
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Where is the fuse box of Unit 4?", "behind the red door in the loading bay"),
        ("Where is the spare key?", "safe"),
        ("How much may the Dean approve?", "up to EUR 2,000"),
        ("How much may the head of studies approve?", "up to EUR 300"),
        ("How much do children pay?", "EUR 4"),
        ("When does the agreement with Ondal end?", "28 February 2029"),
        ("When does the parade start?", "5 May"),
    ],
)
def test_an_answer_is_of_the_clause_of_its_thing(question: str, expected: str) -> None:
    found = text_answer(question, [Chunk(id="c", text=RULES, kind="text", document_id="d", source="house-rules.md")])
    assert (found.text if found else "") == expected
