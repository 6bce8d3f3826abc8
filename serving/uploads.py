"""Routes for uploads: check and store files, ingest them in the background, report progress, cancel."""

from collections.abc import AsyncIterator
from dataclasses import asdict
from functools import partial
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import Message

from tablerag.ingestion.readers import suffixes
from tablerag.serving import ingest_jobs
from tablerag.serving.upload_folder import folder_of, safe_name, save
from tablerag.serving.upload_slots import UploadSlots
from tablerag.tools.access.requests import new_corpus_of, owner_of, refuse_foreign_origin, services_of
from tablerag.tools.access.restricted import check_may_write
from tablerag.tools.services import Services, get_services
from tablerag.tools.settings import Settings
from tablerag.tools.upload_jobs import IngestJob, UploadJobs

__all__ = ["ROUTES"]

FORM_BYTES = 100_000
"""Allowance for the form itself, beside its files."""
SLOTS = UploadSlots()


async def upload(request: Request) -> JSONResponse:
    """Store the files in a form's ``files`` fields and start to ingest them; the response names the job.

    The form is received on the event loop: a client that sends slowly holds no thread.
    """
    services, corpus = await run_in_threadpool(_allowed, request)
    owner, address = owner_of(request), request.client.host if request.client else ""
    with SLOTS.one_of(owner or address):
        form = await _form(request, services.settings)
        try:
            return await run_in_threadpool(_ingested, _checked(form, services.settings), corpus, services)
        finally:
            await form.close()


def _allowed(request: Request) -> tuple[Services, str]:
    """Return the services and the corpus to write to; 4xx if the request may not write there."""
    refuse_foreign_origin(request)
    check_may_write(services_of(request))
    services = get_services()
    return services, new_corpus_of(request, services)


def _ingested(files: dict[str, UploadFile], corpus: str, services: Services) -> JSONResponse:
    """Store files by their names and start to ingest them."""
    folder = folder_of(corpus, services.settings)

    def saved() -> list[Path]:
        try:
            for name, file in files.items():
                save(file.file, folder / name)
        except OSError as error:
            says = f"the files cannot be stored on the server ({error.strerror}): check TABLERAG_UPLOADS and its disk"
            raise HTTPException(503, says) from error
        return [folder / name for name in files]

    job = ingest_jobs.start(corpus, saved, services)
    return JSONResponse({"job": job.id, "files": list(files)}, 202)


def jobs(request: Request) -> JSONResponse:
    """List the latest ingests of a corpus, the latest first."""
    check_may_write(services_of(request))  # reports count rows and quote cells
    corpus = new_corpus_of(request, get_services())  # an upload may be the first of its corpus
    return JSONResponse({"jobs": [asdict(j) for j in UploadJobs(get_services()).of(corpus)]})


def job(request: Request) -> JSONResponse:
    """Return an ingest: running, done (with its report), failed (with the error) or cancelled."""
    return JSONResponse(asdict(_known(request)))


def cancel(request: Request) -> JSONResponse:
    """Cancel an ingest: it ends at its next step."""
    refuse_foreign_origin(request)
    found = _known(request)
    UploadJobs(get_services()).cancel(found)
    return JSONResponse(asdict(found))


def _known(request: Request) -> IngestJob:
    """Return the ingest that a request names; 404 for one that is unknown or in another key's corpus."""
    check_may_write(services_of(request))
    services, owner = get_services(), owner_of(request)
    found = UploadJobs(services).get(request.path_params["id"])
    if found is None or not services.settings.api_keys.may_use(owner, found.corpus):
        raise HTTPException(404, "unknown ingest: check the list of documents")
    return found


async def _form(request: Request, settings: Settings) -> FormData:
    """Read the form; 413 if it is larger than the upload limits allow."""
    most = int(settings.upload_max_mb * 1e6) * settings.upload_max_files + FORM_BYTES
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > most:
        raise _too_much(settings)
    bounded = Request(request.scope, partial(anext, _bounded(request, most, settings)))
    try:
        return await bounded.form(max_files=settings.upload_max_files, max_fields=10)
    except ClientDisconnect:
        raise HTTPException(400, "the upload was cut off: send it again") from None


async def _bounded(request: Request, most: int, settings: Settings) -> AsyncIterator[Message]:
    left = most
    while True:
        message = await request.receive()
        left -= len(message.get("body", b""))
        if left < 0:
            raise _too_much(settings)
        yield message


def _too_much(settings: Settings) -> HTTPException:
    return HTTPException(
        413,
        f"upload too large: send up to {settings.upload_max_files} files of {settings.upload_max_mb:g} MB, "
        "or raise TABLERAG_UPLOAD_MAX_MB",
    )


def _checked(form: FormData, settings: Settings) -> dict[str, UploadFile]:
    """Return the files by the names to store them under; 4xx for the first that is rejected."""
    files: dict[str, UploadFile] = {}
    for file in form.getlist("files"):
        if not isinstance(file, UploadFile):
            continue
        shown = (file.filename or "")[:80]
        try:
            name = safe_name(file.filename or "", suffixes(ocr=settings.reads_pictures))
        except ValueError as error:
            raise HTTPException(415, f"{shown!r}: {error}") from error
        if (file.size or 0) > settings.upload_max_mb * 1e6:
            raise HTTPException(
                413,
                f"{shown!r} is too large ({(file.size or 0) / 1e6:.1f} MB, limit {settings.upload_max_mb:g} MB): "
                "split the file, or raise TABLERAG_UPLOAD_MAX_MB",
            )
        if name in files:
            raise HTTPException(400, f"duplicate file name {name!r}: rename one, or upload them separately")
        files[name] = file
    if not files:
        raise HTTPException(400, "no files: send at least one in the form field 'files'")
    return files


ROUTES = [
    Route("/api/uploads", upload, methods=["POST"], include_in_schema=False),
    Route("/api/uploads", jobs, include_in_schema=False),
    Route("/api/uploads/{id}", job, include_in_schema=False),
    Route("/api/uploads/{id}", cancel, methods=["DELETE"], include_in_schema=False),
]
