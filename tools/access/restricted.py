"""The services of a deployment as an API key may see them: the one place where rights are applied.

A key with rights gets services of its own over the same stores. Their catalog leaves out and cuts down tables; what
reads chunks of documents asks it which are published, and it leaves out those with tables that the key sees in part;
their database runs no statement over a table that the catalog does not show. What caches rows or values is the key's.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablerag.tools.access.restricted_knowledge import RestrictedKnowledge
from tablerag.tools.access.rights import FULL, Rights
from tablerag.tools.access.row_filters import EVERY_ROW, restricted
from tablerag.tools.catalog import Catalog
from tablerag.tools.catalog_listing import ListedTable
from tablerag.tools.catalog_tables import DocumentRecord
from tablerag.tools.errors import AccessDenied, SqlProblem, SqlRejected
from tablerag.tools.knowledge.store import KnowledgeStore
from tablerag.tools.linking.keys import key_of, singular_key
from tablerag.tools.linking.matching import ValueIndex, best_matches
from tablerag.tools.linking.values import linked_columns
from tablerag.tools.records import Cell, TableSchema, ValueHint
from tablerag.tools.services import Services
from tablerag.tools.sql.backends.tables import Rows
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.guard import GuardedSql, guard
from tablerag.tools.table_rows import RowReader, TableRows

if TYPE_CHECKING:
    from tablerag.tools.embedding.static import StaticEmbedding
    from tablerag.tools.leases import Leases
    from tablerag.tools.linking.large import LargeValues
    from tablerag.tools.linking.matching import ColumnValues
    from tablerag.tools.linking.values import ValueLinker
    from tablerag.tools.reranking.reranker import Reranker
    from tablerag.tools.stores.lexical_index import LexicalIndex
    from tablerag.tools.stores.tantivy_index import TantivyIndex
    from tablerag.tools.stores.vector_store import VectorStore
    from tablerag.tools.token_ledger import TokenLedger

__all__ = ["RestrictedServices", "check_may_write", "services_for"]

MOST_UNSEARCHED, MOST_FOUND = 3, 10
"""Tables seen in part that a model and the embedded reasoner are offered: their chunks cannot be searched."""
DENIED = "this API key may not see all of table {}"
READS = "this API key does not see all tables of its corpora, so it may only read"


class RestrictedCatalog(Catalog):
    """A catalog without what a key may not see. It only reads."""

    def __init__(self, whole: Catalog, database: Database, rights: Rights, corpora: Collection[str] | None) -> None:
        super().__init__(database)
        self.whole, self._rights, self._allowed = whole, rights, corpora
        self._counts: dict[tuple[str, str], int] = {}
        self._maps: dict[str, tuple[int, dict[str, TableSchema]]] = {}
        self._cut: dict[str, tuple[int, frozenset[str]]] = {}

    def deployment_id(self) -> str:
        return self.whole.deployment_id()

    def corpora(self) -> list[str]:
        return [c for c in self.whole.corpora() if self.may_use(c)]

    def schemas(self, corpus: str) -> list[TableSchema]:
        return self._seen(corpus, self.whole.schemas(corpus))

    def few_schemas(self, corpus: str, most: int) -> list[TableSchema]:
        """Return the schemas of a corpus with few tables; of one with more, those that are seen in part.

        These are not found by their chunks.
        """
        few = self._seen(corpus, self.whole.few_schemas(corpus, most))
        return few or [s for s in self.schemas(corpus) if s.row_filter][:MOST_FOUND]

    def unsearched(self, corpus: str, text: str) -> list[TableSchema]:
        """Return the tables seen in part whose names and headers have words of a text, those with most first."""
        said = {singular_key(w) for w in key_of(text).split()}
        shared = {}
        for schema in (s for s in self.map(corpus).values() if s.row_filter):
            named = " ".join([schema.name.replace("_", " "), schema.title, *(c.header for c in schema.columns)])
            shared[schema.name] = len(said & {singular_key(w) for w in key_of(named).split()})
        best = sorted((n for n in shared if shared[n]), key=lambda n: (-shared[n], n))[:MOST_UNSEARCHED]
        return [self.map(corpus)[n] for n in best]

    def set_aside(self, corpus: str) -> list[TableSchema]:
        return self._seen(corpus, self.whole.set_aside(corpus))

    def tables(self, corpus: str) -> list[TableSchema]:
        return self._seen(corpus, self.whole.tables(corpus))

    def listed_tables(self, corpus: str) -> list[ListedTable]:
        shown = self.map(corpus) if self.may_use(corpus) else {}
        return [t for t in self.whole.listed_tables(corpus) if t.name in shown and shown[t.name].row_filter is None]

    def connected_names(self, corpus: str, most: int) -> list[str]:
        return sorted(s.name for s in self.map(corpus).values() if s.origin)[: most + 1]

    def named(self, corpus: str, names: Iterable[str]) -> list[TableSchema]:
        return self._seen(corpus, self.whole.named(corpus, names))

    def with_unions(self, corpus: str, schemas: Sequence[TableSchema]) -> list[TableSchema]:
        every = self.whole.with_unions(corpus, schemas)
        unions = {s.table_id for s in self._seen(corpus, [s for s in every if s.members])}
        return [s for s in every if not s.members or s.table_id in unions]

    def schemas_by_id(self, corpus: str, table_ids: Sequence[str]) -> list[TableSchema]:
        return self._seen(corpus, self.whole.schemas_by_id(corpus, table_ids))

    def schemas_of_document(self, document_id: str) -> list[TableSchema]:
        return self.schemas_by_document([document_id])[document_id]

    def schemas_by_document(self, document_ids: Sequence[str]) -> dict[str, list[TableSchema]]:
        found = self.whole.schemas_by_document(document_ids)
        return {i: self._seen(self.whole.corpus_of(s[0].table_id) or "" if s else "", s) for i, s in found.items()}

    def long_tables(self, corpus: str) -> list[TableSchema]:
        return self._seen(corpus, self.whole.long_tables(corpus))

    def corpus_of(self, table_id: str) -> str | None:
        corpus = self.whole.corpus_of(table_id)
        return corpus if corpus is not None and self.may_use(corpus) else None

    def is_named(self, corpus: str, spellings: Collection[str], beginning: str) -> bool:
        """Return True for a key with rights: a word that only a hidden column has is not told from others."""
        return self._rights != FULL or self.whole.is_named(corpus, spellings, beginning)

    def documents(self, corpus: str) -> list[DocumentRecord]:
        """Return the documents of which something is seen; of those that are seen in part, no more than their names."""
        if not self.may_use(corpus):
            return []
        cut, shown = self._cut_documents(corpus), {_document_of(s) for s in self.schemas(corpus)}
        blank = {"warnings": (), "row_count": None, "chunk_count": 0, "table_count": 0, "size_bytes": 0}
        found = self.whole.documents(corpus)
        kept = [d for d in found if d.document_id not in cut or d.document_id in shown]
        return [d.model_copy(update=blank) if d.document_id in cut else d for d in kept]

    def document(self, corpus: str, source: str) -> DocumentRecord | None:
        return next((d for d in self.documents(corpus) if d.source == source), None)

    def published(self, corpus: str, document_ids: Iterable[str]) -> set[str]:
        """Return which documents are published and seen as a whole: chunks of others may show what is hidden."""
        if not self.may_use(corpus):
            return set()
        return self.whole.published(corpus, document_ids) - self._cut_documents(corpus)

    def may_use(self, corpus: str) -> bool:
        """Return whether the key has a corpus."""
        return self._allowed is None or corpus in self._allowed

    def check_may_write(self, corpus: str) -> None:
        """Raise AccessDenied for a key that does not have the corpus, or not see all of its tables."""
        if not self.may_use(corpus) or self._rights != FULL:
            raise AccessDenied(READS)

    def map(self, corpus: str) -> Mapping[str, TableSchema]:
        """Return the tables of a corpus as the key sees them, by SQL name; kept until the corpus changes."""
        generation = self.whole.generation(corpus)
        known = self._maps.get(corpus)
        if known is None or known[0] != generation:
            self._maps[corpus] = known = generation, {s.name: s for s in self.tables(corpus)}
        return known[1]

    def shows(self, schema: TableSchema) -> bool:
        """Return whether a schema, which a client may have written, is no more than what the key sees."""
        for corpus in self.corpora():
            seen = self.map(corpus).get(schema.name)
            if seen is None:
                continue
            mine, theirs = ((s.stored_as, s.row_filter, s.origin) for s in (schema, seen))
            members = bool(schema.members) == bool(seen.members) and all(m in seen.members for m in schema.members)
            return mine == theirs and members and schema.stored_columns().keys() <= seen.stored_columns().keys()
        return False

    def seen(self, schema: TableSchema) -> TableSchema | None:
        """Return the table of a schema that comes from a client's state, as the key sees it; None if it does not."""
        every = (seen for c in self.corpora() if (seen := self.map(c).get(schema.name)) is not None)
        found = next((s for s in every if s.stored_as == schema.stored_as), None)
        return found.model_copy(update={"rules": schema.rules}) if found else None

    def stored(self, stored_as: str) -> TableSchema | None:
        """Return the table with a stored name."""
        every = (s for c in self.corpora() for s in self.map(c).values())
        return next((s for s in every if s.stored_as == stored_as), None)

    def has_all_rows(self, schema: TableSchema) -> bool:
        """Return whether all rows of a table are seen."""
        return self.shows(schema) and (schema.row_filter is None or schema.row_filter.condition == EVERY_ROW)

    def _seen(self, corpus: str, schemas: Sequence[TableSchema]) -> list[TableSchema]:
        if not self.may_use(corpus):
            return []
        found = (restricted(s, self._rights) for s in schemas)
        return [self._counted(s if self._rights == FULL else _unprofiled(s)) for s in found if s is not None]

    def _counted(self, schema: TableSchema) -> TableSchema:
        """Return a schema with the number of its rows that are seen."""
        kept = schema.row_filter
        if kept is None:
            return schema
        key = schema.stored_as or schema.name, kept.condition
        if key not in self._counts:
            counting = guard(f"SELECT COUNT(*) FROM `{schema.name}`", [schema], row_limit=1)
            try:
                count = self.whole._database.run(counting).rows[0][0]
            except SqlProblem:
                return schema.model_copy(update={"row_count": 0})
            if schema.origin:  # it may change at any time
                return schema.model_copy(update={"row_count": int(count or 0)})
            self._counts[key] = int(count or 0)
        return schema.model_copy(update={"row_count": self._counts[key]})

    def _cut_documents(self, corpus: str) -> frozenset[str]:
        """Return the documents with a table that the key does not see as a whole."""
        if self._rights == FULL:
            return frozenset()
        generation = self.whole.generation(corpus)
        known = self._cut.get(corpus)
        if known is None or known[0] != generation:
            every = self.whole.schemas(corpus)
            cut = frozenset(
                _document_of(s) for s in every if (r := restricted(s, self._rights)) is None or r.row_filter
            )
            self._cut[corpus] = known = generation, cut
        return known[1]


