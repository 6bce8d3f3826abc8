"""A look into embedded Chroma by its engine alone: its Python client takes longer to load than all the rest of doctor.

The engine's interface is the client's own and may change with it; the client is asked then.
"""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from tablerag.tools.stores.chroma_graph import FILE, check_ids, check_vectors
from tablerag.tools.stores.damage import Damage, discard_content

__all__ = ["Seen", "guarded", "look", "probe"]

GENERATIONS = "*.generation"
"""Files of the SharedFolder: there is one once anything is written."""
MARK = "loading"
"""A file that is there while a process loads vectors. It holds the folder's lock: one that is left tells of a crash."""
PROBE = "tablerag.tools.stores.chroma_engine"
PROBE_S = 300.0
WHERE = ("default_tenant", "default_database")
OPEN_INDEXES = 8
FIRST_WINDOWS = '{"window": {"$eq": 0}}'


class Seen(NamedTuple):
    """What a collection holds."""

    metadata: Mapping[str, Any]
    chunks: int


@contextmanager
def guarded(folder: Path, collection: str) -> Iterator[None]:
    """Load a collection's vectors inside, which damaged files could crash; the folder must be locked.

    Raises ValueError or sqlite3.Error if the files are damaged. After a crash they are loaded in another process first.
    """
    mark = folder / MARK
    if (folder / FILE).exists():
        try:
            (probe if mark.exists() else check_vectors)(folder, collection)
        except (ValueError, OSError, sqlite3.Error):
            if any(folder.glob(GENERATIONS)):
                raise
            discard_content(folder, keep=("lock",))  # a full disk ended the first writer before it wrote anything
    with suppress(OSError):  # a folder that cannot be written
        mark.touch()
    try:
        yield
    finally:
        with suppress(OSError):
            mark.unlink()


def probe(folder: Path, collection: str) -> None:
    """Raise ValueError, OSError or sqlite3.Error if a collection is damaged, or loading it crashes or never ends."""
    check_vectors(folder, collection)
    check_ids(folder, collection)
    command = [sys.executable, "-P", "-m", PROBE, str(folder), collection]
    none = subprocess.DEVNULL
    try:
        ended = subprocess.run(command, stdin=none, stdout=none, stderr=none, timeout=PROBE_S, check=False).returncode
    except subprocess.TimeoutExpired as error:
        raise Damage(f"loading it takes more than {PROBE_S:.0f} s") from error
    if ended not in (0, 1):  # 1 is an exception, which can be caught here too
        raise Damage("loading it crashes the process")


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


if __name__ == "__main__":
    look(Path(sys.argv[1]), sys.argv[2])
