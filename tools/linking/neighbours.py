"""Tables that a question needs but does not mention: those that share a key column with the tables found."""

from collections import Counter
from collections.abc import Sequence

from tablerag.tools.catalog import Catalog
from tablerag.tools.catalog_unions import KEY
from tablerag.tools.records import TableSchema

__all__ = ["MOST_NEIGHBOURS", "neighbours"]

MOST_NEIGHBOURS = 2
MOST_SHARING = 8
"""Columns in more tables are not specific enough."""


def neighbours(catalog: Catalog, corpus: str, schemas: Sequence[TableSchema]) -> list[TableSchema]:
    """Return at most MOST_NEIGHBOURS other tables with a key column of the given ones, most shared keys first."""
    keys = {c.name.casefold() for s in schemas for c in s.columns if KEY.search(c.name)}
    if not keys:
        return []
    known = {s.table_id for s in schemas}
    shared = Counter(i for k in keys for i in catalog.with_key(corpus, k, MOST_SHARING) if i not in known)
    joined = catalog.schemas_by_id(corpus, list(shared))
    return sorted(joined, key=lambda s: (-shared[s.table_id], s.name))[:MOST_NEIGHBOURS]
