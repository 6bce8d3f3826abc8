"""Opens what the settings name, each store at first use and once.

Each method imports its store's module itself: chromadb, openai and the embedding cost seconds, and most commands
need none of them.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from tablerag.tools.errors import ForeignStore
from tablerag.tools.settings import Settings, get_settings

if TYPE_CHECKING:
    from pathlib import Path

    from tablerag.tools.catalog import Catalog
    from tablerag.tools.chunk_texts import ChunkTexts
    from tablerag.tools.connections.refreshing import Refresh
    from tablerag.tools.embedding.static import StaticEmbedding
    from tablerag.tools.failed_files import FailedFiles
    from tablerag.tools.knowledge.store import KnowledgeStore
    from tablerag.tools.leases import Leases
    from tablerag.tools.linking.large import LargeValues
    from tablerag.tools.linking.values import ValueLinker
    from tablerag.tools.records import TableSchema
    from tablerag.tools.reranking.reranker import Reranker
    from tablerag.tools.retriever import HybridRetriever
    from tablerag.tools.sql.database import Database
    from tablerag.tools.stores.lexical_index import LexicalIndex
    from tablerag.tools.stores.tantivy_index import TantivyIndex
    from tablerag.tools.stores.vector_store import NamedEmbedding, VectorStore
    from tablerag.tools.table_rows import RowReader
    from tablerag.tools.token_ledger import TokenLedger

__all__ = ["Services", "get_services"]

T = TypeVar("T")
OWNER = "deployment"
"""The file of a home that names the deployment whose indexes it holds."""
SERVER = "server"
"""The file of a home that names the server of that deployment's database, where it has one."""
OWN_ID = re.compile(r"[0-9a-f]{16}")


