"""Periods in questions, in three languages."""

import pytest

from tablerag.agent.offline.reading.periods import periods_in
from tablerag.agent.offline.reading.words import read


def spans(question: str) -> list[tuple[str, str]]:
    return [(p.low, p.high) for p in periods_in(read(question))]


YEAR, MARCH = ("2024-01-01", "2024-12-31"), ("2025-03-01", "2025-03-31")
QUARTER, HALF = ("2024-04-01", "2024-06-30"), ("2024-07-01", "2024-12-31")


@pytest.mark.parametrize(
    ("question", "span"),
    [
        ("orders in 2024", YEAR),
        ("orders in March 2025", MARCH),
        ("orders of Mar. 2025", MARCH),
        ("orders in 2025-03", MARCH),
        ("orders in 03/2025", MARCH),
        ("Umsatz im 03.2025", MARCH),
        ("Bestellungen im März 2025", MARCH),
        ("Bestellungen im Maerz 2025", MARCH),
        ("commandes de mars 2025", MARCH),
        ("orders in Q2 2024", QUARTER),
        ("orders in the second quarter of 2024", QUARTER),
        ("Bestellungen im zweiten Quartal 2024", QUARTER),
        ("Bestellungen im 2. Quartal 2024", QUARTER),
        ("commandes du deuxième trimestre 2024", QUARTER),
        ("commandes au trimestre 2 de 2024", QUARTER),
        ("orders in H2 2024", HALF),
        ("orders in the second half of 2024", HALF),
        ("Bestellungen im zweiten Halbjahr 2024", HALF),
        ("orders on 5 March 2025", ("2025-03-05", "2025-03-05")),
        ("orders on March 5th, 2025", ("2025-03-05", "2025-03-05")),
        ("Bestellungen am 5. März 2025", ("2025-03-05", "2025-03-05")),
        ("Bestellungen am 05.03.2025", ("2025-03-05", "2025-03-05")),
        ("commandes du 1er mars 2025", ("2025-03-01", "2025-03-01")),
        ("Bestellungen in KW 12 2025", ("2025-03-17", "2025-03-23")),
        ("orders in week 1 of 2025", ("2024-12-30", "2025-01-05")),
        ("commandes de la semaine 12 de 2025", ("2025-03-17", "2025-03-23")),
        ("from June to August 2025", ("2025-06-01", "2025-08-31")),
        ("between 2020 and 2022", ("2020-01-01", "2022-12-31")),
        ("zwischen 2020 und 2022", ("2020-01-01", "2022-12-31")),
        ("von Januar bis März 2025", ("2025-01-01", "2025-03-31")),
        ("entre janvier et mars 2025", ("2025-01-01", "2025-03-31")),
        ("cost by quarter (2024 Q3 to 2025 Q2)", ("2024-07-01", "2025-06-30")),
        ("orders in 2024-Q2", QUARTER),
        ("orders in May and June 2025", ("2025-05-01", "2025-06-30")),
        ("orders in Q1, Q2 and Q3 2025", ("2025-01-01", "2025-09-30")),
        ("March-May 2025", ("2025-03-01", "2025-05-31")),
        ("orders in 2025-W12", ("2025-03-17", "2025-03-23")),
        ("bridges built in the 1990s", ("1990-01-01", "1999-12-31")),
        ("Brücken der 1990er Jahre", ("1990-01-01", "1999-12-31")),
        ("from 2020 onwards", ("2020-01-01", "")),
        ("2023 oder später", ("2023-01-01", "")),
        ("no later than 2020", ("", "2020-12-31")),
        ("not before 2020", ("2020-01-01", "")),
        ("since the beginning of 2023", ("2023-01-01", "")),
        ("orders before March 2025", ("", "2025-02-28")),
        ("Bestellungen vor 2024", ("", "2023-12-31")),
        ("commandes avant 2024", ("", "2023-12-31")),
        ("hired after 2024", ("2025-01-01", "")),
        ("hired in 2024 or later", ("2024-01-01", "")),
        ("seit März 2025", ("2025-03-01", "")),
        ("ab dem 1.3.2025", ("2025-03-01", "")),
        ("depuis mars 2025", ("2025-03-01", "")),
        ("until the end of 2024", ("", "2024-12-31")),
        ("jusqu'à 2024", ("", "2024-12-31")),
        ("in May", ("--05-01", "--05-31")),
        ("im Mai", ("--05-01", "--05-31")),
    ],
)
def test_a_period_is_its_first_and_last_day(question: str, span: tuple[str, str]) -> None:
    assert spans(question) == [span]


@pytest.mark.parametrize(
    "question",
    [
        "orders on 31.02.2025",
        "orders on 2025-13-01",
        "orders before 30 February 2025",
        "KW 60 von 12",
        "may I see the list",
        "a price of 2024.50",
        "",
    ],
)
def test_what_is_no_day_is_no_period(question: str) -> None:
    assert all(low and high and low <= high for low, high in spans(question))
    assert not any("02-30" in end or "02-31" in end for span in spans(question) for end in span)


def test_several_periods_are_found_in_order() -> None:
    assert [low for low, _ in spans("sales in January and March 2025")] == ["--01-01", "2025-03-01"]
    assert [low[:4] for low, _ in spans("how did revenue change from 2023 to 2024")] == ["2023", "2024"]
