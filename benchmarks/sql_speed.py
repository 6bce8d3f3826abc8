"""Measure guarded queries in MySQL's dialect on the embedded database beside other engines' own SQL.

    python -m benchmarks.sql_speed [--rows 1000000] [--rounds 3] [--server URL]

Each query runs as in the product (guard, translation, a process with limits, Parquet files), and as written by hand for
SQLite and for DuckDB's own tables, alternately; the best round counts. With ``--server``, the URL of an empty database,
it also runs as in the product on a MySQL or MariaDB server.
"""

import argparse
import math
import random
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import duckdb

from tablerag.tools.errors import SqlFailed
from tablerag.tools.records import Column, ColumnType, TableSchema
from tablerag.tools.sql.backends.tables import StoredColumn
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.guard import guard

TYPES: dict[str, ColumnType] = {
    "id": "integer",
    "region": "text",
    "amount": "integer",
    "price": "decimal",
    "day": "date",
    "sold": "datetime",
}
DECLARED = "id BIGINT, region TEXT{}, amount BIGINT, price NUMERIC(12, 2), day DATE, sold {}"
BATCH = 50_000
QUERIES = {
    "SUM, AVG, MIN, MAX": ("SELECT SUM(amount), AVG(price), MIN(day), MAX(price) FROM sales", "", ""),
    "COUNT DISTINCT": ("SELECT COUNT(DISTINCT amount) FROM sales", "", ""),
    "GROUP BY a text": ("SELECT region, SUM(amount) FROM sales GROUP BY region", "", ""),
    "GROUP BY YEAR()": (
        "SELECT YEAR(day) AS y, SUM(price) FROM sales GROUP BY y",
        "SELECT CAST(strftime('%Y', day) AS INTEGER) AS y, SUM(price) FROM sales GROUP BY y",
        "",
    ),
    "GROUP BY month, DATE_FORMAT": (
        "SELECT DATE_FORMAT(sold, '%Y-%m') AS m, COUNT(*) FROM sales GROUP BY m",
        "SELECT strftime('%Y-%m', sold) AS m, COUNT(*) FROM sales GROUP BY m",
        "SELECT strftime(sold, '%Y-%m') AS m, COUNT(*) FROM sales GROUP BY m",
    ),
    "ROUND": ("SELECT SUM(ROUND(price, 1)) FROM sales", "", ""),
    "division": ("SELECT SUM(amount / 7) FROM sales", "SELECT SUM(CAST(amount AS REAL) / 7) FROM sales", ""),
    "CASE": ("SELECT SUM(CASE WHEN amount > 500 THEN price ELSE 0 END) FROM sales", "", ""),
    "a filter on a text": ("SELECT COUNT(*), SUM(price) FROM sales WHERE region = 'north 7'", "", ""),
    "LIKE": (
        "SELECT COUNT(*) FROM sales WHERE region LIKE '%east%'",
        "",
        "SELECT COUNT(*) FROM sales WHERE region ILIKE '%east%'",
    ),
    "REGEXP": (
        "SELECT COUNT(*) FROM sales WHERE region REGEXP '^s.*[0-9]$'",
        "SELECT COUNT(*) FROM sales WHERE lower(region) GLOB 's*[0-9]'",
        "SELECT COUNT(*) FROM sales WHERE regexp_matches(region, '^s.*[0-9]$', 'i')",
    ),
    "DATEDIFF": (
        "SELECT AVG(DATEDIFF(day, '2020-01-01')) FROM sales",
        "SELECT AVG(julianday(day) - julianday('2020-01-01')) FROM sales",
        "SELECT AVG(datediff('day', DATE '2020-01-01', day)) FROM sales",
    ),
    "DATE_ADD of months": (
        "SELECT COUNT(*) FROM sales WHERE DATE_ADD(day, INTERVAL 1 MONTH) > '2022-01-01'",
        "SELECT COUNT(*) FROM sales WHERE date(day, '+1 month') > '2022-01-01'",
        "SELECT COUNT(*) FROM sales WHERE day + INTERVAL 1 MONTH > DATE '2022-01-01'",
    ),
    "STDDEV by group": (
        "SELECT region, STDDEV(price) FROM sales GROUP BY region",
        "SELECT region, sqrt(AVG(price * price) - AVG(price) * AVG(price)) FROM sales GROUP BY region",
        "SELECT region, stddev_pop(price) FROM sales GROUP BY region",
    ),
    "a window's rank": (
        "SELECT MAX(r) FROM (SELECT RANK() OVER (PARTITION BY region ORDER BY amount) AS r FROM sales) AS t",
        "",
        "",
    ),
    "a running total": ("SELECT MAX(s) FROM (SELECT SUM(amount) OVER (ORDER BY id) AS s FROM sales) AS t", "", ""),
    "a join with itself": (
        "SELECT COUNT(*), SUM(b.price) FROM sales AS a JOIN sales AS b ON b.id = a.id + 1 WHERE a.amount > 500",
        "",
        "",
    ),
}
"""In MySQL's dialect, SQLite's and DuckDB's; empty where it is the same."""


