"""A question's statement run anew, as whoever judges the question has changed it."""

import re
import tempfile
from pathlib import Path

from tablerag.evaluation.heteqa.agreement import shown
from tablerag.evaluation.heteqa.building import CORPUS
from tablerag.evaluation.heteqa.records import HeteQuestion
from tablerag.evaluation.metrics import values_match
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.errors import ConfigError, SqlRejected
from tablerag.tools.records import Cell
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tablerag.tools.sql.guard import guard

__all__ = ["differs", "rerun"]

MOST_ROWS = 2
DECIMALS = re.compile(r"\.(\d+)")


def rerun(question: HeteQuestion, sql: str, documents: Path) -> Cell:
    """Return the one value that a statement finds in the question's table, ingested into stores that are gone after.

    Raises SqlProblem where it does not run or finds anything but one value, ConfigError where the table cannot be read.
    """
    with tempfile.TemporaryDirectory(prefix="tablerag-heteqa-") as home:
        services = Services(Settings(home=Path(home), database_url="", chroma_url="", _env_file=None))
        try:
            entries = ingest([documents / question.tables[0].source], services, CORPUS).entries
            schemas = entries[0].schemas if entries else ()
            if len(schemas) != 1:
                raise ConfigError(f"{question.tables[0].source} cannot be read: restore the build's documents")
            # In the build, tables of one name are told apart by numbers; alone this one may go without.
            schema = schemas[0].model_copy(
                update={"name": question.tables[0].sql_name, "stored_as": schemas[0].stored_as or schemas[0].name}
            )
            rows = services.database.run(guard(sql, [schema], row_limit=MOST_ROWS)).rows
        finally:
            services.close()
    cells = [cell for row in rows for cell in row]
    if len(cells) != 1 or cells[0] is None:
        raise SqlRejected("SQL finds nothing: mend it" if not any(cells) else "SQL finds more than one value: mend it")
    return cells[0]


def differs(question: HeteQuestion, answer: str, found: Cell) -> bool:
    """Say whether an answer is not what SQL finds, rounded as the answer is; of a text hop's answer none can say."""
    if question.bridge is not None and question.bridge.direction == "table to text":
        return False
    decimals = DECIMALS.search(answer)
    return not values_match(answer, shown(found, len(decimals[1]) if decimals else 0))
