"""Fuzz the SQL guard with random statements: python -m benchmarks.sql_fuzz --executions 100000

Each statement is built by a grammar from real pieces, or is one of a case file with pieces inserted, removed or
exchanged. The guard must reject it with SqlRejected, or return SQL that runs on the embedded database without changing
a byte of it, writing a file or reading a table that was not offered. Anything else is a crash. If atheris is installed
(the extra ``fuzz``), it is guided by code coverage; --plain draws at random. With --grown, parts of statements are
repeated or nested up to the longest text that the guard reads; it must judge each in SLOW_S of CPU time.
"""

import argparse
import hashlib
import os
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import lru_cache
from pathlib import Path
from types import FunctionType

from tablerag.tools.errors import SqlFailed, SqlRejected
from tablerag.tools.records import Column, ColumnType, TableSchema
from tablerag.tools.sql.backends.tables import StoredColumn
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.guard import guard
from tablerag.tools.sql.text_limits import MAX_CHARS
from tablerag.tools.sql.transpiler import NotRewritable

__all__ = ["SLOW_S", "Oracle", "Pick", "fill", "grown", "judged_s", "pieces_of", "schemas", "statement"]

Pick = Callable[[int], int]
"""Returns a number from 0 to below its argument; the only source of randomness."""
COLUMNS: dict[str, ColumnType] = {
    "region": "text",
    "order": "text",
    "amount": "integer",
    "price": "decimal",
    "day": "date",
    "paid": "boolean",
}
SALES = [("North", "a-1", 10, 2.5, date(2024, 1, 31), True), ("it's", "b", None, -1.25, None, False)]
STORES = [("North", "Ada"), ("West", None)]
SECRET = "a secret that was never offered"
CASES = Path(__file__).resolve().parent.parent / "tests" / "cases" / "sql_guard.sql"
MOST_STEPS = 60
SLOW_S = 0.1
"""CPU seconds that the guard may take; a statement that took more is tried again, as a machine may be busy."""
TRIES = 3
SLOWEST = 3
PROGRESS = 10_000

PIECES = Path(__file__).with_name("sql_fuzz_pieces.txt")
HOSTILE = "! "
PLACE = re.compile(r"\{(\w+)\}")


@lru_cache(maxsize=2)
def _grammar(hostile: bool) -> dict[str, list[str]]:
    """Read the pieces by name, hostile ones only on request."""
    grammar: dict[str, list[str]] = {}
    for line in PIECES.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            grammar[line[3:]] = pieces = []
        elif line and not line.startswith("# ") and (hostile or not line.startswith(HOSTILE)):
            pieces.append(line.removeprefix(HOSTILE))
    return grammar


def fill(pick: Pick) -> str:
    """Return a statement from the grammar; once it is long, always take the first choice, which ends it."""
    grammar, steps = _grammar(pick(3) == 0), 0
    made: list[str] = []
    waiting = ["{statement}"]
    while waiting:
        part = waiting.pop()
        place = PLACE.search(part)
        if place is None:
            made.append(part)
            continue
        steps += 1
        choices = grammar[place[1]]
        chosen = choices[pick(len(choices)) if steps < MOST_STEPS else 0]
        waiting += [part[place.end() :], chosen, part[: place.start()]]
    return "".join(made)


def pieces_of(cases: str) -> list[str]:
    """Return the statements of a case file."""
    return [s.strip() for s in re.split(r"^-- (?:refuse|pass): .*$", cases, flags=re.MULTILINE) if s.strip()]


def mutated(pick: Pick, known: Sequence[str]) -> str:
    """Return a known statement with up to four pieces removed, doubled, exchanged or inserted."""
    words = re.findall(r"\s+|\w+|.", known[pick(len(known))], re.DOTALL)
    for _ in range(1 + pick(4)):
        at = pick(max(1, len(words)))
        other = re.findall(r"\s+|\w+|.", known[pick(len(known))], re.DOTALL) or [" "]
        begin = pick(len(other))
        taken = other[begin : begin + 1 + pick(6)]
        words[at : at + pick(3)] = taken
    return "".join(words)


