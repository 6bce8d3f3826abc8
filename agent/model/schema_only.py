"""SchemaOnly: a reasoner whose model sees names and types of tables and columns, and nothing that documents hold."""

from dataclasses import replace

from tablerag.agent.approval import REJECTED
from tablerag.agent.computed_by_code import last_answer, of_result
from tablerag.agent.offline import OfflineReasoner
from tablerag.agent.reasoning import (
    CannotAnswer,
    ConcludeTask,
    Conclusion,
    DecomposeTask,
    Enough,
    NoQuestion,
    Reasoner,
    ResolveTask,
    SqlAttempt,
    SqlQuery,
    SqlTask,
    Standalone,
    Subquery,
    Thought,
    ValidateTask,
    Validation,
)
from tablerag.tools.errors import SqlRejected
from tablerag.tools.records import Column, TableSchema
from tablerag.tools.sql.guard import guard

__all__ = ["SchemaOnly", "names_and_types"]

SAW_NO_VALUES = "The model saw names and types only."
NOT_RUN = "the statement found nothing, or the database could not run it: write it another way"


class SchemaOnly:
    """Asks a model for statements only, without examples, hints, passages, results or earlier answers.

    The question is put as it is: without results there is nothing to decompose it by. The values of the result are the
    answer; without one, the embedded reasoner looks for a sentence in the passages.
    """

    converses = False

    def __init__(self, reasoner: Reasoner) -> None:
        self.name = reasoner.name
        self._reasoner = reasoner
        self._embedded = OfflineReasoner()

    def resolve(self, task: ResolveTask) -> Thought[Standalone | NoQuestion]:
        """Ask with the earlier questions alone."""
        asked = tuple(replace(turn, answer="") for turn in task.history)
        return self._reasoner.resolve(ResolveTask(task.question, asked, schemas=names_and_types(task.schemas)))

    def decompose(self, task: DecomposeTask) -> Thought[Subquery | Enough]:
        """Put the question itself, and after it end with its answer."""
        if not task.steps:
            return Thought(Subquery(task.question))
        return Thought(Enough(last_answer(task.steps)))

    def write_sql(self, task: SqlTask) -> Thought[SqlQuery | CannotAnswer]:
        """Ask for a statement by names and types."""
        schemas = names_and_types(task.schemas)
        attempts = tuple(replace(a, error=_error(a, schemas)) for a in task.attempts)
        shown = replace(task, schemas=schemas, hints=(), attempts=attempts, chunks=(), confirmed=())
        thought = self._reasoner.write_sql(shown)
        if isinstance(thought.value, CannotAnswer):  # there is nothing that it could search or answer from
            return replace(thought, value=CannotAnswer(thought.value.reason))
        return thought

    def cross_validate(self, task: ValidateTask) -> Thought[Validation]:
        """Return the result's values; without a result, what a passage says."""
        if task.result is not None:
            return Thought(of_result(task, SAW_NO_VALUES))
        return self._embedded.cross_validate(task)

    def conclude(self, task: ConcludeTask) -> Thought[Conclusion]:
        """Return the last step's answer."""
        return Thought(Conclusion(last_answer(task.steps), ""))


def names_and_types(schemas: tuple[TableSchema, ...]) -> tuple[TableSchema, ...]:
    """Return schemas with the SQL names and types of their columns and the number of their rows, and nothing else."""
    return tuple(
        TableSchema(
            table_id="",
            name=schema.name,
            columns=tuple(map(_name_and_type, schema.columns)),
            row_count=schema.row_count,
            source="",
            hidden_columns=schema.hidden_columns,
            row_path=schema.row_path,
        )
        for schema in schemas
    )


def _name_and_type(column: Column) -> Column:
    """Return a column without header, unit and examples: they are texts of the document."""
    companions = {"raw": column.raw, "low": column.low, "high": column.high, "ends": column.ends}
    return Column(name=column.name, header=column.name, type=column.type, kind=column.kind, **companions)


def _error(attempt: SqlAttempt, schemas: tuple[TableSchema, ...]) -> str:
    """Return why a statement failed, as far as its text and the names tell: other messages may quote values."""
    if attempt.error.startswith(REJECTED):
        return attempt.error
    try:
        guard(attempt.sql, schemas, row_limit=1)
    except SqlRejected as refused:
        return str(refused)
    return NOT_RUN