def batches(rows: int) -> Iterator[list[list[Any]]]:
    """Yield the values by column, the same each time."""
    drawn = random.Random(7)
    regions = [f"{name} {n}" for name in ("North", "South", "East", "Northeast") for n in range(1, 41)]
    for first in range(0, rows, BATCH):
        numbers = range(first, min(first + BATCH, rows))
        days = [f"{2018 + n % 7}-{n % 12 + 1:02}-{n % 28 + 1:02}" for n in numbers]
        yield [
            list(numbers),
            list(numbers),
            [drawn.choice(regions) for _ in numbers],
            [drawn.randrange(1000) for _ in numbers],
            [drawn.randrange(1_000_000) / 100 for _ in numbers],
            days,
            [f"{d} {n % 24:02}:{n % 60:02}:00" for d, n in zip(days, numbers, strict=True)],
        ]


def product(url: str, rows: int, stack: ExitStack) -> Callable[[str], object]:
    """Return what runs a query as the product does."""
    database = stack.enter_context(closing(Database(url, timeout_s=600, row_limit=1000)))
    described = [StoredColumn(n, t, (10, 2), longest=20, microseconds=False) for n, t in TYPES.items()]
    database.engine.connect().close()
    database.tables.write("sales", [StoredColumn("_row_id", "integer", is_key=True), *described], batches(rows))
    columns = tuple(Column(name=n, header=n, type=t) for n, t in TYPES.items())
    schema = TableSchema(table_id="t", name="sales", columns=columns, row_count=rows, source="sales.csv")
    return lambda sql: database.run(guard(sql, [schema], row_limit=1000))


def sqlite_alone(path: Path, rows: int, stack: ExitStack) -> Callable[[str], object]:
    """Return what runs a query on SQLite alone."""
    connection = stack.enter_context(closing(sqlite3.connect(path)))
    connection.execute(
        f"CREATE TABLE sales (_row_id INTEGER PRIMARY KEY, {DECLARED.format(' COLLATE NOCASE', 'DATETIME')})"
    )
    for batch in batches(rows):
        connection.executemany("INSERT INTO sales VALUES (?, ?, ?, ?, ?, ?, ?)", zip(*batch, strict=True))
    connection.commit()
    return lambda sql: connection.execute(sql).fetchall()


def duckdb_alone(path: Path, parquet: Path, stack: ExitStack) -> Callable[[str], object]:
    """Return what runs a query on DuckDB's own tables."""
    connection = stack.enter_context(duckdb.connect(str(path)))
    connection.execute("SET default_collation = 'NOCASE.NOACCENT'")
    connection.execute(f"CREATE TABLE sales (_row_id BIGINT, {DECLARED.format('', 'TIMESTAMP')})")
    connection.execute("INSERT INTO sales SELECT * FROM read_parquet(?)", [str(parquet)])
    connection.execute("CHECKPOINT")
    return lambda sql: connection.execute(sql).fetchall()


def timed(run: Callable[[str], object], sql: str) -> float:
    """Return the seconds that a query takes; not a number if it needs more memory than it may have."""
    begun = time.perf_counter()
    try:
        run(sql)
    except SqlFailed:
        return math.nan
    return time.perf_counter() - begun


def main() -> None:
    """Run every query and print seconds and ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--server", default="", help="URL of an empty database of a MySQL or MariaDB server")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        engines = [
            ("ours", product(f"sqlite:///{folder / 't.db'}", args.rows, stack), 0),
            ("SQLite", sqlite_alone(folder / "alone.db", args.rows, stack), 1),
            ("DuckDB", duckdb_alone(folder / "alone.duckdb", folder / "t.parquet" / "sales.parquet", stack), 2),
        ]
        if args.server:
            engines.append(("server", product(args.server, args.rows, stack), 0))
        print(
            f"{args.rows:,} rows, milliseconds{'':<22}"
            + "".join(f"{n:>9}" for n, *_ in engines)
            + "   / SQLite / DuckDB"
        )
        for title, query in QUERIES.items():
            taken = [1000 * min(timed(run, query[i] or query[0]) for _ in range(args.rounds)) for _, run, i in engines]
            ratios = f"{taken[0] / taken[1]:11.3f} {taken[0] / taken[2]:8.1f}"
            print(f"  {title:<44}" + "".join(f"{ms:9.1f}" for ms in taken) + ratios, flush=True)


if __name__ == "__main__":
    main()
