"""Measure guarded queries in MySQL's dialect on the embedded database beside SQLite's own SQL on the same file.

    python -m benchmarks.sql_speed [--rows 1000000] [--rounds 3]

Each query runs as in the product (guard, translation, limited session) and as hand-written SQLite without custom
functions, alternately; the best round counts. Queries without an equivalent in SQLite are listed separately.
"""

import argparse
import random
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path

from tablerag.tools.records import Column, TableSchema
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.guard import guard

TYPES = {"id": "integer", "region": "text", "amount": "integer", "price": "decimal", "day": "date", "at": "datetime"}
DECLARED = "BIGINT, region TEXT COLLATE NOCASE, amount BIGINT, price NUMERIC(12, 2), day DATE, at DATETIME"
PAIRS = {
    "SUM, AVG, MIN, MAX": (
        "SELECT SUM(amount), AVG(price), MIN(day), MAX(price) FROM sales",
        "SELECT SUM(amount), AVG(price), MIN(day), MAX(price) FROM sales",
    ),
    "COUNT DISTINCT": ("SELECT COUNT(DISTINCT amount) FROM sales", "SELECT COUNT(DISTINCT amount) FROM sales"),
    "GROUP BY a text": (
        "SELECT region, SUM(amount) FROM sales GROUP BY region",
        "SELECT region, SUM(amount) FROM sales GROUP BY region",
    ),
    "GROUP BY YEAR()": (
        "SELECT YEAR(day) AS y, SUM(price) FROM sales GROUP BY y",
        "SELECT CAST(strftime('%Y', day) AS INTEGER) AS y, SUM(price) FROM sales GROUP BY y",
    ),
    "GROUP BY month, DATE_FORMAT": (
        "SELECT DATE_FORMAT(at, '%Y-%m') AS m, COUNT(*) FROM sales GROUP BY m",
        "SELECT strftime('%Y-%m', at) AS m, COUNT(*) FROM sales GROUP BY m",
    ),
    "DATE_FORMAT in another order": (
        "SELECT DATE_FORMAT(day, '%d.%m.%Y') AS d, COUNT(*) FROM sales GROUP BY d LIMIT 5",
        "SELECT strftime('%d.%m.%Y', day) AS d, COUNT(*) FROM sales GROUP BY d LIMIT 5",
    ),
    "ROUND": ("SELECT SUM(ROUND(price, 1)) FROM sales", "SELECT SUM(ROUND(price, 1)) FROM sales"),
    "division": ("SELECT SUM(amount / 7) FROM sales", "SELECT SUM(CAST(amount AS REAL) / 7) FROM sales"),
    "DIV": ("SELECT SUM(amount DIV 7) FROM sales", "SELECT SUM(amount / 7) FROM sales"),
    "MOD": (
        "SELECT MOD(amount, 10) AS r, COUNT(*) FROM sales GROUP BY r",
        "SELECT amount % 10 AS r, COUNT(*) FROM sales GROUP BY r",
    ),
    "CASE": (
        "SELECT SUM(CASE WHEN amount > 500 THEN price ELSE 0 END) FROM sales",
        "SELECT SUM(CASE WHEN amount > 500 THEN price ELSE 0 END) FROM sales",
    ),
    "LIKE": (
        "SELECT COUNT(*) FROM sales WHERE region LIKE '%east%'",
        "SELECT COUNT(*) FROM sales WHERE region LIKE '%east%'",
    ),
    "a text with a number": (
        "SELECT COUNT(*) FROM sales WHERE SUBSTRING(region, 8) > 20",
        "SELECT COUNT(*) FROM sales WHERE CAST(substr(region, 8) AS REAL) > 20",
    ),
    "DATEDIFF": (
        "SELECT AVG(DATEDIFF(day, '2020-01-01')) FROM sales",
        "SELECT AVG(julianday(day) - julianday('2020-01-01')) FROM sales",
    ),
    "DATE_ADD of months": (
        "SELECT COUNT(*) FROM sales WHERE DATE_ADD(day, INTERVAL 1 MONTH) > '2022-01-01'",
        "SELECT COUNT(*) FROM sales WHERE date(day, '+1 month') > '2022-01-01'",
    ),
    "CONCAT and LEFT": (
        "SELECT CONCAT(LEFT(region, 3), '-', amount % 3) AS c, COUNT(*) FROM sales GROUP BY c",
        "SELECT substr(region, 1, 3) || '-' || (amount % 3) AS c, COUNT(*) FROM sales GROUP BY c COLLATE NOCASE",
    ),
    "GROUP_CONCAT": (
        "SELECT amount, LENGTH(GROUP_CONCAT(region SEPARATOR ';')) FROM sales GROUP BY amount",
        "SELECT amount, LENGTH(CAST(group_concat(region, ';') AS BLOB)) FROM sales GROUP BY amount",
    ),
    "a window's rank": (
        "SELECT MAX(r) FROM (SELECT RANK() OVER (PARTITION BY region ORDER BY amount) AS r FROM sales) AS t",
        "SELECT MAX(r) FROM (SELECT RANK() OVER (PARTITION BY region ORDER BY amount) AS r FROM sales) AS t",
    ),
    "a running total": (
        "SELECT MAX(s) FROM (SELECT SUM(amount) OVER (ORDER BY id) AS s FROM sales) AS t",
        "SELECT MAX(s) FROM (SELECT SUM(amount) OVER (ORDER BY id) AS s FROM sales) AS t",
    ),
}
ALONE = {
    "STDDEV (beside the sums of squares)": (
        "SELECT STDDEV_SAMP(price) FROM sales",
        "SELECT sqrt((SUM(price * price) - SUM(price) * SUM(price) / COUNT(*)) / (COUNT(*) - 1)) FROM sales",
    ),
    "STDDEV by group (the same)": (
        "SELECT region, STDDEV(price) FROM sales GROUP BY region",
        "SELECT region, sqrt(AVG(price * price) - AVG(price) * AVG(price)) FROM sales GROUP BY region",
    ),
    "REGEXP (beside GLOB)": (
        "SELECT COUNT(*) FROM sales WHERE region REGEXP '^s.*[0-9]$'",
        "SELECT COUNT(*) FROM sales WHERE lower(region) GLOB 's*[0-9]'",
    ),
    "GROUP_CONCAT in an order (beside none)": (
        "SELECT amount, LENGTH(GROUP_CONCAT(region ORDER BY price SEPARATOR ';')) FROM sales GROUP BY amount",
        "SELECT amount, LENGTH(CAST(group_concat(region, ';') AS BLOB)) FROM sales GROUP BY amount",
    ),
    "names of months (beside numbers)": (
        "SELECT DATE_FORMAT(day, '%M') AS m, COUNT(*) FROM sales GROUP BY m",
        "SELECT strftime('%m', day) AS m, COUNT(*) FROM sales GROUP BY m",
    ),
    "MOD of decimals (beside integers)": (
        "SELECT SUM(MOD(price, 0.7)) FROM sales",
        "SELECT SUM(CAST(price * 100 AS INTEGER) % 70) FROM sales",
    ),
}


