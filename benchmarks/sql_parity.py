"""Compare the embedded database with a MySQL-compatible server, statement by statement.

    python -m benchmarks.sql_parity --folder DIR [--all]

DIR holds CSV files and ``statements.sql``: statements that end with a semicolon, each after a line ``-- title``. The
files are ingested on both, as in the product, and every statement runs on both. Printed are those that do not give the
same, with both results, and a table of counts. A private server is started; ``--server`` names an empty database of
another one. Rows are compared in their order if the statement has one.
"""

import argparse
import math
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Literal, NamedTuple

from tablerag import TableRAG
from tablerag.tools.errors import SqlFailed, SqlRejected
from tablerag.tools.sql.guard import guard
from tests.support.mysql_server import running_server

__all__ = ["Outcome", "compared", "statements_of"]

Verdict = Literal["same", "same but digits", "differ", "refused by both", "refused by one"]
VERDICTS: tuple[Verdict, ...] = ("same", "same but digits", "differ", "refused by both", "refused by one")
DIGITS = 1e-9
"""Relative difference of numbers that are the same, as one engine calculates with decimals and the other does not."""
SHOWN_ROWS = 3
SHOWN = 400


class Outcome(NamedTuple):
    """What one engine returns for a statement."""

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    error: str = ""
    ordered: bool = False


def statements_of(text: str) -> Iterator[tuple[str, str]]:
    """Yield the title and the text of each statement."""
    parts = re.split(r"^--\s*(.*)$", text, flags=re.MULTILINE)
    for title, sql in zip(parts[1::2], parts[2::2], strict=True):
        if sql.strip():
            yield title.strip(), sql.strip().removesuffix(";")


def compared(one: Outcome, other: Outcome) -> Verdict:
    """Return how two engines' outcomes compare."""
    if one.error or other.error:
        return "refused by both" if one.error and other.error else "refused by one"
    if len(one.rows) != len(other.rows) or len(one.columns) != len(other.columns):
        return "differ"
    sides = [o.rows if o.ordered else sorted(o.rows, key=_sort_key) for o in (one, other)]
    pairs = [(a, b) for row, twin in zip(*sides, strict=True) for a, b in zip(row, twin, strict=True)]
    if not all(_close(a, b) for a, b in pairs):
        return "differ"
    return "same" if all(a == b for a, b in pairs) else "same but digits"


def _close(one: Any, other: Any) -> bool:
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=DIGITS, abs_tol=DIGITS)
    return bool(one == other)


def _sort_key(row: Sequence[Any]) -> str:
    """Return what rows without an order are sorted by: numbers to a few digits, as their last ones may differ."""
    return repr([f"{float(v):.6g}" if isinstance(v, int | float) else v for v in row])


class Engine:
    """One database with the files of a folder."""

    def __init__(self, home: Path, folder: Path, url: str = "") -> None:
        self.rag = TableRAG(home, database_url=url, model="offline")
        report = self.rag.ingest(sorted(folder.glob("*.csv")))
        print(f"{'server' if url else 'embedded'}: {report.counts}", flush=True)
        self.schemas = self.rag.tables()
        self.slowest = 0.0

    def outcome(self, sql: str) -> Outcome:
        """Run a statement as the product does."""
        database = self.rag.services.database
        begun = time.perf_counter()
        try:
            guarded = guard(sql, self.schemas, row_limit=database.row_limit)
            result = database.run(guarded)
        except (SqlRejected, SqlFailed) as error:
            return Outcome(error=f"{type(error).__name__}: {error}")
        finally:
            self.slowest = max(self.slowest, time.perf_counter() - begun)
        return Outcome(result.columns, result.rows, ordered=bool(guarded.expression.args.get("order")))


def _shown(outcome: Outcome) -> str:
    if outcome.error:
        return outcome.error
    rows = ", ".join(map(str, outcome.rows[:SHOWN_ROWS]))
    return f"{len(outcome.rows)} rows: {rows}"[:SHOWN]


def _first_apart(one: Outcome, other: Outcome) -> str:
    """Return the first rows that differ."""
    sides = [o.rows if o.ordered else sorted(o.rows, key=_sort_key) for o in (one, other)]
    for i, (row, twin) in enumerate(zip(*sides, strict=False)):
        if not (len(row) == len(twin) and all(map(_close, row, twin))):
            return f"  row {i}: {row} <> {twin}"[: 2 * SHOWN]
    return ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--server", default="", help="URL of an empty database; default: a private server")
    parser.add_argument("--all", action="store_true", help="also print what is the same")
    options = parser.parse_args()
    statements = list(statements_of((options.folder / "statements.sql").read_text(encoding="utf-8")))
    counts: Counter[Verdict] = Counter()
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = options.server or stack.enter_context(stack.enter_context(running_server()).fresh_database())
        engines = [Engine(home / "embedded", options.folder), Engine(home / "server", options.folder, url)]
        for engine in engines:
            stack.callback(engine.rag.close)
        for title, sql in statements:
            ours, theirs = (engine.outcome(sql) for engine in engines)
            verdict = compared(ours, theirs)
            counts[verdict] += 1
            if verdict != "same" or options.all:
                apart = _first_apart(ours, theirs) if verdict == "differ" else ""
                told = (
                    "",
                    f"  embedded: {_shown(ours)}",
                    f"  server:   {_shown(theirs)}",
                    f"  {apart}" if apart else "",
                )
                print(f"{verdict}: {title}\n  {' '.join(sql.split())}", *filter(None, told), sep="\n", flush=True)
        print(f"slowest statement: embedded {engines[0].slowest:.2f} s, server {engines[1].slowest:.2f} s")
    for verdict in VERDICTS:
        print(f"{counts[verdict]:4} {verdict}")
    print(f"{len(statements):4} statements")
    sys.exit(1 if counts["differ"] or counts["refused by one"] else 0)


if __name__ == "__main__":
    main()
