"""Measure the embedded reasoner on questions that people ask of their own spreadsheets, each about one small table.

    python -m benchmarks.business_offline [--half develop] [--wrong]

The tables and questions are in tests/cases/business_questions.txt. Every question is asked of its own table and
answered at any confidence; the output also shows the effect of the reasoner's own threshold.
"""

import argparse
import itertools
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tablerag.agent.offline.reasoner import CONFIDENT, OfflineReasoner
from tablerag.agent.reasoning import SqlTask
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.errors import SqlProblem
from tablerag.tools.evidence import result_of
from tablerag.tools.records import Cell, SqlResult, TableSchema
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tablerag.tools.sql.guard import guard
from tablerag.tools.table_rows import RowReader

__all__ = ["CASES", "HALVES", "Asked", "BusinessTable", "answered", "is_right", "read_tables"]

CASES = Path(__file__).parents[1] / "tests" / "cases" / "business_questions.txt"
HALVES = ("develop", "held out")
CORPUS = "business"
TOLERANCE = 1e-4
"""Relative tolerance for numbers: the cases have four decimals."""
Answer = frozenset[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class BusinessTable:
    """One table with its questions and their answers; an empty answer if the table does not contain it."""

    name: str
    half: str
    csv: str
    questions: tuple[tuple[str, Answer], ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """The outcome of one question."""

    table: BusinessTable
    question: str
    answerable: bool
    right: bool
    confidence: float
    sql: str


def read_tables(path: Path = CASES) -> list[BusinessTable]:
    """Read the case file."""
    text = "\n".join(line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("# "))
    return [_table(block) for block in text.split("## ")[1:]]


def _table(block: str) -> BusinessTable:
    title, *lines = block.strip().splitlines()
    name, half = (part.strip() for part in title.split("|"))
    asked = [line.removeprefix("? ").split(" => ") for line in lines if line.startswith("? ")]
    rows = [line for line in lines if not line.startswith("? ")]
    return BusinessTable(name, half, "\n".join(rows) + "\n", tuple((q, _answer(a)) for q, a in asked))


def _answer(text: str) -> Answer:
    return frozenset(tuple(row.split(": ")) for row in text.split(" | ")) if text != "none" else frozenset()


def answered(services: Services, tables: Sequence[BusinessTable], folder: Path) -> Iterator[Asked]:
    """Ingest the tables from a folder and ask the questions of each."""
    for table in tables:
        (folder / f"{table.name}.csv").write_text(table.csv, encoding="utf-8")
    ingest([folder], services, CORPUS)
    schemas = {s.source: s for s in services.catalog.schemas(CORPUS)}

    def run(sql: str, schemas: Sequence[TableSchema]) -> SqlResult:
        return result_of(services, sql, schemas)

    reasoner = OfflineReasoner(RowReader(services.database), services.embedding.embed, run=run)
    for table in tables:
        for question, answer in table.questions:
            yield _asked(services, reasoner, table, schemas[f"{table.name}.csv"], question, answer)


def _asked(
    services: Services,
    reasoner: OfflineReasoner,
    table: BusinessTable,
    schema: TableSchema,
    question: str,
    answer: Answer,
) -> Asked:
    hints = tuple(services.value_linker.hints(question, [schema]))
    choice = reasoner.choose(SqlTask(question, question, (schema,), hints))
    if choice is None:
        return Asked(table, question, bool(answer), False, 0.0, "")
    try:
        result = services.database.run(guard(choice.sql, [schema], row_limit=services.settings.row_limit))
    except SqlProblem:
        return Asked(table, question, bool(answer), False, choice.confidence, choice.sql)
    return Asked(table, question, bool(answer), is_right(answer, result.rows), choice.confidence, choice.sql)


def is_right(answer: Answer, rows: Sequence[Sequence[Cell]]) -> bool:
    """Return whether a result has exactly the answer's rows, in any order; further columns may stand beside."""
    width, wanted = len(rows[0]) if rows else 0, len(next(iter(answer), ()))
    return any(_has_rows(answer, rows, columns) for columns in itertools.combinations(range(width), wanted))


def _has_rows(answer: Answer, rows: Sequence[Sequence[Cell]], columns: Sequence[int]) -> bool:
    found = {tuple(row[i] for i in columns) for row in rows if any(c is not None for c in row)}
    return len(found) == len(answer) and all(any(_same_row(gold, row) for row in found) for gold in answer)


def _same_row(gold: Sequence[str], row: Sequence[Cell]) -> bool:
    return len(gold) == len(row) and all(_same(g, c) for g, c in zip(gold, row, strict=True))


def _same(gold: str, cell: Cell) -> bool:
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        try:
            return abs(float(gold) - cell) <= TOLERANCE * max(1.0, abs(cell))
        except ValueError:
            return False
    return gold == str(cell)


def report(rows: Sequence[Asked], half: str) -> None:
    """Print the figures of one half."""
    answerable = [r for r in rows if r.answerable]
    sure = [r for r in answerable if r.confidence >= CONFIDENT]
    others = [r for r in rows if not r.answerable]
    refused = sum(r.confidence < CONFIDENT for r in others)
    print(
        f"{half}: {len(answerable)} questions, {sum(r.right for r in answerable) / len(answerable):.1%} right; ", end=""
    )
    print(f"it answers {len(sure)} above its threshold, {sum(r.right for r in sure)} of them right; ", end="")
    print(f"of {len(others)} that the table does not answer it refuses {refused}")


def main() -> None:
    """Run the measurement and print it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--half", choices=HALVES, help="ask only this half")
    parser.add_argument("--wrong", action="store_true", help="show wrong answers with their SQL")
    options = parser.parse_args()
    halves = [options.half] if options.half else HALVES
    tables = [t for t in read_tables() if t.half in halves]
    with tempfile.TemporaryDirectory() as folder:
        home, files = Path(folder) / "home", Path(folder) / "tables"
        files.mkdir()
        services = Services(Settings(home=home, model="offline", _env_file=None))
        rows = list(answered(services, tables, files))
        services.close()
    for row in rows if options.wrong else ():
        if row.answerable and not row.right:
            print(f"{row.table.name}: {row.question}\n    {row.confidence:.2f} {row.sql}")
    for half in halves:
        report([r for r in rows if r.table.half == half], half)


if __name__ == "__main__":
    main()
