"""Routes for corpora and documents: list them, open their files, and remove documents."""

from collections import defaultdict
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse
from starlette.routing import Route

from tablerag.ingestion.manifest import container_of
from tablerag.ingestion.pipeline import remove
from tablerag.ingestion.readers import suffixes
from tablerag.serving.ingest_jobs import JOBS
from tablerag.serving.parameters import whole_number
from tablerag.serving.upload_folder import delete_file, is_uploaded
from tablerag.tools.access.corpora import known_corpora
from tablerag.tools.access.requests import corpus_of, owner_of, refuse_foreign_origin, services_of
from tablerag.tools.access.restricted import check_may_write
from tablerag.tools.catalog import DocumentRecord
from tablerag.tools.records import TableSchema
from tablerag.tools.services import Services, get_services
from tablerag.tools.settings import get_settings

__all__ = ["ROUTES"]

MOST_DOCUMENTS = 200
"""Documents in one response."""
UNKNOWN = "unknown document: it may have been removed already, reload the list"


def corpora(request: Request) -> JSONResponse:
    """List the corpora with their document counts, the default one, the model and the upload limits."""
    services = services_of(request)
    settings = services.settings
    names = known_corpora(settings, services.catalog, owner_of(request))
    return JSONResponse(
        {
            "corpora": [{"name": n, "documents": len(services.catalog.documents(n))} for n in names],
            "default": settings.corpus if settings.corpus in names or not names else names[0],
            "model": settings.resolved_model,
            "upload": {
                "max_mb": settings.upload_max_mb,
                "max_files": settings.upload_max_files,
                "suffixes": list(suffixes(ocr=settings.reads_pictures)),
            },
        }
    )


def documents(request: Request) -> JSONResponse:
    """List a corpus's documents by source, each with its tables; paged by ``offset`` and ``limit``."""
    services = services_of(request)
    corpus = corpus_of(request, services)
    offset = whole_number(request, "offset", 0, most=10**9)
    limit = whole_number(request, "limit", MOST_DOCUMENTS, most=MOST_DOCUMENTS)
    found = services.catalog.documents(corpus)
    every = services.catalog.tables(corpus)
    tables: dict[str, list[TableSchema]] = defaultdict(list)
    for schema in every:
        if not schema.members:
            tables[schema.source].append(schema)
    return JSONResponse(
        {
            "corpus": corpus,
            "total": len(found),
            "offset": offset,
            "documents": [_document(d, tables[d.source]) for d in found[offset : offset + limit]],
            "united": [
                {"name": u.name, "rows": u.row_count, "members": [m.name for m in u.members]}
                for u in every
                if u.members
            ],
        }
    )


def _document(record: DocumentRecord, schemas: list[TableSchema]) -> dict[str, Any]:
    shown = record.model_dump(
        include={"source", "format", "title", "status", "size_bytes", "chunk_count", "warnings", "ingested_at"}
    )
    return shown | {
        "id": record.document_id,
        "uploaded": is_uploaded(record, get_settings()),
        "tables": [
            {"name": s.name, "title": s.title, "rows": s.row_count, "columns": len(s.columns), "locator": s.locator}
            for s in schemas
        ],
    }


def _wanted(request: Request, services: Services, corpus: str) -> DocumentRecord:
    wanted = request.path_params["id"]
    record = next((d for d in services.catalog.documents(corpus) if d.document_id == wanted), None)
    if record is None:
        raise HTTPException(404, UNKNOWN)
    return record


def file(request: Request) -> FileResponse:
    """Return the file that the document ``source`` was read from, or the archive that it is in, to be saved.

    404 for one of which the key does not see everything, and 409 if the file has changed or is gone.
    """
    services = services_of(request)
    corpus = corpus_of(request, services)
    record = services.catalog.document(corpus, request.query_params.get("source", ""))
    if record is None:
        raise HTTPException(404, UNKNOWN)
    if not services.catalog.published(corpus, [record.document_id]):
        raise HTTPException(404, f"the file of {record.source} is not available: your API key sees a part of it only")
    found = container_of(Path(record.path))
    if found != Path(record.path) and not services.sees_all:
        raise HTTPException(404, f"{record.source} is in an archive with other documents: ask your administrator")
    # Another file may be at its place by now, or a link to one that nobody ingested.
    unchanged = found.is_file() and found.resolve() == found
    if unchanged and found == Path(record.path):
        about = found.stat()
        unchanged = about.st_size == record.size_bytes and record.mtime_ns in (0, about.st_mtime_ns)
    if not unchanged:
        raise HTTPException(409, f"the file of {record.source} was changed, moved or deleted since it was ingested")
    return FileResponse(found, media_type="application/octet-stream", filename=found.name)


def remove_document(request: Request) -> JSONResponse:
    """Remove an uploaded document with its tables, passages and file."""
    refuse_foreign_origin(request)
    services = services_of(request)
    check_may_write(services)
    corpus = corpus_of(request, services)
    record = _wanted(request, services, corpus)
    if not is_uploaded(record, services.settings):
        message = f"{record.source} was not uploaded here: remove it with `tablerag remove` on the server"
        return JSONResponse({"error": message}, 403)
    with JOBS.alone_in(corpus):
        removed = remove(record.path, get_services(), corpus)
        delete_file(record, services.catalog.documents(corpus))
    return JSONResponse({"removed": removed})


ROUTES = [
    Route("/api/corpora", corpora, include_in_schema=False),
    Route("/api/documents", documents, include_in_schema=False),
    Route("/api/files", file, include_in_schema=False),
    Route("/api/documents/{id}", remove_document, methods=["DELETE"], include_in_schema=False),
]