class Services:
    """The stores of one deployment. Safe to share between threads; close() when done."""

    sees_all = True
    """Whether everything may be seen: False for an API key with rights."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._opened: dict[str, Any] = {}
        self._lock = threading.RLock()
        self.waits_for_indexes = True
        """Whether a question waits until this host has copied all that others have published, however much it is."""
        self.refresh: Refresh | None = None
        """Describes changed tables of connected databases again; set by ingestion.refreshing."""

    def _once(self, key: str, make: Callable[[], T]) -> T:
        with self._lock:
            if key not in self._opened:
                self._opened[key] = make()
            return self._opened[key]

    @property
    def whole(self) -> Services:
        """The services of the deployment, which see everything."""
        return self

    @property
    def database(self) -> Database:
        """The SQL database that holds the tables and the catalog."""
        from tablerag.tools.sql.database import Database

        s = self.settings
        return self._once(
            "database",
            lambda: Database(
                s.resolved_database_url,
                query_url=s.query_database_url,
                timeout_s=s.sql_timeout_s,
                row_limit=s.row_limit,
                most_examined=s.connection_most_rows,
            ),
        )

    @property
    def catalog(self) -> Catalog:
        """What has been ingested: documents and table schemas."""
        from tablerag.tools.catalog import Catalog

        return self._once(
            "catalog", lambda: Catalog(self.database, str if self.database.is_server else self._home_owner)
        )

    @property
    def leases(self) -> Leases:
        """Who is writing, on any host."""
        from tablerag.tools.leases import Leases

        return self._once("leases", lambda: Leases(self.database, self.settings.lease_s))

    @property
    def home(self) -> Path:
        """The home folder; raises ForeignStore if its indexes belong to another deployment than the database."""
        return self._once("home", self._checked_home)

    def claim_home(self) -> None:
        """Note in the home to which deployment its indexes belong; raise ForeignStore if that is another one."""
        home = self._checked_home()
        if not self._home_owner():
            (home / OWNER).write_text(self.catalog.deployment_id(), encoding="ascii")
        if self.database.is_server and self._home_server() != self.database.shown_url:
            (home / SERVER).write_text(self.database.shown_url, encoding="utf-8")

    def _home_server(self) -> str:
        """Return the server whose deployment's indexes the home holds, without its password; empty for none."""
        try:
            return (self.settings.home / SERVER).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""

    def _home_owner(self) -> str:
        try:
            owner = (self.settings.home / OWNER).read_text(encoding="ascii", errors="replace")
        except OSError:
            return ""
        return owner if OWN_ID.fullmatch(owner) else ""  # a damaged file is written again

    def _checked_home(self) -> Path:
        home, owner = self.settings.home, self._home_owner()
        if not self.database.is_server and (server := self._home_server()):
            raise ForeignStore(
                f"the indexes in {home} belong to the database {server}: set TABLERAG_DATABASE_URL to it, or "
                "TABLERAG_HOME to another folder"
            )
        if owner and self.catalog.deployment_id() not in ("", owner):
            raise ForeignStore(
                f"the indexes in {home} belong to another deployment than the database {self.database.shown_url}: set "
                "TABLERAG_HOME to another folder, or TABLERAG_DATABASE_URL to the database that they were made from"
            )
        return home

    @property
    def token_ledger(self) -> TokenLedger:
        """What model calls cost, by corpus and day."""
        from tablerag.tools.token_ledger import TokenLedger

        return self._once("token_ledger", lambda: TokenLedger(self.database))

    @property
    def chunk_texts(self) -> ChunkTexts:
        """The texts of chunks in SQL, where hosts share the database."""
        from tablerag.tools.chunk_texts import ChunkTexts

        return self._once("chunk_texts", lambda: ChunkTexts(self.database))

    @property
    def failed_files(self) -> FailedFiles:
        """The files that could not be read, by corpus."""
        from tablerag.tools.failed_files import FailedFiles

        return self._once("failed_files", lambda: FailedFiles(self.database))

    @property
    def knowledge(self) -> KnowledgeStore:
        """The companies' own terms and metrics, by corpus."""
        from tablerag.tools.knowledge.store import KnowledgeStore

        return self._once("knowledge", lambda: KnowledgeStore(self.database))

    @property
    def value_linker(self) -> ValueLinker:
        """Finds the stored values that a question mentions."""
        from tablerag.tools.linking.meanings import Meanings
        from tablerag.tools.linking.values import ValueLinker

        return self._once(
            "value_linker", lambda: ValueLinker(self.database, self.large_values, Meanings(self.embedding.embed))
        )

    @property
    def rows(self) -> RowReader:
        """The first rows of tables, cached."""
        from tablerag.tools.table_rows import RowReader

        return self._once("rows", lambda: RowReader(self.database))

    @property
    def large_values(self) -> LargeValues:
        """The value index: distinct values of columns that have too many for memory."""
        from tablerag.tools.linking.large import LargeValues

        return self._once("large_values", lambda: LargeValues(self.home / "values"))

    @property
    def embedding(self) -> StaticEmbedding:
        """The embedded embedding."""
        from tablerag.tools.embedding.static import StaticEmbedding

        return self._once("embedding", StaticEmbedding)

    @property
    def chunk_embedding(self) -> NamedEmbedding:
        """What the chunks of all corpora are embedded by: the settings' own, or the embedded one."""
        name = self.settings.embedding
        if name == "embedded":
            return self.embedding
        from tablerag.tools.embedding.endpoint import EndpointEmbedding

        return self._once("chunk_embedding", lambda: EndpointEmbedding(name, self.settings))

    def reranker(self, corpus: str, *, embedded: bool = False) -> Reranker:
        """Return what orders recalled chunks by how well they fit a query: the settings' own, or the embedded one."""
        s = self.settings
        if embedded or s.reranker == "embedded":
            from tablerag.tools.reranking.learned import LearnedReranker

            rarity = self.lexical_index(corpus).rarity
            return self._once(f"reranker {corpus}", lambda: LearnedReranker(self.embedding, rarity))
        if s.reranker.startswith("openai:"):
            from tablerag.tools.reranking.model import ModelReranker

            return self._once("reranker", lambda: ModelReranker(s.reranker, s))
        from tablerag.tools.reranking.endpoint import EndpointReranker

        return self._once("reranker", lambda: EndpointReranker(s))

    def vector_store(self, corpus: str) -> VectorStore:
        """Return the corpus's dense index."""
        from tablerag.tools.stores.opening import open_vector_store

        named = self.settings.vector_store_of(corpus)

        def opened() -> VectorStore:
            if self.database.is_server:
                self.catalog.check_vectors(on_server="+" in named)
            return open_vector_store(named, corpus, self.chunk_embedding, self.home, self.catalog)

        return self._once(f"vector_store {corpus}", opened)

    def lexical_index(self, corpus: str) -> LexicalIndex:
        """Return the corpus's full-text index, with what other hosts have published."""
        if self.database.is_server:
            from tablerag.tools.replica import Replica

            name = corpus.partition("~")[0]
            # The checker takes this folder and the package of the same files for two.
            self._once(f"replica {name}", lambda: Replica(self, name)).follow()  # pyright: ignore[reportArgumentType]
        return self.own_lexical_index(corpus)

    def own_lexical_index(self, corpus: str) -> TantivyIndex:
        """Return the corpus's full-text index as it is on this host."""
        from tablerag.tools.stores.tantivy_index import TantivyIndex

        is_replica = self.database.is_server
        return self._once(
            f"lexical_index {corpus}", lambda: TantivyIndex(corpus, self.home / "lexical", is_replica=is_replica)
        )

    def retriever(self, corpus: str) -> HybridRetriever:
        """Return the corpus's fused retriever."""
        from tablerag.tools.retriever import HybridRetriever

        dense, lexical = self.vector_store(corpus), self.lexical_index(corpus)
        return self._once(
            f"retriever {corpus}",
            lambda: HybridRetriever(
                dense,
                lexical,
                published=lambda ids: self.catalog.published(corpus, ids),
                generation=lambda: (dense.generation(), lexical.version()),
                hidden=() if self.sees_all else ("profile",),  # other documents' passages were read for it
            ),
        )

    def seen(self, schemas: Sequence[TableSchema]) -> Sequence[TableSchema]:
        """Return the tables of schemas from a state, which its client can rewrite, as they may be seen: all of them."""
        return schemas

    def close(self) -> None:
        """Close what was opened."""
        with self._lock:
            if "database" in self._opened:
                self._opened["database"].close()
            self._opened.clear()


@lru_cache(maxsize=1)
def get_services() -> Services:
    """Return the deployment's services, made from the environment's settings."""
    return Services(get_settings())
