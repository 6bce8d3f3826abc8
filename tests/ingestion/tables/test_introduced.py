"""Units and scales that the text around a table states."""

import time

import pytest

from tablerag.ingestion.document import Block, Locator, TableBlock, TextBlock
from tablerag.ingestion.tables.introduced import stated_units
from tablerag.ingestion.tables.table import build_table
from tablerag.ingestion.tables.typing import Unit

GRID = [["Item", "2019", "2018"], ["Operating", "$618", "$3,908"], ["Investing", "$12", "$90"]]


def table(grid: list[list[str]] = GRID) -> TableBlock:
    return TableBlock([list(row) for row in grid], Locator())


def text(words: str) -> TextBlock:
    return TextBlock(words, Locator())


@pytest.mark.parametrize(
    ("words", "scale"),
    [
        ("The following table summarizes our cash flows (in thousands):", "thousands"),
        ("(In millions, except per share amounts)", "millions"),
        ("Expressed in US $000's except share and per share amounts", "thousands"),
        ("All amounts expressed in thousands of U.S. dollars (continued)", "thousands"),
        ("Notes (dollars and share amounts in thousands, except per share amounts)", "thousands"),
        ("Shares were granted as follows (shares in thousands, except per share data):", ""),
        ("We sold goods in thousands of shops, which are listed below with their sales of 2019.", ""),
        ("Cash rose to $3.9 million (2018: $2.1 million), as the table shows.", ""),
        ("(In millions, except number of shares, which are reflected in thousands, and per-share amounts)", "millions"),
        ("EPS (net income in millions and shares in thousands):", "millions"),
        ("Our cash flows were:", ""),
    ],
)
def test_the_sentence_before_a_table_states_its_scale(words: str, scale: str) -> None:
    own = table()
    assert stated_units([text(words), own])[-1].scale == scale


def test_what_is_nearest_counts() -> None:
    first, second = table(), table()
    blocks: list[Block] = [text("Sales (in thousands):"), first, text("Costs (in millions):"), text("By year."), second]
    assert [u.scale for u in stated_units(blocks)] == ["thousands", "millions"]


def test_what_is_said_of_one_table_is_not_said_of_the_next() -> None:
    first, second = table(), table()
    assert stated_units([text("Sales (in thousands):"), first, text("Prices were:"), second])[-1] == Unit()


def test_what_is_said_of_all_tables_counts_unless_it_is_contradicted() -> None:
    first, second = table(), table()
    said = text("Notes (tabular amounts in millions)")
    blocks: list[Block] = [said, text("1. Sales"), text("They rose."), first, text("2. Costs"), second]
    assert [u.scale for u in stated_units(blocks)] == ["millions", "millions"]
    assert stated_units([text("Notes (all amounts in thousands)"), *blocks])[-1] == Unit()


def test_in_a_document_with_one_table_it_may_be_said_anywhere() -> None:
    own = table()
    more = [text("More words."), text("And more."), text("The end.")]
    assert stated_units([text("Notes (in thousands)"), *more, own])[-1].scale == "thousands"
    assert stated_units([text("Notes (in thousands)"), *more, own, text("Costs (in millions)")])[-1] == Unit()


def test_a_table_with_a_scale_of_its_own_keeps_it() -> None:
    stated = Unit("", "thousands")
    typed = build_table(table(), stated=stated)
    assert typed is not None
    assert [(c.unit, c.scale) for c in typed.columns[1:]] == [("$", "thousands")] * 2
    named = build_table(table([["Item", "Sales ($ million)", "Costs ($ million)"], *GRID[1:]]), stated=stated)
    assert named is not None
    assert [c.scale for c in named.columns[1:]] == ["millions"] * 2
    shares = build_table(
        table([["Item", "2019", "Per share"], ["A", "$618", "$0.39"], ["B", "$12", "$0.90"]]), None, stated
    )
    assert shares is not None
    assert [c.scale for c in shares.columns[1:]] == ["thousands", ""]


def test_a_currency_without_a_scale_is_stated_for_all() -> None:
    own = table()
    assert stated_units([text("All loans are in EUR"), own])[-1] == Unit("EUR")
    assert stated_units([text("Some of the loans are in EUR"), own])[-1] == Unit()


def test_many_statements_in_one_paragraph_take_linear_time() -> None:
    own = table()
    words = "Allowance (EUR) " * 3000
    started = time.process_time()
    assert stated_units([text(words), own])[-1] == Unit()
    assert time.process_time() - started < 1
