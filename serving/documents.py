"""Routes for corpora and documents: list them, open their files, and remove documents."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse
from starlette.routing import Route

from tablerag.ingestion.manifest import container_of
from tablerag.ingestion.pipeline import remove
from tablerag.ingestion.readers import suffixes
from tablerag.serving.ingest_jobs import alone_in
from tablerag.serving.parameters import whole_number
from tablerag.serving.upload_folder import delete_file, is_uploaded
from tablerag.tools.access.corpora import known_corpora
from tablerag.tools.access.requests import corpus_of, owner_of, refuse_foreign_origin, services_of
from tablerag.tools.access.restricted import check_may_write
from tablerag.tools.catalog import DocumentRecord
from tablerag.tools.places import is_url
from tablerag.tools.records import TableSchema
from tablerag.tools.saved_items import SavedItems
from tablerag.tools.services import Services, get_services
from tablerag.tools.settings import get_settings

__all__ = ["ROUTES"]

MOST_DOCUMENTS = 200
"""Documents in one response."""
SORTS: dict[str, Callable[[DocumentRecord], Any]] = {
    "name": lambda d: d.source.casefold(),
    "newest": lambda d: -datetime.fromisoformat(d.ingested_at).timestamp(),
    "largest": lambda d: -d.size_bytes,
    "tables": lambda d: -d.table_count,
}
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
    """List a corpus's documents, each with its tables: searched, filtered by format, sorted, and paged."""
    services = services_of(request)
    corpus = corpus_of(request, services)
    offset = whole_number(request, "offset", 0, most=10**9)
    limit = whole_number(request, "limit", MOST_DOCUMENTS, most=MOST_DOCUMENTS)
    known = services.catalog.documents(corpus)
    every = services.catalog.tables(corpus)
    tables: dict[str, list[TableSchema]] = defaultdict(list)
    for schema in every:
        if not schema.members:
            tables[schema.source].append(schema)
    found = _listed(request, known, tables)
    # A key that sees a part of documents would learn of the rest of them.
    same = _same(known) if services.sees_all else {}
    return JSONResponse(
        {
            "corpus": corpus,
            "total": len(found),
            "offset": offset,
            "formats": sorted({d.format for d in known}),
            "documents": [
                _document(d, tables[d.source]) | {"same_as": [s for s in same.get(d.content_hash, ()) if s != d.source]}
                for d in found[offset : offset + limit]
            ],
            "united": [
                {"name": u.name, "rows": u.row_count, "members": [m.name for m in u.members]}
                for u in every
                if u.members
            ],
        }
    )


def _listed(
    request: Request, known: Sequence[DocumentRecord], tables: Mapping[str, Sequence[TableSchema]]
) -> list[DocumentRecord]:
    """Return the documents with all words of ``search``, of the ``format``, in the order of ``sort``."""
    query = request.query_params
    sort = query.get("sort", "name")
    if sort not in SORTS:
        raise HTTPException(400, f"sort must be one of {', '.join(SORTS)}, got {sort[:20]!r}")
    words = query.get("search", "").casefold().split()

    def has_words(document: DocumentRecord) -> bool:
        names = " ".join(f"{t.name} {t.title}" for t in tables[document.source])
        text = f"{document.source} {document.title} {names}".casefold()
        return all(w in text for w in words)

    wanted = [d for d in known if query.get("format", d.format) in ("", d.format) and has_words(d)]
    return sorted(wanted, key=SORTS[sort])


def _same(documents: Sequence[DocumentRecord]) -> dict[str, list[str]]:
    """Return the sources of documents with the same content, by its hash."""
    sources: dict[str, list[str]] = defaultdict(list)
    for document in documents:
        sources[document.content_hash].append(document.source)
    return {content: found for content, found in sources.items() if len(found) > 1}


def uses(request: Request) -> JSONResponse:
    """Return what depends on a document: its tables, and what was saved or confirmed about them."""
    services = services_of(request)
    corpus = corpus_of(request, services)
    record = _wanted(request, services, corpus)
    every = services.catalog.tables(corpus)
    own = [s.name for s in every if s.source == record.source and not s.members]
    united = [s.name for s in every if any(m.name in own for m in s.members)]
    names = {*own, *united}
    kept = SavedItems(services.database, owner_of(request), corpus, "question").every()
    return JSONResponse(
        {
            "tables": own,
            "united": united,
            "saved": [i.title for i in kept if names & i.record["columns"].keys()],
            "confirmed": [e.question for e in services.knowledge.of(corpus).confirmed if names & e.tables.keys()],
            "keeps_file": not is_uploaded(record, services.settings),
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
            {
                "name": s.name,
                "title": s.title,
                "rows": s.row_count,
                "columns": len(s.columns),
                "locator": s.locator,
                "set_aside": s.set_aside,
            }
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
    if is_url(record.path):
        raise HTTPException(404, f"{record.source} is not on this server: open it in its object store")
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
    """Remove a document with its tables and passages, and with its file if that was uploaded."""
    refuse_foreign_origin(request)
    services = services_of(request)
    check_may_write(services)
    corpus = corpus_of(request, services)
    record = _wanted(request, services, corpus)
    with alone_in(corpus, get_services()):
        removed = remove(record.path, get_services(), corpus)
        if is_uploaded(record, services.settings):
            delete_file(record, services.catalog.documents(corpus))
    return JSONResponse({"removed": removed})


ROUTES = [
    Route("/api/corpora", corpora, include_in_schema=False),
    Route("/api/documents", documents, include_in_schema=False),
    Route("/api/files", file, include_in_schema=False),
    Route("/api/documents/{id}/uses", uses, include_in_schema=False),
    Route("/api/documents/{id}", remove_document, methods=["DELETE"], include_in_schema=False),
]
