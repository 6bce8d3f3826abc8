"""The OpenAPI description of the page's routes, generated from them: /app/api/openapi.json."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from tablerag.serving import (
    boards,
    confirmed,
    documents,
    passages,
    receipts,
    results,
    saved,
    suggestions,
    tables,
    uploads,
)
from tablerag.serving.ingest_jobs import IngestJob
from tablerag.serving.parameters import MOST_ROW_IDS
from tablerag.tools.records import Cell, ChunkKind, ColumnKind, ColumnType, Receipt, SupportingRows

__all__ = ["API_ROUTES", "ROUTES", "described"]

MODULES = (documents, tables, passages, receipts, results, suggestions, saved, boards, confirmed, uploads)
API_ROUTES = [route for module in MODULES for route in module.ROUTES]
PREFIX = "/app"
MODELS = "#/components/schemas/{model}"


class Reply(BaseModel):
    """A JSON object with these keys and no others."""

    model_config = ConfigDict(extra="forbid")


class ErrorReply(Reply):
    """Why a request was refused, in one line; requests with a foreign Origin or too slow a body have ``detail`` too."""

    error: str
    detail: str = ""


class CorpusCount(Reply):
    name: str
    documents: int


class UploadLimits(Reply):
    max_mb: float
    max_files: int
    suffixes: list[str]


class CorporaReply(Reply):
    corpora: list[CorpusCount]
    default: str
    model: str
    upload: UploadLimits


class DocumentTable(Reply):
    name: str
    title: str
    rows: int
    columns: int
    locator: str
    set_aside: bool


class ListedDocument(Reply):
    id: str
    source: str
    format: str
    title: str
    status: str
    size_bytes: int
    chunk_count: int
    warnings: list[str]
    ingested_at: str
    uploaded: bool
    tables: list[DocumentTable]
    same_as: list[str]


class UnitedTable(Reply):
    name: str
    rows: int
    members: list[str]


class DocumentsReply(Reply):
    corpus: str
    total: int
    offset: int
    formats: list[str]
    documents: list[ListedDocument]
    united: list[UnitedTable]


class UsesReply(Reply):
    tables: list[str]
    united: list[str]
    saved: list[str]
    confirmed: list[str]
    keeps_file: bool


class RemovedReply(Reply):
    removed: list[str]


class TableColumn(Reply):
    name: str
    header: str
    type: ColumnType
    unit: str
    scale: str
    kind: ColumnKind
    examples: list[str]
    unfit: int
    means: str


class TableReply(Reply):
    name: str
    title: str
    source: str
    locator: str
    row_count: int
    warnings: list[str]
    confidence: float
    doubts: list[str]
    set_aside: bool
    pictures: int
    printed: list[list[str]]
    members: list[str]
    columns: list[TableColumn]


class UsedReply(Reply):
    used: str


class TablesReply(Reply):
    tables: list[TableReply]


class TableRow(Reply):
    id: int
    source_row: int | None
    page: int | None
    cells: list[Cell]


class RowsReply(TableReply):
    offset: int
    cited: list[int]
    rows: list[TableRow]


class PassageReply(Reply):
    id: str
    kind: ChunkKind
    source: str
    locator: str
    title: str
    text: str


class ReceiptReply(Reply):
    status: str
    says: str
    rows: list[SupportingRows]


class PageReply(Reply):
    offset: int
    total: int
    columns: list[str]
    numeric: list[bool]
    rows: list[list[str]]


class SuggestionsReply(Reply):
    questions: list[str]


class SavedQuestion(Reply):
    id: str
    title: str
    saved_at: str
    question: str
    text: str


class SavedReply(Reply):
    saved: list[SavedQuestion]


class RunAgainReply(SavedQuestion):
    same: bool
    now: str
    says: list[str]
    steps: list[results.RanStatement]


class BoardReply(Reply):
    id: str
    title: str
    saved_at: str
    items: list[str]


class BoardsReply(Reply):
    boards: list[BoardReply]


class ConfirmedAnswer(Reply):
    question: str
    sql: str
    answer: str
    by: str
    at: str


class ConfirmedReply(Reply):
    confirmed: list[ConfirmedAnswer]


class ConfirmingReply(Reply):
    kept: bool
    sql: str
    answer: str
    columns: list[str]
    rows: list[list[Cell]]
    truncated: bool
    problem: str


class WithdrawnReply(Reply):
    withdrawn: str


class UploadReply(Reply):
    job: str
    files: list[str]


class JobsReply(Reply):
    jobs: list[IngestJob]


def _number(name: str, most: int) -> dict[str, Any]:
    return {"name": name, "in": "query", "schema": {"type": "integer", "minimum": 0, "maximum": most}}


FILES = {"type": "object", "required": ["files"], "properties": {"files": {"type": "array", "minItems": 1}}}
FILES["properties"]["files"]["items"] = {"type": "string", "format": "binary"}
CORPUS = {"name": "corpus", "in": "query", "schema": {"type": "string"}}
ROW_IDS = {"name": "row_ids", "in": "query", "schema": {"type": "string", "pattern": r"^(\d{1,10}(,\d{1,10})*)?$"}}
ROW_IDS["description"] = f"up to {MOST_ROW_IDS} row ids, separated by commas"
SOURCE = {"name": "source", "in": "query", "required": True, "schema": {"type": "string"}}
SEARCH = {"name": "search", "in": "query", "schema": {"type": "string"}}
FORMAT = {"name": "format", "in": "query", "schema": {"type": "string"}}
SORT = {"name": "sort", "in": "query", "schema": {"type": "string", "enum": list(documents.SORTS)}}
OFFSET = _number("offset", 10**9)


@dataclass(frozen=True)
class Operation:
    """What a route takes and returns, beside its path parameters."""

    reply: type[Any] | None
    """None for a file."""
    query: tuple[dict[str, Any], ...] = (CORPUS,)
    status: int = 200
    body: dict[str, Any] = field(default_factory=dict)
    """Schemas of the request body by content type."""


FILE: dict[str, Any] = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
OPERATIONS = {
    documents.corpora: Operation(CorporaReply, ()),
    documents.documents: Operation(
        DocumentsReply,
        (CORPUS, OFFSET, _number("limit", documents.MOST_DOCUMENTS), SEARCH, FORMAT, SORT),
    ),
    documents.uses: Operation(UsesReply),
    documents.file: Operation(None, (CORPUS, SOURCE)),
    documents.remove_document: Operation(RemovedReply),
    tables.tables: Operation(TablesReply),
    tables.table: Operation(TableReply),
    tables.rows: Operation(
        RowsReply,
        (CORPUS, OFFSET, _number("limit", tables.MOST_ROWS), ROW_IDS, _number("around", tables.MOST_AROUND)),
    ),
    tables.picture: Operation(None, (CORPUS, _number("part", tables.MOST_PARTS))),
    tables.use: Operation(UsedReply),
    passages.passage: Operation(PassageReply),
    receipts.opened: Operation(ReceiptReply, body={"application/json": Receipt}),
    results.page: Operation(PageReply, body={"application/json": results.Page}),
    results.run: Operation(results.Tried, body={"application/json": results.Statement}),
    results.export: Operation(None, body={"application/json": results.Export}),
    suggestions.suggestions: Operation(SuggestionsReply),
    suggestions.follow_ups: Operation(SuggestionsReply, body={"application/json": suggestions.Asked}),
    saved.saved: Operation(SavedReply),
    saved.save: Operation(SavedQuestion, body={"application/json": saved.Saving}),
    saved.run_again: Operation(RunAgainReply, body={"application/json": saved.Again}),
    saved.rename: Operation(SavedQuestion, body={"application/json": saved.Named}),
    saved.forget: Operation(RemovedReply),
    boards.boards: Operation(BoardsReply),
    boards.create: Operation(BoardReply, body={"application/json": boards.Board}),
    boards.replace: Operation(BoardReply, body={"application/json": boards.Board}),
    boards.remove: Operation(RemovedReply),
    confirmed.confirmed: Operation(ConfirmedReply),
    confirmed.confirm: Operation(ConfirmingReply, body={"application/json": confirmed.Confirming}),
    confirmed.withdraw: Operation(WithdrawnReply, body={"application/json": confirmed.Withdrawing}),
    uploads.upload: Operation(UploadReply, status=202, body={"multipart/form-data": FILES}),
    uploads.jobs: Operation(JobsReply),
    uploads.job: Operation(IngestJob, ()),
    uploads.cancel: Operation(IngestJob, ()),
}
"""What each function in ROUTES takes and returns."""


def described(routes: Iterable[Route]) -> dict[str, Any]:
    """Return the description of routes. Raises KeyError for one whose function is not in OPERATIONS."""
    schemas: dict[str, Any] = {}
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        for method in sorted((route.methods or set()) - {"HEAD"}):
            paths.setdefault(PREFIX + route.path, {})[method.lower()] = _operation(route, schemas)
    keys = {"type": "apiKey", "in": "header", "name": "X-Api-Key"}
    return {
        "openapi": "3.1.0",
        "info": {"title": "TableRAG", "version": version("tablerag")},
        "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": {"key": keys}},
        "security": [{}, {"key": []}],
    }


def _operation(route: Route, schemas: dict[str, Any]) -> dict[str, Any]:
    about = OPERATIONS[route.endpoint]
    text = str(route.endpoint.__doc__)
    in_path = [
        {"name": n, "in": "path", "required": True, "schema": {"type": "string"}} for n in route.param_convertors
    ]
    body = {
        t: {"schema": s if isinstance(s, dict) else _schema(s, schemas, "validation")} for t, s in about.body.items()
    }
    return {
        "operationId": route.name,
        "summary": text.partition("\n")[0],
        "parameters": in_path + list(about.query),
        **({"requestBody": {"required": True, "content": body}} if body else {}),
        "responses": {
            str(about.status): _result(about.reply, schemas),
            "default": _response("Refused or failed", _schema(ErrorReply, schemas, "validation")),
        },
    }


def _result(reply: type[Any] | None, schemas: dict[str, Any]) -> dict[str, Any]:
    if reply is None:
        return {"description": "The file", "content": FILE}
    return _response("The result", _schema(reply, schemas))


def _schema(kind: type[Any], schemas: dict[str, Any], mode: Any = "serialization") -> dict[str, Any]:
    """Add a type's schema and those that it names to ``schemas``; return a reference to it."""
    made = TypeAdapter(kind).json_schema(mode=mode, ref_template=MODELS)
    schemas |= made.pop("$defs", {})
    schemas[kind.__name__] = made
    return {"$ref": MODELS.format(model=kind.__name__)}


def _response(text: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": text, "content": {"application/json": {"schema": schema}}}


@cache
def _description() -> dict[str, Any]:
    return described(API_ROUTES)


def openapi(request: Request) -> JSONResponse:
    """Return the description; like the server's own /openapi.json it needs no key."""
    return JSONResponse(_description())


ROUTES = [*API_ROUTES, Route("/api/openapi.json", openapi, include_in_schema=False)]
