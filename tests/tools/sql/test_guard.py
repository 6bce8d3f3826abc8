"""The guard against a file of statements: what it must refuse, with which words, and what it must let pass."""

import tomllib
from pathlib import Path
from typing import get_args

import pytest
from sqlglot import exp

from tablerag.tools.errors import SqlRejected
from tablerag.tools.records import Column, TableSchema
from tablerag.tools.sql import allowed
from tablerag.tools.sql.copying import copied
from tablerag.tools.sql.guard import GuardedSql, guard
from tests.support.cpu import cpu_seconds
from tests.tools.sql.sql_cases import Case, read_cases

SALES = {
    "region": "text",
    "order": "text",
    "amount": "integer",
    "price": "decimal",
    "day": "date",
    "at": "datetime",
    "paid": "boolean",
    "größe": "decimal",
}
STORES = {"region": "text", "manager": "text"}


def schema(name: str, columns: dict) -> TableSchema:
    described = tuple(Column(name=n, header=n.title(), type=t) for n, t in columns.items())
    return TableSchema(table_id=f"id_{name}", name=name, columns=described, row_count=1, source=f"{name}.csv")


SCHEMAS = [schema("sales", SALES), schema("stores", STORES)]


@pytest.mark.parametrize("case", read_cases("sql_guard.sql", "refuse"), ids=lambda c: c.title)
def test_refuses(case: Case) -> None:
    with pytest.raises(SqlRejected) as caught:
        guard(case.sql, SCHEMAS, row_limit=100)
    message = str(caught.value)
    assert case.expected.casefold() in message.casefold()
    assert "\n" not in message


@pytest.mark.parametrize("case", read_cases("sql_guard.sql", "pass"), ids=lambda c: c.title)
def test_lets_pass_and_bounds(case: Case) -> None:
    guarded = guard(case.sql, SCHEMAS, row_limit=100)
    assert set(guarded.tables) <= {"sales", "stores"}
    assert "LIMIT" in guarded.sql.upper()


def test_passing_the_guard_twice_changes_nothing_more() -> None:
    for case in read_cases("sql_guard.sql", "pass"):
        shown = guard(case.sql, SCHEMAS, row_limit=100).shown
        assert guard(shown, SCHEMAS, row_limit=100).shown == shown, case.title


def parts_of(tree: exp.Expr) -> list[tuple]:
    return [(type(n), n.arg_key, n.index, type(n.parent), n.type, n.meta) for n in tree.walk()]


def test_a_copy_is_that_of_the_parser() -> None:
    for case in read_cases("sql_guard.sql", "pass"):
        query = guard(case.sql, SCHEMAS, row_limit=100).expression
        copy, usual = copied(query), query.copy()
        assert (repr(copy), copy.sql("mysql")) == (repr(usual), usual.sql("mysql")), case.title
        assert parts_of(copy) == parts_of(usual), case.title
        assert not {id(n) for n in copy.walk()} & {id(n) for n in query.walk()}


def test_nobody_else_makes_guarded_sql() -> None:
    honest = guard("SELECT 1", SCHEMAS, row_limit=1)
    with pytest.raises(SqlRejected):
        GuardedSql("SELECT 1", (), honest.expression, honest.stored, ())


@pytest.mark.parametrize(
    "sql",
    ["(" * 5000, "SELECT " + "-" * 15000 + "1", "SELECT " + "NOT " * 4000 + "1", "SELECT 1" + " UNION SELECT 1" * 1200],
    ids=["brackets", "signs", "negations", "unions"],
)
def test_deep_statements_are_refused_and_exhaust_nothing(sql: str) -> None:
    with pytest.raises(SqlRejected):
        guard(sql, SCHEMAS, row_limit=1)


