"""What counts as the same result of two databases."""

import pytest

from benchmarks.sql_parity import Outcome, compared, statements_of

ONE = Outcome(("a", "b"), ((1, "x"), (2, "y")))


def test_reads_statements_with_their_titles() -> None:
    text = "-- 001: a sum\nSELECT SUM(a)\nFROM t;\n-- 002: nothing\n\n-- 003: a text with -- in it\nSELECT '--';\n"
    assert list(statements_of(text)) == [
        ("001: a sum", "SELECT SUM(a)\nFROM t"),
        ("003: a text with -- in it", "SELECT '--'"),
    ]


@pytest.mark.parametrize(
    ("other", "verdict"),
    [
        (ONE, "same"),
        (ONE._replace(rows=ONE.rows[::-1]), "same"),
        (ONE._replace(rows=((1 + 1e-12, "x"), (2, "y"))), "same but digits"),
        (ONE._replace(rows=((1.001, "x"), (2, "y"))), "differ"),
        (ONE._replace(rows=((1, "X"), (2, "y"))), "differ"),
        (ONE._replace(rows=((None, "x"), (2, "y"))), "differ"),
        (ONE._replace(rows=ONE.rows[:1]), "differ"),
        (Outcome(error="SqlRejected: no"), "refused by one"),
    ],
)
def test_compares_two_outcomes(other: Outcome, verdict: str) -> None:
    assert compared(ONE, other) == verdict == compared(other, ONE)


def test_rows_of_an_ordered_statement_are_compared_in_their_order() -> None:
    ordered = ONE._replace(ordered=True)
    assert compared(ordered, ordered._replace(rows=ONE.rows[::-1])) == "differ"


def test_two_refusals_are_no_difference() -> None:
    assert compared(Outcome(error="SqlFailed: a"), Outcome(error="SqlFailed: b")) == "refused by both"
