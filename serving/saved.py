"""Routes for saved questions: keep a question with its statements, run it again, and tell what has changed."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from tablerag.agent.presentation import KEPT_ROWS, presented
from tablerag.serving.bodies import read_body
from tablerag.serving.results import RanStatement, Sql, ran, tables_of
from tablerag.tools.access.requests import corpus_of, owner_of, refuse_foreign_origin, services_of
from tablerag.tools.records import TableSchema
from tablerag.tools.saved_items import SavedItem, SavedItems
from tablerag.tools.services import Services
from tablerag.tools.sql.receipts import Verified
from tablerag.verification import computed_again, read_answer

__all__ = ["ROUTES", "Again", "Named", "Saving", "Title", "changed", "items_of", "known", "removed"]

T = TypeVar("T", bound=BaseModel)
EXPECTED = "a question and its statements"
UNKNOWN = "this is not saved any more, or not for your API key: reload the list"
MOST_STATEMENTS = 5
Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]
Question = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4_000)]
Columns = dict[str, list[list[str]]]


class Saving(BaseModel):
    """A question to save, with the statements that answer it; the last one's result is its value."""

    model_config = ConfigDict(extra="forbid")

    question: Question
    sql: list[Sql] = Field(min_length=1, max_length=MOST_STATEMENTS)


class Named(BaseModel):
    """A new title."""

    model_config = ConfigDict(extra="forbid")

    title: Title


class Again(BaseModel):
    """How to run a saved question again."""

    model_config = ConfigDict(extra="forbid")

    keep: bool = False
    """Whether its value of now takes the place of the saved one."""


def items_of(request: Request, kind: Any) -> tuple[Services, str, SavedItems]:
    """Return the services, the corpus and the items of a request's key; raises HTTPException as corpus_of() does."""
    services = services_of(request)
    corpus = corpus_of(request, services)
    return services, corpus, SavedItems(services.database, owner_of(request), corpus, kind)


async def changed(request: Request, kind: type[T], expected: str, act: Callable[[T], Any]) -> JSONResponse:
    """Read the body, and return what ``act`` makes of it, as JSON; in a thread, as stores block."""
    refuse_foreign_origin(request)
    owner_of(request)
    given = await read_body(request, kind, expected)
    return JSONResponse(await run_in_threadpool(act, given))


def saved(request: Request) -> JSONResponse:
    """List the saved questions of the API key, the latest first."""
    _, _, items = items_of(request, "question")
    return JSONResponse({"saved": [_listed(i) for i in items.every()]})


async def save(request: Request) -> JSONResponse:
    """Run the statements in the body and keep them with their question, value and receipts."""

    def kept(given: Saving) -> dict[str, Any]:
        services, corpus, items = items_of(request, "question")
        return _listed(items.add(given.question[:300], _record(services, corpus, given.question, given.sql)))

    return await changed(request, Saving, EXPECTED, kept)


async def run_again(request: Request) -> JSONResponse:
    """Run a saved question again; return its results of now, and what differs from what was saved."""

    def again(given: Again) -> dict[str, Any]:
        services, corpus, items = items_of(request, "question")
        item = known(items.one(request.path_params["id"]))
        if given.keep:
            record = _record(services, corpus, item.record["question"], item.record["answer"]["sql"])
            item = known(items.replace(item.item_id, item.title, record))
        return _compared(services, corpus, item)

    return await changed(request, Again, "an object such as {}", again)


async def rename(request: Request) -> JSONResponse:
    """Give a saved question another title."""

    def named(given: Named) -> dict[str, Any]:
        _, _, items = items_of(request, "question")
        item = known(items.one(request.path_params["id"]))
        return _listed(known(items.replace(item.item_id, given.title, item.record)))

    return await changed(request, Named, "a title", named)


def forget(request: Request) -> JSONResponse:
    """Delete a saved question."""
    return removed(request, "question")


