"""Questions that ask how to do something, which are no requests for a figure; columns that one letter names."""

from collections.abc import Iterator

import pytest

from tablerag import TableRAG
from tablerag.agent.offline.instructions import asks_how_to

FILES = {
    "series.csv": "name,n\nalpha,3\nbeta,4\ngamma,5\n",
    "donations.csv": "Donor,Amount (EUR),Date\nAda,50,2024-01-02\nBo,70,2024-02-03\nCy,20,2024-03-03\n",
    "guide.md": "# Guide\n\nThe sum of the parts is 13. The office sends the donations report to members on request.\n",
    "stock.csv": "Article,Stock,Price (EUR)\nLamp,7,20\nDesk,2,200\n",
}


@pytest.fixture(scope="module")
def rag(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableRAG]:
    folder = tmp_path_factory.mktemp("instructions")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    with TableRAG(folder / "home", model="offline") as opened:
        opened.ingest([folder / name for name in FILES])
        yield opened


@pytest.mark.parametrize(
    "question",
    [
        "How do I get the donations report?", "how can I print the donations", "how to add a donation",
        "Can you tell me how to export the amounts?", "Wie bekomme ich den Bericht?", "Wie kann man spenden?",
        "Comment obtenir le rapport ?", "How should one book a donation?",
    ],
)  # fmt: skip
def test_it_asks_how_to_do_something(question: str) -> None:
    assert asks_how_to(question)


@pytest.mark.parametrize(
    "question",
    [
        "How many donations are there?", "How much do I get in donations?", "How do donations compare by month?",
        "How do we compare to last year?", "How did we do in March?", "Wie viel haben wir bekommen?",
        "Wie haben wir abgeschnitten?", "Comment ont évolué les dons ?", "How long do we wait?", "How is Ada paid?",
    ],
)  # fmt: skip
def test_it_asks_for_a_figure(question: str) -> None:
    assert not asks_how_to(question)


@pytest.mark.parametrize("question", ["How do I get the donations report?", "how to add an amount"])
def test_no_total_answers_how_to_do_something(rag: TableRAG, question: str) -> None:
    answer = rag.ask(question)
    assert answer.sql == () or list(answer.sql) == []
    assert "140" not in answer.text and answer.verdict in ("text_only", "none")


@pytest.mark.parametrize(
    ("question", "value"),
    [("sum of n", 12), ("sum n", 12), ("average n", 4), ("highest n", 5), ("What is the total of n?", 12)],
)
def test_a_header_of_one_letter_names_its_column(rag: TableRAG, question: str, value: int) -> None:
    answer = rag.ask(question)
    assert (answer.value, answer.verdict) == (value, "sql_only")
