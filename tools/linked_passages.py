"""Passages that cells of a table name: chunks of text whose title is what stands in the cell."""

import re
from collections.abc import Iterable

from tools.lexical_index import LexicalIndex
from tools.records import Chunk, TableSchema
from tools.services import Services
from tools.text import tokens

__all__ = ["LinkedPassages", "likeness"]

MOST_TEXTS = 240
"""Cells of one table that are looked up."""
RECALLED = 4
LEAST = 0.5
"""How alike title and cell must be."""
REMARK = re.compile(r"\s*[(\[].*?[)\]]|,.*$")
"""What tells pages of one name apart: "Mercury (planet)", "Delaware, Ohio"."""


def likeness(title: str, text: str) -> float:
    """Return the share of words that a page's title and a cell have in common; 0 where neither holds the other."""
    one, two = set(tokens(REMARK.sub("", title) or title)), set(tokens(text))
    return len(one & two) / len(one | two) if one and two and (one <= two or two <= one) else 0.0


class LinkedPassages:
    """Looks titles up in the corpus that a table is of."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def __call__(self, schema: TableSchema, texts: Iterable[str]) -> dict[str, Chunk]:
        """Return the passage of each text that is a page's title, whole or but for a remark, or has one in it.

        At most MOST_TEXTS texts are looked up, those without a letter none. Raises StoreUnavailable.
        """
        corpus = self._services.catalog.corpus_of(schema.table_id)
        wanted = [t for t in dict.fromkeys(texts) if any(c.isalpha() for c in t)][:MOST_TEXTS]
        if corpus is None or not wanted:
            return {}
        index = self._services.lexical_index(corpus)
        found = {text: _best(index, text) for text in wanted}
        seen = self._services.catalog.published(corpus, {c.document_id for c in found.values() if c})
        return {text: c for text, c in found.items() if c and c.document_id in seen}


def _best(index: LexicalIndex, text: str) -> Chunk | None:
    """Return the first chunk of the page whose title is most like a text."""
    recalled = index.holding(text, RECALLED, ("text",)) or index.search(text, RECALLED, ("text",))
    scored = [(likeness(c.title, text), -place, c) for place, c in enumerate(recalled)]
    best = max(scored, default=None, key=lambda s: s[:2])
    return best[2] if best and best[0] >= LEAST else None
