"""Questions over several tables: which of them, joined by what, in headers of three languages."""

from collections.abc import Callable, Iterator

import pytest

from tablerag.agent.context import Context
from tablerag.graphs.deployment import Deployment
from tablerag.graphs.tablerag import build
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings

BOATS = """Rumpfnr.;Bootsname;Bauart;Hersteller;Heimathafen;Baujahr
H-101;Möwe;Segelboot;Hanse;Kiel;2012
H-102;Anna;Motorboot;Linssen;Flensburg;2016
H-103;Robbe;Motorboot;Linssen;Kiel;2019
H-104;Lotte;Segelboot;Bavaria;Flensburg;2008
"""
HIRES = """Hire No,Hire date,Boat,Client No,Days,Fee (EUR)
M-01,2025-05-03,H-101,C11,2,300
M-02,2025-05-10,H-102,C12,7,1400
M-03,2025-06-01,H-103,C13,3,600
M-04,2025-06-15,H-103,C11,1,200
M-05,2025-07-02,H-101,C14,7,1000
M-06,2025-07-20,H-104,C12,2,250
M-07,2025-08-01,H-102,C14,3,650
"""
CLIENTS = """client_no,client_name,segment,town,country,client_since
C11,Nordsee Tours,travel agency,Hamburg,Germany,2015
C12,Jonas Lund,private,Aarhus,Denmark,2021
C13,Sailing School Kiel,school,Kiel,Germany,2010
C14,Marie Petit,private,Brest,France,2023
"""
CREW = """Crew No.,Name,Job Title,Harbour,Start Date
2001,Ole Hansen,Skipper,Kiel,2011-04-01
2002,Ida Krog,Skipper,Flensburg,2018-03-15
2003,Tim Voss,Mechanic,Kiel,2020-09-01
2004,Eva Wulf,Office clerk,Kiel,2024-02-01
"""
ABSENCES = """Crew No.,Type,From,To,Working Days
2001,Sick,2025-02-03,2025-02-05,3
2001,Holiday,2025-04-07,2025-04-11,5
2002,Sick,2025-03-10,2025-03-13,4
2003,Sick,2025-05-19,2025-05-20,2
2004,Holiday,2025-06-02,2025-06-06,5
"""
INVOICES = """N° facture;N° client;Date de facture;Montant (EUR);Payée
F01;C11;2025-05-05;300;oui
F02;C12;2025-05-20;1400;non
F03;C13;2025-06-05;600;oui
F04;C11;2025-06-20;200;non
F05;C14;2025-07-12;1000;non
"""
REPAIRS = """N° dossier;Coque;Atelier;Coût (EUR)
R1;H-101;Chantier Nord;1200
R2;H-103;Voilerie Brest;450
R3;H-103;Chantier Nord;900
R4;H-104;Voilerie Brest;300
"""
FILES = {
    "Boote.csv": BOATS, "Hires 2025.csv": HIRES, "clients.csv": CLIENTS, "Crew.csv": CREW,
    "Absences 2025.csv": ABSENCES, "factures.csv": INVOICES, "réparations.csv": REPAIRS,
}  # fmt: skip
Ask = Callable[[str], tuple[str, str]]


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """Return a function that asks a question of a boat hire's files: its answer, "" if not sure, and statement."""
    folder = tmp_path_factory.mktemp("joins")
    services = Services(Settings(home=folder / "home", model="offline", _env_file=None))
    graph = build(Deployment(services)).compile()
    docs = folder / "docs"
    docs.mkdir()
    for name, text in FILES.items():
        (docs / name).write_text(text, encoding="utf-8")
    ingest([docs], services, "harbour")

    def of(question: str) -> tuple[str, str]:
        outcome = graph.invoke({"question": question}, context=Context(corpus="harbour"))
        sure = outcome["verdict"] != "none"
        return (outcome["raw"] if sure else "", (outcome["sql"] or [""])[-1] if sure else "")

    yield of
    services.close()


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("number of hires by make of boat", "Bavaria: 1, Hanse: 2, Linssen: 4"),
        ("Unpaid invoice amount per client segment", "private: 2400, travel agency: 200"),
        ("sick days of the skippers altogether", "7"),
        ("How many hires did clients in Denmark make?", "2"),
        ("Repair costs by make of the boat", "Bavaria: 300, Hanse: 1200, Linssen: 1350"),
        ("How many hires per boat?", "Anna: 2, Lotte: 1, Möwe: 2, Robbe: 2"),
        ("total hire fee per segment", "private: 3300, school: 600, travel agency: 500"),
    ],
)
def test_tables_are_joined_by_what_only_the_other_one_tells(ask: Ask, question: str, answer: str) -> None:
    assert ask(question)[0] == answer


@pytest.mark.parametrize(
    ("question", "answer", "table"),
    [
        ("How many skippers are there?", "2", "crew"),
        ("total fee of the hires in June 2025", "800", "hires_2025"),
        ("How many boats are at home in Kiel?", "2", "boote"),
    ],
)
def test_a_table_that_tells_nothing_is_not_joined(ask: Ask, question: str, answer: str, table: str) -> None:
    found, sql = ask(question)
    assert found == answer
    assert table in sql
    assert "JOIN" not in sql


@pytest.mark.parametrize("question", ["Who is in Kiel?", "Who has been with us since before 2016?"])
def test_two_tables_that_fit_alike_are_not_sure(ask: Ask, question: str) -> None:
    assert ask(question)[0] == ""
