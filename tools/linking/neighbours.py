"""Tables that a question needs but does not mention: those that share a key column with the tables found."""

import re
from collections import Counter
from collections.abc import Sequence

from tablerag.tools.catalog import Catalog
from tablerag.tools.records import TableSchema

__all__ = ["MOST_NEIGHBOURS", "neighbours"]

KEY = re.compile(r"\w_(?:id|no|nr|key|code|number)$", re.IGNORECASE)
"""customer_id, order_no: columns that join tables; "id" alone identifies the rows of its own table."""
MOST_NEIGHBOURS = 2
MOST_SHARING = 8
"""Columns in more tables are not specific enough."""


def neighbours(catalog: Catalog, corpus: str, schemas: Sequence[TableSchema]) -> list[TableSchema]:
    """Return at most MOST_NEIGHBOURS other tables with a key column of the given ones, most shared keys first."""
    keys = {c.name.casefold() for s in schemas for c in s.columns if KEY.search(c.name)}
    if not keys:
        return []
    known = {s.table_id for s in schemas}
    found = catalog.schemas_with_columns(corpus, sorted(keys))
    sharing = Counter(c.name.casefold() for s in found for c in s.columns)
    telling = {k for k in keys if sharing[k] <= MOST_SHARING}
    shared = {s.table_id: len(telling & {c.name.casefold() for c in s.columns}) for s in found}
    joined = [s for s in found if shared[s.table_id] and s.table_id not in known]
    return sorted(joined, key=lambda s: (-shared[s.table_id], s.name))[:MOST_NEIGHBOURS]
