"""Which rows a question is about: light words, states in other words, inclusions, equal numbers and units of time."""

from collections.abc import Callable

import pytest

from tablerag.agent.offline.reading.naming import weights_of
from tablerag.agent.offline.reading.words import read
from tests.agent.offline.conftest import Readings

FILES = {
    "vet_visits.csv": """Visit,Date,Owner,Species,Status,Fee (EUR),Paid,Urgency
V-1,2025-01-10,Adler,Dog,done,80,yes,3
V-2,2025-01-22,Brandt,Cat,done,60,no,1
V-3,2025-02-03,Adler,Cat,cancelled,0,no,2
V-4,2025-04-14,Coen,Dog,done,120,yes,3
V-5,2025-05-20,Dietz,Horse,no-show,0,no,2
V-6,2025-08-02,Brandt,Dog,planned,90,no,1
""",
    "boat_rentals.csv": """Rental,Boat,Renter,Start,Returned on,Deposit (EUR)
R-1,Heron,Pauli,2025-03-01,2025-03-03,200
R-2,Otter,Reuter,2025-03-05,,150
R-3,Heron,Simon,2025-04-01,2025-04-02,200
R-4,Pike,Thiel,2025-04-10,,300
""",
    "Rechnungen.csv": """Nr.;Kunde;Rechnungsdatum;Betrag (EUR);Status;Mahnstufe
1;Alt;05.01.2026;100;bezahlt;0
2;Berg;17.02.2026;250;offen;2
3;Alt;02.03.2026;300;überfällig;3
4;Dorn;20.04.2026;75;bezahlt;1
5;Dorn;11.05.2026;40;offen;3
""",
    "chantiers.csv": """Chantier;Ville;Statut;Coût (EUR);Début
C1;Lyon;terminé;500;2025-01-10
C2;Lyon;en cours;300;2025-04-12
C3;Metz;prévu;200;2025-09-01
C4;Metz;terminé;150;2024-11-02
""",
    "parts_suppliers.csv": """Part,Supplier,Lead time (days),Unit weight (kg),Unit price (EUR)
Gasket,Noll,10,2,5.5
Pump,Otto,21,40,310
Valve,Noll,15,4,48
Shaft,Petri,30,85,120
""",
    "theatre_props.csv": """Prop,Kind,State,Acq. Date,Insured value (EUR)
P1,Sword,on display,1975-02-01,300
P2,Crown,in storage,1982-05-06,900
P3,Cloak,on loan,1969-09-09,120
P4,Throne,in storage,1999-01-01,700
""",
    "choir_volunteers.csv": """Volunteer,Joined,Badge sent
Iris,2019-02-01,yes
Ivo,2021-05-05,no
Ines,2023-01-15,no
Uwe,2024-03-03,yes
""",
    "bakery_crew.csv": """Name,Shop,Reports to,Monthly gross (EUR),Hired on
Abel,Harbour,Lutz,2100,2015-03-01
Bine,Market,Lutz,2500,2019-09-01
Cora,Harbour,Moll,1900,2022-01-15
Lutz,Market,Moll,3900,2011-05-01
""",
    "guest_survey.csv": """Hotel,Satisfaction score,Answers
Seeblick,4.5,40
Bergruh,3.2,25
Altstadt,3.9,31
""",
    "ship_cargo.csv": """Cargo,Vessel,Gross weight (t),Cleared
Steel coils,Anna,40,yes
Timber,Berta,25,no
Grain,Anna,60,yes
""",
    "garden_projects.csv": """Project,Status,Approved (EUR)
Pond,in progress,900
Fence,planned,300
Terrace,not started,1200
Shed,completed,700
""",
    "open_day.csv": """Signup,Guest,Outcome
O-1,Marta,attended
O-2,Nils,no-show
O-3,Olga,no-show
O-4,Paul,called off
""",
    "sponsor_deals.csv": """Deal,Sponsor,Stage,Renewal
D-1,Arla,cancelled,automatic
D-2,Bosk,signed,manual
D-3,Cato,signed,automatic
""",
    "spice_shelf.csv": """Spice,Availability
Saffron,out of stock
Cumin,in stock
Sumac,in stock
""",
    "Werkzeugliste.csv": """Werkzeug;Zustand
Bohrer;entsorgt
Fräse;in Reparatur
Säge;in Betrieb
""",
    "adherents.csv": """Adhérent;Cotisation
Abel;partiellement payée
Brune;impayée
Carl;payée
""",
}

