"""Statements that are too large are refused with the limit that they exceed."""

from collections.abc import Callable

import pytest

from tablerag.tools.errors import SqlRejected
from tablerag.tools.sql.guard import guard
from tests.tools.sql.test_guard import SCHEMAS

Grown = Callable[[int], str]


def repeated(before: str, part: str, after: str = "", between: str = "") -> Grown:
    """Return a construct with ``part`` n times; ``{i}`` and ``{j}`` in it are its number and the one before."""
    numbered = "{i}" in part or "{j}" in part

    def grown(n: int) -> str:
        parts = (part.replace("{i}", str(i)).replace("{j}", str(i - 1)) if numbered else part for i in range(1, n + 1))
        return before + between.join(parts) + after.replace("{n}", str(n))

    return grown


def nested(before: str, opened: str, inner: str, closed: str, after: str = "") -> Grown:
    return lambda n: before + opened * n + inner + closed * n + after


JOINED = {
    "without ON": " JOIN sales s{i}",
    "LEFT without ON": " LEFT JOIN sales s{i}",
    "STRAIGHT_JOIN": " STRAIGHT_JOIN sales s{i}",
    "with ON": " JOIN sales s{i} ON s{i}.amount = s{j}.amount",
    "with USING": " JOIN sales s{i} USING (region)",
    "CROSS": " CROSS JOIN sales s{i}",
    "commas": ", sales s{i}",
    "derived tables": " JOIN (SELECT region AS r FROM sales) s{i} ON s{i}.r = s0.region",
    "derived tables without ON": " JOIN (SELECT region AS r FROM sales) s{i}",
}
CALLED = ("ABS(", "DATE(", "CHAR(", "YEAR(", "BINARY(", "TIMESTAMP(", "STRUCT(", "UNION(", "`DATE`(", "ENUM(")
CALLED += ("DATE(ABS(", "COALESCE(amount, ", "IF(amount > 1, ", "CONCAT(region, ", "SUM(", "EXISTS(", "FOO(", "1 + (")
TAILS = {"DATE(ABS(": "))", "IF(amount > 1, ": ", 1)"}
CONDITIONS = (" AND amount = 1", " OR amount = 1", " AND amount = 1 OR price > 2", " OR region LIKE '%a%'", " XOR 1")
CONDITIONS += (" AND amount BETWEEN 1 AND 2", " AND amount NOT IN (1)", "+amount", "/price", " = 1", " IS NULL", "||1")
SETS = ("UNION", "UNION ALL", "EXCEPT", "INTERSECT", "UNION SELECT 1 INTERSECT")
CHAIN = "WITH c0 AS (SELECT amount AS a FROM sales)"
CHAINED = {
    "read once": "SELECT a FROM c{j}",
    "read twice": "SELECT x.a FROM c{j} x JOIN c{j} y ON x.a = y.a",
    "stars": "SELECT x.* FROM c{j} x, c{j} y",
    "unions": "SELECT a FROM c{j} UNION ALL SELECT a FROM c{j}",
    "values": "SELECT (SELECT MAX(a) FROM c{j}) + (SELECT MIN(a) FROM c{j}) AS a",
    "alone": "SELECT 1 AS a",
}
QUERIES = {
    "derived": ("SELECT a FROM (", "SELECT 1 AS a", ") AS t"),
    "stars": ("SELECT * FROM (", "SELECT * FROM sales", ") AS t"),
    "values": ("SELECT 1 + (", "SELECT 1", ")"),
    "IN": ("SELECT amount FROM sales WHERE amount IN (", "SELECT 1", ")"),
    "EXISTS": ("SELECT 1 FROM sales WHERE EXISTS (", "SELECT 1", ")"),
    "WITH": ("WITH c AS (", "SELECT 1 AS a", ") SELECT a FROM c"),
    "UNION": ("SELECT 1 UNION (", "SELECT 1", ")"),
    "joins": ("SELECT t.a FROM sales s JOIN (", "SELECT 1 AS a", ") t JOIN sales u"),
}
LISTED = ("1", "'a'", "-1", "region", "(1)", "amount + 1")
TEXTS = ("a", "''", "\\\\", "%Y", "(a|", "%a", "1-", "é", "\\n")
FROM = " FROM sales"
CONSTRUCTS: dict[str, Grown] = {
    **{f"joins {k}": repeated("SELECT COUNT(*) FROM sales s0", v) for k, v in JOINED.items()},
    "joins and stars": repeated("SELECT * FROM sales s0", " JOIN sales s{i} USING (region)"),
    "joins with ON at the end": lambda n: "SELECT 1 FROM sales s" + " JOIN sales" * n + " ON 1 = 1" * n,
    "joins in parentheses": nested("SELECT 1 FROM ", "(", "sales s", " JOIN stores ON 1 = 1)"),
    **{f"functions {f}": nested("SELECT ", f, "amount", TAILS.get(f, ")"), FROM) for f in CALLED},
    **{f"open functions {f}": repeated("SELECT ", f) for f in CALLED},
    **{f"conditions {c}": repeated("SELECT 1 FROM sales WHERE amount", c) for c in CONDITIONS},
    **{f"set operations {s}": repeated("SELECT 1", f" {s} SELECT 1") for s in SETS},
    **{f"WITH {k}": repeated(CHAIN, f", c{{i}} AS ({v})", " SELECT a FROM c{n}") for k, v in CHAINED.items()},
    **{f"queries {k}": nested("", o, i, c) for k, (o, i, c) in QUERIES.items()},
    **{f"IN {v}": repeated("SELECT 1 FROM sales WHERE amount IN (", v, ")", ", ") for v in LISTED},
    "IN of rows": repeated("SELECT 1 FROM sales WHERE (amount, price) IN (", "(1, 2)", ")", ", "),
    "CASE": repeated("SELECT CASE", " WHEN amount = {i} THEN 1", " END FROM sales"),
    "CASE in ELSE": nested("SELECT ", "CASE WHEN amount THEN 1 ELSE ", "2", " END", FROM),
    "CASE in WHEN": nested("SELECT ", "CASE WHEN ", "1", " THEN 1 END"),
    "parentheses": nested("SELECT ", "(", "1", ")"),
    "wide parentheses": repeated("SELECT ", "(((1)))", "", ", "),
    "open parentheses": repeated("SELECT ", "("),
    "columns": repeated("SELECT ", "amount", FROM, ", "),
    "aggregates": repeated("SELECT ", "SUM(amount)", FROM, ", "),
    "stars": repeated("SELECT ", "*", FROM, ", "),
    "subqueries": repeated("SELECT ", "(SELECT MAX(amount) FROM sales)", "", ", "),
    "groups": repeated("SELECT COUNT(*) FROM sales GROUP BY ", "amount + {i}", "", ", "),
    "orders": repeated("SELECT amount + 1 AS a FROM sales ORDER BY ", "a", "", ", "),
    "windows": repeated("SELECT ", "SUM(amount) OVER (PARTITION BY region ORDER BY day)", FROM, ", "),
    "aliases of aliases": repeated("SELECT 1 AS a0", ", a{j} + a{j} AS a{i}", FROM),
    "a name": repeated("SELECT `", "a", "` FROM sales"),
    "an alias": repeated("SELECT amount AS ", "a", FROM),
    "a function's name": repeated("SELECT ", "A_", "(1)"),
    "a number": repeated("SELECT ", "1"),
    "a LIMIT": repeated("SELECT amount FROM sales LIMIT ", "1"),
    "an ORDER BY number": repeated("SELECT amount FROM sales ORDER BY ", "1"),
    "a size of a type": repeated("SELECT CAST(1 AS DECIMAL(", "1", "))"),
    **{f"a text {t}": repeated("SELECT 1 FROM sales WHERE region = '", t, "'") for t in TEXTS},
    "texts side by side": repeated("SELECT ", "'a' "),
    **{f"signs {s}": repeated("SELECT ", s, "amount FROM sales") for s in ("- ", "NOT ", "~", "!", "+ ", "BINARY ")},
    **{f"comments {c}": repeated("SELECT 1 ", c) for c in ("/* a */", "-- a\n", "# a\n", "/*! + 1 */", "/* ")},
    **{f"an open {q}": repeated(f"SELECT {q}", "a") for q in ("'", '"', "`", "/*")},
    "dots": repeated("SELECT ", "a.", "a"),
    "arrows": repeated("SELECT ", "x -> ", "x"),
    "words": repeated("SELECT ", "a "),
}


