"""Passages about the cells of a table: chunks of text whose title is the text of a cell."""

import re
from collections.abc import Iterable, Sequence

from tablerag.tools.recent import Recent
from tablerag.tools.records import Chunk, TableSchema
from tablerag.tools.services import Services
from tablerag.tools.stores.lexical_index import LexicalIndex
from tablerag.tools.text import tokens

__all__ = ["LinkedPassages", "likeness"]

MOST_TEXTS = 240
"""Most cells of one table that are looked up."""
RECALLED = 4
KEPT = 2_000
"""Passages that are kept of recent tables, for each version of the index."""
LEAST = 0.5
"""Least likeness of title and cell."""
REMARK = re.compile(r"\s*[(\[].*?[)\]]|,.*$")
"""Distinguishes pages with the same name: "Mercury (planet)", "Delaware, Ohio"."""


def likeness(title: str, text: str) -> float:
    """Return the share of words that a title and a cell have in common; 0 if neither contains the other."""
    one, two = set(tokens(REMARK.sub("", title) or title)), set(tokens(text))
    return len(one & two) / len(one | two) if one and two and (one <= two or two <= one) else 0.0


class LinkedPassages:
    """Looks up titles in the corpus of a table; caches recent tables. Safe to share between threads."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._found = Recent[tuple[str, object, tuple[str, ...]], dict[str, Chunk]](lambda found: 1 + len(found), KEPT)

    def __call__(self, schema: TableSchema, texts: Iterable[str]) -> dict[str, Chunk]:
        """Return a passage for each text that equals the title of a page, ignoring remarks, or contains one.

        Looks up at most MOST_TEXTS texts, only those with a letter. Raises StoreUnavailable.
        """
        corpus = self._services.catalog.corpus_of(schema.table_id)
        wanted = tuple(t for t in dict.fromkeys(texts) if any(c.isalpha() for c in t))[:MOST_TEXTS]
        if corpus is None or not wanted:
            return {}
        version = self._services.lexical_index(corpus).version()
        found = self._found.of((corpus, version, wanted), lambda: self._look_up(corpus, wanted))
        seen = self._services.catalog.published(corpus, {c.document_id for c in found.values()})
        return {text: c for text, c in found.items() if c.document_id in seen}

    def _look_up(self, corpus: str, texts: Sequence[str]) -> dict[str, Chunk]:
        index = self._services.lexical_index(corpus)
        return {text: c for text in texts if (c := _best(index, text)) is not None}


def _best(index: LexicalIndex, text: str) -> Chunk | None:
    """Return the first chunk of the page with the most similar title."""
    recalled = index.holding(text, RECALLED, ("text",)) or index.search(text, RECALLED, ("text",))
    scored = [(likeness(c.title, text), -place, c) for place, c in enumerate(recalled)]
    best = max(scored, default=None, key=lambda s: s[:2])
    return best[2] if best and best[0] >= LEAST else None
