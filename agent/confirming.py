"""Runs the statement that a person says is right for a question, and keeps both."""

from collections.abc import Sequence
from datetime import UTC, datetime

from tablerag.agent.presentation import presented
from tablerag.tools.evidence import run_sql
from tablerag.tools.knowledge.entries import ConfirmedEntry
from tablerag.tools.knowledge.resolving import with_rules
from tablerag.tools.records import SqlResult, TableSchema
from tablerag.tools.services import Services

__all__ = ["confirmed_entry", "run_confirmed"]

MOST_SHOWN = 500


def confirmed_entry(
    services: Services, corpus: str, tables: Sequence[TableSchema], question: str, sql: str, by: str
) -> tuple[ConfirmedEntry, SqlResult]:
    """Return the entry for a question and its statement, not kept yet, and the result; raises as run_confirmed()."""
    result, value = run_confirmed(services, corpus, tables, sql)
    day = datetime.now(UTC).date().isoformat()
    return ConfirmedEntry(question=question, sql=result.sql, answer=value, by=by, at=day, line=1), result


def run_confirmed(services: Services, corpus: str, tables: Sequence[TableSchema], sql: str) -> tuple[SqlResult, str]:
    """Run a statement as a question would; return its result and what is shown of it.

    Raises SqlProblem if it is refused or fails, or reads no table.
    """
    schemas = with_rules(tables, services.knowledge.of(corpus))
    result, _ = run_sql(services, sql, schemas, of_stored=True)
    return result, presented(result, schemas).plain[:MOST_SHOWN]