def statement(pick: Pick, known: Sequence[str]) -> str:
    """Return one random statement."""
    return fill(pick) if pick(2) else mutated(pick, known)


def grown(pick: Pick, known: Sequence[str]) -> str:
    """Return a statement with a part repeated, or two parts nested, up to the longest text that the guard reads."""
    words = re.findall(r"\s+|\w+|.", statement(pick, known), re.DOTALL) or ["1"]
    first, *places = sorted(pick(len(words) + 1) for _ in range(4))
    second, third, fourth = places if pick(2) else (places[-1], places[-1], places[-1])
    parts = ["".join(words[a:b]) for a, b in ((first, second), (second, third), (third, fourth))]
    times = 1 + pick(max(1, (MAX_CHARS - len("".join(words))) // max(1, len(parts[0] + parts[2]))))
    middle = parts[0] * times + parts[1] + parts[2] * times
    return "".join([*words[:first], middle, *words[fourth:]])[:MAX_CHARS]


def judged_s(sql: str, shown: Sequence[TableSchema]) -> float:
    """Return the CPU seconds that the guard takes for a statement, which it may refuse."""
    begun = time.process_time()
    with suppress(SqlRejected):
        guard(sql, shown, row_limit=50)
    return time.process_time() - begun


def schemas() -> list[TableSchema]:
    """Return the tables offered to statements."""
    told: dict[str, dict[str, ColumnType]] = {"sales": COLUMNS, "stores": {"region": "text", "manager": "text"}}
    return [_schema(name, columns) for name, columns in told.items()]


def _schema(name: str, columns: Mapping[str, ColumnType]) -> TableSchema:
    described = tuple(Column(name=n, header=n, type=t) for n, t in columns.items())
    return TableSchema(table_id=name, name=name, columns=described, row_count=3, source=f"{name}.csv")


class Oracle:
    """An embedded database in its own folder, and the checks after each statement."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.shown = folder, schemas()
        self.database = Database(f"sqlite:///{folder / 't.db'}", timeout_s=0.5, row_limit=50)
        told = {s.name: s for s in self.shown} | {
            "_tablerag_documents": _schema("_tablerag_documents", {"source": "text"})
        }
        for name, rows in {"sales": SALES, "stores": STORES, "_tablerag_documents": [(SECRET,)]}.items():
            columns = [StoredColumn(c.name, c.type, longest=100) for c in told[name].columns]
            by_column = [list(range(1, len(rows) + 1)), *map(list, zip(*rows, strict=True))]
            self.database.tables.write(name, [StoredColumn("_row_id", "integer", is_key=True), *columns], [by_column])
        self.database.engine.connect().close()
        self.database.run(guard("SELECT 1", self.shown, row_limit=1))
        self.before = self.state()

    def state(self) -> tuple[str, tuple[str, ...]]:
        """Return a digest of the database's bytes, and the names of its files."""
        files = sorted(p for p in self.folder.rglob("*") if p.is_file())
        digest = hashlib.sha256(b"".join(f.read_bytes() for f in files if not f.name.endswith("-shm")))
        return digest.hexdigest(), tuple(f.name for f in files)

    def try_(self, sql: str) -> str:
        """Run a statement and return its outcome; raise AssertionError if it did something forbidden."""
        try:
            guarded = guard(sql, self.shown, row_limit=50)
            result = self.database.run(guarded)
        except NotRewritable as error:
            raise AssertionError("the guard accepted what the dialect cannot rewrite") from error
        except SqlRejected as error:
            assert "\n" not in str(error) and len(str(error)) < 600, f"long rejection message: {error}"
            return "refused"
        except SqlFailed:
            assert self.state() == self.before, "the database has changed"
            return "failed in the engine"
        assert self.state() == self.before, "the database has changed"
        assert set(guarded.tables) <= {"sales", "stores"}, "it read other tables"
        assert SECRET not in repr(result.rows), "it showed a secret"
        return "passed and ran"


def _plain(oracle: Oracle, known: Sequence[str], executions: int, seed: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    chance = random.Random(seed)
    for _ in range(executions):
        _once(oracle, statement(chance.randrange, known), counts)
        if counts.total() % PROGRESS == 0:
            print(f"{counts.total()} executions", flush=True)
    return counts


def _grown(known: Sequence[str], executions: int, seed: int) -> int:
    """Print the slowest of grown statements; return how many took too long."""
    chance, shown = random.Random(seed), schemas()
    judged_s("SELECT 1", shown)
    slowest: list[tuple[float, str]] = []
    slow = 0
    for done in range(1, executions + 1):
        sql = grown(chance.randrange, known)
        seconds = judged_s(sql, shown)
        if seconds > SLOW_S:
            seconds = min(seconds, *(judged_s(sql, shown) for _ in range(TRIES)))
        slow += seconds > SLOW_S
        slowest = sorted([*slowest, (seconds, sql)], reverse=True)[:SLOWEST]
        if done % PROGRESS == 0 or done == executions:
            print(f"{done} statements, {slow} took more than {SLOW_S} s; the slowest:", flush=True)
            for took, text in slowest:
                print(f"  {took:.3f} s, {len(text)} characters: {text[:200]!r}", flush=True)
    return slow


def _once(oracle: Oracle, sql: str, counts: Counter[str]) -> None:
    try:
        counts[oracle.try_(sql)] += 1
    except Exception as error:
        counts["crashes"] += 1
        print(f"crash: {type(error).__name__}: {error}\n  {sql!r}", flush=True)


def _steered(oracle: Oracle, known: Sequence[str], executions: int, seed: int) -> None:
    """Run under atheris, which never returns; it ends the process after the executions."""
    import atheris

    for module in [m for name, m in sys.modules.items() if name.startswith("tablerag.tools.sql.")]:
        for function in [f for f in vars(module).values() if isinstance(f, FunctionType)]:
            atheris.instrument_func(function)
    counts: Counter[str] = Counter()
    begun = time.perf_counter()

    def one(data: bytes) -> None:
        provider = atheris.FuzzedDataProvider(data)
        _once(oracle, statement(lambda n: provider.ConsumeIntInRange(0, n - 1), known), counts)
        done = counts.total()
        if done % PROGRESS == 0 or done == executions:
            _print(counts, time.perf_counter() - begun)
        if done == executions:
            os._exit(1 if counts["crashes"] else 0)

    # What fuzzes best draws on long inputs from the start: each choice takes bytes.
    atheris.Setup([sys.argv[0], f"-seed={seed}", "-max_len=600", "-len_control=0", "-verbosity=0"], one)
    atheris.Fuzz()


def _print(counts: Counter[str], seconds: float) -> None:
    total = sum(counts.values())
    print(f"{total} executions in {seconds:.0f} s: " + ", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
    print(f"{counts['crashes']} crashes", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--executions", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plain", action="store_true", help="draw at random, without atheris")
    parser.add_argument("--grown", action="store_true", help="time the guard on long statements")
    options = parser.parse_args()
    known = pieces_of(CASES.read_text(encoding="utf-8"))
    if options.grown:
        sys.exit(1 if _grown(known, options.executions, options.seed) else 0)
    with tempfile.TemporaryDirectory() as folder:
        oracle = Oracle(Path(folder))
        if options.plain:
            begun = time.perf_counter()
            counts = _plain(oracle, known, options.executions, options.seed)
            _print(counts, time.perf_counter() - begun)
            sys.exit(1 if counts["crashes"] else 0)
        _steered(oracle, known, options.executions, options.seed)


if __name__ == "__main__":
    main()
