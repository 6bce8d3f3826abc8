"""The embedded reasoner's arithmetic: the operations it reads, over named rows and years, and what it leaves alone."""

from pathlib import Path

import pytest

from tablerag.agent.hd_rag.offline_reasoner import HdRagOffline
from tablerag.agent.hd_rag.reasoning import Recap, RecapTask, SelectTask
from tablerag.agent.hd_rag.rendering import recap_task
from tablerag.agent.offline.arithmetic.moments import moments_of
from tablerag.agent.offline.arithmetic.question import read_arithmetic
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.document_search import FoundDocument
from tablerag.tools.services import Services
from tablerag.tools.whole_documents import WholeDocument, read_whole

PAGE = """<p>All amounts are in millions.</p>
<table><tr><td></td><td colspan="3">Years ended June 30,</td></tr>
<tr><td></td><td>2019</td><td>2018</td><td>2017</td></tr>
<tr><td>Fixed Price</td><td>$ 1,452.4</td><td>$ 1,146.2</td><td>$ 1,036.9</td></tr>
<tr><td>Cost plus</td><td>44.1</td><td>56.7</td><td>70.8</td></tr>
<tr><td>Total sales</td><td>$1,496.5</td><td>$1,202.9</td><td>$1,107.7</td></tr>
<tr><td>Tax expense</td><td>(12)</td><td>(10)</td><td>—</td></tr>
<tr><td>Gross margin</td><td>40.5%</td><td>38.0%</td><td>37.0%</td></tr></table>"""


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> WholeDocument:
    from tablerag.tools.settings import Settings

    folder: Path = tmp_path_factory.mktemp("offline")
    (folder / "report.html").write_text(PAGE, encoding="utf-8")
    services = Services(Settings(home=folder / "home", model="offline", _env_file=None))
    ingest([folder / "report.html"], services, "default")
    (record,) = services.catalog.documents("default")
    whole = read_whole(services, record.document_id, "", corpus="default", level="hrcl", tokens=5000)
    services.close()
    return whole


def answered(document: WholeDocument, question: str) -> Recap:
    return HdRagOffline().recap(recap_task(question, document)).value


@pytest.mark.parametrize(
    ("question", "formula", "answer", "scale"),
    [
        ("What is the change in cost plus in 2019 from 2018?", "44.1 - 56.7", "-12.6", "million"),
        ("Percentage change in cost plus from 2018 to 2019?", "(44.1 - 56.7) / 56.7 * 100", "-22.2222", "percent"),
        ("% increase in fixed price from 2017 to 2018?", "(1146.2 - 1036.9) / 1036.9 * 100", "10.541", "percent"),
        ("What is the average total sales for 2018 and 2019?", "(1202.9 + 1496.5) / 2", "1349.7", "million"),
        ("What is the average cost plus?", "(44.1 + 56.7 + 70.8) / 3", "57.2", "million"),
        ("What is the average cost plus between 2017 and 2019?", "(70.8 + 56.7 + 44.1) / 3", "57.2", "million"),
        ("What is the sum of fixed price in 2018 and 2019?", "1146.2 + 1452.4", "2598.6", "million"),
        ("What is the difference in fixed price between 2019 and 2018?", "1452.4 - 1146.2", "306.2", "million"),
        ("What is the difference in cost plus between 2018 and 2019?", "56.7 - 44.1", "12.6", "million"),
        ("What is the difference between fixed price and cost plus in 2019?", "1452.4 - 44.1", "1408.3", "million"),
        ("What is cost plus as a percentage of total sales in 2019?", "44.1 / 1496.5 * 100", "2.9469", "percent"),
        ("What is the ratio of fixed price to cost plus in FY19?", "1452.4 / 44.1", "32.9342", ""),
        ("What is the change in tax expense from 2018 to 2019?", "(-12) - (-10)", "-2", "million"),
        ("What is the change in gross margin from 2018 to 2019?", "40.5 - 38", "2.5", "percent"),
    ],
)  # fmt: skip
def test_arithmetic_over_named_rows_and_years(
    document: WholeDocument, question: str, formula: str, answer: str, scale: str
) -> None:
    found = answered(document, question)
    assert (found.formula, found.answer, found.scale) == (formula, (answer,), scale)
    assert found.citations[0].source == "report.html"


@pytest.mark.parametrize(
    "question",
    [
        "What is the company paid on a cost-plus type contract?",
        "In which year is the amount of total sales the largest?",
        "What is the change in services revenue in 2019 from 2018?",
        "What is the change in cost plus from 2015 to 2016?",
        "What is the change in cost plus?",
        "What is the average tax expense from 2017 to 2019?",
        "What is the change in the average of cost plus between 2018 and 2019?",
        "What would be the change in cost plus in 2019 from 2018 if it had doubled?",
        "",
    ],
)
def test_it_abstains_when_in_doubt(document: WholeDocument, question: str) -> None:
    found = answered(document, question)
    assert found.answer == () and found.formula == "" and found.unread


def test_years_are_read_as_reports_write_them() -> None:
    assert moments_of("What is the change in x between FY18 and FY2019?") == ("2018", "2019")
    assert read_arithmetic("What is the average x from 2017 to 2019?").moments == ("2017", "2018", "2019")
    assert moments_of("What is the sum of 2,019.5 and 1,000?") == ()


@pytest.mark.parametrize(
    ("scores", "answering", "place", "said"),
    [
        ((1.0, 0.9), (), 0, "best evidence"),
        ((1.0, 0.97), (1,), 1, "answers the question"),
        ((1.0, 0.9), (1,), None, "b.html answers the question, but a.html has more evidence"),
        ((1.0, 0.9), (0, 1), 0, "best evidence"),
    ],
)
def test_the_document_that_answers_is_taken_unless_another_has_much_more_evidence(
    document: WholeDocument, scores: tuple[float, ...], answering: tuple[int, ...], place: int | None, said: str
) -> None:
    documents = tuple(
        FoundDocument(document_id=i, source=f"{i}.html", score=s, dense=s, lexical=s)
        for i, s in zip("ab", scores, strict=True)
    )
    empty = document.model_copy(update={"tables": (), "chunks": ()})
    question = "What is the change in cost plus in 2019 from 2018?"

    def read(at: int) -> RecapTask:
        return recap_task(question, document if at in answering else empty)

    selection = HdRagOffline().select(SelectTask(question, documents, read)).value
    assert selection.place == place and said in selection.reason
