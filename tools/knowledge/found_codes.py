"""Codes that the documents themselves explain: "Status: O open, C cancelled" in a handbook tells what a column holds.

A sentence explains them, or a small table of codes and meanings. They are looked for when a small corpus has changed,
and kept in the catalog. In large ones `tablerag knowledge draft` looks for them, for a person to accept.
"""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress

from tablerag.tools.errors import TableRagError
from tablerag.tools.knowledge.explaining import Explanations
from tablerag.tools.records import TableRules, TableSchema
from tablerag.tools.services import Services

__all__ = ["FoundCodes", "found_codes", "with_codes"]

VERSION = 2
"""Of these rules: what others found is looked for again."""
MOST_CHUNKS, MOST_TABLES = 2_000, 100
"""The size of a corpus that is searched, which takes up to a second."""
LEAST_SHARE = 0.75
"""The share of a column's codes that must be explained: nobody looks at what was found."""
PERIODS = re.compile(r"[QHT]\d|FY\d*")
"""Sentences list them without explaining them."""


class FoundCodes(dict[str, dict[str, tuple[str, str]]]):
    """By stored table and column: what its codes mean, and the place that says so."""

    def __init__(self) -> None:
        super().__init__()
        self.listed_in: dict[str, tuple[str, str]] = {}
        """The columns with codes and their meanings of the tables that say so, by stored name."""


def found_codes(services: Services, corpus: str) -> FoundCodes:
    """Return the codes that the documents of a corpus explain, in its present state.

    Of a key with rights: those that tables explain which it sees as a whole, or texts of documents which it sees so.
    """
    kept, found = _kept_codes(services.whole, corpus), FoundCodes()
    if not kept:
        return found
    seen = None if services.sees_all else _seen(services, corpus)
    for stored_as, column, says, where, source, table, key, meaning in kept:
        if seen is None or (table or source) in seen:
            found.setdefault(stored_as, {})[column] = says, where
            if table:
                found.listed_in[table] = key, meaning
    return found


def _seen(services: Services, corpus: str) -> set[str]:
    """Return the documents, by source, and the tables, by stored name, that a key sees as a whole."""
    sources = {d.document_id: d.source for d in services.catalog.documents(corpus)}
    tables = {s.stored_as for s in services.catalog.schemas(corpus) if s.row_filter is None}
    return tables | {sources[i] for i in services.catalog.published(corpus, sources)}


def _kept_codes(services: Services, corpus: str) -> list[tuple[str, ...]]:
    key, state = f"codes of {corpus}", f"{VERSION} {services.catalog.generation(corpus)}"
    kept = services.catalog.model_texts([key]).get(key) or [""]
    if kept[0] != state:
        kept = [state, *(json.dumps(line, ensure_ascii=False) for line in _look(services, corpus))]
        with suppress(TableRagError):  # a home that cannot be written is searched at every question
            services.catalog.save_model_texts(key, kept)
    return [tuple(json.loads(line)) for line in kept[1:]]


def _look(services: Services, corpus: str) -> Iterator[tuple[str, ...]]:
    """Yield the table and column of codes, what they mean, where, in which document or table, and in its columns."""
    chunks = sum(d.chunk_count for d in services.catalog.documents(corpus))
    schemas = services.catalog.few_schemas(corpus, MOST_TABLES) if chunks <= MOST_CHUNKS else []
    known = Explanations(services, corpus, schemas)
    for codes in known.columns:
        if all(map(PERIODS.fullmatch, codes.values)):
            continue
        if found := known.of(codes, LEAST_SHARE):
            t = found.table
            table = (t.schema.stored_as, t.key.name, t.meaning.name) if t else ("", "", "")
            yield (codes.schema.stored_as, codes.column.name, found.says, found.where, found.source, *table)


def with_codes(schemas: Sequence[TableSchema], found: FoundCodes) -> list[TableSchema]:
    """Return schemas with what is found of their columns' codes, where nothing else describes them."""
    return [_with_codes(s, found) for s in schemas]


def _with_codes(schema: TableSchema, found: FoundCodes) -> TableSchema:
    known = _of_members(schema, found) if schema.members else found.get(schema.stored_as, {})
    listed = found.listed_in.get(schema.stored_as, ())
    new = {c.name: known[c.name] for c in schema.columns if c.name in known and not c.about}
    if not new and not listed:
        return schema
    columns = tuple(c.model_copy(update={"about": new[c.name][0]}) if c.name in new else c for c in schema.columns)
    rules = schema.rules or TableRules()
    places = rules.columns_where | {name: where for name, (_, where) in new.items()}
    rules = rules.model_copy(update={"columns_where": places, "code_columns": tuple(listed)})
    return schema.model_copy(update={"columns": columns, "rules": rules})


def _of_members(union: TableSchema, found: FoundCodes) -> dict[str, tuple[str, str]]:
    """Return what the codes of a union's columns mean, where all of its members agree that have them explained."""
    known = {}
    for column in union.columns:
        own = ((m.stored_as, m.columns.get(column.name, "")) for m in union.members)
        told = [found[stored][name] for stored, name in own if name in found.get(stored, {})]
        parts = sorted({part for says, _ in told for part in says.split("; ")})
        if parts and len({part.partition(": ")[0] for part in parts}) == len(parts):
            known[column.name] = "; ".join(parts), told[0][1]
    return known
