"""retrieve: gather a step's chunks and the schemas that they map to (TableRAG, section 3.3)."""

import re
from collections.abc import Sequence
from typing import Any

from langgraph.runtime import Runtime

from tablerag.agent import events
from tablerag.agent.context import Context
from tablerag.agent.excerpts import FOUND_CHARS
from tablerag.agent.ports import Extracts, Hints, Search
from tablerag.agent.run_context import context_of
from tablerag.agent.serialization import chunks_of, dump, plan_of, schemas_of
from tablerag.agent.state import State
from tablerag.agent.tool_messages import search_messages
from tablerag.tools.linked_passages import likeness
from tablerag.tools.linking.keys import key_of, spelled
from tablerag.tools.records import Chunk, TableExtract, TableSchema

__all__ = ["retrieve"]

MOST_NAMES = 12
"""Cells of a bridge's result that are searched for."""
MOST_NEW, MOST_OF_NAME = 4, 2
"""New chunks of one step with fewer names, best of each name first, and of one name of several."""
MOST_TABLES = 2
"""New tables of one step."""
MOST_NAME_WORDS = 3
REMARK = re.compile(r"\s*[(\[].*?[)\]]|\s\+\s.*$")
"""What stands beside a name in its cell: "Mikhail Gromov + crew (Soviet Union)"."""
LONGEST_NAME = 500
"""Characters of a cell that are looked at: remarks are found in quadratic time."""
PAGE = 0.5
"""Least likeness of a title and a name for a page about it."""
WIDER = 4
"""How many times more chunks are looked through for a name's own page."""


def retrieve(
    state: State, runtime: Runtime[Context], *, search: Search, hints: Hints, extracts: Extracts
) -> dict[str, Any]:
    """Recall, rerank and map: the evidence of the current step.

    A step that has its statement is given what was retrieved before; one that names what to find searches for each
    name on its own, and adds what is new.
    """
    context, subquery = context_of(runtime, Context), state["subquery"] or ""
    plan = plan_of(state.get("plan"))
    known, tables = chunks_of(state.get("overview_chunks")), schemas_of(state.get("overview_schemas"))
    if plan is None and not state.get("settled"):
        chunks, schemas = search(subquery, context, state["understood"])
        return _update(state, runtime, context, subquery, chunks, schemas)
    are_cells = plan is None or not plan.find
    names = _names(state) if plan is None or not plan.find else plan.find
    if not names:
        return _update(state, runtime, context, subquery, known, tables)
    whole = state.get("shown_whole") or []
    chunks, schemas = _found(names, search, context, state["understood"], set(whole), are_cells)
    called = set(map(spelled, names))
    new = [s for s in schemas if s.name not in {t.name for t in tables}]
    more = sorted(new, key=lambda s: s.name not in called)[: max(MOST_TABLES, len(called))]
    asked = "; ".join([*names, state["understood"]])
    linked = hints(asked, more)
    shown = _about(names, extracts(asked, more, linked, True), searched=not are_cells)
    more = [s for s in more if s.name in {e.table for e in shown}]
    told = "; ".join(names) if are_cells else subquery  # people may not be shown all words of a model
    update = _update(state, runtime, context, told, (*known, *chunks), (*tables, *more))
    return update | {
        "found": [c.id for c in chunks],
        "shown_whole": [*whole, *(c.id for c in chunks if len(c.text) <= FOUND_CHARS // len(chunks))],
        "extracts": dump(shown),
        "overview_chunks": update["chunks"],
        "overview_schemas": dump((*tables, *more)),
    }


def _update(
    state: State,
    runtime: Runtime[Context],
    context: Context,
    asked: str,
    chunks: Sequence[Chunk],
    schemas: Sequence[TableSchema],
) -> dict[str, Any]:
    offered = schemas if context.sql_execution else ()  # no schema, no SQL
    runtime.stream_writer(events.evidence(state["iteration"], chunks, offered))
    messages = search_messages(asked, chunks)
    return {"chunks": dump(chunks), "schemas": dump(offered), "messages": messages}


def _about(names: Sequence[str], shown: Sequence[TableExtract], *, searched: bool) -> list[TableExtract]:
    """Return the tables of a name, or with a row about it; without any, a row of what a search found first."""
    keys = [key_of(name) for name in names]
    called = set(map(spelled, names))
    found = [
        e for e in shown
        if e.table in called or any(k in key_of(" ".join(map(str, row))) for row in e.rows for k in keys)
    ]  # fmt: skip
    return found or [e.model_copy(update={"rows": e.rows[:1], "complete": False}) for e in shown[: int(searched)]]


def _names(state: State) -> list[str]:
    """Return the names that a bridge's statement found."""
    rows = (state.get("result") or {}).get("rows") or []
    cells = (REMARK.sub("", str(cell)[:LONGEST_NAME]).strip() for row in rows for cell in row if cell is not None)
    return list(dict.fromkeys(c for c in cells if any(map(str.isalpha, c))))[:MOST_NAMES]


def _found(
    names: Sequence[str],
    search: Search,
    context: Context,
    question: str,
    whole: set[str],
    are_cells: bool,
) -> tuple[list[Chunk], list[TableSchema]]:
    """Search for each name; return the new chunks, the best of each name first, and the schemas of tables."""
    lists: list[list[Chunk]] = []
    tables: dict[str, TableSchema] = {}
    for name in names:
        new, schemas = _of_name(name, search, context, question, whole, are_cells)
        lists.append(new if len(names) == 1 else new[:MOST_OF_NAME])
        tables |= {s.name: s for s in schemas}
    ranked = [new[rank] for rank in range(MOST_NEW) for new in lists if rank < len(new)]
    return list({c.id: c for c in ranked}.values())[: max(MOST_NEW, len(names))], list(tables.values())


def _of_name(
    name: str, search: Search, context: Context, question: str, whole: set[str], is_cell: bool
) -> tuple[list[Chunk], Sequence[TableSchema]]:
    """Return what is new of one name: of its own pages if there are some, otherwise what fits it best.

    A passage that was shown in part is new, and only one in ``whole`` is not. Where nothing is new, more is recalled.
    """

    def texts(chunks: Sequence[Chunk]) -> list[Chunk]:
        # A table is shown by its rows, where it can be read by SQL.
        return [c for c in chunks if c.id not in whole and not (c.table_id and context.sql_execution)]

    wider = context.model_copy(update={"top_k": min(20, context.top_k * WIDER)})
    further, _ = search(name, wider, question)
    chunks, schemas = search(name, context, "")
    own = [c for c in further if likeness(c.title, name) >= PAGE]
    pages = texts(own)
    if not pages and any(likeness(c.title, name) == 1 for c in own):
        return [], schemas  # its page is known: others would be strangers
    if pages:
        return pages[:MOST_OF_NAME], schemas
    is_name = is_cell or _is_name(name)
    last = key_of(name).split()[-1:]  # of a name, a text without it tells nothing
    fits = [c for c in texts(chunks) if not is_name or set(last) <= set(key_of(c.text).split())]
    return fits or ([] if is_name else texts(further)[: context.top_k]), schemas


def _is_name(phrase: str) -> bool:
    """Tell whether a phrase is a name: each of its few words begins with a capital letter."""
    words = phrase.split()
    return len(words) <= MOST_NAME_WORDS and all(w[0].isupper() for w in words)
