"""Passages that cells of a table name: chunks of text whose title is what stands in the cell."""

import re
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from threading import Lock

from tablerag.tools.records import Chunk, TableSchema
from tablerag.tools.services import Services
from tablerag.tools.stores.lexical_index import LexicalIndex
from tablerag.tools.text import tokens

__all__ = ["LinkedPassages", "likeness"]

MOST_TEXTS = 240
"""Cells of one table that are looked up."""
RECALLED = 4
CACHED_TABLES = 32
LEAST = 0.5
"""How alike title and cell must be."""
REMARK = re.compile(r"\s*[(\[].*?[)\]]|,.*$")
"""What tells pages of one name apart: "Mercury (planet)", "Delaware, Ohio"."""


def likeness(title: str, text: str) -> float:
    """Return the share of words that a page's title and a cell have in common; 0 where neither holds the other."""
    one, two = set(tokens(REMARK.sub("", title) or title)), set(tokens(text))
    return len(one & two) / len(one | two) if one and two and (one <= two or two <= one) else 0.0


class LinkedPassages:
    """Looks titles up in a table's corpus; keeps what recent tables name. Safe to share between threads."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._cache: OrderedDict[tuple[object, ...], dict[str, Chunk]] = OrderedDict()
        self._lock = Lock()

    def __call__(self, schema: TableSchema, texts: Iterable[str]) -> dict[str, Chunk]:
        """Return the passage of each text that is a page's title, whole or but for a remark, or has one in it.

        At most MOST_TEXTS texts are looked up, those without a letter none. Raises StoreUnavailable.
        """
        corpus = self._services.catalog.corpus_of(schema.table_id)
        wanted = [t for t in dict.fromkeys(texts) if any(c.isalpha() for c in t)][:MOST_TEXTS]
        if corpus is None or not wanted:
            return {}
        found = self._found(corpus, schema.table_id, wanted)
        seen = self._services.catalog.published(corpus, {c.document_id for c in found.values()})
        return {text: c for text, c in found.items() if c.document_id in seen}

    def _found(self, corpus: str, table_id: str, texts: Sequence[str]) -> dict[str, Chunk]:
        """Look texts up, unless that was done since the index last changed."""
        index = self._services.lexical_index(corpus)
        key = (corpus, table_id, index.version(), hash(tuple(texts)))
        with self._lock:
            known = self._cache.get(key)
        if known is None:
            known = {text: c for text in texts if (c := _best(index, text)) is not None}
        with self._lock:
            self._cache[key] = known
            self._cache.move_to_end(key)
            while len(self._cache) > CACHED_TABLES:
                self._cache.popitem(last=False)
        return known


def _best(index: LexicalIndex, text: str) -> Chunk | None:
    """Return the first chunk of the page whose title is most like a text."""
    recalled = index.holding(text, RECALLED, ("text",)) or index.search(text, RECALLED, ("text",))
    scored = [(likeness(c.title, text), -place, c) for place, c in enumerate(recalled)]
    best = max(scored, default=None, key=lambda s: s[:2])
    return best[2] if best and best[0] >= LEAST else None
