"""Questions that cannot be answered get a clear reply and no number: the whole graph, with the embedded reasoner."""

from pathlib import Path

import pytest

from tablerag import Answer, TableRAG
from tablerag.tools.errors import ConfigError
from tablerag.tools.services import Services

INVOICES = (
    "Invoice,Customer,Net amount (EUR),Gross amount (EUR)\nI1,Aurora,100,119\nI2,Lumen,200,238\nI3,Aurora,300,357\n"
)
AMBIGUOUS = "What is the amount of Aurora?"
"""Net or gross: two columns fit alike."""


def filled(services: Services, folder: Path) -> TableRAG:
    (folder / "invoices.csv").write_text(INVOICES)
    (folder / "warehouses.csv").write_text("Warehouse,Capacity (kg)\nNoordkade,42000\nWesthaven,18500\n")
    (folder / "vacancies.csv").write_text("Vacancy,Salary (EUR)\n")
    opened = TableRAG.over(services, model="offline")
    opened.ingest(folder)
    return opened


@pytest.fixture(scope="module")
def rag(services_read: Services, tmp_path_factory: pytest.TempPathFactory) -> TableRAG:
    """A client for all tests, which use threads of their own."""
    return filled(services_read, tmp_path_factory.mktemp("asked"))


@pytest.fixture
def own(services: Services, tmp_path: Path) -> TableRAG:
    """A client for a test that removes documents."""
    return filled(services, tmp_path)


def refused(answer: Answer) -> bool:
    return answer.verdict == "none" and answer.value is None and answer.sql == () and not answer.citations


@pytest.mark.parametrize("question", ["", "   ", "\n\t"])
def test_an_empty_question_is_an_error(rag: TableRAG, question: str) -> None:
    with pytest.raises(ConfigError, match="no question given"):
        rag.ask(question)


def test_a_question_too_long_is_an_error(rag: TableRAG) -> None:
    with pytest.raises(ConfigError, match="10000 characters, the limit is 4000"):
        rag.ask("amount " * 1428 + "much")


@pytest.mark.parametrize("question", ["?", "...", "!?"])
def test_signs_alone_get_help(rag: TableRAG, question: str) -> None:
    answer = rag.ask(question)
    assert refused(answer)
    assert "I answer questions about your documents" in answer.text


@pytest.mark.parametrize("question", ["asdf qwer zxcv", "colourless green ideas sleep furiously", "lorem " * 500])
def test_nonsense_is_refused_and_its_words_are_named(rag: TableRAG, question: str) -> None:
    answer = rag.ask(question)
    assert refused(answer) and answer.readings == ()
    assert (answer.cause, answer.found) == ("not_in_tables", False)
    assert answer.explanation.startswith('No column or value matches "')
    assert len(answer.explanation) < 200


@pytest.mark.parametrize(
    "question",
    [
        "(" * 300,
        "🙂" * 300,
        "amount " + "more than 5 " * 60,
        "amount in " + " ".join(map(str, range(1000, 1300))),
        "\ud800?",
    ],
    ids=["brackets", "signs", "bounds", "numbers", "half a character"],
)
def test_hostile_questions_are_answered(rag: TableRAG, question: str) -> None:
    assert rag.ask(question).verdict in ("none", "sql_only")


def test_only_a_word_that_no_table_has_is_said_to_be_missing(rag: TableRAG) -> None:
    answer = rag.ask("What is the phone number of the customer Aurora?")
    assert refused(answer)
    assert 'No column or value matches "phone number".' in answer.explanation


def test_removed_documents_answer_nothing(own: TableRAG) -> None:
    question = "What is the capacity of Noordkade?"
    assert own.ask(question).value == 42000
    own.remove("warehouses.csv")
    answer = own.ask(question)
    assert refused(answer)
    assert '"capacity"' in answer.explanation and "Noordkade" in answer.explanation


def test_readings_of_removed_documents_are_not_run(own: TableRAG) -> None:
    answer = own.ask(AMBIGUOUS, thread="t")
    assert len(answer.readings) >= 2
    own.remove("invoices.csv")
    reply = own.ask("1", thread="t")
    assert refused(reply)
    assert "ask the question again" in reply.text


def test_without_documents_the_reply_says_what_to_do(own: TableRAG) -> None:
    for source in ("invoices.csv", "warehouses.csv", "vacancies.csv"):
        own.remove(source)
    with pytest.raises(ConfigError, match="has no documents: run `tablerag ingest"):
        own.ask("What is the total amount?")


@pytest.mark.parametrize("question", ["What is the highest salary?", "How many vacancies are there?"])
def test_a_table_without_rows_gives_no_number(rag: TableRAG, question: str) -> None:
    answer = rag.ask(question)
    assert answer.verdict == "none"
    assert answer.value is None


def test_an_ambiguous_question_lists_its_readings(rag: TableRAG) -> None:
    answer = rag.ask(AMBIGUOUS)
    assert answer.text.startswith("Not sure which you mean:\n1. ")
    assert {r.value for r in answer.readings} >= {400, 476}
    assert answer.cause == "unsure"
    assert Answer.from_json(answer.to_json()) == answer


def test_a_reading_is_chosen_with_and_without_a_thread(rag: TableRAG) -> None:
    answer = rag.ask(AMBIGUOUS, thread="chosen")
    number, wanted = next((n, r) for n, r in enumerate(answer.readings, start=1) if r.value == 400)
    for chosen in (
        rag.choose(answer, number),
        rag.ask(str(number), thread="chosen"),
        rag.ask(wanted.meaning, thread="chosen"),
    ):
        assert (chosen.value, chosen.verdict, chosen.found) == (400, "sql_only", True)
        assert chosen.citations[0].source == "invoices.csv"
        assert chosen.steps[0].receipt is not None
        assert chosen.usage.calls == 0
    assert [v.status for v in rag.verify(chosen)] == ["same"]


def test_a_choice_belongs_to_its_thread(rag: TableRAG) -> None:
    answer = rag.ask(AMBIGUOUS)
    rag.choose(answer, 1, thread="other")
    assert rag.ask("2", thread="other").verdict == "sql_only"
    assert "no list to choose from" in rag.ask("2", thread="third").text


@pytest.mark.parametrize("number", [0, 4, -1])
def test_a_reading_that_is_not_in_the_list_is_an_error(rag: TableRAG, number: int) -> None:
    with pytest.raises(ConfigError, match=f"no reading {number}: expected 1 to "):
        rag.choose(rag.ask(AMBIGUOUS), number)
    with pytest.raises(ConfigError, match="the answer has no readings"):
        rag.choose(rag.ask("What is the capacity of Noordkade?"), number)