CASES = [
    # words that select nothing
    ("Which boat was taken out most often?", [("Heron", 2)]),
    ("What did the dog visits bring in altogether, so far?", [(290,)]),
    ("How much did the parts of Noll weigh on average according to the list?", [(3.0,)]),
    # states in other words
    ("How many visits are still unpaid?", [(4,)]),
    ("How many visits have not been paid yet?", [(4,)]),
    ("Which renters have not come back yet?", [("Reuter",), ("Thiel",)]),
    ("Summe der unbezahlten Rechnungen", [(590,)]),
    ("Wie viele Rechnungen sind noch nicht bezahlt?", [(3,)]),
    ("Combien de chantiers ne sont pas encore commencés ?", [(1,)]),
    ("Quel est le coût total des chantiers en cours ?", [(300,)]),
    ("Which garden projects haven't been started yet?", [("Fence",), ("Terrace",)]),
    ("How many props are on show?", [(1,)]),
    ("Which prop is the most valuable?", [("Crown", 900)]),
    ("How many volunteers do we still owe a badge?", [(2,)]),
    ("Which volunteers joined us since the beginning of 2023?", [("Ines",), ("Uwe",)]),
    ("How many open day guests never showed up?", [(2,)]),
    ("How many open day guests turned up?", [(1,)]),
    ("How many sponsor deals fell through?", [(1,)]),
    ("How many sponsor deals renew automatically?", [(2,)]),
    ("Which spices are sold out?", [("Saffron",)]),
    ("How many spices are not in stock?", [(1,)]),
    ("Welche Werkzeuge wurden weggeworfen?", [("Bohrer",)]),
    ("Welche Werkzeuge sind in der Werkstatt?", [("Fräse",)]),
    ("Combien d'adhérents ont payé en partie leur cotisation ?", [(1,)]),
    # verbs and adjectives that name a column
    ("Who does Bine report to?", [("Lutz",)]),
    ("Who earns the most in the bakery crew?", [("Lutz", 3900)]),
    ("How much does Cora earn?", [(1900,)]),
    ("How many of the crew were hired before 2016?", [(2,)]),
    ("Which hotel has the happiest guests?", [("Seeblick", 4.5)]),
    ("How heavy is the grain?", [(60,)]),
    ("Which cargo is the heaviest?", [("Grain", 60)]),
    ("How much does the cargo of the Anna weigh in total?", [(100,)]),
    # inclusions and exclusions
    ("How many visits were there in 2025, cancelled ones and no-shows included?", [(6,)]),
    ("How many visits were there in 2025, including the cancelled ones?", [(6,)]),
    ("How many visits did we have apart from cancelled ones?", [(5,)]),
    ("How many visits without the no-shows?", [(5,)]),
    ("How many visits are not done?", [(3,)]),
    # a number after its column
    ("Summe der unbezahlten Rechnungen mit Mahnstufe 3", [(340,)]),
    ("How many visits had urgency 3?", [(2,)]),
    # other units of time
    ("Which parts have a lead time of more than two weeks?", [("Pump",), ("Shaft",), ("Valve",)]),
    # dates
    ("number of props aquired before 1980", [(2,)]),
    ("Fees of visits in the first half of 2025", [(260,)]),
    ("visit fees by quarter from Q1 2025 to Q2 2025", [("2025-Q1", 140), ("2025-Q2", 120)]),
    ("Betrag der Rechnungen im ersten Quartal 2026", [(650,)]),
    ("coût des chantiers depuis avril 2025", [(500,)]),
]


Ask = Callable[[str], list[tuple[object, ...]]]


@pytest.fixture
def ask(readings: Readings) -> Ask:
    def best(question: str) -> list[tuple[object, ...]]:
        found = readings(question)
        assert found, question
        return [tuple(row) for row in found[0].result.rows]

    return best


def test_the_rows_meant_are_read(ask: Ask) -> None:
    wrong = {}
    for question, expected in CASES:
        rows = ask(question)
        if sorted(map(str, rows)) != sorted(map(str, expected)):
            wrong[question] = rows
    assert not wrong


@pytest.mark.parametrize(
    ("question", "word", "weight"),
    [
        ("Who moved most boxes?", "moved", 0.25),
        ("hours put in by volunteers", "put", 0.25),
        ("a load that leaves the yard", "leaves", 0.25),
        ("entries by make of car", "make", 1.0),
        ("How many shipped orders are there?", "shipped", 1.0),
        ("Which unpaid invoices are there?", "unpaid", 1.0),
        ("How many refunded tickets?", "refunded", 1.0),
        ("Wie viele Kilometer sind die Busse gefahren?", "gefahren", 1.0),
        ("Wie viel haben wir getankt?", "getankt", 0.25),
        ("dossiers confiés au cabinet", "confiés", 0.25),
    ],
)
def test_words_that_select_no_rows_may_be_left(question: str, word: str, weight: float) -> None:
    asked = read(question)
    place = next(i for i, w in enumerate(asked.words) if w.text == word)
    assert weights_of(asked)[place] == weight
