"""Runs a candidate's programs: SQL through the guard over the ingested table, pandas in the sandbox."""

from dataclasses import dataclass

from sqlglot.errors import SqlglotError

from tablerag.evaluation.heteqa.pandas_rules import PandasRejected, program_of
from tablerag.evaluation.heteqa.ties import ranks_alike, tie_probes
from tablerag.tools.errors import ProgramFailed, SqlProblem
from tablerag.tools.records import ROW_ID, Cell, SqlResult, TableSchema
from tablerag.tools.sandbox.process import Frame, Sandbox
from tablerag.tools.services import Services
from tablerag.tools.sql.guard import guard

__all__ = ["Execution", "Executor"]

MOST_ROWS = 100_000
Rows = tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Execution:
    """The results of both programs, or their errors."""

    sql_rows: Rows = ()
    pandas_rows: Rows = ()
    sql_error: str = ""
    pandas_error: str = ""
    tied: bool = False
    """Whether a LIMIT of the statement cuts between tied rows."""


class Executor:
    """Runs candidates over one table at a time."""

    def __init__(self, services: Services, sandbox: Sandbox) -> None:
        self._services = services
        self._sandbox = sandbox
        self._frame = Frame((), ())
        self._schema: TableSchema | None = None

    def load(self, schema: TableSchema) -> dict[str, list[Cell]]:
        """Load a table; return its stored columns by SQL name, in the document's row order."""
        names = [n for n in schema.stored_columns() if n != ROW_ID]
        listed = ", ".join(f"`{n}`" for n in names)
        guarded = guard(f"SELECT {listed} FROM `{schema.name}` ORDER BY `{ROW_ID}`", [schema], row_limit=MOST_ROWS)
        rows = list(self._services.database.scan(guarded))
        types = schema.stored_columns()
        self._frame = Frame(names, rows, [types[n] for n in names])
        self._schema = schema
        return {name: [row[i] for row in rows] for i, name in enumerate(names)}

    def execute(self, sql: str, pandas: str) -> Execution:
        """Run both programs over the loaded table, even if one fails."""
        sql_rows, sql_error, tied = self._run_sql(sql)
        try:
            return Execution(sql_rows, self._run_pandas(pandas), sql_error, "", tied)
        except (PandasRejected, ProgramFailed) as error:
            return Execution(sql_rows, (), sql_error, str(error), tied)

    def rows_of(self, pandas: str) -> int:
        """Return the number of rows of a pandas expression over the loaded table; 0 if it fails."""
        try:
            return int(self._run_pandas(f"len({pandas})")[0][0] or 0)
        except (PandasRejected, ProgramFailed):
            return 0

    def _run_pandas(self, code: str) -> Rows:
        return self._sandbox.run(program_of(code), {"df": self._frame})

    def _run_sql(self, sql: str) -> tuple[Rows, str, bool]:
        try:
            rows = self._select(sql).rows
            # After the guard accepted the statement, it is known to parse and to be one SELECT.
            tied = any(ranks_alike(self._select(p.sql).rows, p.cuts) for p in tie_probes(sql))
        except SqlProblem as error:
            return (), str(error), False
        except (SqlglotError, LookupError, ValueError) as error:
            return (), f"cannot check its ranking for ties: {error}", False
        return rows, "", tied

    def _select(self, sql: str) -> SqlResult:
        assert self._schema is not None, "call load() first"
        guarded = guard(sql, [self._schema], row_limit=self._services.settings.row_limit)
        return self._services.database.run(guarded)
