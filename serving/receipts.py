"""Route for opening a receipt: the rows that a result is computed from, found now."""

from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from tablerag.ingestion.refreshing import refreshing
from tablerag.serving.bodies import body_of
from tablerag.tools.access.requests import corpus_of, owner_of, refuse_foreign_origin, services_of
from tablerag.tools.connections.refreshing import current_tables
from tablerag.tools.records import Receipt
from tablerag.tools.sql.receipts import verified

__all__ = ["ROUTES"]

MOST_BYTES = 1_000_000


async def opened(request: Request) -> JSONResponse:
    """Run the statement of the receipt in the body again; return its status and the contributing rows."""
    refuse_foreign_origin(request)
    owner_of(request)
    return await run_in_threadpool(_verified, request, await body_of(request, MOST_BYTES))


def _verified(request: Request, body: bytes) -> JSONResponse:
    services = services_of(request)
    corpus = corpus_of(request, services)
    try:
        receipt = Receipt.model_validate_json(body)  # unlike the json module, it refuses lone surrogates
    except ValidationError as error:
        raise HTTPException(400, "not a receipt: expected the receipt of an answer's step as JSON") from error
    tables = current_tables(refreshing(services), corpus, receipt.tables)
    found = verified(receipt, tables, services.database, row_limit=services.settings.row_limit)
    rows = [r.model_dump(mode="json") for r in found.rows]
    return JSONResponse({"status": found.status, "says": found.says, "rows": rows})


ROUTES = [Route("/api/receipts", opened, methods=["POST"], include_in_schema=False)]
