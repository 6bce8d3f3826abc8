"""A question about a row that it describes, such as "Who founded the supplier with the highest tonnes?"."""

import re
from collections.abc import Sequence

from tablerag.agent.offline.linking import header_tokens, link_columns, same_word
from tablerag.agent.offline.question import read_question
from tablerag.tools.records import TableSchema
from tablerag.tools.text import content_tokens, tokens

__all__ = ["about", "row_question"]

WITH_ROW = re.compile(
    r"^(?P<head>.+?)\s+(?P<phrase>(?:the|a|an)\s+(?P<noun>[\w -]+?)\s+"
    r"(?:with|that has|which has|that have|having|that had|whose)\s+(?P<row>.+?))[?.! ]*$",
    re.IGNORECASE,
)

PLURAL = re.compile(r"[^su]s$", re.IGNORECASE)
"""The end of a noun that describes many rows, which name no one thing to read on about."""


def row_question(question: str, schemas: Sequence[TableSchema]) -> str | None:
    """Return the question for the row alone; None if its table answers the whole question."""
    found = WITH_ROW.match(question.strip())
    if not found or PLURAL.search(found["noun"]):
        return None
    nouns = tokens(found["noun"])
    head = [w for w in content_tokens(found["head"]) if w not in nouns]
    asks = read_question(found["head"]).asks
    for schema in schemas:
        named = [c for c in schema.columns if any(same_word(n, w) for n in header_tokens(c.header) for w in nouns)]
        if not any(c.type == "text" for c in named) or not link_columns(read_question(found["row"]).words, schema):
            continue
        answering = [k.column for k in link_columns(head, schema) if asks != "who" or k.column.type == "text"]
        if head and asks in ("who", "when", "where", "what", "which", "how") and not answering:
            return f"Which {found['noun']} has {found['row']}?"
    return None


def about(question: str, entity: str) -> str | None:
    """Return the question with the row's name in place of its description."""
    found = WITH_ROW.match(question.strip())
    return f"{found['head']} {entity}?" if found else None
