"""Measure what receipts add to statements over a large table on the embedded database.

    python -m benchmarks.receipts [--rows 1000000] [--rounds 2]

Each statement runs with its receipt and supporting rows, as in the product; the ratio is that of the whole to the
statement's own time in the same run, in the round in which it is best.
"""

import argparse
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from benchmarks.sql_speed import TYPES, batches
from tablerag.tools.evidence import run_sql
from tablerag.tools.records import Column, SqlResult, TableSchema
from tablerag.tools.services import Services
from tablerag.tools.sql.backends.tables import StoredColumn
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.guard import GuardedSql

STATEMENTS = {
    "one row by its id": "SELECT amount FROM sales WHERE id = 777",
    "a filter, few rows": "SELECT amount, price FROM sales WHERE region = 'North 7' AND amount = 5",
    "a filter, half of the rows": "SELECT SUM(price) FROM sales WHERE amount > 500",
    "the total": "SELECT SUM(price) FROM sales",
    "groups": "SELECT region, SUM(amount) FROM sales GROUP BY region",
    "groups of a filter": "SELECT region, SUM(amount) FROM sales WHERE YEAR(day) = 2020 GROUP BY region",
    "a join with a small table": (
        "SELECT a.manager, SUM(s.price) FROM sales s JOIN areas a ON s.region = a.region GROUP BY a.manager"
    ),
    "a join of two large tables": (
        "SELECT s.region, SUM(p.paid) FROM sales s JOIN payments p ON s.id = p.sale GROUP BY s.region"
    ),
    "the same with a filter": (
        "SELECT SUM(p.paid) FROM sales s JOIN payments p ON s.id = p.sale WHERE s.amount < 100 AND p.paid > 50"
    ),
}


class Timed(Database):
    """A database that notes how long the last statement took."""

    took_s = 0.0

    def run(self, guarded: GuardedSql) -> SqlResult:
        begun = time.perf_counter()
        try:
            return super().run(guarded)
        finally:
            self.took_s = max(self.took_s, time.perf_counter() - begun)


def _schema(name: str, types: dict[str, Any], rows: int) -> TableSchema:
    columns = tuple(Column(name=n, header=n, type=t) for n, t in types.items())
    return TableSchema(table_id=name, name=name, columns=columns, row_count=rows, source=f"{name}.csv")


def filled(database: Database, rows: int) -> list[TableSchema]:
    """Write a large table, one as large that refers to it, and a small one."""
    database.engine.connect().close()
    key = StoredColumn("_row_id", "integer", is_key=True)
    sales = [StoredColumn(n, t, (10, 2), microseconds=False) for n, t in TYPES.items()]
    database.tables.write("sales", [key, *sales], batches(rows))
    regions = [f"{name} {n}" for name in ("North", "South", "East", "Northeast") for n in range(1, 41)]
    areas = [range(len(regions)), regions, [f"manager {i % 9}" for i in range(len(regions))]]
    database.tables.write("areas", [key, StoredColumn("region", "text"), StoredColumn("manager", "text")], [areas])
    paid = [range(rows), [(i * 7919) % rows for i in range(rows)], [i % 100 for i in range(rows)]]
    database.tables.write("payments", [key, StoredColumn("sale", "integer"), StoredColumn("paid", "integer")], [paid])
    return [
        _schema("sales", TYPES, rows),
        _schema("areas", {"region": "text", "manager": "text"}, len(regions)),
        _schema("payments", {"sale": "integer", "paid": "integer"}, rows),
    ]


def main() -> None:
    """Run every statement with its receipt, and print seconds and ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=2)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        database = Timed(f"sqlite:///{Path(folder) / 't.db'}", timeout_s=60, row_limit=1000)
        schemas = filled(database, args.rows)
        linker = SimpleNamespace(held=lambda *_: None)
        about = SimpleNamespace(database=database, settings=SimpleNamespace(row_limit=1000), value_linker=linker)
        services = cast(Services, about)
        print(f"{args.rows:,} rows                   statement s  in all s  ratio")
        for name, sql in STATEMENTS.items():
            times, receipt = [], None
            for _ in range(args.rounds):
                database.took_s, begun = 0.0, time.perf_counter()
                receipt = run_sql(services, sql, schemas)[0].receipt
                times.append((time.perf_counter() - begun, database.took_s))
            both, alone = min(times, key=lambda t: t[0] / t[1])
            rows = receipt.rows if receipt else ()
            told = ", ".join(f"{r.table}: {r.row_count if r.row_count is not None else r.untold}" for r in rows)
            print(f"  {name:<28} {alone:7.2f} {both:7.2f} {both / alone:6.2f}  {told}", flush=True)
        database.close()


if __name__ == "__main__":
    main()
