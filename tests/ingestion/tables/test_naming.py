"""SQL names from headers of every kind."""

import sqlite3
from pathlib import Path

import duckdb
import pytest
from sqlglot.dialects.mysql import MySQL

from tablerag import TableRAG
from tablerag.ingestion.tables.naming import MAX_CHARS, TakenNames, column_names, sql_name
from tablerag.ingestion.tables.reserved import RESERVED
from tablerag.tools.services import Services

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


def test_every_keyword_of_the_dialect_is_reserved() -> None:
    keywords = {w.casefold() for w in MySQL.Tokenizer.KEYWORDS if w.isidentifier() and w[0] != "_"}
    assert keywords - PLAIN_WORDS <= RESERVED


def test_columns_named_as_a_keyword_of_an_engine_are_stored_and_queried(services: Services, tmp_path: Path) -> None:
    found = duckdb.execute("SELECT keyword_name FROM duckdb_keywords()").fetchall()
    words = sorted({w for (w,) in found} | {w.casefold() for w in MySQL.Tokenizer.KEYWORDS if w.isidentifier()})
    parts = [words[i : i + 150] for i in range(0, len(words), 150)]
    for number, part in enumerate(parts):
        rows = "\n".join([",".join(part), ",".join(str(i) for i in range(len(part))), ",".join("7" * len(part))])
        (tmp_path / f"part{number}.csv").write_text(rows, encoding="utf-8")
    rag = TableRAG.over(services)
    rag.ingest(tmp_path)
    for number, part in enumerate(parts):
        names = column_names(part)
        columns = ", ".join(f"`{name}`" for name in names)
        result = rag.sql(f"SELECT {columns} FROM part{number} WHERE `{names[0]}` = 0 ORDER BY `{names[-1]}`")
        assert result.rows == (tuple(range(len(part))),)


def test_taken_names_are_as_those_of_a_list() -> None:
    names, taken = TakenNames(), list[str]()
    for text in ("Sales", "sales", "Sales 2", "SALES", "sales_2", "x" * 70, "x" * 70, "order", "Sales") * 3:
        assert names.free(text, "file") == names.free(text, "file") == sql_name(text, taken, "file")
        taken.append(names.free(text, "file"))
        names.take(taken[-1])
    assert len({t.casefold() for t in taken}) == 27
