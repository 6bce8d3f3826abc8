"""Runs the SQL that an annotator has changed."""

import re
from pathlib import Path

from tablerag.evaluation.heteqa.agreement import shown
from tablerag.evaluation.heteqa.building import CORPUS, temporary_services
from tablerag.evaluation.heteqa.records import HeteQuestion
from tablerag.evaluation.metrics.denotation import values_match
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.errors import ConfigError, SqlRejected
from tablerag.tools.records import Cell
from tablerag.tools.sql.guard import guard

__all__ = ["differs", "rerun"]

MOST_ROWS = 2
DECIMALS = re.compile(r"\.(\d+)")


def rerun(question: HeteQuestion, sql: str, documents: Path) -> Cell:
    """Return the single value that a statement finds in the question's table, ingested into temporary stores.

    Raises SqlProblem if it fails or does not find exactly one value, ConfigError if the table cannot be read.
    """
    table = question.tables[0]
    with temporary_services() as services:
        entries = ingest([documents / table.source], services, CORPUS).entries
        schemas = entries[0].schemas if entries else ()
        if len(schemas) != 1:
            raise ConfigError(f"could not read {table.source}: restore the documents of the build")
        # In the build, tables of the same name got numbers, which this one may lack when ingested alone.
        names = {"name": table.sql_name, "stored_as": schemas[0].stored_as or schemas[0].name}
        schema = schemas[0].model_copy(update=names)
        rows = services.database.run(guard(sql, [schema], row_limit=MOST_ROWS)).rows
    cells = [cell for row in rows for cell in row]
    if len(cells) != 1 or cells[0] is None:
        count = "more than one value" if any(cells) else "no value"
        raise SqlRejected(f"the SQL finds {count}, expected exactly one: fix it")
    return cells[0]


def differs(question: HeteQuestion, answer: str, found: Cell) -> bool:
    """Return whether an answer differs from the SQL result, rounded alike; answers from a passage never do."""
    if question.bridge is not None and question.bridge.direction == "table to text":
        return False
    decimals = DECIMALS.search(answer)
    return not values_match(answer, shown(found, len(decimals[1]) if decimals else 0))
