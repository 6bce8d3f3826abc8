"""Confirmed answers: which questions ask the same, and what their statement is then."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tablerag import TableRAG
from tablerag.agent.offline.confirmed import near
from tablerag.tools.knowledge.parsing import parse
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings

BILLED = "SELECT SUM(`amount`) FROM `invoices` WHERE `customer` = 'Kiel GmbH'"
MARCH = "SELECT COUNT(*) FROM `invoices` WHERE `sent` BETWEEN '2025-03-01' AND '2025-03-31'"
TOP = "SELECT `customer` FROM `invoices` GROUP BY `customer` ORDER BY SUM(`amount`) DESC LIMIT 3"
LATE = "SELECT COUNT(*) FROM `invoices` WHERE `paid` IS NULL"
KNOWN_TEXT = f"""\
confirmed:
  - {{question: "What did we bill Kiel GmbH?", sql: "{BILLED}", by: Ann, at: 2026-01-02}}
  - {{question: "How many bills went out in March 2025?", sql: "{MARCH}"}}
  - {{question: "Who are our 3 best clients?", sql: "{TOP}"}}
  - {{question: "How many bills are outstanding?", sql: "{LATE}"}}
"""
KNOWN = parse(KNOWN_TEXT, "k.yaml")
HEADER = "Invoice,Customer,Region,Amount,Sent,Paid"
ROWS = f"{HEADER}\n1,Kiel GmbH,North,10,2025-03-01,\n2,Oslo AS,West,20,2025-04-01,2025-05-01\n"
Find = Callable[[str], str]


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    folder = tmp_path_factory.mktemp("confirmed")
    (folder / "invoices.csv").write_text(ROWS)
    opened = Services(Settings(home=folder / "home", model="offline", _env_file=None))
    TableRAG.over(opened).ingest(folder / "invoices.csv")
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def find(services: Services) -> Find:
    """Return a function that gives the statement for a question that is the same as a confirmed one, else ""."""
    schemas = services.catalog.schemas("default")

    def statement(question: str) -> str:
        found = near(question, KNOWN, lambda t: services.value_linker.hints(t, schemas), services.embedding.embed)
        return next((c.sql for c in found if c.is_same), "")

    return statement


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("what did we bill kiel gmbh", BILLED),
        ("How much did we bill Kiel GmbH?", BILLED),
        ("What did we bill Oslo AS?", BILLED.replace("Kiel GmbH", "Oslo AS")),
        ("How many bills went out in April 2025?", MARCH.replace("2025-03-01", "2025-04-01").replace("03-31", "04-30")),
        ("How many bills went out in 2025?", MARCH.replace("-03-01", "-01-01").replace("03-31", "12-31")),
        (
            "How many bills went out in the second quarter of 2024?",
            MARCH.replace("2025-03-01", "2024-04-01").replace("2025-03-31", "2024-06-30"),
        ),
        ("Who are our 5 best clients?", TOP.replace("3", "5")),
        ("Who are our five best clients?", TOP.replace("3", "5")),
        ("How many bills are still outstanding?", LATE),
    ],
)
def test_the_same_question_gets_the_statement_with_its_own_values(find: Find, question: str, sql: str) -> None:
    assert find(question) == sql


@pytest.mark.parametrize(
    "question",
    [
        "What did we bill?",
        "What did we bill Kiel GmbH in the North?",
        "What did we bill Kiel GmbH in March 2025?",
        "What did we not bill Kiel GmbH?",
        "What did we bill Kiel GmbH on average?",
        "How many bills did Kiel GmbH get?",
        "What did Kiel GmbH pay us?",
        "How many bills went out since March 2025?",
        "How many bills went out?",
        "Who are our 3 worst clients?",
        "How many bills are not outstanding?",
        "How many bills of Oslo AS are outstanding?",
    ],
)
def test_another_question_does_not(find: Find, question: str) -> None:
    assert find(question) == ""


MONTH = "SELECT COUNT(*) FROM `invoices` WHERE `sent` >= '2025-03-01' AND `sent` < '2025-04-01'"
BUSINESS_YEAR = "SELECT COUNT(*) FROM `invoices` WHERE `sent` >= '2024-04-01' AND `sent` <= '2025-03-31'"
OF_YEAR = "SELECT COUNT(*) FROM `invoices` WHERE YEAR(`sent`) = 2025"
BY_YEAR = "SELECT COUNT(CASE WHEN YEAR(`sent`) IN (2025) THEN 1 END) FROM `invoices`"
A_DAY = "SELECT COUNT(*) / 31 FROM `invoices` WHERE `sent` BETWEEN '2025-03-01' AND '2025-03-31'"
SINCE = "SELECT COUNT(*) FROM `invoices` WHERE `sent` BETWEEN '2025-03-01' AND '2025-03-31' AND `paid` > '2025-03-20'"


@pytest.mark.parametrize(
    ("confirmed", "question", "sql"),
    [
        (
            (MONTH, "How many bills went out in March 2025?"),
            "How many bills went out in December 2025?",
            MONTH.replace("2025-03-01", "2025-12-01").replace("2025-04-01", "2026-01-01"),
        ),
        (
            (BUSINESS_YEAR, "How many bills went out in fiscal year 2025?"),
            "How many bills went out in fiscal year 2024?",
            BUSINESS_YEAR.replace("2024", "2023").replace("2025", "2024"),
        ),
        (
            (MONTH, "How many bills went out in March 2025?"),
            "How many bills went out in 2024?",
            MONTH.replace("2025-03-01", "2024-01-01").replace("2025-04-01", "2025-01-01"),
        ),
        (
            (OF_YEAR, "How many bills went out in 2025?"),
            "How many bills went out in 2024?",
            OF_YEAR.replace("25", "24"),
        ),
        (
            (OF_YEAR, "How many bills went out in 2025?"),
            "How many bills went out in March 2024?",
            "SELECT COUNT(*) FROM `invoices` WHERE (`sent` >= '2024-03-01' AND `sent` < '2024-04-01')",
        ),
        ((BY_YEAR, "How many bills went out in 2025?"), "How many bills went out in March 2025?", ""),
        ((A_DAY, "How many bills went out a day in March 2025?"), "How many bills went out a day in 2025?", ""),
        ((SINCE, "How many bills went out in March 2025?"), "How many bills went out in December 2025?", ""),
    ],
)
def test_all_dates_of_a_statement_move_with_its_period(
    services: Services, confirmed: tuple[str, str], question: str, sql: str
) -> None:
    known = parse(f'confirmed: [{{question: "{confirmed[1]}", sql: "{confirmed[0]}"}}]', "k.yaml")
    found = near(question, known, lambda text: (), services.embedding.embed)
    assert next((c.sql for c in found if c.is_same), "") == sql


def test_an_answer_cites_who_confirmed_it_and_says_that_it_fails(services: Services) -> None:
    rag = TableRAG.over(services)
    services.knowledge.save("default", KNOWN_TEXT, "k.yaml")
    answer = rag.ask("What did we bill Kiel GmbH?")
    assert answer.value == 10
    assert (
        "As confirmed by Ann on 2026-01-02 for “What did we bill Kiel GmbH?” (k.yaml as exported, line 2)."
        in answer.explanation
    )
    services.knowledge.save("default", KNOWN_TEXT.replace("`amount`", "`gone`"), "k.yaml")
    explained = rag.ask("What did we bill Kiel GmbH?").explanation
    assert explained.startswith("Not as confirmed by Ann on 2026-01-02 for “What did we bill Kiel GmbH?”")
    assert "that statement fails now, see `tablerag knowledge check`." in explained
    services.knowledge.remove("default")


NORTHERN = "SELECT COUNT(*) FROM `invoices` WHERE `kind` = 'N' AND YEAR(`sent`) = 2025"


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("How many northern bills did we send in 2025?", NORTHERN),
        ("How many northern bills did we send in 2024?", NORTHERN.replace("2025", "2024")),
        ("How many bills did we send in 2025?", ""),
        ("How many bills did we send in 2024?", ""),
        ("How many southern bills did we send in 2025?", ""),
        ("How many web bills did we send in 2025?", ""),
    ],
)
def test_a_condition_in_words_of_its_own_is_asked_again(services: Services, question: str, sql: str) -> None:
    entry = f'question: "How many northern bills did we send in 2025?", sql: "{NORTHERN}"'
    found = near(question, parse(f"confirmed: [{{{entry}}}]", "k.yaml"), lambda text: (), services.embedding.embed)
    assert next((c.sql for c in found if c.is_same), "") == sql


def test_a_text_contradicts_a_confirmed_answer_and_does_not_replace_it(tmp_path: Path) -> None:
    rows = "".join(f"{i},{'WS'[i % 2]},2025-0{1 + i % 9}-03\n" for i in range(1, 41))
    (tmp_path / "sales.csv").write_text(f"Sale,Channel,Day\n{rows}")
    (tmp_path / "report.md").write_text("# Report\n\nThere were 35 web sales in 2025, more than in any year before.\n")
    opened = Services(Settings(home=tmp_path / "home", model="offline", _env_file=None))
    rag = TableRAG.over(opened)
    rag.ingest(tmp_path)
    question, sql = "How many web sales were there in 2025?", "SELECT COUNT(*) FROM `sales` WHERE `channel` = 'W'"
    assert rag.ask(question).verdict == "text_only"
    opened.knowledge.save("default", f'confirmed: [{{question: "{question}", sql: "{sql}", by: Ann}}]', "k.yaml")
    answer = rag.ask(question)
    assert answer.value == 20
    assert answer.verdict == "conflict"
    assert "As confirmed by Ann" in answer.explanation
    opened.close()
