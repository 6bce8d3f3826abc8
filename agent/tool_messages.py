"""Tool calls in the chat, a pair of messages each, which chat clients show while the graph works.

No model reads them. Some clients render them as Markdown, so that nothing of documents or models is live in them;
``steps`` have the same values as they are.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

from langchain_core.messages import AIMessage, AnyMessage, ToolMessage

from tablerag.agent.events import SHOWN_ROWS
from tablerag.tools.markdown import escaped, inert_json, inert_statement
from tablerag.tools.records import Chunk

__all__ = ["search_messages", "sql_messages"]


def search_messages(subquery: str, chunks: Sequence[Chunk]) -> list[AnyMessage]:
    """Return the search for a subquery, with the sources of its chunks."""
    found = [{"source": c.source, "place": c.locator, "title": c.title, "kind": c.kind} for c in chunks]
    return _pair("search_documents", {"question": escaped(" ".join(subquery.split()))}, found)


def sql_messages(step: Mapping[str, Any]) -> list[AnyMessage]:
    """Return a step's statement and its rows as objects: a single row as one object, which clients show as a table."""
    asked = {"sql": inert_statement(step["sql"])}
    if step["error"]:
        return _pair("execute_sql", asked, {"error": step["error"]})
    rows = [dict(zip(_distinct(step["columns"]), row, strict=True)) for row in step["rows"][:SHOWN_ROWS]]
    return _pair("execute_sql", asked, rows[0] if len(rows) == 1 else rows)


def _distinct(names: Sequence[str]) -> list[str]:
    """Return the names, with a number after repeated ones."""
    return [n if n not in names[:i] else f"{n} ({names[: i + 1].count(n)})" for i, n in enumerate(names)]


def _pair(name: str, args: dict[str, Any], found: Any) -> list[AnyMessage]:
    call = str(uuid4())
    asked = AIMessage("", tool_calls=[{"name": name, "args": args, "id": call}], id=str(uuid4()))
    return [asked, ToolMessage(inert_json(found), name=name, tool_call_id=call, id=str(uuid4()))]
