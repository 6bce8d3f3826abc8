"""Tables that a question needs but does not mention: those that the tables found share a key with, or refer to."""

import re
from collections import Counter
from collections.abc import Sequence

from tablerag.tools.catalog import Catalog
from tablerag.tools.catalog_unions import KEY
from tablerag.tools.records import TableSchema

__all__ = ["MOST_NEIGHBOURS", "neighbours", "referenced"]

MOST_NEIGHBOURS = 2
MOST_REFERENCED = 4
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
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


def referenced(catalog: Catalog, corpus: str, schemas: Sequence[TableSchema]) -> list[TableSchema]:
    """Return at most MOST_REFERENCED other tables to which foreign keys of the given ones lead, in their order."""
    wanted: dict[str, tuple[str, str]] = {}
    for schema in schemas:
        for _, table, _ in schema.origin.references if schema.origin else ():
            name = "_".join(re.findall(r"\w+", CAMEL.sub("_", table))).lower()
            wanted.setdefault(name, (schema.origin.connection if schema.origin else "", table))
    known = {s.table_id for s in schemas}
    found = {s.name: s for s in catalog.named(corpus, wanted)} if wanted else {}
    kept = [found[n] for n in wanted if n in found and found[n].table_id not in known]
    return [s for s in kept if s.origin and (s.origin.connection, s.origin.table[-1]) == wanted[s.name]][
        :MOST_REFERENCED
    ]
