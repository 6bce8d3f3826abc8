"""Tables that answers leave out: they may be read wrongly, and nobody has asked to use them."""

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tablerag.tools.counting import shortened
from tablerag.tools.records import TableSchema

if TYPE_CHECKING:
    from tablerag.tools.services import Services

__all__ = ["USE_IT", "left_out", "note_on", "pattern_of", "rule_for", "usable"]

USE_IT = "To have answers use it, write into tablerag.yaml and ingest the folder again"
LOOKED_AT = 3
"""How many of the best chunks may be of a table that is left out for the answer to say so."""


def usable(schemas: Iterable[TableSchema]) -> list[TableSchema]:
    """Return the tables that answers may use."""
    return [s for s in schemas if not s.set_aside]


def left_out(services: "Services", text: str, corpus: str, recall_n: int) -> list[str]:
    """Return a note on the table that matches a text best, if it is left out; none for most corpora."""
    aside = {s.table_id: s for s in services.catalog.set_aside(corpus)}
    if not aside:
        return []
    recalled = services.retriever(corpus).search(text, recall_n)
    ranked = services.reranker(corpus, embedded=True).rerank(text, recalled, LOOKED_AT)
    best = next((c.table_id for c in ranked if c.table_id), "")
    return [note_on(aside[best])] if best in aside else []


def rule_for(schema: TableSchema) -> str:
    """Return the lines of tablerag.yaml that have answers use a table."""
    source, name = (json.dumps(text, ensure_ascii=False) for text in (pattern_of(schema.source), schema.name))
    return f"tables:\n  - source: {source}\n    table: {name}\n    use: true"


def pattern_of(source: str) -> str:
    """Return the pattern of a rule that means one document alone."""
    return "".join(f"[{c}]" if c in "*?[" else c for c in source)


def note_on(schema: TableSchema) -> str:
    """Return a sentence that a table was not used, and why."""
    place = f"on {schema.locator}" if schema.locator.startswith("page") else f"({schema.locator})"
    where = f" {place}" if schema.locator else ""
    why = f"it may be read wrongly (confidence {schema.confidence:.0%})" if schema.doubts else "it is set aside"
    return f"The table {shortened(schema.name)}{where} of {schema.source} was not used: {why}; see the ingest report."
