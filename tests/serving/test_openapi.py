"""The OpenAPI description of the page's routes, and whether real responses match it."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from pydantic import TypeAdapter
from starlette.routing import Mount, Route

from tablerag.serving import documents, tables, uploads
from tablerag.serving.app import app
from tablerag.serving.openapi import OPERATIONS
from tests.support.graph_server import GraphServer

BY_HAND = ("/", "/api/openapi.json", "/mcp")
"""What is not in the description: the page, the description itself, and MCP, which lists its own tools."""


@pytest.fixture(scope="module")
def served(graph_server: GraphServer) -> dict[str, Any]:
    return httpx.get(f"{graph_server.url}/app/api/openapi.json").json()


def test_every_route_is_described(served: dict[str, Any]) -> None:
    mount = next(r for r in app.routes if isinstance(r, Mount) and r.path == "/app")
    routes = [r for r in mount.routes if isinstance(r, Route) and r.path not in BY_HAND]
    expected = {(f"/app{r.path}", m.lower()) for r in routes for m in (r.methods or set()) - {"HEAD"}}
    assert {(path, method) for path, methods in served["paths"].items() for method in methods} == expected
    assert len(expected) >= 10
    for methods in served["paths"].values():
        for operation in methods.values():
            assert operation["summary"] and "default" in operation["responses"]


def test_every_reference_leads_to_a_schema(served: dict[str, Any]) -> None:
    def references(part: Any) -> set[str]:
        inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
        own = {part["$ref"]} if isinstance(part, dict) and isinstance(part.get("$ref"), str) else set()
        return own.union(*map(references, inner))

    found = {r.rpartition("/")[2] for r in references(served)}
    assert found == served["components"]["schemas"].keys() & found and len(found) > 15


@pytest.mark.parametrize(
    ("function", "path"),
    [
        (documents.corpora, "corpora"),
        (documents.documents, "documents"),
        (tables.tables, "tables"),
        (tables.table, "tables/regions"),
        (tables.rows, "tables/squares/rows"),
        (uploads.jobs, "uploads"),
    ],
)
def test_responses_are_as_described(graph_server: GraphServer, function: Callable[..., Any], path: str) -> None:
    reply = httpx.get(f"{graph_server.url}/app/api/{path}", params={"corpus": "page"})
    TypeAdapter(OPERATIONS[function].reply).validate_json(reply.content, strict=True)


def test_a_key_that_no_schema_has_is_found(graph_server: GraphServer) -> None:
    reply = httpx.get(f"{graph_server.url}/app/api/corpora").json() | {"more": 1}
    with pytest.raises(ValueError, match="more"):
        TypeAdapter(OPERATIONS[documents.corpora].reply).validate_python(reply)
