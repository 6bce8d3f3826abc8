"""Messages that continue a conversation: spelled out, and answered by the real graph with the embedded reasoner."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from tablerag.agent.context import Context
from tablerag.agent.offline.reading.follow_up import standalone
from tablerag.agent.offline.reading.reader import Reader
from tablerag.agent.reasoning import ResolveTask, Turn
from tablerag.graphs.deployment import Deployment
from tablerag.graphs.tablerag import build
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tablerag.tools.sql.guard import guard
from tablerag.tools.table_rows import RowReader

STAFF = """Name,Department,Office,Hired,Salary (EUR)
Anna Meier,Sales,Lyon,2012-03-01,52000
Bruno Costa,Sales,Lyon,2018-06-15,48000
Carla Duval,Finance,Lyon,2020-01-10,61000
David Kern,Sales,Graz,2016-09-01,45000
Elif Aydin,Production,Graz,2019-04-01,39000
Greta Holm,Finance,Lyon,2009-11-01,67000
"""
SHIPMENTS = """Shipment,Carrier,Destination,Shipped,Cost (EUR),Status
S-01,DHL,Lyon,2023-02-03,120,delivered
S-02,UPS,Graz,2023-05-11,80,delivered
S-03,DHL,Graz,2024-01-20,200,delivered
S-04,DHL,Lyon,2024-03-05,150,open
S-05,UPS,Lyon,2024-03-19,90,open
S-06,UPS,Graz,2024-08-30,110,cancelled
S-07,DHL,Graz,2024-11-02,60,delivered
S-08,DHL,Lyon,2025-03-14,75,open
"""
CONTACTS = """Company,Contact person,E-mail,Phone
Corrib Catering,Sheila Moran,s.moran@corrib.example,+353 21 111
Liffey Foods,Tom Walsh,t.walsh@liffey.example,+353 1 222
"""
BESTELLUNGEN = """Bestellnummer,Kunde,Bestelldatum,Betrag (EUR),Zustand
B-1,Huber GmbH,2024-01-15,100,offen
B-2,Huber GmbH,2024-02-20,250,bezahlt
B-3,Moser AG,2024-02-25,300,offen
B-4,Moser AG,2025-01-10,50,bezahlt
"""
VENTES = """Vente,Client,Ville,Date de vente,Montant (EUR)
V-1,Durand,Lyon,2024-01-05,10
V-2,Durand,Lille,2024-03-07,20
V-3,Petit,Lyon,2024-03-21,40
"""
Say = Callable[[str], tuple[str, str]]
Spell = Callable[..., str]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    path = tmp_path_factory.mktemp("follow_ups")
    opened = Services(Settings(home=path / "home", model="offline", _env_file=None))
    documents: dict[str, str] = {
        "staff.csv": STAFF, "shipments.csv": SHIPMENTS, "contacts.csv": CONTACTS,
        "bestellungen.csv": BESTELLUNGEN, "ventes.csv": VENTES,
    }  # fmt: skip
    files = path / "documents"
    files.mkdir()
    for name, text in documents.items():
        Path(files / name).write_text(text, encoding="utf-8")
    ingest([files], opened, "default")
    yield opened
    opened.close()


@pytest.fixture
def say(folder: Services) -> Say:
    """Return a function that sends a message of one thread, and returns how it was understood and its answer."""
    graph = build(Deployment(folder)).compile(checkpointer=InMemorySaver())

    def send(message: str) -> tuple[str, str]:
        thread = {"configurable": {"thread_id": "t"}}
        found = graph.invoke({"messages": [("human", message)]}, thread, context=Context())
        return found["understood"], found["answer"]

    return send


@pytest.fixture(scope="module")
def spell(folder: Services) -> Spell:
    """Return a function that spells out a message after one question and its answer."""
    read_rows = RowReader(folder.database)
    reader = Reader(read_rows, lambda sql, schemas: folder.database.run(guard(sql, schemas, row_limit=100)))
    schemas = tuple(folder.catalog.schemas("default"))

    def spelled(message: str, question: str, answer: str = "10") -> str:
        hints = tuple(folder.value_linker.hints(message, schemas))
        earlier = tuple(folder.value_linker.hints(question, schemas))
        return standalone(ResolveTask(message, (Turn(question, answer),), hints, earlier, schemas), reader)

    return spelled


COST = "What did shipments with DHL cost in total in 2024?"


@pytest.mark.parametrize(
    ("message", "spelled"),
    [
        ("and in 2023?", "What did shipments with DHL cost in total in 2023?"),
        ("and the year before?", "What did shipments with DHL cost in total in 2023?"),
        ("And the following year?", "What did shipments with DHL cost in total in 2025?"),
        ("and UPS?", "What did shipments with UPS cost in total in 2024?"),
        ("What about UPS in 2023?", "What did shipments with UPS cost in total in 2023?"),
        ("the same for UPS, please", "What did shipments with UPS cost in total in 2024?"),
        ("and in March?", "What did shipments with DHL cost in total in March 2024?"),
        ("and the average?", "What did shipments with DHL cost on average in 2024?"),
        ("per quarter", "What did shipments with DHL cost in total in 2024 per quarter?"),
        ("and by destination?", "What did shipments with DHL cost in total in 2024 by destination?"),
        ("only the open ones", "What did shipments with DHL cost in total in 2024 with Status open?"),
        ("2023?", "What did shipments with DHL cost in total in 2023?"),
    ],
)
def test_a_part_is_exchanged_or_added(spell: Spell, message: str, spelled: str) -> None:
    assert spell(message, COST) == spelled


@pytest.mark.parametrize(
    ("question", "message", "spelled"),
    [
        ("shipments per carrier", "and per destination?", "shipments per destination?"),
        ("cost of shipments in March 2024", "and the month before?", "cost of shipments in February 2024"),
        ("cost of shipments in Q1 2024", "the previous quarter?", "cost of shipments in Q4 2023"),
        ("Betrag der Bestellungen im Mai 2024", "und im Vorjahr?", "Betrag der Bestellungen im Mai 2023"),
        ("Montant des ventes en 2024", "et l'année précédente ?", "Montant des ventes en 2023"),
        ("Who has the highest salary?", "and the lowest?", "Who has the lowest salary?"),
        ("total salary in Lyon", "what is the average?", "average salary in Lyon?"),
        ("e-mail of Corrib Catering?", "and by phone?", "phone of Corrib Catering?"),
        ("How many employees work in Graz?", "and how many in Lyon?", "How many employees work in Lyon?"),
        ("How many shipments are open?", "how much was that in percent?", "what percentage of shipments are open?"),
        ("Betrag der Bestellungen von Huber GmbH", "und von Moser AG?", "Betrag der Bestellungen von Moser AG?"),
        ("Betrag der Bestellungen im Mai 2024", "und nach Kunde?", "Betrag der Bestellungen im Mai 2024 nach Kunde?"),
        ("Montant des ventes à Lyon", "et en mars ?", "Montant des ventes à Lyon en mars?"),
        ("Montant des ventes à Lyon", "et à Lille ?", "Montant des ventes à Lille?"),
    ],
)  # fmt: skip
def test_each_kind_of_part_has_its_counterpart(spell: Spell, question: str, message: str, spelled: str) -> None:
    assert spell(message, question) == spelled


@pytest.mark.parametrize(
    ("question", "message", "spelled"),
    [
        (
            "Which employees work in Lyon?",
            "which of those were hired after 2015?",
            "which of the employees with Office Lyon were hired after 2015?",
        ),
        (
            "Which shipments have a cost above 100?",
            "how many of them are open?",
            "how many of the shipments with Cost above 100 are open?",
        ),
        (
            "Which employees were hired since 2018?",
            "what is their average salary?",
            "what is the average salary of the employees Hired since 2018?",
        ),
        (
            "Welche Bestellungen sind offen?",
            "welche davon sind von Moser AG?",
            "welche der Bestellungen mit Zustand offen sind von Moser AG?",
        ),
        (
            "Quelles ventes sont à Lyon ?",
            "lesquelles d'entre elles sont en mars 2024 ?",
            "lesquelles des ventes avec Ville Lyon sont en mars 2024 ?",
        ),
    ],
)
def test_those_are_the_rows_of_the_last_question(spell: Spell, question: str, message: str, spelled: str) -> None:
    assert spell(message, question, "Anna Meier, Bruno Costa") == spelled


@pytest.mark.parametrize(
    ("question", "answer", "message", "spelled"),
    [
        ("Who has the highest salary?", "Greta Holm: 67,000", "when was she hired?", "when was Greta Holm hired?"),
        ("Who has the highest salary?", "Greta Holm", "What is her office?", "What is Greta Holm's office?"),
        ("What is the cost of S-04?", "EUR 150", "who carried it?", "who carried S-04?"),
        ("What is the status of S-04?", "open", "and its cost?", "S-04's cost?"),
    ],
)
def test_it_is_what_the_last_turn_was_about(
    spell: Spell, question: str, answer: str, message: str, spelled: str
) -> None:
    assert spell(message, question, answer) == spelled


@pytest.mark.parametrize(
    "message",
    [
        "What is the average salary?",
        "Which carrier has the highest cost?",
        "shipments per carrier",
        "top 2 salaries",
        "How many employees are there?",
        "Which employees in Lyon have their contract since 2012?",
        "Wie viele Bestellungen gibt es?",
        "Combien de ventes y a-t-il ?",
        "and blue whales?",
        "why?",
        "",
        "?",
    ],
)
def test_complete_questions_and_what_fits_nowhere_stay_as_they_are(spell: Spell, message: str) -> None:
    assert spell(message, COST) == message


def test_without_tables_only_periods_are_exchanged() -> None:
    task = ResolveTask("and in 2013?", (Turn("What was the total in 2012?", "10"),))
    assert standalone(task) == "What was the total in 2013?"
    task = ResolveTask("which of those grew?", (Turn("Which regions are there?", "North, South"),))
    assert standalone(task) == "which of the North or South grew?"


@pytest.mark.parametrize(
    "talk",
    [
        ("What did shipments with DHL cost in total?", "605", "and in 2024?", "410", "with UPS?", "200"),
        (
            "Which employees work in Lyon?",
            "Anna Meier, Bruno Costa, Carla Duval, Greta Holm",
            "which of those were hired after 2015?",
            "Bruno Costa, Carla Duval",
            "how many of them work in Finance?",
            "1",
        ),
        ("How many shipments went to Lyon in 2024?", "2", "what about Graz?", "3", "only the delivered ones", "2"),
        ("Welche Bestellungen sind offen?", "B-1, B-3", "welche davon sind von Moser AG?", "B-3"),
        ("Quel est le montant des ventes à Lyon ?", "50", "et en mars ?", "40"),
    ],
)
def test_a_thread_is_answered(say: Say, talk: tuple[str, ...]) -> None:
    for message, answer in zip(talk[::2], talk[1::2], strict=True):
        assert _items(say(message)[1]) == _items(answer)


def _items(answer: str) -> set[str]:
    """Return the words and figures of an answer, without its unit and layout."""
    shown = answer.partition("\n\n")[0] if "|" not in answer else answer
    return {w for w in shown.replace("|", " ").replace(",", " ").split() if w.strip("-: ") and w not in UNSAID}


UNSAID = frozenset(("EUR", "Name", "Bestellnummer"))
