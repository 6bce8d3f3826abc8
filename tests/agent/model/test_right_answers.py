"""Right answers in the natural words of a capable model are believed, with the verdict that their evidence gives."""

import json
import re

import pytest
from langchain_core.messages import AIMessage

from tablerag.agent.model.reply_readers import Shown, read_step
from tablerag.agent.reasoning import Validation
from tablerag.tools.errors import ReplyInvalid
from tablerag.tools.records import SqlResult
from tests.agent.model.natural_answers import CASES, SALES, WRONG, Case
from tests.support.fakes import chunk


def judged(case: Case) -> str:
    """Return the verdict that a reply gets; why it is refused if it is."""
    passage = chunk(case.told or "Nothing.", id="c")
    width = len(case.rows[0]) if case.rows else 0
    columns = tuple(re.findall(r"`(\w+)`(?:,|$)", case.sql.rpartition(" FROM ")[0]))[-width:]
    results = (SqlResult(sql=case.sql, columns=columns, rows=case.rows),) if case.sql else ()
    shown = Shown(case.question, (passage,), results=results, schemas=(SALES,) if case.sql else ())
    quotes = [{"chunk": 1, "quote": case.told}] if case.told else []
    try:
        read = read_step(AIMessage(json.dumps({"answer": case.answer, "citations": quotes})), shown)
    except ReplyInvalid as why:
        return f"refused: {why}"
    assert isinstance(read, Validation)
    return read.verdict


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c.question} {c.answer}")
def test_a_right_answer_is_believed(case: Case) -> None:
    assert judged(case) == case.verdict


@pytest.mark.parametrize("case", WRONG, ids=lambda c: f"{c.question} {c.answer}")
def test_a_wrong_answer_in_the_same_words_is_not(case: Case) -> None:
    assert judged(case).startswith("refused")


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("No; the report says 6,790, the sales show 6,709", "conflict"),
        ("No: 6,709, and the report says 6,790 discs", "conflict"),
        ("No; the report says 6,790, the sales show 9,999", "refused"),
        ("No; the report says 5,000, the sales show 6,709", "refused"),
    ],
)
def test_a_text_s_figure_is_set_against_a_computed_one(answer: str, verdict: str) -> None:
    told = "In July 2005 we rented out 6,790 discs, more than in May and June together."
    case = Case("Do the sales confirm the report?", answer, "SELECT COUNT(*) AS `n` FROM `sales`", ((6709,),), told)
    assert judged(case).partition(":")[0] == verdict