class RestrictedDatabase(Database):
    """A database that runs only statements over tables as the key sees them; its connections are shared."""

    def __init__(self, whole: Database, catalog: Callable[[], RestrictedCatalog]) -> None:
        self.__dict__.update(whole.__dict__)
        self._seen_by = catalog

    @contextmanager
    def _running(self, guarded: GuardedSql, most: int, timeout_s: float | None = None) -> Iterator[Rows]:
        catalog = self._seen_by()
        for schema in guarded.schemas:
            if not catalog.shows(schema):
                raise SqlRejected(DENIED.format(schema.name))
        with super()._running(guarded, most, timeout_s) as rows:
            yield rows


class RestrictedRows(RowReader):
    """The rows of tables that a key sees."""

    def __init__(self, database: Database, catalog: RestrictedCatalog) -> None:
        super().__init__(database)
        self._catalog = catalog

    def __call__(self, schema: TableSchema, hints: Sequence[ValueHint] = ()) -> TableRows:
        seen = self._catalog.seen(schema)  # a state has no filters, and its columns may be forged
        if seen is None:
            raise SqlRejected(DENIED.format(schema.name))
        return super().__call__(seen, hints)

    def first(self, schema: TableSchema, names: Sequence[str], most: int) -> tuple[tuple[Cell, ...], ...]:
        return self.select(schema, names, "", most) if schema.row_filter else super().first(schema, names, most)