def fill(path: Path, rows: int) -> None:
    """Write a table with that many rows, the same each time."""
    drawn = random.Random(7)
    regions = [f"{name} {n}" for name in ("North", "South", "East", "Northeast") for n in range(1, 41)]
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"CREATE TABLE sales (_row_id INTEGER PRIMARY KEY, id {DECLARED})")
        cells = (
            (
                *(n, n, drawn.choice(regions), drawn.randrange(1000), drawn.randrange(1_000_000) / 100),
                f"{2018 + n % 7}-{n % 12 + 1:02}-{n % 28 + 1:02}",
                f"{2018 + n % 7}-{n % 12 + 1:02}-{n % 28 + 1:02} {n % 24:02}:{n % 60:02}:00",
            )
            for n in range(rows)
        )
        connection.executemany("INSERT INTO sales VALUES (?, ?, ?, ?, ?, ?, ?)", cells)
        connection.commit()


def best(path: Path, database: Database, schema: TableSchema, mysql: str, sqlite: str, rounds: int):
    """Return the best times of the product and of SQLite alone, in seconds."""
    ours, alone = [], []
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        for _ in range(rounds):
            begun = time.perf_counter()
            database.run(guard(mysql, [schema], row_limit=database.row_limit))
            between = time.perf_counter()
            connection.execute(sqlite).fetchall()
            alone.append(time.perf_counter() - between)
            ours.append(between - begun)
    return min(ours), min(alone)


def main() -> None:
    """Run every pair and print seconds and ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.db"
        fill(path, args.rows)
        database = Database(f"sqlite:///{path}", timeout_s=120, row_limit=1000)
        columns = tuple(Column(name=n, header=n, type=t) for n, t in TYPES.items())
        schema = TableSchema(table_id="t", name="sales", columns=columns, row_count=args.rows, source="sales.csv")
        for title, pairs in (("the same in SQLite", PAIRS), ("without an equivalent in SQLite", ALONE)):
            print(f"{args.rows:,} rows, {title:<32} ours s  SQLite s  ratio")
            for name, (mysql, sqlite) in pairs.items():
                ours, alone = best(path, database, schema, mysql, sqlite, args.rounds)
                print(f"  {name:<44} {ours:7.2f}  {alone:8.2f}  {ours / alone:5.2f}", flush=True)
        database.close()


if __name__ == "__main__":
    main()
