"""Codes that the documents themselves explain: "Status: O open, C cancelled" in a handbook tells what a column holds.

They are looked for when a small corpus has changed, and kept in the catalog. In large ones `tablerag knowledge draft`
looks for them, for a person to accept.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from tablerag.tools.errors import TableRagError
from tablerag.tools.knowledge.drafting import codes_of, explained, texts_of
from tablerag.tools.records import TableRules, TableSchema
from tablerag.tools.services import Services

__all__ = ["FoundCodes", "found_codes", "with_codes"]

VERSION = 1
"""Of these rules: what others found is looked for again."""
MOST_CHUNKS, MOST_TABLES = 2_000, 100
"""The size of a corpus that is searched, which takes up to a second."""
LEAST_SHARE = 0.75
"""The share of a column's codes that a sentence must explain: nobody looks at what was found."""
NO_CODE = re.compile(r"\d+|[QHT]\d|FY\d*")
"""Numbers and periods: sentences list them without explaining them."""
FoundCodes = Mapping[str, Mapping[str, tuple[str, str]]]
"""By stored table and column: what its codes mean, and the source that says so."""


def found_codes(services: Services, corpus: str) -> FoundCodes:
    """Return the codes that the documents of a corpus explain, in its present state.

    Of a key with rights: those that documents explain which it sees as a whole.
    """
    found = _kept_codes(services.whole, corpus)
    if services.sees_all or not found:
        return found
    sources = {d.document_id: d.source for d in services.catalog.documents(corpus)}
    seen = {sources[i] for i in services.catalog.published(corpus, sources)}
    return {
        table: {name: told for name, told in columns.items() if told[1] in seen} for table, columns in found.items()
    }


def _kept_codes(services: Services, corpus: str) -> FoundCodes:
    key, state = f"codes of {corpus}", f"{VERSION} {services.catalog.generation(corpus)}"
    kept = services.catalog.model_texts([key]).get(key) or [""]
    if kept[0] != state:
        kept = [state, *(json.dumps(line, ensure_ascii=False) for line in _look(services, corpus))]
        with suppress(TableRagError):  # a home that cannot be written is searched at every question
            services.catalog.save_model_texts(key, kept)
    found: dict[str, dict[str, tuple[str, str]]] = {}
    for stored_as, column, says, source in map(json.loads, kept[1:]):
        found.setdefault(stored_as, {})[column] = says, source
    return found


def _look(services: Services, corpus: str) -> Iterator[tuple[str, str, str, str]]:
    chunks = sum(d.chunk_count for d in services.catalog.documents(corpus))
    schemas = services.catalog.few_schemas(corpus, MOST_TABLES) if chunks <= MOST_CHUNKS else []
    texts = texts_of(services, corpus) if schemas else []
    for schema in schemas if texts else ():
        for name, codes in codes_of(services, schema).items():
            if all(map(NO_CODE.fullmatch, codes)):
                continue
            if found := explained(codes, texts, LEAST_SHARE):
                yield (schema.stored_as, name, *found)


def with_codes(schemas: Sequence[TableSchema], found: FoundCodes) -> list[TableSchema]:
    """Return schemas with what is found of their columns' codes, where nothing else describes them."""
    return [_with_codes(s, known) if (known := found.get(s.stored_as)) else s for s in schemas]


def _with_codes(schema: TableSchema, known: Mapping[str, tuple[str, str]]) -> TableSchema:
    new = {c.name: known[c.name] for c in schema.columns if c.name in known and not c.about}
    columns = tuple(c.model_copy(update={"about": new[c.name][0]}) if c.name in new else c for c in schema.columns)
    rules = schema.rules or TableRules()
    places = rules.columns_where | {name: source for name, (_, source) in new.items()}
    return schema.model_copy(update={"columns": columns, "rules": rules.model_copy(update={"columns_where": places})})