class RestrictedLinker:
    """The values of tables of which a key sees all rows, and of the first rows that it sees of others."""

    def __init__(self, whole: ValueLinker, catalog: RestrictedCatalog, rows: RowReader) -> None:
        self._whole, self._catalog, self._rows = whole, catalog, rows

    def hints(self, question: str, schemas: Sequence[TableSchema], limit: int = 20) -> list[ValueHint]:
        """Return the values that the question mentions, as ValueLinker does."""
        whole = [s for s in schemas if self._catalog.has_all_rows(s)]
        found = self._whole.hints(question, whole, limit)
        for schema in (s for s in schemas if s not in whole):
            with suppress(SqlProblem):
                found += self._of_rows(question, schema)
        return sorted(found, key=lambda h: (-h.score, -len(h.phrase), h.table, h.column, h.value))[:limit]

    def _of_rows(self, question: str, schema: TableSchema) -> Iterator[ValueHint]:
        read = self._rows(schema)
        for name in (n for n in linked_columns(schema) if n in read.names):
            place = read.names.index(name)
            values = ValueIndex.of(dict.fromkeys(str(row[place]) for row in read.rows if row[place] is not None))
            for value, phrase, score in best_matches(question, values):
                yield ValueHint(table=schema.name, column=name, value=value, phrase=phrase, score=score)

    def held(self, stored_as: str, names: Sequence[str], row_count: int) -> Mapping[str, ColumnValues]:
        """Return the distinct values of columns, as ValueLinker does."""
        found = self._catalog.stored(stored_as)
        return self._whole.held(stored_as, names, row_count) if found and self._catalog.has_all_rows(found) else {}


