"""A look into embedded Chroma by its engine alone: its Python client takes longer to load than all the rest of doctor.

The engine's interface is the client's own and may change with it; the client is asked then.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["Seen", "look"]

FILE = "chroma.sqlite3"
WHERE = ("default_tenant", "default_database")
OPEN_INDEXES = 8
FIRST_WINDOWS = '{"window": {"$eq": 0}}'


class Seen(NamedTuple):
    """What a collection holds."""

    metadata: Mapping[str, Any]
    chunks: int


def look(folder: Path, collection: str) -> Seen | None:
    """Open a folder, count the chunks of a collection and search its vectors; None if only the client can tell.

    Raises ChromaError and what else the engine raises. The folder must be locked against writers.
    """
    if not (folder / FILE).exists():
        return None
    try:
        import chromadb_rust_bindings

        engine: Any = chromadb_rust_bindings  # which has no types
        stored = engine.SqliteDBConfig(
            hash_type=engine.MigrationHash.MD5,
            migration_mode=engine.MigrationMode.Apply,
            url=str(folder.resolve() / FILE),
        )
        opened = engine.Bindings(
            allow_reset=False,
            sqlite_db_config=stored,
            persist_path=str(folder.resolve()),
            hnsw_cache_size=OPEN_INDEXES,
        )
        named = [c for c in opened.list_collections(None, None, *WHERE) if c.name == collection]
        return _seen(opened, named[0]) if named else None
    except (ImportError, AttributeError, TypeError):
        return None


def _seen(opened: Any, collection: Any) -> Seen:
    of = str(collection.id)
    chunks = opened.get(of, None, FIRST_WINDOWS, None, 0, None, [], *WHERE).ids
    one = opened.get(of, None, None, 1, 0, None, ["embeddings"], *WHERE).embeddings
    if one:
        opened.query(of, None, one, 1, None, None, [], *WHERE)
    return Seen(collection.metadata or {}, len(chunks))
