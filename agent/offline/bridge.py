"""Two hops: a row found in a table, then the text about what it names."""

import re
from collections.abc import Sequence

from tablerag.agent.offline.linking import header_tokens, link_columns, same_word
from tablerag.agent.offline.question import read_question
from tablerag.tools.records import TableSchema
from tablerag.tools.text import content_tokens, tokens

__all__ = ["first_hop", "second_hop"]

WITH_ROW = re.compile(
    r"^(?P<head>.+?)\s+(?P<phrase>(?:the|a|an)\s+(?P<noun>[\w -]+?)\s+"
    r"(?:with|that has|which has|that have|having|that had|whose)\s+(?P<row>.+?))[?.! ]*$",
    re.IGNORECASE,
)


def first_hop(question: str, schemas: Sequence[TableSchema]) -> str | None:
    """Return the question for the row alone, when the rest of it is not in that row's table."""
    found = WITH_ROW.match(question.strip())
    if not found:
        return None
    head = [w for w in content_tokens(found["head"]) if w not in tokens(found["noun"])]
    for schema in schemas:
        nouns = tokens(found["noun"])
        named = [c for c in schema.columns if any(same_word(n, w) for n in header_tokens(c.header) for w in nouns)]
        named = [c for c in named if c.type == "text"]
        if not named or not link_columns(read_question(found["row"]).words, schema):
            continue
        asks = read_question(found["head"]).asks
        answering = [k.column for k in link_columns(head, schema) if asks != "who" or k.column.type == "text"]
        if head and asks in ("who", "when", "where", "what", "which", "how") and not answering:
            return f"Which {found['noun']} has {found['row']}?"
    return None


def second_hop(question: str, entity: str) -> str | None:
    """Return the question with the row's description replaced by what it names."""
    found = WITH_ROW.match(question.strip())
    return f"{found['head']} {entity}?" if found else None