HOSTILE = {
    "round brackets": "(" * 10_000,
    "closed round brackets": "SELECT " + "(" * 10_000 + "1" + ")" * 10_000,
    "square brackets": "SELECT " + "[" * 10_000 + "1" + "]" * 10_000,
    "braces": "SELECT " + "{" * 10_000 + "}" * 10_000,
    "brackets of functions": "SELECT " + "ABS(" * 4_900,
    "subqueries": "SELECT * FROM " + "(SELECT * FROM " * 1_300,
    "cases": "SELECT " + "CASE WHEN " * 1_900,
    "text": "a" * 1_000_000,
    "words": "SELECT " + "a " * 500_000,
    "commas": "SELECT 1" + "," * 1_000_000,
    "quotes": "SELECT " + "'" * 1_000_001,
    "backticks": "SELECT " + "`" * 1_000_001,
    "backslashes": "SELECT '" + "\\" * 1_000_000,
    "comments": "SELECT 1 " + "/**/" * 250_000,
    "an open comment": "SELECT 1 /*" + "*" * 1_000_000,
    "line comments": "SELECT 1 " + "-- \n" * 250_000,
    "semicolons": ";" * 1_000_000,
    "spaces": " " * 1_000_000,
    "a text within the limit": "SELECT '" + "a" * 19_000 + "' FROM nothing",
    "a name within the limit": "SELECT `" + "a" * 19_000 + "` FROM sales",
    "a table within the limit": "SELECT 1 FROM `" + "a" * 19_000 + "`",
    "commas within the limit": "SELECT 1 FROM sales WHERE amount IN (" + "," * 19_000 + ")",
    "quotes within the limit": "SELECT " + "'" * 19_001,
    "comments within the limit": "SELECT " + "/**/" * 4_900,
    "semicolons within the limit": "SELECT 1" + ";" * 19_000 + "SELECT 2",
    "dots": "SELECT " + "a." * 9_000 + "a",
}


@pytest.mark.parametrize("sql", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_are_refused_fast_and_in_few_words(sql: str) -> None:
    least = 1.0
    for _ in range(3):
        begun = cpu_seconds()
        with pytest.raises(SqlRejected) as caught:
            guard(sql, SCHEMAS, row_limit=1)
        least = min(least, cpu_seconds() - begun)
    assert least < 0.1
    assert len(str(caught.value)) < 400 and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("literal", "message"),
    [
        (f"'{'a' * 2_001}'", "value too long: 2,001 characters, at most 2,000"),
        ("9" * 2_001, "value too long: 2,001 characters, at most 2,000"),
        ("1e999", "number 1e999 is out of range"),
    ],
)
def test_long_and_infinite_literals_are_refused(literal: str, message: str) -> None:
    with pytest.raises(SqlRejected, match=message):
        guard(f"SELECT INSTR(region, {literal}) AS a FROM sales", SCHEMAS, row_limit=1)
    assert guard("SELECT 1e", SCHEMAS, row_limit=1)  # left to the database
    assert guard(f"SELECT INSTR(region, '{'a' * 2_000}') AS a FROM sales", SCHEMAS, row_limit=1)


def test_every_case_has_a_title_of_its_own_and_every_refusal_a_reason() -> None:
    cases = read_cases("sql_guard.sql", "refuse", "pass")
    assert len({c.title for c in cases}) == len({c.sql for c in cases}) == len(cases) >= 420
    assert all(c.expected for c in cases if c.kind == "refuse")


def test_functions_are_listed_once_with_a_known_kind() -> None:
    lists = tomllib.loads(Path(allowed.__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    assert not {*lists["functions"].split(), *lists["names"].split()} & {*allowed.KINDS}
    assert {*allowed.KINDS.values()} <= {*get_args(allowed.Kind)}
    assert {name for name in allowed.KINDS if not name.isupper() and not hasattr(exp, name)} == set()


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT region, MAX(amount) AS m FROM sales GROUP BY region HAVING MAX(amuont) > 3",
        "SELECT region, MAX(amount) AS m FROM sales GROUP BY region HAVING amuont > 3",
        "SELECT region FROM sales ORDER BY amuont",
        "SELECT x.region FROM (SELECT region FROM sales GROUP BY region HAVING SUM(amuont) > 1) AS x",
    ],
)
def test_an_unknown_column_is_refused_wherever_it_stands(sql: str) -> None:
    with pytest.raises(SqlRejected, match="unknown column 'amuont': did you mean amount"):
        guard(sql, SCHEMAS, row_limit=1)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT region, MAX(amount) AS m FROM sales GROUP BY region HAVING m > 3 ORDER BY M",
        "SELECT region AS r FROM sales UNION SELECT region FROM sales ORDER BY r",
    ],
)
def test_an_alias_may_stand_for_what_it_names(sql: str) -> None:
    assert guard(sql, SCHEMAS, row_limit=1)
