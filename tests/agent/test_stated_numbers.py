"""Numbers as texts state them."""

from decimal import Decimal

import pytest

from tablerag.agent.stated_numbers import measure_of, signed_numbers, stated_numbers, years_in


@pytest.mark.parametrize(
    ("text", "value", "step", "unit", "about"),
    [
        ("about 1.8 million EUR", "1800000", "100000", "EUR", True),
        ("up 12.5 % on the year", "12.5", "0.1", "%", False),
        ("$1,774.5 thousand", "1774500", "100", "USD", False),
        ("1.774.500 €", "1774500", "1", "EUR", False),
        ("3,5 Mio. Euro", "3500000", "100000", "EUR", False),
        ("1 234 567 people", "1234567", "1", "", False),
        ("nearly 3 km", "3", "1", "km", True),
        ("3.2万", "32000", "1000", "", False),
        ("a loss of -40", "-40", "1", "", False),
        ("1.234 tons", "1.234", "0.001", "tons", False),
        ("£2bn", "2000000000", "1000000000", "GBP", False),
    ],
)
def test_a_number_is_read_with_its_multiplier_precision_and_unit(text, value, step, unit, about):
    (number,) = stated_numbers(text)
    assert (number.value, number.step) == (Decimal(value), Decimal(step))
    assert (number.unit, number.about) == (unit, about)


@pytest.mark.parametrize("text", ["In 2024 it rose.", "version v2.1.3", "Q3", "none at all", "2024-05-01"])
def test_years_versions_and_dates_are_no_figures(text):
    assert stated_numbers(text) == []


def test_an_amount_that_looks_like_a_year_is_a_figure_when_it_has_a_unit():
    assert [n.value for n in stated_numbers("it cost 2024 EUR")] == [2024]


def test_years_are_found_apart():
    assert years_in("from 2023 to 2025, 1,999 units, 2024 EUR") == {"2023", "2024", "2025"}


def test_zeros_at_the_end_may_stand_for_rounding():
    (number,) = stated_numbers("1,200 employees")
    assert number.coarse_step == 100


@pytest.mark.parametrize(
    ("text", "value"), [("-$4.9 million", "-4900000"), ("Revenue - $5", "5"), ("- EUR 20", "20"), ("$3 - $4", "3")]
)
def test_a_dash_before_a_space_is_no_sign(text: str, value: str) -> None:
    assert signed_numbers(text)[0].value == Decimal(value)
    assert all(n.value > 0 for n in signed_numbers(text)[1:])


@pytest.mark.parametrize(("unit", "name"), [("Kilometres", "km"), ("KG", "kg"), ("Percent", "%"), ("Euro", "EUR")])
def test_the_unit_of_a_column_is_that_of_a_text_in_any_case(unit: str, name: str) -> None:
    assert measure_of(unit, "") == (name, 0)
    assert stated_numbers(f"7 {unit}")[0].unit == name
