"""The languages' words: which language a question is in, and what its phrases say to compute."""

import tomllib
from importlib.resources import files

import pytest

from tablerag.agent.offline.reading.filters import bounds_in
from tablerag.agent.offline.reading.periods import periods_in
from tablerag.agent.offline.reading.vocabulary import LANGUAGES, language, lexeme, likeness
from tablerag.agent.offline.reading.words import read
from tablerag.tools.linking.keys import key_of


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("How many orders were placed in March 2025?", "en"),
        ("revenue per quarter", "en"),
        ("Wie viele Aufträge gab es im März 2025?", "de"),
        ("Umsatz nach Monat", "de"),
        ("welche Lieferanten sind in Frankreich", "de"),
        ("Combien de commandes y a-t-il en mars 2025 ?", "fr"),
        ("chiffre d'affaires par mois", "fr"),
        ("quels fournisseurs sont en Allemagne", "fr"),
        ("", "en"),
        ("42", "en"),
    ],
)
def test_the_language_is_that_of_most_words(question: str, code: str) -> None:
    assert read(question).language.code == code


def test_words_of_no_language_are_of_the_preferred_one() -> None:
    assert read("Lyon 2024", "fr").language.code == "fr"
    assert read("how many in Lyon", "fr").language.code == "en"


@pytest.mark.parametrize(
    ("question", "concept"),
    [
        ("How many orders are open?", "count"),
        ("number of employees", "count"),
        ("Wie viele Mitarbeiter haben wir?", "count"),
        ("Anzahl der Mitarbeiter", "count"),
        ("Combien de salariés avons-nous ?", "count"),
        ("combien des tickets sont ouverts", "count"),
        ("nombre de tickets", "count"),
        ("cost in total", "sum"),
        ("Gesamtkosten 2024", "sum"),
        ("Kosten insgesamt", "sum"),
        ("coût au total", "sum"),
        ("average price", "average"),
        ("durchschnittlicher Preis", "average"),
        ("Preis im Schnitt", "average"),
        ("prix moyen", "average"),
        ("what percentage of orders are late", "share"),
        ("wie viel Prozent der Aufträge", "share"),
        ("quel pourcentage des commandes", "share"),
        ("the most expensive product", "expensive"),
        ("das teuerste Produkt", "expensive"),
        ("le produit le plus cher", "expensive"),
        ("revenue per month", "by_month"),
        ("Umsatz pro Monat", "by_month"),
        ("chiffre d'affaires par mois", "by_month"),
        ("sales by region", "group"),
        ("Verkäufe nach Region", "group"),
        ("ventes par région", "group"),
        ("more than 50", "more"),
        ("mehr als 50", "more"),
        ("plus de 50", "more"),
        ("What do the bills amount to?", "sum"),
        ("Summa summarum, was kosteten die Reparaturen?", "sum"),
        ("à combien s'élèvent les ventes", "sum"),
        ("How long does a delivery typically take?", "average"),
        ("Wie lange dauert eine Lieferung in der Regel?", "average"),
        ("how high a proportion of the orders is late", "share"),
        ("quelle portion des commandes est en retard", "share"),
        ("cost at every site", "group"),
        ("Kosten für jeden einzelnen Standort", "group"),
        ("ventes pour chacun des sites", "group"),
        ("Did visits go up or down?", "change"),
        ("Sind die Verkäufe gewachsen oder geschrumpft?", "change"),
        ("les ventes sont-elles en hausse ou en baisse", "up_or_down"),
        ("courses that are overbooked", "over_limit"),
        ("Kurse mit zu wenigen Teilnehmern", "under_limit"),
        ("all orders with the exception of drafts", "excluding"),
        ("alle Aufträge mit Ausnahme aller Entwürfe", "excluding"),
        ("les commandes sans tenir compte des brouillons", "excluding"),
        ("whether or not they were cancelled", "including"),
    ],
)
def test_phrases_say_what_to_compute(question: str, concept: str) -> None:
    assert read(question).has(concept)


@pytest.mark.parametrize(
    ("question", "concept"),
    [
        ("How many deals fell through?", "fall"),
        ("How many cars are not in stock?", "under_limit"),
        ("Welche Artikel sind nicht mehr auf Lager?", "removed"),
    ],
)
def test_words_of_states_say_nothing_to_compute(question: str, concept: str) -> None:
    assert not read(question).has(concept)


@pytest.mark.parametrize(
    ("question", "operator", "value"),
    [
        ("orders over 1,250.50 EUR", ">", 1250.5),
        ("orders of at least 60,000", ">=", 60000),
        ("Aufträge über 1.250,50 EUR", ">", 1250.5),
        ("Aufträge mit mehr als 60.000 Euro", ">", 60000),
        ("Aufträge mit mehr als 2,5 Mio EUR", ">", 2_500_000),
        ("Aufträge unter 3.500", "<", 3500),
        ("commandes de plus de 60 000 euros", ">", 60000),
        ("commandes de moins de 1 250,5 euros", "<", 1250.5),
    ],
)
def test_numbers_are_read_as_their_language_writes_them(question: str, operator: str, value: float) -> None:
    asked = read(question)
    bounds, _ = bounds_in(asked, periods_in(asked))
    assert [(b.operator, b.value) for b in bounds] == [(operator, value)]


@pytest.mark.parametrize(
    ("one", "other"),
    [("umsatz", "gesamtumsatz"), ("datum", "lieferdatum"), ("staff", "mitarbeiter"), ("orders", "order")],
)
def test_synonyms_and_parts_of_compounds_mean_the_same(one: str, other: str) -> None:
    assert likeness(lexeme(one), lexeme(other)) >= 0.7


@pytest.mark.parametrize(
    ("asked", "header"),
    [
        ("lawyer", "anwalt"),
        ("wohnung", "apartment"),
        ("passengers", "fahrgäste"),
        ("empfänger", "destinataire"),
        ("trinkgeld", "tips"),
        ("devis", "angebot"),
        ("surgery", "eingriff"),
        ("haltbarkeit", "mhd"),
        ("owns", "besitzer"),
        ("shops", "filiale"),
        ("reifen", "pneus"),
        ("labor", "laboratoire"),
        ("steepest", "steigung"),
        ("turned_up", "attended"),
    ],
)
def test_everyday_words_of_a_sector_name_its_columns(asked: str, header: str) -> None:
    assert likeness(lexeme(key_of(asked.replace("_", " ")).replace(" ", "_")), lexeme(key_of(header))) >= 0.7


@pytest.mark.parametrize(
    ("asked", "header"),
    [
        ("hunde", "katzen"),
        ("umsatzquote", "angebot"),
        ("einladungen", "ladung"),
        ("qualitätssicherung", "backup"),
        ("kundenvorteile", "bauteil"),
        ("appartient", "wohnung"),
        ("recommended", "repair"),
        ("wait", "waitress"),
        ("place", "rang"),
        ("plan", "flugzeug"),
        ("hors", "pferd"),
        ("schadstoff", "tissu"),
    ],
)
def test_words_that_only_look_alike_name_no_columns(asked: str, header: str) -> None:
    assert likeness(lexeme(key_of(asked)), lexeme(key_of(header))) == 0


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_has_the_same_keys(code: str) -> None:
    folder = files("tablerag.agent.offline.reading") / "languages"
    ours, english = (tomllib.loads((folder / f"{c}.toml").read_text("utf-8")) for c in (code, "en"))
    for part in ("function_words", "phrases", "verbs", "words", "follow_up", "said"):
        assert set(ours[part]) == set(english[part]), part
    assert all(language(code).follow_up.values())
