"""What of a RECAP the document bears: figures, numbers and words, and what counts as none of them."""

import pytest

from agent.hd_rag.grounding import ungrounded
from agent.hd_rag.reasoning import Recap, RecapTask
from tests.support.fakes import chunk

TABLE = chunk(
    "| | 2019 | 2018 |\n| --- | --- | --- |\n| Net sales | (44.1) | 1,256.7 |\n| Rate | 12% | 9.5 % |", id="d:0"
)
TEXT = chunk("The store in Zürich opened in March 2017, with 24 staff.", id="d:1")
TASK = RecapTask("How much more, at a price of 3.75?", (), (TABLE, TEXT))


def recap(kind: str, *answer: str, formula: str = "") -> Recap:
    return Recap("", kind, (), "", answer, formula=formula)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "made",
    [
        recap("arithmetic", "1300.8", formula="1,256.7-(-44.1)"),
        recap("arithmetic", "2.5", formula="(0.12 - 0.095) * 100"),
        recap("arithmetic", "28350", formula="1256.7 million / 44.1 million"),
        recap("arithmetic", "165.375", formula="44.1 * 3.75"),
        recap("arithmetic", "1212.6"),
        recap("span", "1,256.7"),
        recap("span", "the store in Zürich"),
        recap("span", "March 2017"),
        recap("multi-span", "Net sales", "Rate"),
        recap("count", "2"),
        recap("span"),
    ],
)
def test_what_the_document_bears_passes(made: Recap) -> None:
    assert ungrounded(made, TASK) == ""


@pytest.mark.parametrize(
    ("made", "strange"),
    [
        (recap("arithmetic", "3.9", formula="56.7-52.8"), "56.7, 52.8 in the formula"),
        (recap("arithmetic", "77.7"), "77.7 in the answer"),
        (recap("span", "2016"), "2016 in the answer"),
        (recap("span", "Geneva"), "Geneva in the answer"),
        (recap("multi-span", "Net sales", "Gross margin"), "Gross margin in the answer"),
    ],
)
def test_what_it_does_not_is_named(made: Recap, strange: str) -> None:
    assert strange in ungrounded(made, TASK)
