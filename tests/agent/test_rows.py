"""What explanations call the rows of a table."""

import pytest

from tablerag.agent.presenting.rows import in_rows, noun_of, row_words, singular, with_count
from tests.support.fakes import SALES


@pytest.mark.parametrize(
    ("title", "source", "rows"),
    [
        ("shipments", "shipments.csv", "shipments"),
        ("Purchases by supplier", "a.html", "Purchases"),
        ("PO", "Purchase Orders 2025.xlsx", "orders"),
        ("Staff", "Personnel_2025.xlsx", 'rows of "Staff"'),
        ("Staff", "Customers and Sales Reps.xlsx", 'rows of "Staff"'),
        ("stock levels", "stock_levels_sep2025.csv", 'rows of "stock levels"'),
        ("", "annual.pdf", 'rows of "annual.pdf"'),
        ("A title that is much too long for one line of an explanation", "a.pdf", 'rows of "A title that is much'),
    ],
)
def test_rows_are_called_by_a_plural_noun_or_by_their_table(title: str, source: str, rows: str) -> None:
    schema = SALES.model_copy(update={"title": title, "source": source})
    assert row_words(schema, noun_of(schema)).startswith(rows)


@pytest.mark.parametrize(
    ("rows", "one"),
    [("orders", "order"), ("deliveries", "delivery"), ("boxes", "box"), ('rows of "Staff"', 'row of "Staff"')],
)
def test_one_row_has_a_singular(rows: str, one: str) -> None:
    assert singular(rows) == one


@pytest.mark.parametrize(
    ("meaning", "count", "counted"),
    [
        ("Total of Cost over orders", 1200, "Total of Cost over 1,200 orders"),
        ('Total of Cost over orders where Carrier is "DHL"', 1, 'Total of Cost over 1 order where Carrier is "DHL"'),
        ('Total of Cost over rows of "PO"', 1, 'Total of Cost over 1 row of "PO"'),
        ("Number of orders", 7, "Number of orders"),
        ("A over rows minus B over rows", 7, "A over rows minus B over rows"),  # the count is that of neither side
    ],
)
def test_a_meaning_says_over_how_many_rows(meaning: str, count: int, counted: str) -> None:
    assert with_count(meaning, count) == counted


def test_lists_name_the_table_whose_rows_have_no_noun() -> None:
    assert (in_rows("orders"), in_rows('rows of "Staff"')) == ("of the orders", 'in "Staff"')
