"""Whether something is allowed is answered with the only rule on it, for the same people and place."""

import pytest

from tablerag.agent.offline.text.likely import text_answer
from tablerag.tools.records import Chunk

RULES = (
    "A barbecue needs written consent, which the porter gives within a day. Drones are forbidden.\n"
    "Visitors may not bring skateboards. Trailers are not permitted in the north yard.\n"
    "Candles are allowed until ten. Candles are banned when the wind is strong. The porter likes kites."
    " The board gave permission for a bonfire. Ida Moss was not allowed to use a ladder."
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is a resident allowed to have a barbecue?", "A barbecue needs written consent, which the porter gives"),
        ("Are drones allowed?", "Drones are forbidden."),
        ("May visitors bring skateboards?", "Visitors may not bring skateboards."),
        ("May a resident use skateboards?", ""),
        ("Can I bring a trailer?", ""),
        ("Can I bring a trailer in the north yard?", "Trailers are not permitted in the north yard."),
        ("Are kites allowed?", ""),
        ("Is a bonfire allowed?", ""),
        ("Is a resident allowed to use a ladder?", ""),
        ("How many residents have a barbecue?", ""),
    ],
)
def test_the_rule_on_a_thing_answers(question: str, answer: str) -> None:
    found = text_answer(question, [Chunk(id="c", text=RULES, kind="text", document_id="d", source="house.md")])
    assert (found.text if found else "").startswith(answer)
    assert answer or found is None
