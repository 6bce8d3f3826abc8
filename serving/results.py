"""Routes for results of statements: run one, read a part of its result, and export it; all through the guard."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from tablerag.agent.presentation import KEPT_ROWS, Presented, presented
from tablerag.serving.bodies import read_body
from tablerag.tools.access.requests import corpus_of, owner_of, refuse_foreign_origin, services_of
from tablerag.tools.counting import one_line
from tablerag.tools.errors import SqlProblem
from tablerag.tools.evidence import run_sql
from tablerag.tools.knowledge.resolving import with_rules
from tablerag.tools.records import Cell, Receipt, Record, SqlResult, TableSchema
from tablerag.tools.result_files import FORMATS, check_fits, write_rows
from tablerag.tools.services import Services
from tablerag.tools.sql.paging import MOST_ROWS, Selection, WholeResult

__all__ = ["ROUTES", "Export", "Page", "RanStatement", "Statement", "Tried", "ran", "tables_of"]

EXPECTED = "a statement, and which rows of its result are wanted"
Sql = Annotated[str, StringConstraints(min_length=1, max_length=20_000)]


class Statement(BaseModel):
    """A statement to run."""

    model_config = ConfigDict(extra="forbid")

    sql: Sql


class Page(Statement):
    """A part of the result of a statement."""

    wanted: Selection = Selection()
    offset: int = Field(0, ge=0, le=MOST_ROWS)
    limit: int = Field(KEPT_ROWS, ge=1, le=KEPT_ROWS)


class Export(Statement):
    """A file with the result of a statement."""

    wanted: Selection = Selection()
    format: Literal["csv", "xlsx", "parquet"]


class RanStatement(Record):
    """A statement that ran, as the steps of answers have it."""

    sql: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    """The first 50 rows."""
    truncated: bool
    receipt: Receipt | None
    presented: Presented


class Tried(Record):
    """A statement that was tried: its result, or what is wrong with it."""

    step: RanStatement | None = None
    problem: str = ""


def tables_of(services: Services, corpus: str) -> list[TableSchema]:
    """Return the tables of a corpus as questions read them."""
    return with_rules(services.catalog.tables(corpus), services.knowledge.of(corpus))


def ran(services: Services, sql: str, schemas: Sequence[TableSchema]) -> RanStatement:
    """Run a statement; raises SqlProblem if it is refused or fails, or reads no table."""
    result, supporting = run_sql(services, sql, schemas, of_stored=True)
    shown = presented(result, schemas, supporting)
    rows = result.rows[:KEPT_ROWS]
    return RanStatement(
        sql=result.sql,
        columns=result.columns,
        rows=rows,
        truncated=result.truncated,
        receipt=result.receipt,
        presented=shown,
    )


async def run(request: Request) -> JSONResponse:
    """Run the statement in the body; return its result as a step of an answer has it, or its problem."""
    refuse_foreign_origin(request)
    owner_of(request)
    given = await read_body(request, Statement, EXPECTED)

    def answered() -> JSONResponse:
        services = services_of(request)
        schemas = tables_of(services, corpus_of(request, services))
        try:
            tried = Tried(step=ran(services, given.sql, schemas))
        except SqlProblem as problem:
            tried = Tried(problem=one_line(str(problem)))
        return JSONResponse(tried.model_dump(mode="json"))

    return await run_in_threadpool(answered)


async def page(request: Request) -> JSONResponse:
    """Return a page of the result of the statement in the body, searched, filtered and sorted, as people read it."""
    refuse_foreign_origin(request)
    owner_of(request)
    given = await read_body(request, Page, EXPECTED)
    return JSONResponse(await run_in_threadpool(_page, request, given))


def _page(request: Request, given: Page) -> dict[str, Any]:
    whole, schemas = _whole(request, given)
    total = whole.count(given.wanted)
    rows = whole.rows(given.wanted, first=given.offset, count=given.limit) if given.offset < total else []
    texts, columns, numeric = _written(whole, rows, schemas)
    return {"offset": given.offset, "total": total, "columns": columns, "numeric": numeric, "rows": texts}


def _whole(request: Request, given: Statement) -> tuple[WholeResult, list[TableSchema]]:
    services = services_of(request)
    schemas = tables_of(services, corpus_of(request, services))
    return WholeResult(given.sql, schemas, services.database), schemas


def _written(
    whole: WholeResult, rows: Sequence[tuple[Cell, ...]], schemas: Sequence[TableSchema]
) -> tuple[list[tuple[str, ...]], list[str], list[bool]]:
    """Return rows as people read them, the headers in the document's words, and which columns hold numbers."""
    found = presented(SqlResult(sql=whole.guarded.shown, columns=whole.names, rows=tuple(rows)), schemas).table
    if found is None:
        return [("",) * len(whole.names) for _ in rows], list(whole.names), [False] * len(whole.names)
    texts = iter(found.texts)  # which leaves out rows of nothing but NULL
    written = [next(texts) if any(c is not None for c in row) else ("",) * len(row) for row in rows]
    return written, list(found.columns), list(found.numeric)


async def export(request: Request) -> Response:
    """Return the result of the statement in the body, searched, filtered and sorted, as a file."""
    refuse_foreign_origin(request)
    owner_of(request)
    given = await read_body(request, Export, EXPECTED)
    return await run_in_threadpool(_file, request, given)


def _file(request: Request, given: Export) -> FileResponse:
    whole, schemas = _whole(request, given)
    check_fits(given.format, whole.count(given.wanted))
    _, columns, _ = _written(whole, whole.rows(given.wanted, first=0, count=KEPT_ROWS), schemas)
    folder = tempfile.TemporaryDirectory(prefix="tablerag-export-")
    try:
        file = Path(folder.name) / f"result.{given.format}"
        write_rows(given.format, columns, whole.every(given.wanted), file)
    except BaseException:
        folder.cleanup()
        raise
    kind, _ = FORMATS[given.format]
    return FileResponse(file, media_type=kind, filename=file.name, background=BackgroundTask(folder.cleanup))


ROUTES = [
    Route("/api/results", page, methods=["POST"], include_in_schema=False),
    Route("/api/results/run", run, methods=["POST"], include_in_schema=False),
    Route("/api/results/file", export, methods=["POST"], include_in_schema=False),
]
