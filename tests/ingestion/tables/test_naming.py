"""SQL names from headers of every kind."""

import sqlite3

import pytest
from sqlglot.dialects.mysql import MySQL
from sqlglot.dialects.sqlite import SQLite

from tablerag.ingestion.tables.naming import MAX_CHARS, column_names, sql_name
from tablerag.ingestion.tables.reserved import RESERVED

PLAIN_WORDS = {"name", "type", "date", "year", "month", "day", "time", "value", "status", "number"}
"""Keywords that every engine accepts as quoted names and that readers expect."""


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("Unit Price", "unit_price"),
        ("unitPrice", "unit_price"),
        ("Revenue (EUR)", "revenue_eur"),
        ("% of total", "pct_of_total"),
        ("#", "no"),
        ("2019", "n_2019"),
        ("2019 > Q1 > Revenue", "n_2019_q1_revenue"),
        ("select", "select_value"),
        ("Order", "order"),
        ("name", "name"),
        ("Größe", "größe"),
        ("销售额", "销售额"),
        ("🚀", "fallback"),
        ("  ", "fallback"),
        ("a`b; DROP TABLE x --", "a_b_drop_table_x"),
        ("../../etc/passwd", "etc_passwd"),
        ("x" * 300, "x" * MAX_CHARS),
    ],
)
def test_names(header: str, name: str) -> None:
    assert sql_name(header, [], "fallback") == name


def test_names_are_unique_in_any_case() -> None:
    assert column_names(["A", "a", "A ", "", "_row_id"]) == ["a", "a_2", "a_3", "column_4", "row_id"]
    long = column_names(["y" * 80, "y" * 90])
    assert len(set(long)) == 2 and max(map(len, long)) <= MAX_CHARS


def test_engines_take_every_name() -> None:
    headers = ["select", "größe", "销售额", "2019", "a b", "%", "x" * 300, "", "ORDER"]
    with sqlite3.connect(":memory:") as connection:
        connection.execute(f"CREATE TABLE t ({', '.join(f'`{n}` TEXT' for n in column_names(headers))})")
    connection.close()


def test_every_keyword_of_the_dialects_is_reserved() -> None:
    keywords = {w.casefold() for w in (*MySQL.Tokenizer.KEYWORDS, *SQLite.Tokenizer.KEYWORDS)}
    assert {w for w in keywords if w.isidentifier() and w[0] != "_"} - PLAIN_WORDS == RESERVED
