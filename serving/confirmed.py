"""Routes for confirmed answers: run the statement that is right for a question, keep it, list and withdraw."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, StringConstraints
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from tablerag.agent.confirming import confirmed_entry
from tablerag.serving.bodies import read_body
from tablerag.tools.access.requests import corpus_of, owner_of, refuse_foreign_origin, services_of
from tablerag.tools.counting import one_line
from tablerag.tools.errors import SqlProblem

__all__ = ["ROUTES", "Confirming", "Withdrawing"]

EXPECTED = "a question and its statement"
SHOWN_ROWS = 50
Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2_000)]


class Withdrawing(BaseModel):
    """A question whose confirmed answer is withdrawn."""

    model_config = ConfigDict(extra="forbid")

    question: Words


class Confirming(Withdrawing):
    """A question, and the statement that answers it."""

    sql: Annotated[str, StringConstraints(min_length=1, max_length=20_000)]
    by: Annotated[str, StringConstraints(strip_whitespace=True, max_length=100)] = ""
    """Who says that it is right; without, the name of the API key."""
    keep: bool = False
    """Whether it is kept; without, it is only run."""


def confirmed(request: Request) -> JSONResponse:
    """List the confirmed answers of a corpus, the latest first."""
    services = services_of(request)
    entries = services.knowledge.of(corpus_of(request, services)).confirmed
    shown = [e.model_dump(mode="json", exclude={"line"}) for e in reversed(entries)]
    return JSONResponse({"confirmed": shown})


async def confirm(request: Request) -> JSONResponse:
    """Run the statement in the body; with ``keep``, confirm it for its question. Return its result.

    What is wrong with a statement that is only tried is its ``problem``; to keep one is refused.
    """
    refuse_foreign_origin(request)
    owner = owner_of(request)
    given = await read_body(request, Confirming, EXPECTED)
    return await run_in_threadpool(_confirmed, request, given, owner)


def _confirmed(request: Request, given: Confirming, owner: str) -> JSONResponse:
    services = services_of(request)
    corpus = corpus_of(request, services)
    tables = services.catalog.tables(corpus)
    found: dict[str, Any] = {"kept": given.keep, "sql": given.sql, "answer": "", "columns": [], "rows": []}
    try:
        key = services.settings.api_keys.name_of(owner)
        entry, result = confirmed_entry(services, corpus, tables, given.question, given.sql, given.by, key)
    except SqlProblem as problem:
        if given.keep:
            raise
        return JSONResponse(found | {"truncated": False, "problem": one_line(str(problem))})
    if given.keep:
        services.knowledge.confirm(corpus, entry)
    rows = [list(row) for row in result.rows[:SHOWN_ROWS]]
    found |= {"sql": entry.sql, "answer": entry.answer, "columns": list(result.columns), "rows": rows}
    return JSONResponse(found | {"truncated": result.truncated or len(result.rows) > SHOWN_ROWS, "problem": ""})


async def withdraw(request: Request) -> JSONResponse:
    """Withdraw the confirmed answer of the question in the body; 404 if there is none."""
    refuse_foreign_origin(request)
    owner_of(request)
    given = await read_body(request, Withdrawing, EXPECTED)
    return await run_in_threadpool(_withdrawn, request, given)


def _withdrawn(request: Request, given: Withdrawing) -> JSONResponse:
    services = services_of(request)
    if not services.knowledge.withdraw(corpus_of(request, services), given.question):
        raise HTTPException(404, "no answer of this question is confirmed by this key")
    return JSONResponse({"withdrawn": given.question})


ROUTES = [
    Route("/api/confirmed", confirmed, include_in_schema=False),
    Route("/api/confirmed", confirm, methods=["POST"], include_in_schema=False),
    Route("/api/confirmed", withdraw, methods=["DELETE"], include_in_schema=False),
]