@pytest.mark.parametrize(
    ("name", "n", "limit"),
    [
        ("joins without ON", 20, "too many JOINs without ON: 20, at most 6"),
        ("joins with ON", 41, "41 joins, at most 40"),
        ("functions DATE(", 6, "nested too deeply: more than 5 such as DATE"),
        ("parentheses", 41, "41 levels of parentheses, at most 40"),
        ("IN 1", 501, "list of IN too long: at most 500 values"),
        ("CASE", 101, "101 WHENs, at most 100"),
        ("WITH alone", 30, "31 queries in WITH, at most 30"),
        ("set operations UNION", 31, "31 UNION, EXCEPT and INTERSECT, at most 30"),
        ("queries values", 40, "41 queries, at most 40"),
        ("columns", 1001, "names, values and operators, at most 1000"),
        ("stars", 200, "too many columns: 1600 in all queries, at most 1000"),
        ("conditions  OR amount = 1", 400, "operators and keywords, at most 600"),
    ],
)
def test_each_limit_is_named(name: str, n: int, limit: str) -> None:
    with pytest.raises(SqlRejected) as caught:
        guard(CONSTRUCTS[name](n), SCHEMAS, row_limit=1)
    assert limit in str(caught.value)


def test_statements_that_analysts_write_are_within_the_limits() -> None:
    for name, n in {"joins with ON": 12, "IN 1": 500, "CASE": 60, "WITH read once": 20, "columns": 400}.items():
        assert guard(CONSTRUCTS[name](n), SCHEMAS, row_limit=1), name
    for name, n in {"joins without ON": 6, "functions DATE(": 5, "set operations UNION ALL": 29}.items():
        assert guard(CONSTRUCTS[name](n), SCHEMAS, row_limit=1), name
