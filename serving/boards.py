"""Routes for boards: saved questions in an order of one's own."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from tablerag.serving.saved import Title, changed, items_of, known, removed
from tablerag.tools.saved_items import SavedItem

__all__ = ["ROUTES", "Board"]

EXPECTED = "a title, and the ids of saved questions"
MOST_SHOWN = 50
Id = Annotated[str, StringConstraints(pattern="^[0-9a-f]{32}$")]


class Board(BaseModel):
    """A board: its title, and the ids of its saved questions in order."""

    model_config = ConfigDict(extra="forbid")

    title: Title
    items: list[Id] = Field(default_factory=list, max_length=MOST_SHOWN)


def boards(request: Request) -> JSONResponse:
    """List the boards of the API key, the latest first."""
    _, _, items = items_of(request, "board")
    return JSONResponse({"boards": [_listed(i) for i in items.every()]})


async def create(request: Request) -> JSONResponse:
    """Create a board."""

    def made(given: Board) -> dict[str, Any]:
        _, _, items = items_of(request, "board")
        return _listed(items.add(given.title, {"items": given.items}))

    return await changed(request, Board, EXPECTED, made)


async def replace(request: Request) -> JSONResponse:
    """Change a board's title, and which saved questions it has in which order."""

    def put(given: Board) -> dict[str, Any]:
        _, _, items = items_of(request, "board")
        return _listed(known(items.replace(request.path_params["id"], given.title, {"items": given.items})))

    return await changed(request, Board, EXPECTED, put)


def remove(request: Request) -> JSONResponse:
    """Delete a board; its saved questions stay."""
    return removed(request, "board")


def _listed(item: SavedItem) -> dict[str, Any]:
    return {"id": item.item_id, "title": item.title, "saved_at": item.saved_at, "items": item.record["items"]}


ROUTES = [
    Route("/api/boards", boards, include_in_schema=False),
    Route("/api/boards", create, methods=["POST"], include_in_schema=False),
    Route("/api/boards/{id}", replace, methods=["PUT"], include_in_schema=False),
    Route("/api/boards/{id}", remove, methods=["DELETE"], include_in_schema=False),
]
