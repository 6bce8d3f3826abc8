"""Route for the passage behind a citation."""

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from tablerag.tools.access.requests import corpus_of, services_of

__all__ = ["ROUTES"]


def passage(request: Request) -> JSONResponse:
    """Return a chunk's text and its place in its document."""
    services = services_of(request)
    corpus = corpus_of(request, services)
    if not services.catalog.documents(corpus):
        # Chroma would create a collection for it.
        raise HTTPException(404, f"corpus {corpus!r} has no documents: upload some first")
    found = services.vector_store(corpus).get([request.path_params["id"]])
    shown = services.catalog.published(corpus, [c.document_id for c in found])
    hidden = () if services.sees_all else ("profile",)
    chunk = next((c for c in found if c.document_id in shown and c.kind not in hidden), None)
    if chunk is None:
        raise HTTPException(404, "passage not found: its document was replaced or removed, ask again")
    return JSONResponse(chunk.model_dump(mode="json", include={"id", "kind", "source", "locator", "title", "text"}))


ROUTES = [Route("/api/passages/{id}", passage, include_in_schema=False)]