def removed(request: Request, kind: Any) -> JSONResponse:
    """Delete the item of a kind whose id is in the path; raise HTTPException if it is unknown."""
    refuse_foreign_origin(request)
    _, _, items = items_of(request, kind)
    if not items.remove(request.path_params["id"]):
        raise HTTPException(404, UNKNOWN)
    return JSONResponse({"removed": [request.path_params["id"]]})


def known(item: SavedItem | None) -> SavedItem:
    """Return an item that was looked up; raise HTTPException if there is none."""
    if item is None:
        raise HTTPException(404, UNKNOWN)
    return item


def _listed(item: SavedItem) -> dict[str, Any]:
    about = {"id": item.item_id, "title": item.title, "saved_at": item.saved_at}
    return about | {"question": item.record["question"], "text": item.record["answer"]["answer"]}


def _record(services: Services, corpus: str, question: str, sql: Sequence[str]) -> dict[str, Any]:
    """Return what is kept: the answer as `tablerag verify` reads it, and the columns of its tables."""
    schemas = tables_of(services, corpus)
    found = [ran(services, one, schemas) for one in sql]
    steps = [s.model_dump(mode="json") | {"subquery": question, "verdict": "sql_only"} for s in found]
    last = found[-1].presented
    answer = {"question": question, "answer": last.text, "corpus": corpus, "sql": [s.sql for s in found]}
    answer |= {"steps": steps, "table": last.table.model_dump(mode="json") if last.table else None}
    read = {name for s in found if s.receipt for name in s.receipt.tables}
    return {"question": question, "answer": answer, "columns": _columns(schemas, read)}


def _columns(schemas: Sequence[TableSchema], names: set[str]) -> Columns:
    return {s.name: [[c.name, c.type, c.unit, c.scale] for c in s.columns] for s in schemas if s.name in names}


def _compared(services: Services, corpus: str, item: SavedItem) -> dict[str, Any]:
    answer, schemas = item.record["answer"], tables_of(services, corpus)
    found = computed_again(read_answer(answer), schemas, services.database, row_limit=services.settings.row_limit)
    steps = [_step(v, schemas) for v in found if v.result is not None]
    text = steps[-1].presented.text if steps and len(steps) == len(found) else ""
    was: Columns = item.record["columns"]
    says = [f"{v.says[0].upper()}{v.says[1:]}." for v in found if v.status != "same"]
    return _listed(item) | {
        "same": not says and text == answer["answer"],
        "now": text,
        "says": says + _differences(was, _columns(schemas, set(was))),
        "steps": [s.model_dump(mode="json") for s in steps],
    }


def _step(found: Verified, schemas: Sequence[TableSchema]) -> RanStatement:
    result = found.result
    assert result is not None
    receipt = found.receipt.model_copy(update={"rows": found.rows})
    about = {"sql": result.sql, "columns": result.columns, "truncated": result.truncated, "receipt": receipt}
    return RanStatement(**about, rows=result.rows[:KEPT_ROWS], presented=presented(result, schemas))


def _differences(was: Columns, now: Columns) -> list[str]:
    """Return how the columns of each table differ from those that it had."""
    says = []
    for table, before in was.items():
        after = now.get(table)
        if after is None or after == before:
            continue
        olds, news = ({c[0]: c[1:] for c in columns} for columns in (before, after))
        parts = {
            "new": [n for n in news if n not in olds],
            "gone": [n for n in olds if n not in news],
            "of another type or unit": [n for n in olds if n in news and olds[n] != news[n]],
        }
        told = "; ".join(f"{what}: {', '.join(names)}" for what, names in parts.items() if names)
        says += [f"The columns of {table} changed: {told or 'their order'}."]
    return says


ROUTES = [
    Route("/api/saved", saved, include_in_schema=False),
    Route("/api/saved", save, methods=["POST"], include_in_schema=False),
    Route("/api/saved/{id}", run_again, methods=["POST"], include_in_schema=False),
    Route("/api/saved/{id}", rename, methods=["PATCH"], include_in_schema=False),
    Route("/api/saved/{id}", forget, methods=["DELETE"], include_in_schema=False),
]
