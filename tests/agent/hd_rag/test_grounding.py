"""What of a RECAP the document bears: figures, numbers and words, and what counts as none of them."""

import pytest

from tablerag.agent.hd_rag.reasoning import Recap, RecapTask
from tablerag.agent.hd_rag.recap_grounding import ungrounded
from tests.support.fakes import chunk

TABLE = chunk(
    "| | 2019 | 2018 |\n| --- | --- | --- |\n| Net sales | (44.1) | 1,256.7 |\n| Rate | 12% | 9.5 % |", id="d:0"
)
TEXT = chunk(
    "The store in Zürich opened in March 2017, with 24 staff. F18 saw seven stores. Incentive schemes1 exist.", id="d:1"
)
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
        recap("span", "1,256.7"),
        recap("span", "the store in Zürich"),
        recap("span", "March 2017"),
        recap("multi-span", "Net sales", "Rate"),
        recap("span", "1300.8", formula="1256.7 - (-44.1)"),
        recap("arithmetic", "606.3", formula="(1256.7 - 44.1) * 0.5"),
        recap("span", "$1.3 thousand"),
        recap("span", "Yes"),
        recap("span", "seven stores"),
        recap("span", "7 stores"),
        recap("span", "2018"),
        recap("span", "Incentive schemes"),
        recap("arithmetic", "0"),
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
        (recap("arithmetic", "77.7"), "77.7 is not in the document: give the formula"),
        (recap("arithmetic", "1212.6"), "give the formula"),
        (recap("arithmetic", "987654.32", formula="the sum"), "give the formula"),
        (recap("arithmetic", "99999", formula="x / y * 100"), "give the formula"),
        (recap("arithmetic", "about", formula="44.1 - 12"), "is not a number"),
        (recap("span", "77.7", formula="the sum"), "77.7 in the answer"),
        (recap("arithmetic", "203.1", formula="(256.7 + 149.5) / 2"), "256.7, 149.5 in the formula"),
        (recap("span", "not opened in March 2017"), "in the answer"),
        (recap("span", "24 staff at Walmart"), "24 staff at Walmart in the answer"),
        (recap("span", "2016"), "2016 in the answer"),
        (recap("span", "Geneva"), "Geneva in the answer"),
        (recap("multi-span", "Net sales", "Gross margin"), "Gross margin in the answer"),
    ],
)
def test_what_it_does_not_is_named(made: Recap, strange: str) -> None:
    assert strange in ungrounded(made, TASK)
