"""Routes for tables: schemas, and rows by page or by id."""

import threading
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tablerag.ingestion.manifest import container_of
from tablerag.ingestion.overrides import OVERRIDES_FILE
from tablerag.ingestion.picturing import pictured
from tablerag.ingestion.pipeline import read_again
from tablerag.ingestion.table_rules import use_table
from tablerag.ingestion.tables.doubts import MOST_PARTS
from tablerag.serving.ingest_jobs import alone_in
from tablerag.serving.parameters import row_ids_of, whole_number
from tablerag.tools.access.requests import corpus_of, refuse_foreign_origin, services_of
from tablerag.tools.access.restricted import check_may_write
from tablerag.tools.errors import ConfigError
from tablerag.tools.knowledge.resolving import with_rules
from tablerag.tools.left_out import USE_IT, rule_for
from tablerag.tools.places import is_url
from tablerag.tools.records import Cell, SupportingRows, TableSchema
from tablerag.tools.services import Services, get_services
from tablerag.tools.sql.supporting_rows import rows_of_table

__all__ = ["ROUTES", "exact", "shown_tables"]

PAGE_ROWS = 50
MOST_ROWS = 200
MOST_AROUND = 5
PICTURING = threading.BoundedSemaphore(2)
SAFE_INTEGER = 2**53 - 1
"""JavaScript's Number.MAX_SAFE_INTEGER."""


def tables(request: Request) -> JSONResponse:
    """List a corpus's tables with their columns, including tables that combine others."""
    services = services_of(request)
    return JSONResponse({"tables": [_schema(s) for s in shown_tables(services, corpus_of(request, services))]})


def table(request: Request) -> JSONResponse:
    """Return one table's schema."""
    services = services_of(request)
    return JSONResponse(_schema(_named(services, corpus_of(request, services), request.path_params["name"])))


def rows(request: Request) -> JSONResponse:
    """Return ``limit`` rows of a table from ``offset``, or those in ``row_ids`` with ``around`` neighbours each.

    Cells are JSON values; integers that JavaScript would round are strings.
    """
    services = services_of(request)
    schema = _named(services, corpus_of(request, services), request.path_params["name"])
    cited = row_ids_of(request)
    offset = whole_number(request, "offset", 0, most=10**9)
    limit = whole_number(request, "limit", PAGE_ROWS, most=MOST_ROWS)
    if cited:
        around = whole_number(request, "around", 0, most=MOST_AROUND)
        near = sorted({max(1, i + d) for i in cited for d in range(-around, around + 1)})
        found = rows_of_table(schema, services.database, count=MOST_ROWS, row_ids=near[:MOST_ROWS])
    else:
        found = rows_of_table(schema, services.database, first=offset, count=max(1, limit))
    return JSONResponse(_schema(schema) | {"offset": offset, "cited": cited, "rows": _rows(found)})


def picture(request: Request) -> Response:
    """Return a picture of a doubtful table's place on its page as PNG; ``part`` counts its places from 0.

    404 if there is none: its file has changed, or the key does not see all of the table.
    """
    services = services_of(request)
    corpus = corpus_of(request, services)
    schema = _named(services, corpus, request.path_params["name"])
    record = services.catalog.document(corpus, schema.source)
    part = whole_number(request, "part", 0, most=MOST_PARTS)
    if record and services.catalog.published(corpus, [record.document_id]):
        with PICTURING:  # each takes a process of its own
            pictures = pictured(record, schema, get_services().settings)
        if part < len(pictures):
            return Response(pictures[part], media_type="image/png", headers={"cache-control": "no-store"})
    raise HTTPException(404, f"there is no picture of table {schema.name}: its file may have changed")


def use(request: Request) -> JSONResponse:
    """Have answers use a table that is set aside: add a rule to tablerag.yaml, and read its document again."""
    refuse_foreign_origin(request)
    services = services_of(request)
    check_may_write(services)
    corpus = corpus_of(request, services)
    with alone_in(corpus, get_services()):
        schema = _named(services, corpus, request.path_params["name"])
        record = services.catalog.document(corpus, schema.source)
        if not schema.set_aside or record is None:
            raise HTTPException(409, f"table {schema.name} is not set aside: reload the page")
        if is_url(record.folder) or not container_of(Path(record.path)).is_file():
            raise HTTPException(409, f"{record.source} is not on this server. {USE_IT}:\n{rule_for(schema)}")
        try:
            use_table(Path(record.folder), schema)
        except ConfigError as error:
            raise HTTPException(409, str(error)) from error
        entry = next((e for e in read_again(record, get_services()).entries if e.source == record.source), None)
    if entry is None or entry.status == "failed":
        raise HTTPException(409, f"{record.source} cannot be read again: {entry.error if entry else 'it is gone'}")
    if any(s.name == schema.name and s.set_aside for s in entry.schemas):
        raise HTTPException(409, f"another rule of {OVERRIDES_FILE} in {record.folder} sets {schema.name} aside")
    return JSONResponse({"used": schema.name})


def _rows(found: SupportingRows) -> list[dict[str, Any]]:
    return [
        {
            "id": found.row_ids[i],
            "source_row": found.source_rows[i] if found.source_rows else None,
            "page": found.pages[i] if found.pages else None,
            "cells": [exact(c) for c in row],
        }
        for i, row in enumerate(found.rows)
    ]


def exact(cell: Cell) -> Cell:
    """Return a cell as JSON that JavaScript reads exactly."""
    return str(cell) if isinstance(cell, int) and abs(cell) > SAFE_INTEGER else cell


def _schema(schema: TableSchema) -> dict[str, Any]:
    kept = {"name", "header", "type", "unit", "scale", "kind", "examples", "unfit"}
    return {
        "name": schema.name,
        "title": schema.title,
        "source": schema.source,
        "locator": schema.locator,
        "row_count": schema.row_count,
        "warnings": list(schema.warnings),
        "confidence": schema.confidence,
        "doubts": list(schema.doubts),
        "set_aside": schema.set_aside,
        "pictures": len(schema.found.regions) if schema.found else 0,
        "printed": [list(row) for row in schema.found.cells] if schema.found else [],
        "members": [m.name for m in schema.members],
        "columns": [c.model_dump(mode="json", include=kept) | {"means": schema.meaning(c)} for c in schema.columns],
    }


def shown_tables(services: Services, corpus: str) -> list[TableSchema]:
    """Return the tables with what knowledge.yaml says of their columns; rows that it excludes are shown, too."""
    ruled = with_rules(services.catalog.tables(corpus), services.knowledge.of(corpus))
    return [s.model_copy(update={"rules": None}) for s in ruled]


def _named(services: Services, corpus: str, name: str) -> TableSchema:
    schema = next((s for s in shown_tables(services, corpus) if s.name == name), None)
    if schema is None:
        raise HTTPException(404, f"unknown table {name[:80]!r}: its document may have been replaced or removed")
    return schema


ROUTES = [
    Route("/api/tables", tables, include_in_schema=False),
    Route("/api/tables/{name}", table, include_in_schema=False),
    Route("/api/tables/{name}/picture", picture, include_in_schema=False),
    Route("/api/tables/{name}/use", use, methods=["POST"], include_in_schema=False),
    Route("/api/tables/{name}/rows", rows, include_in_schema=False),
]