class RestrictedServices(Services):
    """The services of a deployment for a key with rights. What is not a key's own is the deployment's."""

    def __init__(self, whole: Services, rights: Rights, corpora: Collection[str] | None, owner: str) -> None:
        super().__init__(whole.settings)
        self._whole, self.rights, self._corpora, self._owner = whole, rights, corpora, owner
        self.sees_all = rights == FULL

    @property
    def database(self) -> Database:
        return self._once("database", lambda: RestrictedDatabase(self._whole.database, lambda: self.catalog))

    @property
    def catalog(self) -> RestrictedCatalog:
        made = self._whole.database
        return self._once("catalog", lambda: RestrictedCatalog(self._whole.catalog, made, self.rights, self._corpora))

    @property
    def knowledge(self) -> KnowledgeStore:
        def made() -> KnowledgeStore:
            return RestrictedKnowledge(self._whole.knowledge, self.catalog, self._owner, sees_all=self.sees_all)

        return self._once("knowledge", made)

    @property
    def value_linker(self) -> Any:
        return self._once("value_linker", lambda: RestrictedLinker(self._whole.value_linker, self.catalog, self.rows))

    @property
    def rows(self) -> RowReader:
        return self._once("rows", lambda: RestrictedRows(self.database, self.catalog))

    @property
    def whole(self) -> Services:
        return self._whole

    @property
    def leases(self) -> Leases:
        return self._whole.leases

    @property
    def home(self) -> Path:
        return self._whole.home

    @property
    def token_ledger(self) -> TokenLedger:
        return self._whole.token_ledger

    @property
    def large_values(self) -> LargeValues:
        return self._whole.large_values

    @property
    def embedding(self) -> StaticEmbedding:
        return self._whole.embedding

    def seen(self, schemas: Sequence[TableSchema]) -> Sequence[TableSchema]:
        return [s for given in schemas if (s := self.catalog.seen(given)) is not None]

    def reranker(self, corpus: str, *, embedded: bool = False) -> Reranker:
        return self._whole.reranker(corpus, embedded=embedded)

    def vector_store(self, corpus: str) -> VectorStore:
        return self._whole.vector_store(corpus)

    def lexical_index(self, corpus: str) -> LexicalIndex:
        return self._whole.lexical_index(corpus)

    def own_lexical_index(self, corpus: str) -> TantivyIndex:
        return self._whole.own_lexical_index(corpus)

    def close(self) -> None:
        """Forget what was opened; the deployment's own services stay open."""
        self._opened.clear()


def services_for(whole: Services, owner: str | None) -> Services:
    """Return a deployment's services for the key of an owner; all of them for None: no key is needed."""
    keys = whole.settings.api_keys
    if owner is None or not keys:
        return whole
    rights, corpora = keys.rights_of(owner), keys.corpora_of(owner)
    if rights == FULL and corpora is None:
        return whole
    name = f"restricted {owner}"
    return whole._once(name, lambda: RestrictedServices(whole, rights, corpora, owner))


def check_may_write(services: Services) -> None:
    """Raise AccessDenied for a key that does not see all tables: it would replace what it cannot see."""
    if isinstance(services, RestrictedServices) and services.rights != FULL:
        raise AccessDenied(READS)


def _unprofiled(schema: TableSchema) -> TableSchema:
    """Return a schema without its profiles: the model that drafted them read passages of any document."""
    if not schema.profiled_by and not any(c.profile for c in schema.columns):
        return schema
    columns = tuple(c.model_copy(update={"profile": ""}) for c in schema.columns)
    return schema.model_copy(update={"columns": columns, "profiled_by": ""})


def _document_of(schema: TableSchema) -> str:
    """Return the document of a table: its id begins with it."""
    return schema.table_id.rpartition(":")[0]
