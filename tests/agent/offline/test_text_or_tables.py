"""A sentence answers instead of a result that leaves most of the question's words unexplained."""

import pytest

from tablerag.agent.offline.text.preferring import better_text
from tablerag.agent.reasoning import ValidateTask
from tablerag.tools.records import Chunk, Column, SqlResult, TableSchema

LETTER = Chunk(
    id="1",
    text="We renew your policy for the year 2026. The annual premium is EUR 64,250, due on 15 July 2026.",
    kind="text",
    document_id="d",
    source="Insurance Letter.pdf",
    title="Renewal of your fine art policy",
)
LOANS = TableSchema(
    table_id="t",
    name="loans",
    columns=(Column(name="insured", header="Insured value (EUR)", type="integer"),),
    row_count=46,
    title="Loans",
    source="loans.csv",
)


def task(question: str) -> ValidateTask:
    result = SqlResult(sql="SELECT SUM(`insured`) AS `result` FROM `loans`", columns=("result",), rows=((82443,),))
    return ValidateTask(question, question, (LETTER,), result, schemas=(LOANS,), meaning="total of Insured value (EUR)")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("how much is the fine art insurance premium for 2026", "EUR 64,250"),
        ("What is the total insured value of the loans?", ""),
        ("What is the insured value of all loans in 2026?", ""),
    ],
)
def test_the_text_answers_only_what_the_result_does_not_explain(question: str, answer: str) -> None:
    found = better_text(task(question))
    assert (found.text if found else "") == answer
